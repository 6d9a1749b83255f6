"""Live streams: your feed and single games as they happen, as JSON lines. A broken connection is resumed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypedDict

import httpx

from .errors import Unreachable, problem

if TYPE_CHECKING:
    from .client import Client

SILENCE_SECONDS = 45.0  # the server sends a sign of life every 15 seconds
FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 0.5, 30.0  # between two connections, doubled with each failure


class StreamedEvent(TypedDict):
    """An event of a stream; `id` is where to resume after it."""

    event: str
    id: str | None
    data: dict[str, Any]


def follow_stream(client: Client, path: str, last_id: str | None) -> Iterator[StreamedEvent]:
    """Iterate over the events of a stream until it says `end`, connecting again after the last event.

    Raises Problem if the server refuses, and Unreachable after `max_attempts` connections without an event.
    """
    failure_count = 0
    while True:
        error: Exception | None = None
        wait = 0.0
        headers = {"Accept": "application/x-ndjson"} | ({"Last-Event-ID": last_id} if last_id else {})
        timeout = httpx.Timeout(client.http.timeout.connect, read=SILENCE_SECONDS)
        try:
            with client.http.stream("GET", path, headers=headers, timeout=timeout) as answer:
                if answer.is_success:
                    for line in answer.iter_lines():
                        if not line:
                            continue  # a sign of life
                        event: StreamedEvent = json.loads(line)
                        failure_count, last_id = 0, event["id"] or last_id
                        yield event
                        if event["event"] == "end":
                            return
                else:
                    answer.read()
                    error = problem(answer)
                    if answer.status_code != 429 and answer.status_code < 500:
                        raise error
                    wait = read_retry_after(answer)
        except (httpx.TransportError, ValueError) as transport_error:
            error = Unreachable(f"GET {path}: {str(transport_error) or type(transport_error).__name__}")
        failure_count += 1
        if failure_count >= client.max_attempts:
            raise error or Unreachable(f"GET {path}: the stream ends again and again")
        backoff = min(FIRST_WAIT_SECONDS * 2 ** (failure_count - 1), MAX_WAIT_SECONDS)
        client.sleep(max(wait, backoff * random.uniform(0.5, 1.0)))


def read_retry_after(answer: httpx.Response) -> float:
    """Return the seconds of the Retry-After header; 0 if there is none, or a date."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else 0.0
