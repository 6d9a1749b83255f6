"""A worker of the embedded site: `python -m otto_site.embedded_worker turns,bots`.

It asks for the tasks of the beat schedule itself and listens for wake-ups, so that it needs neither a broker
nor beat. A task that fails is logged, and asked for again in time. It ends when its standard input closes.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
import threading
import time
from typing import Any

import django
from django.db import close_old_connections, reset_queries

from .celery import app
from .wakeups import WakeUp, WakeUpPipes, queue_of

log = logging.getLogger(__name__)
MAX_WAIT_SECONDS = 0.5  # until a worker looks whether it was asked to stop
MAX_WAITING = 10_000  # wake-ups that are kept; the sweeps find the rest


class EmbeddedWorker:
    """Runs the tasks of some queues one after the other, in the order in which they were asked for."""

    def __init__(self, queues: list[str], pipes: WakeUpPipes) -> None:
        self.queues, self.pipes = queues, pipes
        self.stopping = False
        self.waiting: dict[WakeUp, None] = {}  # in order, and each of them once
        self.next_run = dict.fromkeys(
            (name for name in app.conf.beat_schedule if queue_of(name) in queues), time.monotonic()
        )
        self.running: tuple[str, float] | None = None  # the name of the task, and when it must have ended

    def run(self) -> None:
        """Work until asked to stop, or until whoever started this process is gone."""
        threading.Thread(target=self.end_hanging_task, daemon=True).start()
        while not self.stopping:
            self.ask_for_due_tasks()
            self.listen()
            if self.waiting and not self.stopping:
                wake_up = next(iter(self.waiting))
                del self.waiting[wake_up]
                self.run_task(wake_up)

    def ask_for_due_tasks(self) -> None:
        """What the beat schedule wants done by now; what still waits is not asked for twice."""
        now = time.monotonic()
        for name, due in self.next_run.items():
            if due <= now:
                self.waiting.setdefault((name, ()))
                every = app.conf.beat_schedule[name]["schedule"].run_every
                self.next_run[name] = now + every.total_seconds()

    def listen(self) -> None:
        """Wait for wake-ups, or for the next task that is due; not at all if there is something to do."""
        until_due = min(self.next_run.values()) - time.monotonic()
        seconds = 0.0 if self.waiting else min(max(until_due, 0.0), MAX_WAIT_SECONDS)
        stdin = sys.stdin.fileno()
        ready, _, _ = select.select([stdin, *self.pipes.fileno_list()], [], [], seconds)
        if stdin in ready and not os.read(stdin, 4096):
            self.stopping = True
        for wake_up in self.pipes.read():
            is_ours = wake_up[0] in app.tasks and queue_of(wake_up[0]) in self.queues
            if is_ours and len(self.waiting) < MAX_WAITING:
                self.waiting.setdefault(wake_up)

    def run_task(self, wake_up: WakeUp) -> None:
        """One task. Whatever goes wrong in it ends neither the worker nor what else waits."""
        name, args = wake_up
        task = app.tasks[name]
        self.running = name, time.monotonic() + task.time_limit
        try:
            close_old_connections()
            reset_queries()
            task(*args)
        except Exception:
            log.exception("%s failed", name)
        finally:
            self.running = None
            close_old_connections()

    def end_hanging_task(self) -> None:
        """End this process if a task takes longer than it may: another one is started in its place."""
        while True:
            time.sleep(1)
            running = self.running
            if running and time.monotonic() > running[1]:
                log.error("%s hangs: its worker is replaced", running[0])
                logging.shutdown()
                os._exit(1)

    def stop(self, *_: Any) -> None:
        self.stopping = True


def main() -> None:
    queues = sys.argv[1].split(",")
    django.setup()
    app.loader.import_default_modules()
    with WakeUpPipes(queues) as pipes:
        worker = EmbeddedWorker(queues, pipes)
        signal.signal(signal.SIGTERM, worker.stop)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
        worker.run()


if __name__ == "__main__":
    main()
