"""Wake-ups between the processes of the embedded site, which has no broker: lines in a named pipe per queue.

All due work is in the database, where sweeps find it. A wake-up only says that a task should run now, so one
may be lost. None is read partially, because a short write to a pipe is atomic.
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

from celery import Celery
from django.conf import settings

log = logging.getLogger(__name__)
MAX_LINE_BYTES = select.PIPE_BUF  # the largest atomic write to a pipe
READ_BYTES = 65536

WakeUp = tuple[str, tuple[Any, ...]]  # the name of a task, and its arguments


def queue_of(name: str) -> str:
    """Return the queue of a task."""
    from .celery import QUEUES

    prefix = name.partition(".")[0]
    return prefix if prefix in QUEUES else QUEUES[0]


def pipe_of(queue: str) -> Path:
    """Return the path of the pipe on which the worker of a queue listens."""
    path: Path = settings.WAKE_UPS_DIR / queue
    return path


def send_wake_up(name: str, args: Iterable[Any]) -> bool:
    """Ask the worker to run a task now, without blocking; return False if no worker takes it.

    Raises ValueError if the line is too long to be written atomically.
    """
    line = json.dumps([name, *args]).encode() + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"too long for a wake-up: {name}")
    try:
        pipe = os.open(pipe_of(queue_of(name)), os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # no worker has ever run here, or none runs now
        return False
    try:
        os.write(pipe, line)
    except OSError:  # the pipe is full, or the worker just ended
        return False
    finally:
        os.close(pipe)
    return True


class WakingCelery(Celery):
    """The Celery app of the embedded site: sending a task wakes the worker; sweeps find what was missed."""

    def send_task(self, name: str, args: Any = None, kwargs: Any = None, **options: Any) -> None:
        """Send a wake-up. Raises TypeError for keyword arguments."""
        if kwargs:
            raise TypeError("a wake-up has no keyword arguments")
        if not send_wake_up(name, args or ()):
            log.debug("no worker was woken for %s: a sweep will find it", name)


class WakeUpPipes:
    """The reading ends, for one worker; a context manager.

    Where the file system has no pipes there are none: all is then found at the pace of the schedule.
    """

    def __init__(self, queues: Iterable[str]) -> None:
        self.partial_lines: dict[int, bytes] = {}
        try:
            for queue in queues:
                self.partial_lines[open_pipe(pipe_of(queue))] = b""
        except OSError as error:
            reason = error.strerror or type(error).__name__
            log.warning("no pipes in %s (%s); workers run on schedule only", settings.WAKE_UPS_DIR, reason)

    def __enter__(self) -> WakeUpPipes:
        return self

    def __exit__(self, *error: object) -> None:
        for pipe in self.partial_lines:
            os.close(pipe)

    def fileno_list(self) -> list[int]:
        """Return the file descriptors, for select()."""
        return list(self.partial_lines)

    def read(self) -> Iterator[WakeUp]:
        """Yield the wake-ups that have arrived; malformed lines are skipped."""
        for pipe, partial_line in self.partial_lines.items():
            try:
                data = partial_line + os.read(pipe, READ_BYTES)
            except BlockingIOError:
                continue
            *lines, self.partial_lines[pipe] = data.split(b"\n")
            for line in lines:
                if wake_up := parse_line(line):
                    yield wake_up


def parse_line(line: bytes) -> WakeUp | None:
    """Return the wake-up of a line, or None if it is malformed."""
    try:
        name, *args = json.loads(line)
        wake_up = name, tuple(args)
        hash(wake_up)
    except (ValueError, TypeError):
        log.debug("a wake-up of %d bytes could not be read, and was skipped", len(line))
        return None
    return wake_up if isinstance(name, str) else None


def open_pipe(path: Path) -> int:
    """Open a pipe for non-blocking reading, and for writing too, so that it never reaches end of file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.exists() and not stat.S_ISFIFO(path.stat().st_mode):
        path.unlink()
    with suppress(FileExistsError):
        os.mkfifo(path, mode=0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)
