"""The client: authentication, retries, and access to all resources."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self, cast

import httpx

from .bots import Bots
from .editions import Editions
from .errors import Problem, Unreachable, problem
from .events import Events
from .games import Games
from .leagues import Leagues
from .me import Me
from .players import Players
from .proposals import Proposals
from .streams import StreamedEvent, follow_stream
from .tournaments import Tournaments
from .types import FeedEntry

FIRST_WAIT_SECONDS = 0.2  # doubled with each attempt
MAX_WAIT_SECONDS = 20.0


class Client:
    """OTTO online as one player, or anonymous without a token. Not thread-safe.

    `max_attempts` is how often a request is sent before an error is raised, `max_wait` the longest wait in
    seconds that a 429 may ask for.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_attempts: int = 5,
        max_wait: float = 90.0,
        timeout: float = 20.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Open the HTTP client and create the resources."""
        self.max_attempts = max_attempts
        self.max_wait = max_wait
        self.sleep = sleep
        headers = {"Accept": "application/json", "User-Agent": "otto-client/0.1"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/api/v1/", headers=headers, timeout=timeout, transport=transport
        )
        self.editions = Editions(self)
        self.games = Games(self)
        self.me = Me(self)
        self.events = Events(self)
        self.players = Players(self)
        self.tournaments = Tournaments(self)
        self.leagues = Leagues(self)
        self.proposals = Proposals(self)
        self.bots = Bots(self)

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
    ) -> httpx.Response:
        """Send a request and return the response, 2xx or 304. Raises Problem or Unreachable.

        Requests that are safe to repeat (reads, and writes with an idempotency key: `repeatable`) are retried
        after network errors and 5xx. Others are retried only if they were certainly not processed: no
        connection was made, or the response was 429.
        """
        is_repeatable = method in ("GET", "PUT", "DELETE") if repeatable is None else repeatable
        query = {
            name: format_query_value(value) for name, value in (params or {}).items() if value is not None
        }
        for attempt in range(1, self.max_attempts + 1):
            wait = min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), MAX_WAIT_SECONDS) * random.uniform(0.5, 1.0)
            try:
                answer = self.http.request(method, path, json=json, params=query, headers=headers)
            except httpx.TransportError as error:
                undone = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
                if attempt == self.max_attempts or not (is_repeatable or undone):
                    raise Unreachable(f"{method} {path}: {str(error) or type(error).__name__}") from error
            else:
                if answer.is_success or answer.status_code == 304:
                    return answer
                error_response = problem(answer)
                if attempt == self.max_attempts or not self.is_worth_retrying(error_response, is_repeatable):
                    raise error_response
                wait = max(wait, retry_after(answer))
                if wait > self.max_wait:
                    raise error_response
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    @staticmethod
    def is_worth_retrying(error_response: Problem, is_repeatable: bool) -> bool:
        """Return whether a request may be retried after this error."""
        return error_response.status == 429 or (is_repeatable and error_response.status >= 500)

    def get(self, path: str, **params: Any) -> Any:
        """GET a path and return its JSON."""
        return self.request("GET", path, params=params).json()

    def pages(self, path: str, **query: Any) -> Iterator[Any]:
        """Iterate over the rows of a paginated list, fetching pages as needed."""
        while True:
            page = self.get(path, **query)
            yield from page["results"]
            if not page["next"]:
                return
            query = dict(httpx.URL(page["next"]).params)

    def stream_events(self, after: int | None = None) -> Iterator[FeedEntry]:
        """Iterate over the entries of your feed as they come, after a cursor; without one from now on.

        A broken connection is resumed without loss or doubles. Store the last entry's `id` to continue later.
        Raises Problem, and Unreachable after `max_attempts` failures in a row.
        """
        last_id = None if after is None else str(after)
        for event in follow_stream(self, "events/stream/", last_id):
            if event["event"] == "entry":
                yield cast(FeedEntry, event["data"])

    def stream_game(self, game: str, after: str | None = None) -> Iterator[StreamedEvent]:
        """Iterate over a game as it is played: `game`, `action`, `message` and at last `end`.

        `after` is the `id` of an event: what came since then comes first. Raises Problem, and Unreachable
        after `max_attempts` failures in a row.
        """
        yield from follow_stream(self, f"games/{game}/stream/", after)

    def change(self, path: str, body: Mapping[str, Any]) -> Any:
        """PATCH a path and return its JSON."""
        # A PATCH is idempotent here.
        return self.request("PATCH", path, json=dict(body), repeatable=True).json()

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """POST to a path and return its JSON, or None if the response is empty."""
        answer = self.request("POST", path, json=dict(body or {}))
        return answer.json() if answer.content else None

    def post_once(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """POST with an Idempotency-Key, so that retries have no further effect."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        answer = self.request("POST", path, json=dict(body or {}), headers=headers, repeatable=True)
        return answer.json() if answer.content else None

    def close(self) -> None:
        """Close the HTTP client."""
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def format_query_value(value: Any) -> Any:
    """Convert booleans to the form that the API uses in queries."""
    return str(value).lower() if isinstance(value, bool) else value


def retry_after(answer: httpx.Response) -> float:
    """Return the seconds of the Retry-After header; 0 if there is none, or a date."""
    try:
        return max(float(answer.headers.get("Retry-After", "0")), 0.0)
    except ValueError:
        return 0.0
