"""Observations of an endpoint: response with headers, number of queries, and log lines."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection

from otto_site.logs import JsonFormatter

# Values that are random in every response and independent of the game: form tokens and idempotency keys.
RANDOM_VALUE_PATTERN = re.compile(
    rb'name="(csrfmiddlewaretoken|key|offer)" value="[^"]+"|(?<=<code data-offer>)[0-9a-f]{64}'
)
COOKIES = ("csrftoken", "sessionid")  # random values, whose presence is compared
CLOCK = "Expires"  # the header with the request time
AROUND = 60  # characters shown on either side of a difference

lines: list[str] = []


class Observation(NamedTuple):
    """Everything that a viewer, or an operator who watches the site, learns from one request."""

    endpoint: str
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: bytes
    queries: int
    log: tuple[str, ...]


class Listener(logging.Handler):
    """Keeps log lines in the format of production, without times."""

    def emit(self, record: logging.LogRecord) -> None:
        data = json.loads(self.format(record))
        lines.append(json.dumps({name: data[name] for name in data if name not in ("at", "ms")}))


@contextmanager
def record_log_lines() -> Iterator[None]:
    """Record log lines."""
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
    """Run a request; return the observation and the response."""
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
    """Describe where two worlds differ."""
    alarms = []
    for first, other in zip(observations, other_observations, strict=True):
        for name in Observation._fields:
            value, other_value = getattr(first, name), getattr(other, name)
            if value != other_value:
                alarms.append(f"{first.endpoint}: {name}: {find_first_difference(value, other_value)}")
    return alarms


def find_first_difference(value: Any, other_value: Any) -> str:
    """Find the first difference of two values."""
    value, other_value = (
        item if isinstance(item, bytes) else repr(item).encode() for item in (value, other_value)
    )
    both = zip(value, other_value, strict=False)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(value), len(other_value)))
    excerpt = slice(max(0, at - AROUND), at + AROUND)
    return f"{value[excerpt]!r} / {other_value[excerpt]!r}"
