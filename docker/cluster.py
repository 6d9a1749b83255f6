"""The site of compose.yaml without containers: the same processes, commands and environment, on this machine.

`make cluster` starts it and stops it with Ctrl-C; tests and benchmarks use the class. Real PostgreSQL, real
Redis, two web servers, three workers, beat, inbound mail and the proxy, all of them on loopback. What
compose.yaml asks to be restarted is restarted here, too.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.services import Service, free_port, start_postgres, start_redis  # noqa: E402

COMPOSE = ROOT / "docker" / "compose.yaml"
ONCE = "migrate"
STORES = ("db", "redis")
# What a container has for itself and a process of this machine does not: each is another value here.
OWN_ENVIRONMENT = {
    *("DATABASE_URL", "REDIS_URL", "SITE_URL", "VAR_DIR", "GRANIAN_HOST", "GRANIAN_PORT"),
    *("SITE_ADDRESS", "WEB"),
}
OWN_WORDS = {"0.0.0.0", "8025", "/tmp/beat", "caddy", "/etc/caddy/Caddyfile"}
# Nobody waits for the disk, since this machine keeps its power; but the server may be killed at any time.
DURABLE = ("fsync=off", "full_page_writes=off")
PROXY = os.environ.get("CADDY") or str(Path(sys.executable).parent / "caddy")  # of the wheel
PATIENCE = 120.0  # seconds for a part to come up or go down


def listed() -> dict[str, dict[str, Any]]:
    """The services of compose.yaml."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def filled(text: str, given: Mapping[str, str]) -> str:
    """A value of compose.yaml with its variables filled in. Raises KeyError where it must have one."""

    def value(match: re.Match[str]) -> str:
        name, sign, default = re.split("(:[-?]|$)", match[1], maxsplit=1)
        if sign == ":?" and not given.get(name):
            raise KeyError(f"{name} {default}")
        return given.get(name) or default

    return re.sub(r"\$\{([^}]*)\}", value, text)


