"""The embedded worker keeps its schedule, receives wake-ups, and survives errors in tasks."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.management.commands.serve import MAIL_QUEUES, SHARED_QUEUES, TOURNAMENT_QUEUES
from otto_site.celery import QUEUES, app
from otto_site.embedded_worker import EmbeddedWorker
from otto_site.wakeups import WakeUpPipes, queue_of, send_wake_up
from tests.services import ROOT


@pytest.fixture
def worker(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedWorker]:
    """A worker that the test drives step by step; its standard input stays open."""
    settings.WAKE_UPS_DIR = tmp_path / "wakeups"
    app.loader.import_default_modules()
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, WakeUpPipes(QUEUES) as pipes:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield EmbeddedWorker([*QUEUES], pipes)
    os.close(writing)


def test_every_task_of_the_schedule_is_asked_for_at_its_pace(
    worker: EmbeddedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [time.monotonic()]
    monkeypatch.setattr("otto_site.embedded_worker.time.monotonic", lambda: clock[0])
    worker.queue_due_tasks()
    assert {name for name, _args in worker.waiting} == set(app.conf.beat_schedule)
    worker.queue_due_tasks()
    assert len(worker.waiting) == len(app.conf.beat_schedule), "nothing waits twice"
    run_counts: dict[str, int] = {}
    for _ in range(3600):
        clock[0] += 1
        worker.waiting.clear()
        worker.queue_due_tasks()
        for name, _args in worker.waiting:
            run_counts[name] = run_counts.get(name, 0) + 1
    for name, entry in app.conf.beat_schedule.items():
        assert run_counts[name] == 3600 / entry["schedule"].run_every.total_seconds(), name


def test_a_worker_has_the_tasks_of_its_queues_alone(tmp_path: Path, settings: Any) -> None:
    settings.WAKE_UPS_DIR = tmp_path / "wakeups"
    task_names: list[str] = []
    for queues in (names.split(",") for names in (SHARED_QUEUES, MAIL_QUEUES, TOURNAMENT_QUEUES)):
        with WakeUpPipes(queues) as pipes:
            task_names += EmbeddedWorker(queues, pipes).next_run
    assert sorted(task_names) == sorted(app.conf.beat_schedule)
    # The queues that Celery would route to.
    for name in task_names:
        assert queue_of(name) == app.amqp.router.route({}, name)["queue"].name


@pytest.mark.django_db(transaction=True)
def test_a_task_that_fails_is_logged_and_ends_nothing(
    worker: EmbeddedWorker, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        worker.run_task(("bots.answer", ("nosuchgame22",)))
    assert [record.getMessage() for record in caplog.records] == ["bots.answer failed"]
    worker.run_task(("bots.sweep", ()))
    assert len(caplog.records) == 1
    assert worker.running is None


def test_wake_ups_wait_once_each_and_only_those_of_our_tasks(worker: EmbeddedWorker) -> None:
    worker.next_run = dict.fromkeys(worker.next_run, time.monotonic() + 60)
    for code in ("a", "b", "a"):
        assert send_wake_up("bots.answer", [code])
    assert send_wake_up("bots.steal", [])
    worker.listen()
    assert list(worker.waiting) == [("bots.answer", ("a",)), ("bots.answer", ("b",))]
    with pytest.raises(ValueError, match="too long"):
        send_wake_up("bots.answer", ["x" * 5000])


def test_a_pipe_that_is_full_keeps_nobody_waiting(worker: EmbeddedWorker) -> None:
    sent = 0
    while send_wake_up("bots.answer", [f"{sent}" * 50]):
        sent += 1
        assert sent < 100_000
    worker.next_run = dict.fromkeys(worker.next_run, time.monotonic() + 60)
    while len(worker.waiting) < sent:
        before = len(worker.waiting)
        worker.listen()
        assert len(worker.waiting) > before
    assert send_wake_up("bots.answer", ["again"])


@pytest.mark.parametrize("fault", ["no such kind of file", "no folder"])
def test_without_pipes_a_worker_keeps_the_schedule_and_says_so_once(
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
) -> None:
    settings.WAKE_UPS_DIR = tmp_path / "wakeups"
    if fault == "no folder":
        settings.WAKE_UPS_DIR.write_text("a file stands where the folder would")
    else:

        def mkfifo(path: Path, mode: int) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr("otto_site.wakeups.os.mkfifo", mkfifo)
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, caplog.at_level(logging.WARNING), WakeUpPipes(QUEUES) as pipes:
        monkeypatch.setattr(sys, "stdin", stdin)
        worker = EmbeddedWorker([*QUEUES], pipes)
        worker.queue_due_tasks()
        worker.listen()
        assert {name for name, _args in worker.waiting} == set(app.conf.beat_schedule)
        assert not send_wake_up("bots.answer", ["x"])
    os.close(writing)
    (line,) = caplog.messages
    assert line.startswith(f"no pipes in {settings.WAKE_UPS_DIR} (")
    assert line.endswith("); workers run on schedule only")


def test_a_worker_whose_task_hangs_is_replaced(tmp_path: Path) -> None:
    code = """
import time
import django; django.setup()
from otto_site.embedded_worker import EmbeddedWorker, app
from otto_site.wakeups import WakeUpPipes
app.loader.import_default_modules()
task = app.tasks["bots.answer"]
task.time_limit = 1
task.run = lambda code: time.sleep(600)
with WakeUpPipes(["bots"]) as pipes:
    worker = EmbeddedWorker(["bots"], pipes)
    worker.waiting[("bots.answer", ("x",))] = None
    worker.run()
"""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        stdin=subprocess.PIPE,  # stays open
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.wait(120) == 1
        assert process.stderr
        assert "bots.answer hangs; replacing its worker" in process.stderr.read()
    finally:
        process.kill()
        process.communicate()
