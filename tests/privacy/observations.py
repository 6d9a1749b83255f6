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
RANDOM_VALUE_PATTERN = re.compile(
    rb'name="(csrfmiddlewaretoken|key|offer)" value="[^"]+"|(?<=<code data-offer>)[0-9a-f]{64}'
)
COOKIES = ("csrftoken", "sessionid")  # random, too; that they are set is compared
CLOCK = "Expires"  # the header that tells the time of asking
AROUND = 60  # letters shown on either side of a difference

lines: list[str] = []


class Observation(NamedTuple):
    """What a viewer, or whoever watches the site, gets to know by asking once."""

    endpoint: str
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: bytes
    queries: int
    log: tuple[str, ...]


class Listener(logging.Handler):
    """Keeps lines as production writes them, but for the times in them."""

    def emit(self, record: logging.LogRecord) -> None:
        data = json.loads(self.format(record))
        lines.append(json.dumps({name: data[name] for name in data if name not in ("at", "ms")}))


@contextmanager
def record_log_lines() -> Iterator[None]:
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


def observe_request(endpoint: str, asking: Any) -> tuple[Observation, Any]:
    """Ask, and keep all that can be heard; gives the answer itself as well."""
    query_count = 0

    def count_query(execute: Any, *args: Any) -> Any:
        nonlocal query_count
        query_count += 1
        return execute(*args)

    lines.clear()
    with connection.execute_wrapper(count_query):
        answer = asking()
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    cookies = tuple(
        f"{name}={'…' if name in COOKIES else morsel.OutputString()}"
        for name, morsel in answer.cookies.items()
    )
    body = RANDOM_VALUE_PATTERN.sub(rb"\1", content)
    headers = tuple((name, value) for name, value in answer.items() if name != CLOCK)
    observation = Observation(endpoint, answer.status_code, headers, cookies, body, query_count, tuple(lines))
    return observation, answer


def list_differences(
    observations: Iterable[Observation], other_observations: Iterable[Observation]
) -> list[str]:
    """Where two worlds can be told apart, in words."""
    alarms = []
    for first, other in zip(observations, other_observations, strict=True):
        for name in Observation._fields:
            value, other_value = getattr(first, name), getattr(other, name)
            if value != other_value:
                alarms.append(f"{first.endpoint}: {name}: {find_first_difference(value, other_value)}")
    return alarms


def find_first_difference(value: Any, other_value: Any) -> str:
    """The first place at which two things differ."""
    value, other_value = (
        item if isinstance(item, bytes) else repr(item).encode() for item in (value, other_value)
    )
    both = zip(value, other_value, strict=False)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(value), len(other_value)))
    excerpt = slice(max(0, at - AROUND), at + AROUND)
    return f"{value[excerpt]!r} / {other_value[excerpt]!r}"
