"""The embedded site keeps running: parts of it are killed, it gets many wake-ups, and it runs for long."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from games.management.commands.serve import MAX_RESTART_DELAY_SECONDS, SupervisedProcess
from otto_site import wakeups
from tests.cluster.world import Table
from tests.example_counts import SOAK, pick_example_count
from tests.helpers.polling import wait_for
from tests.services import ROOT

from .embedded import MAIL, TOURNAMENTS, WEB, WORKER, EmbeddedSite, accept_interrupts, linked_python

HAMMER_SECONDS = pick_example_count(2, 60)
CHECKED_SECONDS = pick_example_count(1, 60)
RUN_SECONDS = pick_example_count(2, 3600)
WRITERS = 4
# Half a message, bytes that are not UTF-8, and messages without a known task.
GARBAGE = (b'["bots.answer", "w0', b"\xff\x00\n", b"[]\n", b'{"a": 1}\n', b'["nobody"]\n', b"[[1]]\n", b"1\n")
WRITER = """
import sys, time
from otto_site.wakeups import send_wake_up
name, seconds, code = sys.argv[1:]
until, number, sent = time.monotonic() + float(seconds), 0, 0
while time.monotonic() < until:
    sent += send_wake_up("bots.answer", [code or f"{name}-{number}-" + "x" * (number % 400)])
    number += 1
print(number, sent)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedSite]:
    """One site for all tests of this module; each leaves it running."""
    python = linked_python(tmp_path_factory.mktemp("python") / "venv")
    with EmbeddedSite(tmp_path_factory.mktemp("embedded"), python) as started:
        yield started


# In place of pytest: starts a site whose program does nothing, with a child of its own.
STAND_IN = """
import sys
from pathlib import Path
import django
django.setup()
from tests.faults.embedded import EmbeddedSite
site = EmbeddedSite(Path(sys.argv[1]), Path(sys.argv[2]))
site.start_process()
print(site.process.pid, flush=True)
input()
"""


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_no_site_outlives_a_test_run_that_was_interrupted_or_killed(
    tmp_path: Path, signal_number: int
) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nsleep 600 &\necho $!\nwait\n")
    program.chmod(0o700)
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", STAND_IN, str(tmp_path), str(program)],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=accept_interrupts,
    ) as stand_in:
        assert stand_in.stdout
        site = psutil.Process(int(stand_in.stdout.readline()))
        wait_for(lambda: bool(site.children()), "the program has no child")
        started = [site, *site.children()]
        stand_in.send_signal(signal_number)
    left = psutil.wait_procs(started, timeout=20)[1]
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


@contextmanager
def visit_site(site: EmbeddedSite) -> Iterator[list[str]]:
    """Load the home page all the time; failures are in the list."""
    troubles: list[str] = []
    visits = 0
    stop_event = threading.Event()

    def visit_all_the_time() -> None:
        nonlocal visits
        with httpx.Client(timeout=30, verify=False) as browser:
            while not stop_event.wait(0.05):
                try:
                    answer = browser.get(f"{site.url}/")
                    visits += 1
                    if answer.status_code != 200:
                        troubles.append(f"{answer.status_code} {answer.text[:200]}")
                except httpx.TransportError as error:
                    troubles.append(repr(error))

    visitor = threading.Thread(target=visit_all_the_time)
    visitor.start()
    try:
        yield troubles
    finally:
        stop_event.set()
        visitor.join()
    assert visits > 0


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000"])
def test_a_page_of_elsewhere_whose_name_leads_to_ones_own_machine_gets_nothing(
    site: EmbeddedSite, host: str
) -> None:
    """DNS rebinding; the mailbox refuses even a request with its key."""
    key = (site.folder / "var" / "mailbox_key").read_text()
    with httpx.Client(base_url=site.url, verify=False, timeout=30, follow_redirects=True) as browser:
        for path in (
            *("/", "/rules/", "/api/v1/games/", "/accounts/login/", f"/mailbox/?key={key}"),
            *("/healthz", "/readyz", "/metrics"),
        ):
            assert browser.get(path, headers={"Host": host}).status_code == 400, path
            assert browser.get(path).status_code == 200, path


