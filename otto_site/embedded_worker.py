"""A worker of the embedded site: `python -m otto_site.embedded_worker turns,bots`.

It runs the beat schedule itself and listens for wake-ups, so it needs neither broker nor beat. A failed task
is logged and runs again on schedule. The worker ends when its standard input closes.
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
MAX_WAIT_SECONDS = 0.5  # between two checks whether to stop
MAX_WAITING_WAKE_UPS = 10_000  # queued wake-ups; sweeps find the rest


class EmbeddedWorker:
    """Runs the tasks of some queues one after the other, first in, first out."""

    def __init__(self, queues: list[str], pipes: WakeUpPipes) -> None:
        self.queues, self.pipes = queues, pipes
        self.stopping = False
        self.waiting: dict[WakeUp, None] = {}  # an ordered set
        self.next_run = dict.fromkeys(
            (name for name in app.conf.beat_schedule if queue_of(name) in queues), time.monotonic()
        )
        self.running: tuple[str, float] | None = None  # task name and its time limit (monotonic)

    def run(self) -> None:
        """Work until stopped, or until standard input closes:

        1. queue the tasks that the beat schedule says are due;
        2. wait for wake-ups, at most until the next due task;
        3. run the first queued task.
        """
        threading.Thread(target=self.exit_on_hanging_task, daemon=True).start()
        while not self.stopping:
            self.queue_due_tasks()
            self.listen()
            if self.waiting and not self.stopping:
                wake_up = next(iter(self.waiting))
                del self.waiting[wake_up]
                self.run_task(wake_up)

    def queue_due_tasks(self) -> None:
        """Queue the due tasks of the beat schedule; a task that is already queued is not queued twice."""
        now = time.monotonic()
        for name, due in self.next_run.items():
            if due <= now:
                self.waiting.setdefault((name, ()))
                interval = app.conf.beat_schedule[name]["schedule"].run_every
                self.next_run[name] = now + interval.total_seconds()

    def listen(self) -> None:
        """Wait for wake-ups until the next task is due; do not wait if a task is queued."""
        until_due = min(self.next_run.values()) - time.monotonic()
        seconds = 0.0 if self.waiting else min(max(until_due, 0.0), MAX_WAIT_SECONDS)
        stdin = sys.stdin.fileno()
        ready, _, _ = select.select([stdin, *self.pipes.fileno_list()], [], [], seconds)
        if stdin in ready and not os.read(stdin, 4096):
            self.stopping = True
        for wake_up in self.pipes.read():
            is_ours = wake_up[0] in app.tasks and queue_of(wake_up[0]) in self.queues
            if is_ours and len(self.waiting) < MAX_WAITING_WAKE_UPS:
                self.waiting.setdefault(wake_up)

    def run_task(self, wake_up: WakeUp) -> None:
        """Run one task; log its errors."""
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

    def exit_on_hanging_task(self) -> None:
        """Exit the process if a task exceeds its time limit; the parent starts a new worker."""
        while True:
            time.sleep(1)
            running = self.running
            if running and time.monotonic() > running[1]:
                log.error("%s hangs; replacing its worker", running[0])
                logging.shutdown()
                os._exit(1)

    def stop(self, *_: Any) -> None:
        """Stop after the current task; a signal handler."""
        self.stopping = True


def main() -> None:
    """Run a worker for the queues of the first argument."""
    queues = sys.argv[1].split(",")
    django.setup()
    app.loader.import_default_modules()
    with WakeUpPipes(queues) as pipes:
        worker = EmbeddedWorker(queues, pipes)
        signal.signal(signal.SIGTERM, worker.stop)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
        worker.run()


if __name__ == "__main__":
    main()
