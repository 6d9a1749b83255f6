"""The retry schedule of requests and streams. Sends nothing itself."""

from __future__ import annotations

import json
import random
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .errors import OttoError, Unreachable, problem
from .operations import Request, StreamedEvent, Subscription

FIRST_WAIT_SECONDS = 0.2  # doubled with each attempt
MAX_WAIT_SECONDS = 20.0
SILENCE_SECONDS = 45.0  # the server sends a sign of life every 15 seconds
FIRST_STREAM_WAIT_SECONDS, MAX_STREAM_WAIT_SECONDS = 0.5, 30.0  # between two connections
MAX_CACHED_ANSWERS = 256  # revalidated by ETag


class Attempts:
    """The attempts of one request."""

    def __init__(self, request: Request, max_attempts: int, max_wait: float) -> None:
        """Count from the first attempt."""
        self.request, self.max_attempts, self.max_wait = request, max_attempts, max_wait
        self.count = 0

    def find_wait(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the seconds until the next attempt, None if the answer stands.

        Requests that are repeatable (reads, and writes with an idempotency key) are retried after network
        errors and 5xx. Others are retried only if they were certainly not processed: no connection was made,
        or the response was 429. Raises Problem or Unreachable.
        """
        self.count += 1
        wait = min(FIRST_WAIT_SECONDS * 2 ** (self.count - 1), MAX_WAIT_SECONDS) * random.uniform(0.5, 1.0)
        error: OttoError
        if isinstance(outcome, httpx.Response):
            if outcome.is_success or outcome.status_code == 304:
                warn_if_deprecated(self.request, outcome)
                return None
            error = problem(outcome)
            is_worth_retrying = outcome.status_code == 429 or (
                self.request.is_repeatable and outcome.status_code >= 500
            )
            wait = max(wait, read_retry_after(outcome))
        else:
            error = Unreachable(f"{self.request.method} {self.request.path}: {describe_error(outcome)}")
            is_worth_retrying = self.request.is_repeatable or isinstance(
                outcome, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout
            )
        if self.count >= self.max_attempts or not is_worth_retrying or wait > self.max_wait:
            raise error from (None if isinstance(outcome, httpx.Response) else outcome)
        return wait


class StreamState:
    """The position in a stream: the last event's id, and how often in a row a connection brought none."""

    def __init__(
        self, path: str, subscription: Subscription[Any], max_attempts: int, max_wait: float
    ) -> None:
        """Begin after the subscription's event."""
        self.path, self.subscription = path, subscription
        self.max_attempts, self.max_wait = max_attempts, max_wait
        self.last_id = subscription.last_id
        self.failure_count = 0
        self.is_over = False

    def build_headers(self) -> dict[str, str]:
        """Return the headers of the next connection."""
        resume = {"Last-Event-ID": self.last_id} if self.last_id else {}
        return {"Accept": "application/x-ndjson"} | resume

    def read_line(self, line: str) -> Any:
        """Return what a line brings, None for a sign of life. Raises ValueError for half a line."""
        if not line:
            return None
        event: StreamedEvent = json.loads(line)
        self.failure_count, self.last_id = 0, event["id"] or self.last_id
        self.is_over = event["event"] == "end"
        return self.subscription.read_event(event)

    def find_wait(self, outcome: httpx.Response | Exception) -> float:
        """Return the seconds until the next connection. Raises Problem or Unreachable."""
        error: OttoError = Unreachable(f"GET {self.path}: the stream ends again and again")
        wait = 0.0
        if isinstance(outcome, Exception):
            error = Unreachable(f"GET {self.path}: {describe_error(outcome)}")
        elif not outcome.is_success:
            error = problem(outcome)
            if outcome.status_code != 429 and outcome.status_code < 500:
                raise error
            wait = read_retry_after(outcome)
        self.failure_count += 1
        if self.failure_count >= self.max_attempts or wait > self.max_wait:
            raise error
        return max(wait, self.compute_backoff())

    def compute_backoff(self) -> float:
        """Return a wait that doubles with each failure."""
        wait = FIRST_STREAM_WAIT_SECONDS * 2 ** (self.failure_count - 1)
        return min(wait, MAX_STREAM_WAIT_SECONDS) * random.uniform(0.5, 1.0)


class RecordsState:
    """The position in a list of records: the last game, and how often in a row a connection brought none."""

    def __init__(self, request: Request, max_attempts: int, max_wait: float) -> None:
        """Begin with the first response."""
        self.request, self.max_attempts, self.max_wait = request, max_attempts, max_wait
        self.params = dict(request.params)
        self.failure_count = 0

    def read_line(self, line: str) -> Any:
        """Return the record of a line. Raises ValueError for half a line."""
        record = json.loads(line)
        self.failure_count, self.params["after"] = 0, record["game"]
        return record

    def find_wait(self, outcome: httpx.Response | Exception) -> float | None:
        """Return the seconds until the next request, None after the last. Raises Problem or Unreachable."""
        wait = 0.0
        error: OttoError
        if isinstance(outcome, Exception):
            error = Unreachable(f"GET {self.request.path}: {describe_error(outcome)}")
        elif outcome.is_success:
            return 0.0 if "next" in outcome.links else None
        else:
            error = problem(outcome)
            wait = read_retry_after(outcome)
            if outcome.status_code != 429 and outcome.status_code < 500:
                raise error
        self.failure_count += 1
        if self.failure_count >= self.max_attempts or wait > self.max_wait:
            raise error
        backoff = min(FIRST_STREAM_WAIT_SECONDS * 2 ** (self.failure_count - 1), MAX_STREAM_WAIT_SECONDS)
        return max(wait, backoff * random.uniform(0.5, 1.0))


class AnswerCache:
    """Answers with their ETags, so that what has not changed is not sent again."""

    def __init__(self) -> None:
        """Begin empty."""
        self.answers: OrderedDict[str, httpx.Response] = OrderedDict()

    def build_headers(self, path: str) -> Mapping[str, str]:
        """Return the condition of the next request for a path."""
        answer = self.answers.get(path)
        return {"If-None-Match": answer.headers["ETag"]} if answer else {}

    def resolve_answer(self, path: str, answer: httpx.Response) -> httpx.Response:
        """Return the stored answer if the server says that nothing has changed; else store this one."""
        if answer.status_code == 304 and path in self.answers:
            self.answers.move_to_end(path)
            return self.answers[path]
        if "ETag" in answer.headers:
            self.answers[path] = answer
            self.answers.move_to_end(path)
            if len(self.answers) > MAX_CACHED_ANSWERS:
                self.answers.popitem(last=False)
        return answer


def warn_if_deprecated(request: Request, answer: httpx.Response) -> None:
    """Warn of an operation that will go, with the day on which it ends."""
    if "Deprecation" in answer.headers:
        end = answer.headers.get("Sunset", "some day")
        text = f"{request.method} {request.path} is deprecated and ends on {end}"
        warnings.warn(text, DeprecationWarning, stacklevel=4)


def describe_error(error: Exception) -> str:
    """Return the text of an error, or its kind if it has none."""
    return str(error) or type(error).__name__


def read_retry_after(answer: httpx.Response) -> float:
    """Return the seconds of the Retry-After header, also where it is a date; 0 without one."""
    text = answer.headers.get("Retry-After", "")
    try:
        return max(float(text), 0.0)
    except ValueError:
        pass
    try:
        until, since = parsedate_to_datetime(text), parsedate_to_datetime(answer.headers["Date"])
        return max((until - since).total_seconds(), 0.0)
    except (ValueError, KeyError, TypeError):
        return 0.0