def test_a_worker_that_is_killed_three_times_comes_back_and_the_site_stays_up(site: EmbeddedSite) -> None:
    table, complaint_count = site.seat_with_bot(), len(site.complaints())
    site.play(table, 2)
    web = site.pid_of(WEB)
    with visit_site(site) as troubles:
        for _ in range(3):
            site.kill(WORKER)
        mails = site.sent_mails()
        site.play(table, 3)
        wait_for(lambda: has_mailed(site, table, mails), lambda: f"no mail goes out: {site.console()}")
    assert troubles == []
    assert site.pid_of(WEB) == web
    # Each delay is longer, and the console has no other line.
    assert site.complaints()[complaint_count:] == [
        f"The worker stopped (SIGKILL). Restart in {seconds} s. The site stays up; bots and timeouts wait."
        for seconds in (1, 2, 4)
    ]
    assert site.clerk
    assert site.clerk("list_audit_findings") == []


def has_mailed(site: EmbeddedSite, table: Table, before: int) -> bool:
    """True if more mails went out; plays an action if none is due, to start another turn."""
    assert site.clerk
    with httpx.Client(timeout=30, verify=False) as table.http:
        legal, _server = table.ask("GET", f"games/{table.code}/actions/legal/", table.tokens[0])
    if not legal.json() or site.clerk("count_pending", codes=[table.code]):
        return site.sent_mails() > before
    assert site.clerk("list_turns_without_mail", codes=[table.code]) == []
    if site.sent_mails() == before:
        site.play(table, 1)
    return site.sent_mails() > before


def test_the_web_server_and_the_other_workers_come_back_as_well(site: EmbeddedSite) -> None:
    before = site.pids()
    for part in (MAIL, TOURNAMENTS, WEB):
        site.kill(part)
    wait_for(site.is_ready, site.console)
    after = site.pids()
    assert after[WORKER] == before[WORKER]
    assert {part for part in before if after[part] != before[part]} == {MAIL, TOURNAMENTS, WEB}
    wait_for(lambda: not psutil.pid_exists(before[WEB]), "what the web server had started outlives it")
    site.play(site.seat_with_bot(), 1)


def test_a_part_that_cannot_be_started_is_tried_again_and_the_site_stays_up(site: EmbeddedSite) -> None:
    """The program is missing for a while, as during an upgrade; a lack of memory is reported likewise."""
    python, complaint_count = site.python, len(site.complaints())
    program = python.readlink()
    with visit_site(site) as troubles:
        python.unlink()
        try:
            os.kill(site.pid_of(MAIL), signal.SIGKILL)
            wait_for(lambda: len(site.complaints()) >= complaint_count + 3, site.console)
        finally:
            python.symlink_to(program)
        wait_for(lambda: site.pid_of(MAIL), site.console)
    assert troubles == []
    end_line, *tried = site.complaints()[complaint_count:]
    assert end_line.startswith("The mail worker stopped (SIGKILL). Restart in ")
    matches = [
        re.fullmatch(
            r"The mail worker did not start \(No such file or directory\)\. Next try in (\d+) s\."
            r" The site stays up; mails and webhooks wait\.",
            line,
        )
        for line in tried
    ]
    seconds = [int(wait[1]) for wait in matches if wait]
    assert len(seconds) == len(tried) >= 2
    assert seconds == sorted(set(seconds)), "each time it waits longer"


