"""Web server and workers in one command, as started by `make run`."""

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

from notifications.channels.email import mailbox

# Mail servers and webhooks may answer slowly, and tournaments keep a worker busy: neither holds up turns.
SHARED_QUEUES, MAIL_QUEUES, TOURNAMENT_QUEUES = "turns,bots", "mail", "tournaments"
# Before a process is restarted; doubled each time.
FIRST_RESTART_DELAY_SECONDS, MAX_RESTART_DELAY_SECONDS = 1.0, 60.0
STABLE_AFTER_SECONDS = 60.0  # after running for so long, the delay is reset
STOP_TIMEOUT_SECONDS = 5.0  # for a process to finish; killing it loses nothing
STARTUP_TIMEOUT_SECONDS = 60.0  # until the web server must answer


@dataclass
class SupervisedProcess:
    """A process that is restarted whenever it ends."""

    name: str
    command: list[str]
    outage_note: str  # what still works and what waits while it is down
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    restart_at: float = 0.0
    restart_delay: float = field(default=FIRST_RESTART_DELAY_SECONDS)

    def start(self) -> None:
        """Start the process in a session of its own: it gets no Ctrl-C, and can be killed with its children.

        Its standard input closes when this command ends, for whatever reason, and then it exits, too.
        """
        environment = os.environ | {"C_FORCE_ROOT": "1"}  # lets celery run as root on a developer's machine
        self.process = subprocess.Popen(
            self.command,
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.started_at = time.monotonic()

    def check_and_restart(self) -> str:
        """Start it if it is time to; if it has ended or cannot be started, say so in the line returned."""
        if self.process is None:
            if time.monotonic() >= self.restart_at:
                try:
                    self.start()
                except OSError as error:  # no memory, no process number, a program that is being replaced
                    reason = error.strerror or type(error).__name__
                    return f"The {self.name} did not start ({reason}). Next try {self.delay_start()}"
            return ""
        status = self.process.poll()
        if status is None:
            return ""
        self.kill_process_group()
        if time.monotonic() - self.started_at >= STABLE_AFTER_SECONDS:
            self.restart_delay = FIRST_RESTART_DELAY_SECONDS
        cause = f"exit status {status}" if status >= 0 else signal.Signals(-status).name
        return f"The {self.name} stopped ({cause}). Restart {self.delay_start()}"

    def delay_start(self) -> str:
        """Set the time of the next start, each time later; gives the end of a line about it."""
        wait, self.restart_delay = self.restart_delay, min(2 * self.restart_delay, MAX_RESTART_DELAY_SECONDS)
        self.restart_at = time.monotonic() + wait
        return f"in {wait:.0f} s. {self.outage_note}"

    def kill_process_group(self) -> None:
        """Kill what is left of the process group."""
        assert self.process
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        self.process = None

    def stop(self, until: float) -> None:
        """Wait for the process to end until a time, then kill it."""
        if self.process:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, until - time.monotonic()))
            self.kill_process_group()


class Command(BaseCommand):
    """Keeps the processes running until Ctrl-C."""

    help = "Run the site and its workers until Ctrl-C. For trying it out, not for production."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument(
            "address", nargs="?", default="127.0.0.1:8000", help="host and port (default 127.0.0.1:8000)"
        )
        parser.add_argument(
            "--first",
            metavar="COMMAND",
            action="append",
            default=[],
            help="command to run first; repeatable",
        )

    def handle(self, address: str, **options: Any) -> None:
        """Run the first commands, then all processes, until a signal. Raises CommandError."""
        host, port = parse_address(address)
        check_port_is_free(host, port)
        for signal_number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(signal_number) is not signal.SIG_IGN:  # as set by nohup
                signal.signal(signal_number, signal.default_int_handler)
        processes = build_processes(host, port)
        try:
            self.stdout.write("Starting OTTO online. The first start takes half a minute.")
            self.stdout.flush()
            for command in options["first"]:
                call_command(command, verbosity=0, stdout=self.stdout)
            connections.close_all()
            self.keep_running(processes, host, port)
        except KeyboardInterrupt:
            self.stdout.write("\nStopping …", ending="")
            self.stdout.flush()
        finally:
            for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(signal_number, signal.SIG_IGN)
            stop_processes(processes)
        self.stdout.write(f" stopped. Your games are in {display_path(settings.VAR_DIR)}.")

    def keep_running(self, processes: list[SupervisedProcess], host: str, port: int) -> None:
        """Start the processes, print the introduction once the web server answers, and restart what ends."""
        give_up_at: float | None = time.monotonic() + STARTUP_TIMEOUT_SECONDS
        while True:
            for supervised in processes:
                if line := supervised.check_and_restart():
                    self.stderr.write(line)
            if give_up_at and accepts_connections(host, port):
                self.stdout.write(build_introduction())
                self.stdout.flush()
                give_up_at = None
            elif give_up_at and time.monotonic() > give_up_at:
                self.stderr.write(
                    f"The web server has not answered for {STARTUP_TIMEOUT_SECONDS:.0f} s. Still waiting."
                )
                give_up_at = None
            time.sleep(0.2)