class Cluster:
    """Everything that serves the site. `smtp` is where mails go; `more` goes into every environment.

    What is in `own` goes into the environment of one part alone, and `before` stands before its command.
    """

    def __init__(
        self,
        folder: Path,
        *,
        smtp: tuple[str, int] = ("127.0.0.1", 9),
        without: tuple[str, ...] = (),
        more: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.more = folder, dict(more or {})
        self.services = {name: one for name, one in listed().items() if name not in without}
        self.ports = {name: free_port() for name in ("web1", "web2", "proxy", "redis", "inbound", "plain")}
        self.address = f"https://localhost:{self.ports['proxy']}"
        self.own: dict[str, dict[str, str]] = {}
        self.before: dict[str, list[str]] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.down: set[str] = set()  # what was stopped on purpose
        self.stores: dict[str, Service] = {}
        self.guard: subprocess.Popen[str] | None = None
        self.database_url = ""
        self.ending = False
        self.lock = threading.RLock()
        self.given = {  # as it would stand in docker/.env
            "SITE_HOST": "localhost",
            "SECRET_KEY": "a-key-for-a-site-on-one-machine-" + os.urandom(24).hex(),
            "POSTGRES_PASSWORD": "none",
            "EMAIL_HOST": smtp[0],
            "EMAIL_PORT": str(smtp[1]),
            "EMAIL_USE_TLS": "0",
            "DEFAULT_FROM_EMAIL": "OTTO online <otto@example.org>",
            "REPLY_DOMAIN": "reply.example.org",
            "TLS": "tls internal",
        }

    # -------------------------------------------------------------------------------------- what is started

    def environment(self, name: str) -> dict[str, str]:
        """What a process finds in its environment: docker/.env, compose.yaml, which wins, and our own."""
        told = self.services[name].get("environment", {})
        read = self.given if "env_file" in self.services[name] else {}
        own = {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": f"redis://127.0.0.1:{self.ports['redis']}/0",
            "SITE_URL": self.address,
            "VAR_DIR": str(self.folder / "var"),
            "GRANIAN_HOST": "127.0.0.1",
            "GRANIAN_PORT": str(self.ports.get(name, 0)),
            "SITE_ADDRESS": f"localhost:{self.ports['proxy']}",
            "WEB": f"127.0.0.1:{self.ports['web1']} 127.0.0.1:{self.ports['web2']}",
        }
        assert set(own) == OWN_ENVIRONMENT
        return read | {
            key: own[key] if key in own else filled(str(value), self.given) for key, value in told.items()
        }

    def surroundings(self, name: str) -> dict[str, str]:
        """What the image brings along, and where this machine keeps things."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        path = f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"
        around = {"PATH": path, "HOME": str(folder)}
        around |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
        around |= {"C_FORCE_ROOT": "1"}
        if name == "proxy":
            around |= {"XDG_DATA_HOME": str(folder), "BIND": "127.0.0.1"}
            around |= {"HTTP_PORT": str(self.ports["plain"]), "HTTPS_PORT": str(self.ports["proxy"])}
        return around | self.more

    def command(self, name: str) -> list[str]:
        """The command of compose.yaml, with what is this machine's own put in."""
        own = {
            "0.0.0.0": "127.0.0.1",
            "8025": str(self.ports["inbound"]),
            "/tmp/beat": str(self.folder / name / "schedule"),
            "caddy": PROXY,
            "/etc/caddy/Caddyfile": str(ROOT / "docker" / "Caddyfile"),
        }
        assert set(own) == OWN_WORDS
        return [own.get(word, word) for word in self.services[name]["command"]]

    # -------------------------------------------------------------------------------------- up and down

    def up(self) -> None:
        """Start all of it and wait until it answers. Raises RuntimeError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "var").mkdir(exist_ok=True)
        words = [sys.executable, str(ROOT / "docker" / "guard.py")]
        self.guard = subprocess.Popen(words, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self.start_store("db")
        self.start_store("redis")
        self.make_database()
        done = self.spawn(ONCE)
        try:
            failed = done.wait(PATIENCE * 3)
        finally:
            self.sweep_up(done)
        if failed:
            raise RuntimeError(f"{ONCE} failed: {self.log(ONCE)[-2000:]}")
        for name in self.services:
            if name not in (*STORES, ONCE):
                self.start(name)
        threading.Thread(target=self.watch, daemon=True).start()
        self.wait_ready()

    def start_store(self, name: str) -> None:
        if name in self.stores:  # which was killed
            self.stop_store(name)
        if name == "db":
            # pgdata may be there already: then it is started as it is.
            again = (self.folder / "pg" / "PG_VERSION").exists()
            self.stores[name] = start_postgres(self.folder, again, DURABLE)
            self.database_url = self.stores[name].url
        else:
            self.stores[name] = start_redis(self.folder, self.ports["redis"])
        self.tell_guard("+", self.stores[name].process.pid)

    def stop_store(self, name: str) -> None:
        store = self.stores.pop(name)
        store.stop()
        self.tell_guard("-", store.process.pid)

    def tell_guard(self, sign: str, pid: int) -> None:
        """Say that a process has begun, or was ended; whatever is left when we die is killed."""
        with self.lock, suppress(OSError):
            if self.guard and self.guard.stdin:
                self.guard.stdin.write(f"{sign} {pid}\n")
                self.guard.stdin.flush()

    def make_database(self) -> None:
        import psycopg

        admin = self.database_url.replace("/otto?", "/postgres?")
        with psycopg.connect(admin, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'otto'").fetchone():
                connection.execute("CREATE DATABASE otto")

    def spawn(self, name: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as output:
            process = subprocess.Popen(
                [*self.before.get(name, ()), *self.command(name)],
                cwd=ROOT,
                env=self.surroundings(name) | self.environment(name) | self.own.get(name, {}),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.tell_guard("+", process.pid)
        return process

    def start(self, name: str) -> None:
        with self.lock:
            self.down.discard(name)
            self.running[name] = self.spawn(name)

    def add(self, name: str, like: str, own: Mapping[str, str], before: Sequence[str] = ()) -> None:
        """Start one more process like one of the list, as a further machine would."""
        self.services[name] = listed()[like]
        self.own[name], self.before[name] = dict(own), list(before)
        self.ports.setdefault(name, free_port())
        self.start(name)

    def remove(self, name: str) -> None:
        """Switch off what was added, and forget it."""
        self.kill(name, stay=True)
        with self.lock:
            self.down.discard(name)
            for known in (self.running, self.services, self.own, self.before):
                known.pop(name, None)

    def stop(self, name: str) -> None:
        """End a part kindly and leave it down."""
        with self.lock:
            self.down.add(name)
            process = self.running[name]
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill(name)
        self.sweep_up(process)

    def kill(self, name: str, *, stay: bool = False) -> None:
        """End a part without a word, with all its children; it is started again, unless it is to stay."""
        with self.lock:
            if stay:
                self.down.add(name)
            process = self.running[name]
        self.sweep_up(process)
        process.wait(PATIENCE)

    def sweep_up(self, process: subprocess.Popen[bytes]) -> None:
        """No child outlives its parent: they share a session."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        self.tell_guard("-", process.pid)

    def watch(self) -> None:
        """What ended and should not have is started again, as Docker would."""
        while not self.ending:
            time.sleep(0.3)
            with self.lock:
                for name, process in list(self.running.items()):
                    if process.poll() is not None and name not in self.down and not self.ending:
                        self.sweep_up(process)
                        self.running[name] = self.spawn(name)

    def close(self) -> None:
        """Stop all of it: who is asked first goes first."""
        self.ending = True
        with self.lock:
            processes = list(self.running.values())
        for process in reversed(processes):
            process.terminate()
        until = time.monotonic() + 20
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, until - time.monotonic()))
            self.sweep_up(process)
            process.wait()
        for name in reversed(list(self.stores)):
            self.stop_store(name)
        if self.guard:
            self.guard.communicate()

    def __enter__(self) -> Cluster:
        try:
            self.up()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *failed: object) -> None:
        self.close()

    # -------------------------------------------------------------------------------------- looking at it

    def log(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def certificate(self) -> Path:
        """What the proxy's own authority is known by."""
        return self.folder / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    def web(self, name: str) -> str:
        """Where a web server listens, behind the proxy."""
        host = self.own.get(name, {}).get("GRANIAN_HOST", "127.0.0.1")
        return f"http://{host}:{self.ports[name]}"

    def direct(self, name: str, path: str) -> httpx.Response:
        """Ask a web server past the proxy, for what it tells whoever watches it."""
        # Not by https: to read everybody's certificates for it takes longer than all the rest.
        return httpx.get(f"{self.web(name)}{path}", timeout=30, verify=False)

    def wait_ready(self, *names: str) -> None:
        """Wait until web servers say that the site is ready. Raises RuntimeError."""
        until, last = time.monotonic() + PATIENCE, ""
        for name in names or ("web1", "web2"):
            while True:
                try:
                    answer = self.direct(name, "/readyz")
                    if answer.status_code == 200:
                        break
                    last = answer.text
                except httpx.HTTPError as error:
                    last = repr(error)
                if time.monotonic() > until:
                    raise RuntimeError(f"{name} is not ready: {last}\n{self.log(name)[-2000:]}")
                time.sleep(0.2)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="otto-cluster-", ignore_cleanup_errors=True) as folder:
        print("Starting PostgreSQL, Redis, two web servers, three workers, beat, inbound mail and the proxy.")
        with Cluster(Path(folder)) as cluster:
            print(f"\n  OTTO online: {cluster.address}/ (its certificate: {cluster.certificate})")
            print(f"  Logs:        {folder}/*.log\n  Ctrl-C stops it; nothing is kept.\n", flush=True)
            try:
                signal.pause()
            except KeyboardInterrupt:
                print("\nStopping.")


if __name__ == "__main__":
    main()
