"""What can be heard at a door: the answer with its headers, how much work it was, what the log says of it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection

from otto_site.logs import JsonFormatter

# New for every answer, and drawn by nobody's cards: the marks that make a form one of ours, and sent once.
FRESH = re.compile(
    rb'name="(csrfmiddlewaretoken|key|offer)" value="[^"]+"|(?<=<code data-offer>)[0-9a-f]{64}'
)
COOKIES = ("csrftoken", "sessionid")  # random, too; that they are set is compared
CLOCK = "Expires"  # the header that tells the time of asking
AROUND = 60  # letters shown on either side of a difference

lines: list[str] = []


class Heard(NamedTuple):
    """What a viewer, or whoever watches the site, gets to know by asking once."""

    door: str
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: bytes
    queries: int
    log: tuple[str, ...]


class Listener(logging.Handler):
    """Keeps lines as production writes them, but for the times in them."""

    def emit(self, record: logging.LogRecord) -> None:
        told = json.loads(self.format(record))
        lines.append(json.dumps({name: told[name] for name in told if name not in ("at", "ms")}))


@contextmanager
def hearing() -> Iterator[None]:
    """Listen to the log."""
    root, listener = logging.getLogger(), Listener(logging.INFO)
    listener.setFormatter(JsonFormatter())
    before = root.level
    root.addHandler(listener)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.setLevel(before)
        root.removeHandler(listener)


def hear(door: str, asking: Any) -> tuple[Heard, Any]:
    """Ask, and keep all that can be heard; gives the answer itself as well."""
    asked = 0

    def counted(execute: Any, *args: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*args)

    lines.clear()
    with connection.execute_wrapper(counted):
        answer = asking()
    cookies = tuple(
        f"{name}={'…' if name in COOKIES else one.OutputString()}" for name, one in answer.cookies.items()
    )
    body = FRESH.sub(rb"\1", answer.content)
    headers = tuple((name, value) for name, value in answer.items() if name != CLOCK)
    heard = Heard(door, answer.status_code, headers, cookies, body, asked, tuple(lines))
    return heard, answer


def differences(here: Iterable[Heard], there: Iterable[Heard]) -> list[str]:
    """Where two worlds can be told apart, in words."""
    found = []
    for one, other in zip(here, there, strict=True):
        for name in Heard._fields:
            mine, theirs = getattr(one, name), getattr(other, name)
            if mine != theirs:
                found.append(f"{one.door}: {name}: {apart(mine, theirs)}")
    return found


def apart(mine: Any, theirs: Any) -> str:
    """The first place at which two things differ."""
    mine, theirs = (thing if isinstance(thing, bytes) else repr(thing).encode() for thing in (mine, theirs))
    both = zip(mine, theirs, strict=False)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(mine), len(theirs)))
    shown = slice(max(0, at - AROUND), at + AROUND)
    return f"{mine[shown]!r} / {theirs[shown]!r}"
