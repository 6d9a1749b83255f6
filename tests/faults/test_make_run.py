"""The terminal output of the first `make run`, and of Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.example_counts import SOAK
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for
from tests.services import ROOT, copy_migrated_sqlite, free_port

from .embedded import NOT_INHERITED, EmbeddedSite, accept_interrupts, wait_or_kill

NOISE = re.compile(
    "warning|development server|hostname|Traceback|DEBUG|INFO|celery|granian|Watching|checks|GET /|HTTP/",
    re.IGNORECASE,
)


def take_terminal() -> None:
    """Make standard input the controlling terminal of the process that is about to start."""
    accept_interrupts()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """`make run` in its own terminal: Ctrl-C reaches make and all its children."""

    def __init__(self, folder: Path, *words: str, **more: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        environment |= {"VAR_DIR": str(folder / "var"), "DEMO": "0"}
        self.own_fd, terminal_fd = os.openpty()
        # Keep the installed environment, whichever Python runs these tests.
        self.process = subprocess.Popen(
            ["make", "--old-file=install", "run", f"PORT={self.port}", *words],
            cwd=ROOT,
            env=environment | more,
            stdin=terminal_fd,
            stdout=terminal_fd,
            stderr=terminal_fd,
            start_new_session=True,
            preexec_fn=take_terminal,
        )
        os.close(terminal_fd)
        self.text = ""

    def read(self) -> str:
        """Return all output so far."""
        try:
            while select.select([self.own_fd], [], [], 0)[0] and (data := os.read(self.own_fd, 65536)):
                self.text += data.decode().replace("\r\n", "\n")
        except OSError:  # the other end is closed
            pass
        return self.text

    def wait_for(self, words: str) -> str:
        wait_for(lambda: words in self.read() or self.process.poll() is not None, lambda: self.text)
        assert words in self.read(), self.text
        return self.text

    def close(self) -> None:
        try:
            if self.process.poll() is None:
                os.write(self.own_fd, b"\x03")
                wait_or_kill(self.process)
        finally:
            os.close(self.own_fd)


STUBBORN = """
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
wait = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", wait], start_new_session=True)
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.parametrize("kind", ["terminal", "site"])
def test_what_does_not_end_when_a_test_asks_it_to_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("tests.faults.embedded.STEP_TIMEOUT_SECONDS", 0.5)
    process = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    assert process.stdout
    with process.stdout:
        child = psutil.Process(int(process.stdout.readline()))
    opened: Terminal | EmbeddedSite
    if kind == "terminal":
        opened = object.__new__(Terminal)
        opened.own_fd, terminal_fd = os.openpty()
        os.close(terminal_fd)
    else:
        opened = EmbeddedSite(tmp_path)
    opened.process = process
    with pytest.raises(subprocess.TimeoutExpired):
        opened.close()
    assert process.returncode == -signal.SIGKILL
    psutil.wait_procs([child], timeout=STEP_TIMEOUT_SECONDS)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_newcomer_reads_what_to_open_and_ctrl_c_ends_it_with_one_line(tmp_path: Path) -> None:
    if not SOAK:  # with SOAK=1, the first start creates the database itself
        copy_migrated_sqlite(tmp_path / "var")
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for("  Stop ")
        wait_for(lambda: httpx.get(f"{terminal.url}/", verify=False).status_code == 200, terminal.read)
        assert httpx.get(f"{terminal.url}/no/such/page/", verify=False).status_code == 404
        key = (tmp_path / "var" / "mailbox_key").read_text()
        mailbox = f"{terminal.url}/mailbox/?key={key}"
        assert httpx.get(mailbox, verify=False, follow_redirects=True).status_code == 200
        time.sleep(2)
        output = terminal.read()
        assert output == (
            "Starting OTTO online. The first start takes half a minute.\n"
            "\n"
            "  OTTO online is running.\n"
            "\n"
            f"  Open        {terminal.url}/\n"
            "  Try first   “Play a bot now” on the first page: one click, no account.\n"
            f"  Mailbox     {mailbox}\n"
            "              All mail of the site arrives here. None leaves this machine.\n"
            "              The key keeps out other users of this machine.\n"
            f"  Stop        Ctrl-C. Your games stay in {tmp_path / 'var'}.\n\n"
        )
        assert not NOISE.search(output)
        started = psutil.Process(terminal.process.pid).children(recursive=True)
        assert len(started) >= 4
        requested_at = time.monotonic()
        os.write(terminal.own_fd, b"\x03")
        terminal.process.wait(STEP_TIMEOUT_SECONDS)
        assert time.monotonic() - requested_at < 30  # also on a busy machine
        lines = [line for line in terminal.read()[len(output) :].replace("^C", "").splitlines() if line]
        assert lines == [f"Stopping … stopped. Your games are in {tmp_path / 'var'}."]
        psutil.wait_procs(started, timeout=10)
        assert [process for process in started if process.is_running()] == []
    finally:
        terminal.close()


def test_who_asks_for_it_sees_every_request(tmp_path: Path) -> None:
    copy_migrated_sqlite(tmp_path / "var")
    terminal = Terminal(tmp_path, "VERBOSE=1")
    try:
        terminal.wait_for("  Stop ")
        httpx.get(f"{terminal.url}/rules/", verify=False, timeout=STEP_TIMEOUT_SECONDS)
        terminal.wait_for("GET rules/ 200 in ")
    finally:
        terminal.close()


@pytest.mark.parametrize("port", ["taken", "nonsense"])
def test_a_port_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, port: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        address = f"127.0.0.1:{number if port == 'taken' else 'http'}"
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "manage.py", "serve", "--first", "migrate", address],
            cwd=ROOT,
            env=environment | {"VAR_DIR": str(tmp_path / "var"), "TRIAL": "1"},
            capture_output=True,
            text=True,
            timeout=STEP_TIMEOUT_SECONDS,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    expected = {
        "taken": f"Cannot listen on {address}: Address already in use."
        f" Try another port: PORT={number + 1} make run",
        "nonsense": f"{address} is not a valid address. Use host:port, for example 127.0.0.1:8000.",
    }
    assert done.stderr == f"CommandError: {expected[port]}\n"
    assert not (tmp_path / "var" / "otto.sqlite3").exists(), "something was done before it was noticed"
