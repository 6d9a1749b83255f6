"""Records of many games, as JSON lines. A broken connection is resumed after the last whole record."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict, cast

import httpx

from .errors import Unreachable, problem
from .streams import FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS, read_retry_after
from .types import Record

if TYPE_CHECKING:
    from .client import Client


class RecordQuery(TypedDict, total=False):
    """Which games: those that ended or moved last in a period, of a mode, finished, after another one."""

    since: datetime | str
    until: datetime | str
    mode: str
    finished: bool
    after: str


def iter_records(client: Client, path: str, query: RecordQuery) -> Iterator[Record]:
    """Iterate over a list of records to its end, one response after another, one record in memory at a time.

    Store the `game` of the last record to go on later with `after`. Raises Problem if the server refuses,
    and Unreachable after `max_attempts` connections without a record.
    """
    params = {name: format_parameter(value) for name, value in query.items() if value is not None}
    failure_count = 0
    while True:
        error: Exception | None = None
        wait = 0.0
        try:
            headers = {"Accept": "application/x-ndjson"}
            with client.http.stream("GET", path, params=params, headers=headers) as answer:
                if answer.is_success:
                    for line in answer.iter_lines():
                        record = cast(Record, json.loads(line))
                        failure_count, params["after"] = 0, record["game"]
                        yield record
                    if "next" not in answer.links:
                        return
                    continue
                answer.read()
                error = problem(answer)
                if answer.status_code != 429 and answer.status_code < 500:
                    raise error
                wait = read_retry_after(answer)
        except (httpx.TransportError, ValueError) as transport_error:  # ValueError: half a line
            error = Unreachable(f"GET {path}: {str(transport_error) or type(transport_error).__name__}")
        failure_count += 1
        if failure_count >= client.max_attempts or wait > client.max_wait:
            raise error
        backoff = min(FIRST_WAIT_SECONDS * 2 ** (failure_count - 1), MAX_WAIT_SECONDS)
        client.sleep(max(wait, backoff * random.uniform(0.5, 1.0)))


def format_parameter(value: object) -> str:
    """Convert a value to the form that the API uses in queries."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)
