"""Web server and workers in one: what `make run` starts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from games.mail import mailbox

# Mail servers and webhooks may answer slowly, and tournaments keep a worker busy: neither holds up turns.
QUEUES, MAIL_QUEUES, BUSY_QUEUES = "turns,bots", "mail", "tournaments"
# Before what ended is started again; twice as long each time.
FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS = 1.0, 60.0
STEADY_SECONDS = 60.0  # what ran for so long begins with the first delay again
STOP_SECONDS = 5.0  # for a process to finish what it does; nothing is lost if it is killed
START_SECONDS = 60.0  # for the web server to answer


@dataclass
class Part:
    """A process that is started again whenever it ends."""

    name: str
    command: list[str]
    meanwhile: str  # what goes on and what waits while it is away
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float = 0.0
    delay: float = field(default=FIRST_DELAY_SECONDS)

    def start(self) -> None:
        """Start it in a session of its own: Ctrl-C is for us alone, and no child of it stays behind.

        Its standard input ends with us, however we end, and then it ends, too.
        """
        environment = os.environ | {"C_FORCE_ROOT": "1"}  # on one's own machine, whoever one is there
        self.process = subprocess.Popen(
            self.command,
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.started_at = time.monotonic()

    def tend(self) -> str:
        """Start it if it is time to; if it has ended or cannot be started, say so in the line returned."""
        if self.process is None:
            if time.monotonic() >= self.start_at:
                try:
                    self.start()
                except OSError as error:  # no memory, no process number, a program that is being replaced
                    why = error.strerror or type(error).__name__
                    return f"The {self.name} could not be started ({why}): again {self.delay_start()}"
            return ""
        status = self.process.poll()
        if status is None:
            return ""
        self.clean_up()
        if time.monotonic() - self.started_at >= STEADY_SECONDS:
            self.delay = FIRST_DELAY_SECONDS
        how = f"exit status {status}" if status >= 0 else signal.Signals(-status).name
        return f"The {self.name} ended ({how}) and starts again {self.delay_start()}"

    def delay_start(self) -> str:
        """Set the time of the next start, each time later; gives the end of a line about it."""
        wait, self.delay = self.delay, min(2 * self.delay, MAX_DELAY_SECONDS)
        self.start_at = time.monotonic() + wait
        return f"in {wait:.0f} s. {self.meanwhile}"

    def clean_up(self) -> None:
        """End whatever is left of it."""
        assert self.process
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        self.process = None

    def stop(self, until: float) -> None:
        """Wait until it has ended; at that time, end it."""
        if self.process:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, until - time.monotonic()))
            self.clean_up()


class Command(BaseCommand):
    """Keeps the processes running until Ctrl-C."""

    help = "Serve the site and run its workers, all until Ctrl-C. For trying it out, not for production."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8000")
        parser.add_argument(
            "--first",
            metavar="COMMAND",
            action="append",
            default=[],
            help="another command, to run before; may be repeated",
        )

    def handle(self, address: str, **options: Any) -> None:
        host, port = read_address(address)
        check_port(host, port)
        for name in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(name) is not signal.SIG_IGN:  # as nohup has it
                signal.signal(name, signal.default_int_handler)
        parts = all_parts(host, port)
        try:
            self.stdout.write("Starting OTTO online; the first time takes half a minute.")
            self.stdout.flush()
            for first in options["first"]:
                call_command(first, verbosity=0, stdout=self.stdout)
            connections.close_all()
            self.keep_running(parts, host, port)
        except KeyboardInterrupt:
            self.stdout.write("\nStopping …", ending="")
            self.stdout.flush()
        finally:
            for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(name, signal.SIG_IGN)
            stop_all(parts)
        self.stdout.write(f" stopped. Your games are kept in {shown_path(settings.VAR_DIR)}.")

    def keep_running(self, parts: list[Part], host: str, port: int) -> None:
        """Start what has to run, say what to open once it answers, and start again what ends."""
        give_up_at: float | None = time.monotonic() + START_SECONDS
        while True:
            for part in parts:
                if line := part.tend():
                    self.stderr.write(line)
            if give_up_at and answers(host, port):
                self.stdout.write(introduction())
                self.stdout.flush()
                give_up_at = None
            elif give_up_at and time.monotonic() > give_up_at:
                self.stderr.write(f"The web server does not answer after {START_SECONDS:.0f} s; waiting on.")
                give_up_at = None
            time.sleep(0.2)


def read_address(address: str) -> tuple[str, int]:
    """Host and port. Raises CommandError."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CommandError(f"{address} is no address to serve on; one is 127.0.0.1:8000")
    return host.strip("[]") or "127.0.0.1", int(port)