class HangingServer:
    """Accepts connections and never answers; a context manager."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}/"
        self.calls: list[socket.socket] = []
        threading.Thread(target=self.take_calls, daemon=True).start()

    def take_calls(self) -> None:
        with suppress(OSError):
            while True:
                self.calls.append(self.listening.accept()[0])

    def holds_caller(self) -> bool:
        """True if the last caller is still waiting for an answer."""
        if not self.calls:
            return False
        self.calls[-1].setblocking(False)
        try:
            while self.calls[-1].recv(65536):  # the request; empty when the connection is closed
                pass
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def __enter__(self) -> HangingServer:
        return self

    def __exit__(self, *error: object) -> None:
        for sock in (self.listening, *self.calls):
            sock.close()


def test_a_webhook_that_hangs_keeps_no_bot_waiting(site: EmbeddedSite) -> None:
    for _attempt in range(4):  # on a busy machine, two turns may take longer than the timeout of a call
        if plays_on_during_call(site):
            return
    raise AssertionError("no bot answered before the call was given up")


def plays_on_during_call(site: EmbeddedSite) -> bool:
    """Play against a bot while a webhook call hangs; return False if the call timed out meanwhile.

    Each attempt has its own game, webhook and server, because a failed webhook is not called again at once.
    """
    table = site.seat_with_bot()
    assert site.clerk
    with HangingServer() as server:
        hook = site.clerk("add_webhook", code=table.code, url=server.url)
        try:
            site.play(table, 2)
            wait_for(server.holds_caller, lambda: f"nobody is called: {site.console()}")
            call = server.calls[-1]
            site.play(table, 2)  # the second action follows the bot's answer to the first
            return server.holds_caller() and server.calls[-1] is call
        finally:
            site.clerk("remove_webhook", pk=hook)


def test_without_pipes_the_site_works_at_the_pace_of_its_schedule_and_nothing_outlives_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "wakeups").symlink_to("/proc/self/task")  # a folder in which no pipe can be created
    with EmbeddedSite(tmp_path, SWEEP_EVERY="0.5") as site:
        started = site.pids()
        site.play(site.seat_with_bot(), 3)
        assert site.pids() == started
        lines = [line for line in site.console().splitlines() if "no pipes in" in line]
        assert len(lines) == 3, "each worker says it once"
        assert site.complaints() in ([], *(lines[n:] for n in range(3)))
        assert site.process
        children = psutil.Process(site.process.pid).children(recursive=True)
        assert len(children) >= 4
        site.process.kill()
        site.process.wait()
        psutil.wait_procs(children, timeout=60)
        assert [child for child in children if child.is_running()] == []


def test_wake_ups_hammered_by_several_writers_end_no_worker(site: EmbeddedSite) -> None:
    """A message read while it was half written once ended a worker. With SOAK=1 for a minute."""
    before, complaints = site.pids(), site.complaints()
    table = site.seat_with_bot()
    writers = [start_writer(site.settings, number, HAMMER_SECONDS, table.code) for number in range(WRITERS)]
    pipe = os.open(site.folder / "var" / "wakeups" / "bots", os.O_WRONLY | os.O_NONBLOCK)
    until = time.monotonic() + HAMMER_SECONDS
    while time.monotonic() < until:
        for garbage in GARBAGE:
            with suppress(BlockingIOError):
                os.write(pipe, garbage)
        site.play(table, 1)
    os.close(pipe)
    for writer in writers:
        tried, sent = map(int, writer.communicate(timeout=60)[0].split())
        assert tried >= sent > 0
    site.play(table, 2)
    assert site.pids() == before
    assert site.complaints() == complaints


def start_writer(
    environment: dict[str, str], number: int, seconds: int, code: str = ""
) -> subprocess.Popen[str]:
    """Start a process that wakes the worker as fast as it can, for a game or with checkable texts."""
    process_environment = environment | {
        "DJANGO_SETTINGS_MODULE": "otto_site.settings",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-W", "ignore", "-c", WRITER, f"w{number}", str(seconds), code]
    return subprocess.Popen(command, cwd=ROOT, env=process_environment, stdout=subprocess.PIPE, text=True)


def test_no_wake_up_is_ever_read_by_half(tmp_path: Path, settings) -> None:
    """Each wake-up arrives whole and once. With SOAK=1 for a minute."""
    settings.WAKE_UPS_DIR = tmp_path / "var" / "wakeups"
    environment = dict(os.environ) | {"VAR_DIR": str(tmp_path / "var")}
    counts_by_writer: Counter[str] = Counter()

    def listen() -> None:
        for name, (text,) in pipes.read():
            writer_name, number, filler = text.split("-")
            assert (name, filler) == ("bots.answer", "x" * (int(number) % 400))
            counts_by_writer[writer_name] += 1

    with wakeups.WakeUpPipes(["bots"]) as pipes:
        writers = [start_writer(environment, number, CHECKED_SECONDS) for number in range(WRITERS)]
        while any(writer.poll() is None for writer in writers):
            listen()
        listen()
    counts = [writer.communicate()[0].split() for writer in writers]
    assert counts_by_writer == {
        f"w{number}": int(sent) for number, (_tried, sent) in enumerate(counts)
    }  # each exactly once
    assert min(counts_by_writer.values()) > 100
    assert not wakeups.send_wake_up("bots.answer", ["nobody listens any more"])


def test_the_embedded_site_runs_on_with_bots(site: EmbeddedSite, tmp_path: Path) -> None:
    """No part ends, no line is printed, memory is bounded. With SOAK=1 for an hour, with the demo."""
    with EmbeddedSite(tmp_path, DEMO="1") if SOAK else nullcontext(site) as site:
        table, started, complaints = site.seat_with_bot(), site.pids(), site.complaints()
        site.play(table, 3)
        small, until = measure_memory(site), time.monotonic() + RUN_SECONDS
        while time.monotonic() < until:
            site.play(table, 3)
            if table.over:
                table = site.seat_with_bot()
            assert site.is_ready()
            time.sleep(0.5)
        assert site.pids() == started
        assert site.complaints() == complaints
        assert measure_memory(site) < 2 * small + 100
        assert site.clerk
        assert site.clerk("list_audit_findings") == []
        assert site.sent_mails() > 0


def measure_memory(site: EmbeddedSite) -> float:
    """Return the memory of all processes of the site in megabytes."""
    assert site.process
    children = psutil.Process(site.process.pid).children(recursive=True)
    return sum(child.memory_info().rss for child in children) / 2**20


def test_what_cannot_be_started_is_tried_more_and_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr("games.management.commands.serve.time.monotonic", lambda: clock[0])
    program = tmp_path / "program"
    part = SupervisedProcess("worker", [str(program)], "The site stays up.")
    delays = []
    for _ in range(8):
        line = part.check_and_restart()
        delays.append(part.restart_at - clock[0])
        assert line == (
            "The worker did not start (No such file or directory)."
            f" Next try in {delays[-1]:.0f} s. The site stays up."
        )
        assert part.process is None
        assert part.check_and_restart() == "", "it was tried before its time"
        clock[0] = part.restart_at
    assert delays == [1, 2, 4, 8, 16, 32, MAX_RESTART_DELAY_SECONDS, MAX_RESTART_DELAY_SECONDS]
    program.symlink_to(sys.executable)
    part.command.append("-c")
    part.command.append("import sys; sys.stdin.read()")
    assert part.check_and_restart() == ""
    assert part.process
    part.process.terminate()
    part.stop(until=clock[0] + 60)


def test_what_keeps_ending_is_started_again_more_and_more_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("games.management.commands.serve.time.monotonic", lambda: clock[0])
    part = SupervisedProcess("worker", [sys.executable, "-c", "raise SystemExit(3)"], "The site stays up.")
    delays = []
    for _ in range(8):
        part.check_and_restart()
        assert part.process
        part.process.wait()
        line = part.check_and_restart()
        assert line.startswith("The worker stopped (exit status 3). Restart in ")
        delays.append(part.restart_at - clock[0])
        clock[0] = part.restart_at - 0.01
        part.check_and_restart()
        assert part.process is None, "it was started before its time"
        clock[0] = part.restart_at
    assert delays == [1, 2, 4, 8, 16, 32, MAX_RESTART_DELAY_SECONDS, MAX_RESTART_DELAY_SECONDS]
    part.command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    part.check_and_restart()
    assert part.process
    clock[0] += 61  # it ran long enough to reset the delay
    os.kill(part.process.pid, signal.SIGKILL)
    part.process.wait()
    assert "(SIGKILL). Restart in 1 s." in part.check_and_restart()
