"""The site of compose.yaml without containers: the same processes, commands and environment on this machine.

`make cluster` starts it and stops it on Ctrl-C; tests and benchmarks use the class. It runs PostgreSQL,
Redis, two web servers, one for streams, three workers, beat, inbound mail and the proxy, all on loopback.
Services with a restart policy in compose.yaml are restarted here, too.
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

COMPOSE_FILE = ROOT / "docker" / "compose.yaml"
MIGRATE_SERVICE = "migrate"
STORE_SERVICES = ("db", "redis")
# Variables and arguments that are local to a container and need another value on this machine.
OVERRIDDEN_VARIABLES = {
    *("DATABASE_URL", "REDIS_URL", "SITE_URL", "VAR_DIR", "GRANIAN_HOST", "GRANIAN_PORT"),
    *("SITE_ADDRESS", "WEB", "STREAMS"),
}
OVERRIDDEN_ARGUMENTS = {"0.0.0.0", "8025", "/tmp/beat", "caddy", "/etc/caddy/Caddyfile"}
# Survives a kill of the server but not a power failure, which these runs need not.
POSTGRES_OPTIONS = ("fsync=off", "full_page_writes=off")
CADDY_PATH = os.environ.get("CADDY") or str(Path(sys.executable).parent / "caddy")  # from the wheel
TIMEOUT_SECONDS = 120.0  # for a service to start or stop
ATTACHED_ATTRIBUTES = ("ports", "address", "database_url", "env_file", "extra_environment")


def load_services() -> dict[str, dict[str, Any]]:
    """Return the services of compose.yaml."""
    services: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE_FILE.read_text())["services"]
    return services


def fill_variables(text: str, variables: Mapping[str, str]) -> str:
    """Fill in the ${variables} of a value of compose.yaml. Raises KeyError if a required one is missing."""

    def value_of(match: re.Match[str]) -> str:
        """Return the value of one variable, or its default."""
        name, sign, default = re.split("(:[-?]|$)", match[1], maxsplit=1)
        if sign == ":?" and not variables.get(name):
            raise KeyError(f"{name} {default}")
        return variables.get(name) or default

    return re.sub(r"\$\{([^}]*)\}", value_of, text)


class Cluster:
    """All processes of the site. `smtp` receives the mails; `extra_environment` goes to every process.

    `service_environment` goes to one service only, and `command_prefix` precedes its command.
    """

    def __init__(
        self,
        folder: Path,
        *,
        smtp: tuple[str, int] = ("127.0.0.1", 9),
        without: tuple[str, ...] = (),
        extra_environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.extra_environment = folder, dict(extra_environment or {})
        self.services = {name: service for name, service in load_services().items() if name not in without}
        port_names = ("web1", "web2", "streams", "proxy", "redis", "inbound", "plain")
        self.ports = {name: free_port() for name in port_names}
        self.address = f"https://localhost:{self.ports['proxy']}"
        self.service_environment: dict[str, dict[str, str]] = {}
        self.command_prefix: dict[str, list[str]] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.stopped_services: set[str] = set()  # services stopped on purpose
        self.stores: dict[str, Service] = {}
        self.guard: subprocess.Popen[str] | None = None
        self.database_url = ""
        self.is_closing = False
        self.lock = threading.RLock()
        self.env_file = {  # the contents of docker/.env
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

    def describe(self) -> dict[str, Any]:
        """Return what another process needs to `attach` to it while it runs, as JSON can hold it."""
        return {
            "folder": str(self.folder),
            "services": list(self.services),
            **{name: getattr(self, name) for name in ATTACHED_ATTRIBUTES},
        }

    @classmethod
    def attach(cls, description: Mapping[str, Any]) -> Cluster:
        """Return a running cluster, to look at and to talk to; it belongs to the process that started it."""
        cluster = cls(
            Path(description["folder"]),
            without=tuple(load_services().keys() - set(description["services"])),
        )
        for name in ATTACHED_ATTRIBUTES:
            setattr(cluster, name, description[name])
        return cluster

    # ------------------------------------------------------------------------------ environment and command

    def build_environment(self, name: str) -> dict[str, str]:
        """Return the environment of a service: docker/.env, then compose.yaml, with local values."""
        compose_environment = self.services[name].get("environment", {})
        env_file = self.env_file if "env_file" in self.services[name] else {}
        overrides = {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": f"redis://127.0.0.1:{self.ports['redis']}/0",
            "SITE_URL": self.address,
            "VAR_DIR": str(self.folder / "var"),
            "GRANIAN_HOST": "127.0.0.1",
            "GRANIAN_PORT": str(self.ports.get(name, 0)),
            "SITE_ADDRESS": f"localhost:{self.ports['proxy']}",
            "WEB": f"127.0.0.1:{self.ports['web1']} 127.0.0.1:{self.ports['web2']}",
            "STREAMS": f"127.0.0.1:{self.ports['streams']}",
        }
        assert set(overrides) == OVERRIDDEN_VARIABLES
        return env_file | {
            key: overrides[key] if key in overrides else fill_variables(str(value), self.env_file)
            for key, value in compose_environment.items()
        }

    def build_base_environment(self, name: str) -> dict[str, str]:
        """Return the environment that the image sets, with this machine's paths."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        path = f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(folder)}
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
        environment |= {"C_FORCE_ROOT": "1"}
        if name == "proxy":
            environment |= {"XDG_DATA_HOME": str(folder), "BIND": "127.0.0.1"}
            environment |= {"HTTP_PORT": str(self.ports["plain"]), "HTTPS_PORT": str(self.ports["proxy"])}
        return environment | self.extra_environment

    def build_command(self, name: str) -> list[str]:
        """Return the command of a service from compose.yaml, with local values."""
        overrides = {
            "0.0.0.0": "127.0.0.1",
            "8025": str(self.ports["inbound"]),
            "/tmp/beat": str(self.folder / name / "schedule"),
            "caddy": CADDY_PATH,
            "/etc/caddy/Caddyfile": str(ROOT / "docker" / "Caddyfile"),
        }
        assert set(overrides) == OVERRIDDEN_ARGUMENTS
        return [overrides.get(argument, argument) for argument in self.services[name]["command"]]

    # -------------------------------------------------------------------------------------- start and stop

    def start_all(self) -> None:
        """Start everything and wait until it is ready. Raises RuntimeError.

        1. Start the guard, PostgreSQL and Redis.
        2. Create the database and run the migrate service.
        3. Start the other services and restart those that end.
        4. Wait until the web servers are ready.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "var").mkdir(exist_ok=True)
        guard_command = [sys.executable, str(ROOT / "docker" / "guard.py")]
        self.guard = subprocess.Popen(guard_command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self.start_store("db")
        self.start_store("redis")
        self.create_database()
        migration = self.spawn(MIGRATE_SERVICE)
        try:
            exit_code = migration.wait(TIMEOUT_SECONDS * 3)
        finally:
            self.kill_process_group(migration)
        if exit_code:
            raise RuntimeError(f"{MIGRATE_SERVICE} failed: {self.read_log(MIGRATE_SERVICE)[-2000:]}")
        for name in self.services:
            if name not in (*STORE_SERVICES, MIGRATE_SERVICE):
                self.start(name)
        threading.Thread(target=self.restart_ended_services, daemon=True).start()
        self.wait_until_ready()

    def start_store(self, name: str) -> None:
        """Start PostgreSQL or Redis, again if it was killed."""
        if name in self.stores:  # it was killed
            self.stop_store(name)
        if name == "db":
            # Keep an existing data directory.
            has_data = (self.folder / "pg" / "PG_VERSION").exists()
            self.stores[name] = start_postgres(self.folder, has_data, POSTGRES_OPTIONS)
            self.database_url = self.stores[name].url
        else:
            self.stores[name] = start_redis(self.folder, self.ports["redis"])
        self.tell_guard("+", self.stores[name].process.pid)

    def stop_store(self, name: str) -> None:
        """Stop PostgreSQL or Redis."""
        store = self.stores.pop(name)
        store.stop()
        self.tell_guard("-", store.process.pid)

    def tell_guard(self, sign: str, pid: int) -> None:
        """Register (+) or unregister (-) a process with the guard, which kills them if this one dies."""
        with self.lock, suppress(OSError):
            if self.guard and self.guard.stdin:
                self.guard.stdin.write(f"{sign} {pid}\n")
                self.guard.stdin.flush()

    def create_database(self) -> None:
        """Create the database unless it exists."""
        import psycopg

        admin = self.database_url.replace("/otto?", "/postgres?")
        with psycopg.connect(admin, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'otto'").fetchone():
                connection.execute("CREATE DATABASE otto")

    def spawn(self, name: str) -> subprocess.Popen[bytes]:
        """Start the process of a service in a new session."""
        with (self.folder / f"{name}.log").open("ab") as output:
            process = subprocess.Popen(
                [*self.command_prefix.get(name, ()), *self.build_command(name)],
                cwd=ROOT,
                env=self.build_base_environment(name)
                | self.build_environment(name)
                | self.service_environment.get(name, {}),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.tell_guard("+", process.pid)
        return process

    def start(self, name: str) -> None:
        """Start a service."""
        with self.lock:
            self.stopped_services.discard(name)
            self.running[name] = self.spawn(name)

    def add(
        self, name: str, like: str, service_environment: Mapping[str, str], command_prefix: Sequence[str] = ()
    ) -> None:
        """Start another process like an existing service, as another machine would."""
        self.services[name] = load_services()[like]
        self.service_environment[name], self.command_prefix[name] = (
            dict(service_environment),
            list(command_prefix),
        )
        self.ports.setdefault(name, free_port())
        self.start(name)

    def remove(self, name: str) -> None:
        """Kill a service that was added, and forget it."""
        self.kill(name, keep_stopped=True)
        with self.lock:
            self.stopped_services.discard(name)
            for registry in (self.running, self.services, self.service_environment, self.command_prefix):
                registry.pop(name, None)

    def stop(self, name: str) -> None:
        """Terminate a service gracefully and leave it stopped."""
        with self.lock:
            self.stopped_services.add(name)
            process = self.running[name]
        process.terminate()
        try:
            process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill(name)
        self.kill_process_group(process)

    def kill(self, name: str, *, keep_stopped: bool = False) -> None:
        """Kill a service with all its children; it is restarted unless `keep_stopped`."""
        with self.lock:
            if keep_stopped:
                self.stopped_services.add(name)
            process = self.running[name]
        self.kill_process_group(process)
        process.wait(TIMEOUT_SECONDS)

    def kill_process_group(self, process: subprocess.Popen[bytes]) -> None:
        """Kill all processes of a service's session."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        self.tell_guard("-", process.pid)

    def restart_ended_services(self) -> None:
        """Restart services that ended unexpectedly, as Docker would. Runs in a thread."""
        while not self.is_closing:
            time.sleep(0.3)
            with self.lock:
                for name, process in list(self.running.items()):
                    if (
                        process.poll() is not None
                        and name not in self.stopped_services
                        and not self.is_closing
                    ):
                        self.kill_process_group(process)
                        self.running[name] = self.spawn(name)

    def close(self) -> None:
        """Stop all services in reverse order of their start, then the stores and the guard."""
        self.is_closing = True
        with self.lock:
            processes = list(self.running.values())
        for process in reversed(processes):
            process.terminate()
        deadline = time.monotonic() + 20
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - time.monotonic()))
            self.kill_process_group(process)
            process.wait()
        for name in reversed(list(self.stores)):
            self.stop_store(name)
        if self.guard:
            self.guard.communicate()

    def __enter__(self) -> Cluster:
        try:
            self.start_all()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *failed: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------ inspection

    def read_log(self, name: str) -> str:
        """Return the log of a service."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def certificate_path(self) -> Path:
        """Path of the root certificate of the proxy's own authority."""
        return self.folder / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    def web_address(self, name: str) -> str:
        """Return the URL of a web server behind the proxy."""
        host = self.service_environment.get(name, {}).get("GRANIAN_HOST", "127.0.0.1")
        return f"http://{host}:{self.ports[name]}"

    def get_from_server(self, name: str, path: str) -> httpx.Response:
        """GET a path from a web server past the proxy, as monitoring does."""
        # verify=False: loading the system's certificates takes longer than the request.
        return httpx.get(f"{self.web_address(name)}{path}", timeout=30, verify=False)

    def wait_until_ready(self, *names: str) -> None:
        """Wait until the web servers report that the site is ready. Raises RuntimeError."""
        deadline, last_problem = time.monotonic() + TIMEOUT_SECONDS, ""
        for name in names or [name for name in ("web1", "web2", "streams") if name in self.services]:
            while True:
                try:
                    response = self.get_from_server(name, "/readyz")
                    if response.status_code == 200:
                        break
                    last_problem = response.text
                except httpx.HTTPError as error:
                    last_problem = repr(error)
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{name} is not ready: {last_problem}\n{self.read_log(name)[-2000:]}")
                time.sleep(0.2)


def main() -> None:
    """Run the cluster until Ctrl-C or SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="otto-cluster-", ignore_cleanup_errors=True) as folder:
        print(
            "Starting PostgreSQL, Redis, two web servers, streams, three workers, beat, inbound mail, proxy."
        )
        with Cluster(Path(folder)) as cluster:
            print(f"\n  OTTO online: {cluster.address}/ (its certificate: {cluster.certificate_path})")
            print(f"  Logs:        {folder}/*.log\n  Ctrl-C stops it; nothing is kept.\n", flush=True)
            try:
                signal.pause()
            except KeyboardInterrupt:
                print("\nStopping.")


if __name__ == "__main__":
    main()
