"""The open streams of this process: one subscription wakes them, one poll finds what was missed.

A wake-up holds only keys. Each stream then reads for itself, from its cursor, what its viewer may see.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import IntFlag
from typing import Any, TypeVar

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils import timezone, translation
from redis.asyncio import Redis
from redis.exceptions import RedisError

from accounts.selectors.credentials import Credential, find_valid_credentials
from notifications.stream_wake_ups import channel_of, publisher

from .formats import StreamEvent
from .plans import StreamChunk, StreamPlan
from .topics import load_stream_topics

log = logging.getLogger(__name__)
READ_THREADS = 4  # each has a connection to the database
BATCH_SIZE = 500  # keys or credentials in one query
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.03, 1.0  # while an entry is held back by another transaction
OUTAGE_RETRY_SECONDS = 2.0
SUBSCRIBE_RETRY_SECONDS = 1.0
SUBSCRIPTION_CHECK_SECONDS = 5.0

Result = TypeVar("Result")
SendBytes = Callable[[bytes], Awaitable[None]]


class StreamState(IntFlag):
    """The next steps of an open stream."""

    IDLE = 0
    CHANGED = 1
    KEEP_ALIVE = 2
    CLOSED = 4


class OpenStream:
    """An open stream: its plan, and what it has to do next."""

    __slots__ = ("plan", "retry_seconds", "sent_at", "state", "waiter")

    def __init__(self, plan: StreamPlan) -> None:
        self.plan = plan
        self.state = StreamState.CHANGED  # what came between its opening and its registration
        self.waiter: asyncio.Future[None] | None = None
        self.sent_at = time.monotonic()
        self.retry_seconds = FIRST_RETRY_SECONDS

    def wake_up(self, state: StreamState = StreamState.CHANGED) -> None:
        """Give the stream something to do."""
        self.state |= state
        if self.waiter and not self.waiter.done():
            self.waiter.set_result(None)

    async def wait(self) -> StreamState:
        """Wait until there is something to do; return it."""
        while not self.state:
            self.waiter = asyncio.get_running_loop().create_future()
            await self.waiter
            self.waiter = None
        state, self.state = self.state, self.state & StreamState.CLOSED
        return state


class Hub:
    """All open streams of a process, on its event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.pool = ThreadPoolExecutor(READ_THREADS, thread_name_prefix="streams")
        self.streams: set[OpenStream] = set()
        self.streams_by_key: dict[str, set[OpenStream]] = defaultdict(set)
        self.marks: dict[str, str] = {}
        self.is_subscribed = False
        self.poll_now = asyncio.Event()
        self.tasks = [
            self.loop.create_task(task)
            for task in (
                self.run_ticks(),
                self.run_polls(),
                self.run_credential_checks(),
                self.run_subscription(),
            )
        ]
        publisher.listener = self.wake_from_thread

    # ------------------------------------------------------------------------------------------ streams

    async def serve_stream(
        self, plan: StreamPlan, send: SendBytes, disconnected: asyncio.Future[Any]
    ) -> None:
        """Send the events of a stream until it ends, the client leaves, or its credential is void."""
        stream = self.add_stream(plan)
        disconnected.add_done_callback(lambda _: stream.wake_up(StreamState.CLOSED))
        try:
            while True:
                state = await stream.wait()
                if state & StreamState.CLOSED:
                    return
                chunk = await self.read_chunk(stream) if state & StreamState.CHANGED else None
                if chunk and chunk.events:
                    await self.send(stream, b"".join(map(plan.format.write_event, chunk.events)), send)
                elif state & StreamState.KEEP_ALIVE:
                    await self.send(stream, plan.format.keep_alive, send)
                if chunk and chunk.is_last:
                    return
        finally:
            self.remove_stream(stream)

    async def send(self, stream: OpenStream, body: bytes, send: SendBytes) -> None:
        """Send a part of a stream."""
        await send(body)
        stream.sent_at = time.monotonic()

    async def wait_for_events(
        self, plan: StreamPlan, seconds: float, disconnected: asyncio.Future[Any]
    ) -> Sequence[StreamEvent]:
        """Wait for the first events of a long poll; none if the time is up or its credential is void."""
        stream = self.add_stream(plan)
        disconnected.add_done_callback(lambda _: stream.wake_up(StreamState.CLOSED))
        timer = self.loop.call_later(seconds, stream.wake_up, StreamState.CLOSED)
        try:
            while not (state := await stream.wait()) & StreamState.CLOSED:
                chunk = await self.read_chunk(stream) if state & StreamState.CHANGED else None
                if chunk and (chunk.events or chunk.is_last):
                    return chunk.events
            return ()
        finally:
            timer.cancel()
            self.remove_stream(stream)

    def add_stream(self, plan: StreamPlan) -> OpenStream:
        """Register a stream under its keys."""
        stream = OpenStream(plan)
        self.streams.add(stream)
        for key in plan.keys:
            self.streams_by_key[key].add(stream)
        return stream

    def remove_stream(self, stream: OpenStream) -> None:
        """Forget a stream."""
        self.streams.discard(stream)
        for key in stream.plan.keys:
            self.streams_by_key[key].discard(stream)
            if not self.streams_by_key[key]:
                del self.streams_by_key[key]
                self.marks.pop(key, None)
        if stream.plan.reservation:
            stream.plan.reservation.release()

    async def read_chunk(self, stream: OpenStream) -> StreamChunk | None:
        """Read the next events of a stream, in a thread; None while the database does not answer."""
        try:
            chunk = await self.run_in_thread(read_in_language, stream.plan)
        except DatabaseError:
            log.warning("a stream could not be read", exc_info=True)
            self.loop.call_later(OUTAGE_RETRY_SECONDS, stream.wake_up)
            return None
        except Exception:
            log.exception("a stream failed and was closed")
            return StreamChunk(is_last=True)
        if chunk.has_more:
            stream.wake_up()
        elif chunk.is_held_back:
            self.loop.call_later(stream.retry_seconds, stream.wake_up)
            stream.retry_seconds = min(stream.retry_seconds * 2, MAX_RETRY_SECONDS)
        else:
            stream.retry_seconds = FIRST_RETRY_SECONDS
        return chunk

    async def run_in_thread(self, function: Callable[..., Result], *args: Any) -> Result:
        """Run a function that reads the database in a thread."""
        return await self.loop.run_in_executor(self.pool, run_with_connection, function, *args)

    # ---------------------------------------------------------------------------------------- wake-ups

    def wake_keys(self, keys: Iterable[str]) -> None:
        """Wake the streams of these keys."""
        for key in keys:
            for stream in self.streams_by_key.get(key, ()):
                stream.wake_up()

    def wake_from_thread(self, keys: frozenset[str]) -> None:
        """Wake the streams of these keys, from another thread of this process."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.wake_keys, keys)

    async def run_subscription(self) -> None:
        """Listen to the wake-ups of all processes; without Redis the poll alone finds changes."""
        while url := settings.REDIS_URL:
            try:
                async with (
                    Redis.from_url(url, socket_connect_timeout=2, health_check_interval=10) as redis,
                    redis.pubsub() as pubsub,
                ):
                    await pubsub.subscribe(channel_of(url))
                    self.is_subscribed = True
                    self.poll_now.set()  # what came while nobody listened
                    while True:
                        # With a timeout: each turn checks that the connection still stands.
                        message = await pubsub.get_message(timeout=SUBSCRIPTION_CHECK_SECONDS)
                        if message and message["type"] == "message":
                            self.wake_keys(message["data"].decode(errors="replace").split())
            except (RedisError, OSError):
                log.warning("Redis does not answer; streams find changes by polling", exc_info=True)
            except Exception:
                log.exception("the subscription of streams failed")
            self.is_subscribed = False
            await asyncio.sleep(SUBSCRIBE_RETRY_SECONDS)

    async def run_ticks(self) -> None:
        """Keep idle connections alive, and close all streams when this server is about to stop."""
        while True:
            await asyncio.sleep(min(1.0, settings.STREAM_KEEP_ALIVE / 4))
            is_stopping = bool(settings.STOPPING_FILE) and os.path.exists(settings.STOPPING_FILE)
            overdue = time.monotonic() - settings.STREAM_KEEP_ALIVE
            for stream in list(self.streams):
                if is_stopping:
                    stream.wake_up(StreamState.CLOSED)
                elif stream.sent_at <= overdue:
                    stream.wake_up(StreamState.KEEP_ALIVE)

    async def run_polls(self) -> None:
        """Poll the marks of all keys: often without a subscription, else once for each keep-alive."""
        while True:
            seconds = settings.STREAM_KEEP_ALIVE if self.is_subscribed else settings.STREAM_POLL
            with suppress(TimeoutError):
                await asyncio.wait_for(self.poll_now.wait(), seconds)
            self.poll_now.clear()
            try:
                await self.poll_marks()
            except DatabaseError:
                log.warning("streams could not be polled", exc_info=True)
            except Exception:
                log.exception("the poll of streams failed")

    async def poll_marks(self) -> None:
        """Read the marks of all keys in batches, and wake the streams of those that changed."""
        codes_by_family: dict[str, list[str]] = defaultdict(list)
        for key in self.streams_by_key:
            family, _, code = key.partition(":")
            codes_by_family[family].append(code)
        topics = load_stream_topics()
        for family, codes in codes_by_family.items():
            for start in range(0, len(codes), BATCH_SIZE):
                batch = codes[start : start + BATCH_SIZE]
                marks = await self.run_in_thread(topics[family].find_marks, batch)
                for code in batch:
                    key, mark = f"{family}:{code}", marks.get(code, "")
                    if key in self.streams_by_key and self.marks.get(key) != mark:
                        self.marks[key] = mark
                        self.wake_keys([key])

    # --------------------------------------------------------------------------------------- credentials

    async def run_credential_checks(self) -> None:
        """Close the streams whose token was revoked, whose session ended or whose player was deactivated."""
        while True:
            await asyncio.sleep(settings.STREAM_RECHECK)
            try:
                await self.close_void_streams()
            except DatabaseError:
                log.warning("credentials of streams could not be checked", exc_info=True)
            except Exception:
                log.exception("the check of credentials failed")

    async def close_void_streams(self) -> None:
        """Check all credentials in batches."""
        credentials = list({stream.plan.credential for stream in self.streams if stream.plan.credential})
        for start in range(0, len(credentials), BATCH_SIZE):
            batch = credentials[start : start + BATCH_SIZE]
            void_credentials = set(batch) - await self.run_in_thread(find_valid_now, batch)
            for stream in list(self.streams) if void_credentials else ():
                if stream.plan.credential in void_credentials:
                    stream.wake_up(StreamState.CLOSED)

    # ------------------------------------------------------------------------------------------- the end

    def close(self) -> None:
        """Close all streams and stop the tasks of the hub."""
        for stream in list(self.streams):
            stream.wake_up(StreamState.CLOSED)
        for task in self.tasks:
            task.cancel()
        if publisher.listener == self.wake_from_thread:
            publisher.listener = None
        self.pool.shutdown(wait=False, cancel_futures=True)


def read_in_language(plan: StreamPlan) -> StreamChunk:
    """Read the next events of a stream, in the language of its request."""
    with translation.override(plan.language):
        return plan.source.read_next()


def find_valid_now(credentials: Collection[Credential]) -> set[Credential]:
    """Those of the credentials that are valid now."""
    return find_valid_credentials(credentials, timezone.now())


def run_with_connection(function: Callable[..., Result], *args: Any) -> Result:
    """Run a function; a broken or outdated connection to the database is closed before and after."""
    close_old_connections()
    try:
        return function(*args)
    finally:
        close_old_connections()


running_hub: Hub | None = None


def start_hub() -> Hub:
    """The hub of this process, started on the running event loop unless it runs there."""
    global running_hub
    if running_hub is None or running_hub.loop is not asyncio.get_running_loop():
        running_hub = Hub()
    return running_hub


def stop_hub() -> None:
    """Close all streams and stop the hub."""
    global running_hub
    if running_hub:
        running_hub.close()
        running_hub = None


def is_hub_running() -> bool:
    """True if streams stay open in this process."""
    return running_hub is not None
