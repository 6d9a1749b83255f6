"""Wake-ups between the processes of the embedded site, which has no broker: lines in a named pipe per queue.

Everything that waits is in the database, where sweeps find it. A wake-up only says that there is something to
do now, so that one may be lost; but none is read by half, because a short write to a pipe is atomic.
"""

from __future__ import annotations

import json
import logging
import os
import select
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery import Task
from django.conf import settings

log = logging.getLogger(__name__)
MAX_LINE_BYTES = select.PIPE_BUF  # what is written at once or not at all, whoever else writes
READ_BYTES = 65536

WakeUp = tuple[str, tuple[Any, ...]]  # the name of a task, and its arguments


def queue_of(name: str) -> str:
    """The queue that a task waits in."""
    from .celery import QUEUES

    prefix = name.partition(".")[0]
    return prefix if prefix in QUEUES else QUEUES[0]


def pipe_of(queue: str) -> Path:
    """Where the worker of a queue listens."""
    path: Path = settings.WAKE_UPS_DIR / queue
    return path


def send_wake_up(name: str, args: Iterable[Any]) -> bool:
    """Tell the worker that a task is to run now; False if none listens or it is too busy to. Never waits."""
    line = json.dumps([name, *args]).encode() + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"too long for a wake-up: {name}")
    try:
        pipe = os.open(pipe_of(queue_of(name)), os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # no worker has ever run here, or none runs now
        return False
    try:
        os.write(pipe, line)
    except OSError:  # the pipe is full, or the worker ended in this moment
        return False
    finally:
        os.close(pipe)
    return True


class WakingTask(Task):
    """A task of the embedded site: asking for it wakes the worker. Sweeps find what was not heard."""

    abstract = True

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> None:
        if kwargs:
            raise TypeError("a wake-up has no keyword arguments")
        if not send_wake_up(self.name, args or ()):
            log.debug("no worker was woken for %s: a sweep will find it", self.name)


class WakeUpPipes:
    """The reading ends, for one worker; a context manager.

    Where the file system has no pipes there are none: all is then found at the pace of the schedule.
    """

    def __init__(self, queues: Iterable[str]) -> None:
        self.rests: dict[int, bytes] = {}
        try:
            for queue in queues:
                self.rests[open_pipe(pipe_of(queue))] = b""
        except OSError as error:
            why = error.strerror or type(error).__name__
            log.warning("no pipes in %s (%s): work is found by schedule alone", settings.WAKE_UPS_DIR, why)

    def __enter__(self) -> WakeUpPipes:
        return self

    def __exit__(self, *error: object) -> None:
        for pipe in self.rests:
            os.close(pipe)

    def fileno_list(self) -> list[int]:
        return list(self.rests)

    def read(self) -> Iterator[WakeUp]:
        """What has come by now; what cannot be read is skipped."""
        for pipe, rest in self.rests.items():
            try:
                data = rest + os.read(pipe, READ_BYTES)
            except BlockingIOError:
                continue
            *lines, self.rests[pipe] = data.split(b"\n")
            for line in lines:
                if wake_up := parse_line(line):
                    yield wake_up


def parse_line(line: bytes) -> WakeUp | None:
    """The wake-up of a line, or None if it holds none."""
    try:
        name, *args = json.loads(line)
        wake_up = name, tuple(args)
        hash(wake_up)
    except (ValueError, TypeError):
        log.debug("a wake-up of %d bytes could not be read, and was skipped", len(line))
        return None
    return wake_up if isinstance(name, str) else None


def open_pipe(path: Path) -> int:
    """A pipe to read from without waiting. It is open for writing, too: so it never ends."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.exists() and not stat.S_ISFIFO(path.stat().st_mode):
        path.unlink()
    with suppress(FileExistsError):
        os.mkfifo(path, mode=0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)
