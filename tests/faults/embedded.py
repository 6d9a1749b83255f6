"""The embedded site as started by `make run`, in a separate folder: SQLite, no Redis, mails as files."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import httpx
import psutil

from games.management.commands import serve
from tests.cluster.world import Clerk, Table
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for
from tests.services import ROOT, copy_migrated_sqlite, free_port

# Variables of the test run that a machine with a new checkout does not have.
NOT_INHERITED = (
    *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "PRODUCTION", "SITE_URL"),
    "DJANGO_SETTINGS_MODULE",
    *("MAKEFLAGS", "MAKELEVEL", "MFLAGS"),  # a nested make prints its folder
)
RATES = ("API_RATE", "API_RATE_ANONYMOUS", "PAGE_RATE", "PAGE_RATE_ANONYMOUS")
WORKER, MAIL, TOURNAMENTS = (
    f"embedded_worker {queues}"
    for queues in (serve.SHARED_QUEUES, serve.MAIL_QUEUES, serve.TOURNAMENT_QUEUES)
)
WEB = "embedded_web"
PARTS = (WORKER, MAIL, TOURNAMENTS, WEB)


def accept_interrupts() -> None:
    """Let SIGINT end the process that is about to start, also if the test run ignores it.

    A shell starts background commands with SIGINT ignored, and their children inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process that was asked to stop; on a timeout kill it with its children.

    Raises subprocess.TimeoutExpired on a timeout.
    """
    started = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    try:
        process.wait(STEP_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(psutil.NoSuchProcess):
            started += psutil.Process(process.pid).children(recursive=True)
        process.kill()  # before its children, which it would restart
        for child in started:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        process.wait()
        raise


def linked_python(folder: Path) -> Path:
    """Link to the Python of the tests from a path that a test can remove."""
    (folder / "bin").mkdir(parents=True)
    prefix, python = Path(sys.prefix), folder / "bin" / "python"
    if (prefix / "pyvenv.cfg").exists():  # Python finds its libraries by this file
        (folder / "pyvenv.cfg").write_text((prefix / "pyvenv.cfg").read_text())
        (folder / "lib").symlink_to(prefix / "lib")
    python.symlink_to(sys.executable)
    return python


class EmbeddedSite:
    """Starts `manage.py serve`; its output is in `console()`. A context manager."""

    def __init__(self, folder: Path, python: Path = Path(sys.executable), **more: str) -> None:
        self.folder, self.python, self.port = folder, python, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        self.settings = (
            environment
            | {
                "VAR_DIR": str(folder / "var"),
                "TRIAL": "1",
                "DEMO": "0",
                "SITE_URL": self.url,
                "SWEEP_EVERY": "1",
                "PYTHONUNBUFFERED": "1",
                **dict.fromkeys(
                    ("API_RATE", "API_RATE_ANONYMOUS", "PAGE_RATE", "PAGE_RATE_ANONYMOUS"), "1000000"
                ),
            }
            | more
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.guard: subprocess.Popen[str] | None = None
        self.clerk: Clerk | None = None

    # The interface that Clerk expects.

    def build_base_environment(self, name: str) -> dict[str, str]:
        return self.settings

    def build_environment(self, name: str) -> dict[str, str]:
        return {}

    def __enter__(self) -> EmbeddedSite:
        copy_migrated_sqlite(self.folder / "var")
        try:
            self.start_process()
            wait_for(lambda: "Stop " in self.console() or self.has_ended(), self.console)
            wait_for(self.is_ready, lambda: self.console() + self.readiness())
            self.clerk = Clerk(self)  # type: ignore[arg-type]
        except BaseException:
            self.close()
            raise
        return self

    def start_process(self) -> None:
        """Start `manage.py serve`, and a guard that kills it if the test run is killed."""
        guard_command = [sys.executable, str(ROOT / "docker" / "guard.py")]
        self.guard = subprocess.Popen(guard_command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        assert self.guard.stdin
        command = [str(self.python), "-W", "ignore", "manage.py", "serve", "--first", "migrate"]
        command += ["--first", "seed_demo", f"127.0.0.1:{self.port}"]
        with (self.folder / "console").open("wb") as console:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.settings,
                stdout=console,
                stderr=console,
                start_new_session=True,
                preexec_fn=accept_interrupts,
            )
        self.guard.stdin.write(f"+ {self.process.pid}\n")
        self.guard.stdin.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self.clerk:
            self.clerk.close()
        try:
            if self.process and not self.has_ended():
                self.process.send_signal(signal.SIGINT)
                wait_or_kill(self.process)
        finally:
            if self.guard:
                self.guard.communicate(f"- {self.process.pid}\n" if self.process else "")

    # -------------------------------------------------------------------------------------- state of the site

    def console(self) -> str:
        path = self.folder / "console"
        return path.read_text() if path.exists() else ""

    def complaints(self) -> list[str]:
        """The lines of the console after the introduction."""
        return [line for line in self.console().partition("Stop ")[2].splitlines()[1:] if line]

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def readiness(self) -> str:
        try:
            return httpx.get(f"{self.url}/readyz", timeout=30, verify=False).text
        except httpx.TransportError as error:
            return repr(error)

    def is_ready(self) -> bool:
        assert not self.has_ended(), self.console()
        return '"ready": true' in self.readiness()

    def pid_of(self, part: str) -> int:
        """Return the process id of a part; 0 if there is none."""
        assert self.process
        for child in psutil.Process(self.process.pid).children():
            try:
                if f"otto_site.{part}" in " ".join(child.cmdline()):  # a zombie has no command line
                    return child.pid
            except psutil.NoSuchProcess:
                continue
        return 0

    def pids(self) -> dict[str, int]:
        return {part: self.pid_of(part) for part in PARTS}

    def kill(self, part: str) -> None:
        """Kill a part with SIGKILL, and wait for its replacement."""
        first = self.pid_of(part)
        assert first, self.console()
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: self.pid_of(part) not in (0, first), self.console)

    def seat_with_bot(self) -> Table:
        """Start a game of one person and one bot with an immediate mail for every turn."""
        assert self.clerk
        game_data = self.clerk("start_game", names=[uuid.uuid4().hex[:12]], bots=1)
        return Table(
            game_data["code"], game_data["tokens"], lambda: [self.url], random.Random(game_data["code"])
        )

    def play(self, table: Table, moves: int) -> None:
        """Play so many actions of the person, each after the bot's turn."""
        with httpx.Client(timeout=30, verify=False) as table.http:
            for _ in range(moves):
                wait_for(lambda: table.over or table.move(), lambda: f"no bot answers: {self.console()}")
                if table.over:
                    return

    def sent_mails(self) -> int:
        """Count the sent mails."""
        return len(list((self.folder / "var" / "mail").glob("*")))
