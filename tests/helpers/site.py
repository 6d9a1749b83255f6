"""The whole site as operators run it: web server, worker with beat, mail in and out, its own Redis."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from django.db import connection

from tests.services import (
    ROOT,
    Service,
    copy_collected_static_files,
    free_port,
    is_port_open,
    start_redis,
)
from tests.smtp import Sink

DOMAIN = "play.example.org"


class Site:
    """Starts the site on loopback with the database of these tests; a context manager.

    Parts can also be started one by one, followed by `stop`. `environment` overrides the defaults.
    """

    def __init__(self, folder: Path, sink: Sink, **environment: str) -> None:
        self.folder, self.sink = folder, sink
        self.redis_port = free_port()
        self.redis: Service | None = None
        self.worker: subprocess.Popen[bytes] | None = None
        self.web_port, self.inbound_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.web_port}"
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        self.environment = {
            "DATABASE_URL": database.geturl(),
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}",
            "VAR_DIR": str(folder / "var"),
            "SECRET_KEY": "only for tests on this loopback interface",
            "SITE_URL": self.url,
            "REPLY_DOMAIN": DOMAIN,
            "EMAIL_HOST": sink.host,
            "EMAIL_PORT": str(sink.port),
            "API_RATE": "1000000",
            "API_RATE_ANONYMOUS": "1000000",
            "PAGE_RATE": "1000000",
            "PAGE_RATE_ANONYMOUS": "1000000",
            "SWEEP_EVERY": "0.25",
            "MAIL_LEASE": "10",
            "PYTHONPATH": str(ROOT),
            "C_FORCE_ROOT": "1",
        } | environment
        self.services: list[Service] = []

    def __enter__(self) -> Site:
        try:
            self.start_redis()
            self.start_worker()
            self.start_web()
            inbound = [str(ROOT / "manage.py"), "inbound_mail", "--port", str(self.inbound_port)]
            self.services.append(self.service("inbound", inbound, lambda: is_port_open(self.inbound_port)))
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.kill_worker()
        for service in [*self.services, *([self.redis] if self.redis else [])]:
            service.stop()

    def start_web(self) -> None:
        granian = ["--interface", "wsgi", "--blocking-threads", "2", "--host", "127.0.0.1"]
        web = ["granian", *granian, "--port", str(self.web_port), "otto_site.wsgi:application"]
        self.services.append(self.service("web", ["-m", *web], self.serves))

    def collect_static(self) -> None:
        """Provide static files with hashed names, as in a release."""
        var = Path(self.environment["VAR_DIR"])
        var.mkdir(exist_ok=True)
        copy_collected_static_files(var)

    def service(self, name: str, words: list[str], ready: object) -> Service:
        command, log = [sys.executable, "-W", "ignore", *words], self.folder / f"{name}.log"
        return Service(self.url, command, ready, log, environment=self.environment)  # type: ignore[arg-type]

    def serves(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/v1/games/", verify=False).is_success
        except httpx.TransportError:
            return False

    # ----------------------------------------------------------------------------------------- killable parts

    def start_redis(self) -> None:
        self.redis = start_redis(self.folder, self.redis_port)

    def kill_redis(self) -> None:
        assert self.redis
        self.redis.process.kill()
        self.redis.process.wait()
        self.redis = None

    def start_worker(self) -> None:
        with (self.folder / "worker.log").open("ab") as log:
            celery = ["-m", "celery", "-A", "otto_site", "worker", "--beat", "--concurrency", "2"]
            queues = ["--queues", "turns,mail,bots,tournaments", "--loglevel", "WARNING"]
            self.worker = subprocess.Popen(
                [sys.executable, "-W", "ignore", *celery, *queues, "-s", str(self.folder / "beat")],
                cwd=ROOT,
                env=os.environ | self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def tend_worker(self) -> None:
        """Restart a worker that has ended by itself, as a supervisor does.

        Celery's worker may end: if its broker disappears during an acknowledgement, kombu raises an
        AttributeError that is not caught. The sweeps of the next worker find its unfinished work.
        """
        if self.worker and self.worker.poll() is not None:
            self.start_worker()

    def kill_worker(self) -> None:
        """Send SIGKILL to the worker and its children."""
        if self.worker and self.worker.poll() is None:
            os.killpg(self.worker.pid, signal.SIGKILL)
            self.worker.wait()
        self.worker = None

    def log(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text()[-4000:] if path.exists() else ""