def parse_address(address: str) -> tuple[str, int]:
    """Parse host and port. Raises CommandError."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CommandError(f"{address} is not a valid address. Use host:port, for example 127.0.0.1:8000.")
    return host.strip("[]") or "127.0.0.1", int(port)


def check_port_is_free(host: str, port: int) -> None:
    """Raise CommandError, with a one-line message, if the port cannot be bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            raise CommandError(
                f"Cannot listen on {host}:{port}: {error.strerror}. "
                f"Try another port: PORT={port + 1} make run"
            ) from None


def accepts_connections(host: str, port: int) -> bool:
    """True if the web server accepts connections."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def build_processes(host: str, port: int) -> list[SupervisedProcess]:
    """The processes of the site: one worker for each group of queues, and the web server."""
    python = [sys.executable, "-W", "ignore", "-m"]
    if settings.REDIS_URL:
        celery = [*python, "celery", "--quiet", "-A", "otto_site", "worker"]
        celery += ["--pool", "solo", "--loglevel", "WARNING", "--without-mingle", "--without-gossip"]
        beat_folder = settings.VAR_DIR / "beat"
        beat_folder.mkdir(exist_ok=True)
        worker = [*celery, "--queues", SHARED_QUEUES, "--beat", "--schedule", str(beat_folder / "schedule")]
        mail_worker = [*celery, "--queues", MAIL_QUEUES, "--hostname", f"{MAIL_QUEUES}@%h"]
        tournament_worker = [*celery, "--queues", TOURNAMENT_QUEUES, "--hostname", f"{TOURNAMENT_QUEUES}@%h"]
    else:
        worker = [*python, "otto_site.embedded_worker", SHARED_QUEUES]
        mail_worker = [*python, "otto_site.embedded_worker", MAIL_QUEUES]
        tournament_worker = [*python, "otto_site.embedded_worker", TOURNAMENT_QUEUES]
    web = [*python, "otto_site.embedded_web", host, str(port)]
    return [
        SupervisedProcess("worker", worker, "The site stays up; bots and timeouts wait."),
        SupervisedProcess("mail worker", mail_worker, "The site stays up; mails and webhooks wait."),
        SupervisedProcess("tournament worker", tournament_worker, "The site stays up; tournaments wait."),
        SupervisedProcess("web server", web, "Pages do not load until then."),
    ]


def stop_processes(processes: list[SupervisedProcess]) -> None:
    """Terminate all processes, then wait for all together."""
    for supervised in processes:
        if supervised.process:
            supervised.process.terminate()
    until = time.monotonic() + STOP_TIMEOUT_SECONDS
    for supervised in processes:
        supervised.stop(until)


def display_path(path: Path) -> str:
    """A path relative to the project's folder, if it is inside."""
    return f"{path.relative_to(settings.BASE_DIR)}/" if path.is_relative_to(settings.BASE_DIR) else str(path)


def build_introduction() -> str:
    """Build the text about the pages to open and try after the first start."""
    lines = [
        "",
        "  OTTO online is running.",
        "",
        f"  Open        {settings.SITE_URL}/",
        "  Try first   “Play a bot now” on the first page: one click, no account.",
    ]
    if settings.DEMO:
        lines.append(
            "              Then sign up with any address and enter the open cup under “Tournaments”."
        )
    if settings.TRIAL and settings.EMAIL_BACKEND == mailbox.MAILBOX_BACKEND:
        lines += [
            f"  Mailbox     {settings.SITE_URL}/mailbox/?key={settings.MAILBOX_KEY}",
            "              All mail of the site arrives here. None leaves this machine.",
            "              The key keeps out other users of this machine.",
        ]
    lines += [
        f"  Stop        Ctrl-C. Your games stay in {display_path(settings.VAR_DIR)}.",
        "\n",
    ]
    return "\n".join(lines)
