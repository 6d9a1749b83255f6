"""The clients: authentication, sending, and access to all resources; `AsyncClient` for asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Self, TypeVar

import httpx

from .bots import Bots
from .editions import Editions
from .events import Events
from .games import Games
from .leagues import Leagues
from .me import Me
from .operation_table import API_PATH
from .operations import Call, Cursor, Request, StreamedEvent, Subscription, build_request
from .players import Players
from .proposals import Proposals
from .retries import SILENCE_SECONDS, AnswerCache, Attempts, RecordsState, StreamState
from .tournaments import Tournaments
from .types import FeedEntry
from .version import VERSION

T = TypeVar("T")


def build_http_options(base_url: str, token: str | None, timeout: float) -> dict[str, Any]:
    """Return what both HTTP clients are made of."""
    headers = {"Accept": "application/json", "User-Agent": f"otto-client/{VERSION}"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return {"base_url": base_url.rstrip("/") + API_PATH, "headers": headers, "timeout": timeout}


def build_stream_timeout(timeout: float) -> httpx.Timeout:
    """Return the timeouts of a stream: silence is longer than that of a request."""
    return httpx.Timeout(timeout, read=SILENCE_SECONDS)


class Client:
    """OTTO online as one player, or anonymous without a token. Not thread-safe.

    `max_attempts` is how often a request is sent before an error is raised, `max_wait` the longest wait in
    seconds that the server may ask for.
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
        self.max_attempts, self.max_wait, self.timeout, self.sleep = max_attempts, max_wait, timeout, sleep
        self.http = httpx.Client(**build_http_options(base_url, token, timeout), transport=transport)
        self.cache = AnswerCache()
        self.games: Games[Client] = Games(self)
        self.me: Me[Client] = Me(self)
        self.events: Events[Client] = Events(self)
        self.players: Players[Client] = Players(self)
        self.tournaments: Tournaments[Client] = Tournaments(self)
        self.leagues: Leagues[Client] = Leagues(self)
        self.proposals: Proposals[Client] = Proposals(self)
        self.editions: Editions[Client] = Editions(self)
        self.bots: Bots[Client] = Bots(self)

    def call(self, operation_id: str, call: Call[T]) -> T:
        """Send a call and return what its answer means. Raises Problem or Unreachable."""
        request = build_request(operation_id, call)
        if not call.is_cached:
            return call.read_answer(self.send(request, {}))
        answer = self.send(request, self.cache.build_headers(request.path))
        return call.read_answer(self.cache.resolve_answer(request.path, answer))

    def send(self, request: Request, more_headers: Any) -> httpx.Response:
        """Send a request, as often as it needs; return the response, 2xx or 304."""
        attempts = Attempts(request, self.max_attempts, self.max_wait)
        headers = {**request.headers, **more_headers}
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self.http.request(
                    request.method, request.path, json=request.json, params=request.params, headers=headers
                )
            except httpx.TransportError as error:
                outcome = error
            wait = attempts.find_wait(outcome)
            if wait is None and isinstance(outcome, httpx.Response):
                return outcome
            self.sleep(wait or 0.0)

    def iterate(self, operation_id: str, cursor: Cursor[T]) -> Iterator[T]:
        """Iterate over the rows of a list, fetching pages as needed."""
        wait: float | None = 0.0
        while wait is not None:
            if wait:
                self.sleep(wait)
            rows, wait = cursor.read_page(self.call(operation_id, cursor.build_call()))
            yield from rows

    def follow(self, operation_id: str, subscription: Subscription[T]) -> Iterator[T]:
        """Iterate over the events of a stream until it says `end`, connecting again after the last event.

        Raises Problem if the server refuses or asks for a wait longer than `max_wait`, and Unreachable after
        `max_attempts` failures in a row.
        """
        path = build_request(operation_id, Call(subscription.path_values)).path
        state = StreamState(path, subscription, self.max_attempts, self.max_wait)
        timeout = build_stream_timeout(self.timeout)
        while True:
            outcome: httpx.Response | Exception
            try:
                with self.http.stream("GET", path, headers=state.build_headers(), timeout=timeout) as outcome:
                    if not outcome.is_success:
                        outcome.read()
                    else:
                        for line in outcome.iter_lines():
                            value = state.read_line(line)
                            if value is not None:
                                yield value
                            if state.is_over:
                                return
            except (httpx.TransportError, ValueError) as error:
                outcome = error
            self.sleep(state.find_wait(outcome))

    def read_records(self, operation_id: str, call: Call[T]) -> Iterator[T]:
        """Iterate over records to their end, one response after another. Raises Problem or Unreachable."""
        request = build_request(operation_id, call)
        state = RecordsState(request, self.max_attempts, self.max_wait)
        headers, timeout = {"Accept": "application/x-ndjson"}, build_stream_timeout(self.timeout)
        wait: float | None = 0.0
        while wait is not None:
            if wait:
                self.sleep(wait)
            outcome: httpx.Response | Exception
            try:
                opening = self.http.stream(
                    "GET", request.path, params=state.params, headers=headers, timeout=timeout
                )
                with opening as outcome:
                    if not outcome.is_success:
                        outcome.read()
                    else:
                        for line in outcome.iter_lines():
                            yield state.read_line(line)
            except (httpx.TransportError, ValueError) as error:
                outcome = error
            wait = state.find_wait(outcome)

    def stream_events(self, after: int | None = None) -> Iterator[FeedEntry]:
        """Iterate over the entries of your feed as they come: `events.stream`."""
        return self.events.stream(after)

    def stream_game(self, game: str, after: str | None = None) -> Iterator[StreamedEvent]:
        """Iterate over a game as it is played: `games.stream`."""
        return self.games.stream(game, after)

    def close(self) -> None:
        """Close the HTTP client."""
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """The same for asyncio: what `Client` returns is awaited, and what it iterates over needs `async for`."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_attempts: int = 5,
        max_wait: float = 90.0,
        timeout: float = 20.0,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Open the HTTP client and create the resources."""
        self.max_attempts, self.max_wait, self.timeout, self.sleep = max_attempts, max_wait, timeout, sleep
        self.http = httpx.AsyncClient(**build_http_options(base_url, token, timeout), transport=transport)
        self.cache = AnswerCache()
        self.games: Games[AsyncClient] = Games(self)
        self.me: Me[AsyncClient] = Me(self)
        self.events: Events[AsyncClient] = Events(self)
        self.players: Players[AsyncClient] = Players(self)
        self.tournaments: Tournaments[AsyncClient] = Tournaments(self)
        self.leagues: Leagues[AsyncClient] = Leagues(self)
        self.proposals: Proposals[AsyncClient] = Proposals(self)
        self.editions: Editions[AsyncClient] = Editions(self)
        self.bots: Bots[AsyncClient] = Bots(self)

    async def call(self, operation_id: str, call: Call[T]) -> T:
        """Send a call and return what its answer means. Raises Problem or Unreachable."""
        request = build_request(operation_id, call)
        if not call.is_cached:
            return call.read_answer(await self.send(request, {}))
        answer = await self.send(request, self.cache.build_headers(request.path))
        return call.read_answer(self.cache.resolve_answer(request.path, answer))

    async def send(self, request: Request, more_headers: Any) -> httpx.Response:
        """Send a request, as often as it needs; return the response, 2xx or 304."""
        attempts = Attempts(request, self.max_attempts, self.max_wait)
        headers = {**request.headers, **more_headers}
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self.http.request(
                    request.method, request.path, json=request.json, params=request.params, headers=headers
                )
            except httpx.TransportError as error:
                outcome = error
            wait = attempts.find_wait(outcome)
            if wait is None and isinstance(outcome, httpx.Response):
                return outcome
            await self.sleep(wait or 0.0)

    async def iterate(self, operation_id: str, cursor: Cursor[T]) -> AsyncIterator[T]:
        """Iterate over the rows of a list, fetching pages as needed."""
        wait: float | None = 0.0
        while wait is not None:
            if wait:
                await self.sleep(wait)
            rows, wait = cursor.read_page(await self.call(operation_id, cursor.build_call()))
            for row in rows:
                yield row

    async def follow(self, operation_id: str, subscription: Subscription[T]) -> AsyncIterator[T]:
        """Iterate over the events of a stream until it says `end`, connecting again after the last event.

        Raises Problem if the server refuses or asks for a wait longer than `max_wait`, and Unreachable after
        `max_attempts` failures in a row.
        """
        path = build_request(operation_id, Call(subscription.path_values)).path
        state = StreamState(path, subscription, self.max_attempts, self.max_wait)
        timeout = build_stream_timeout(self.timeout)
        while True:
            outcome: httpx.Response | Exception
            try:
                opening = self.http.stream("GET", path, headers=state.build_headers(), timeout=timeout)
                async with opening as outcome:
                    if not outcome.is_success:
                        await outcome.aread()
                    else:
                        async for line in outcome.aiter_lines():
                            value = state.read_line(line)
                            if value is not None:
                                yield value
                            if state.is_over:
                                return
            except (httpx.TransportError, ValueError) as error:
                outcome = error
            await self.sleep(state.find_wait(outcome))

    async def read_records(self, operation_id: str, call: Call[T]) -> AsyncIterator[T]:
        """Iterate over records to their end, one response after another. Raises Problem or Unreachable."""
        request = build_request(operation_id, call)
        state = RecordsState(request, self.max_attempts, self.max_wait)
        headers, timeout = {"Accept": "application/x-ndjson"}, build_stream_timeout(self.timeout)
        wait: float | None = 0.0
        while wait is not None:
            if wait:
                await self.sleep(wait)
            outcome: httpx.Response | Exception
            try:
                opening = self.http.stream(
                    "GET", request.path, params=state.params, headers=headers, timeout=timeout
                )
                async with opening as outcome:
                    if not outcome.is_success:
                        await outcome.aread()
                    else:
                        async for line in outcome.aiter_lines():
                            yield state.read_line(line)
            except (httpx.TransportError, ValueError) as error:
                outcome = error
            wait = state.find_wait(outcome)

    def stream_events(self, after: int | None = None) -> AsyncIterator[FeedEntry]:
        """Iterate over the entries of your feed as they come: `events.stream`."""
        return self.events.stream(after)

    def stream_game(self, game: str, after: str | None = None) -> AsyncIterator[StreamedEvent]:
        """Iterate over a game as it is played: `games.stream`."""
        return self.games.stream(game, after)

    async def close(self) -> None:
        """Close the HTTP client."""
        await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