def check_port(host: str, port: int) -> None:
    """Raises CommandError, with one line, if nothing can listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            raise CommandError(
                f"{host}:{port} cannot be used: {error.strerror}. Try another port: PORT={port + 1} make run"
            ) from None


def answers(host: str, port: int) -> bool:
    """Whether the web server takes connections."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def all_parts(host: str, port: int) -> list[Part]:
    """The processes of the site: workers by queues, and the web server."""
    python = [sys.executable, "-W", "ignore", "-m"]
    if settings.REDIS_URL:
        celery = [*python, "celery", "--quiet", "-A", "otto_site", "worker"]
        celery += ["--pool", "solo", "--loglevel", "WARNING", "--without-mingle", "--without-gossip"]
        beat = settings.VAR_DIR / "beat"
        beat.mkdir(exist_ok=True)
        worker = [*celery, "--queues", QUEUES, "--beat", "--schedule", str(beat / "schedule")]
        mail = [*celery, "--queues", MAIL_QUEUES, "--hostname", f"{MAIL_QUEUES}@%h"]
        busy = [*celery, "--queues", BUSY_QUEUES, "--hostname", f"{BUSY_QUEUES}@%h"]
    else:
        worker = [*python, "otto_site.embedded_worker", QUEUES]
        mail = [*python, "otto_site.embedded_worker", MAIL_QUEUES]
        busy = [*python, "otto_site.embedded_worker", BUSY_QUEUES]
    web = [*python, "otto_site.embedded_web", host, str(port)]
    return [
        Part("worker", worker, "The site stays up; bots and clocks wait for it."),
        Part("worker for mails", mail, "The site stays up; mails and webhooks wait for it."),
        Part("worker for tournaments", busy, "The site stays up; tournaments wait for it."),
        Part("web server", web, "Pages do not answer meanwhile."),
    ]


def stop_all(parts: list[Part]) -> None:
    """Ask all of them to stop, then wait for all together."""
    for part in parts:
        if part.process:
            part.process.terminate()
    until = time.monotonic() + STOP_SECONDS
    for part in parts:
        part.stop(until)


def shown_path(path: Path) -> str:
    """A folder as somebody would type it from the project's."""
    return f"{path.relative_to(settings.BASE_DIR)}/" if path.is_relative_to(settings.BASE_DIR) else str(path)


def introduction() -> str:
    """What somebody needs to know who has started the site for the first time."""
    lines = [
        "",
        "  OTTO online is running.",
        "",
        f"  Open        {settings.SITE_URL}/",
        "  Try first   “Play now against a bot” on the first page: one click, no account.",
    ]
    if settings.DEMO:
        lines.append(
            "              Then sign up with any address and enter the open cup under “Tournaments”."
        )
    if settings.TRIAL and settings.EMAIL_BACKEND == mailbox.BACKEND:
        lines += [
            f"  Mailbox     {settings.SITE_URL}/mailbox/?key={settings.MAILBOX_KEY}",
            "              Every mail of the site arrives there, whatever the address, and none leaves",
            "              this machine. The key keeps out others who use it.",
        ]
    lines += [
        f"  Stop        Ctrl-C. Your games are kept in {shown_path(settings.VAR_DIR)}.",
        "\n",
    ]
    return "\n".join(lines)
