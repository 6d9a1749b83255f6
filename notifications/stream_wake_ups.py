"""Wakes open streams once a change is committed: a message in Redis that holds only the keys of what changed.

A wake-up may be lost: the hub, which holds streams open, also polls. So a failure here never fails a request.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache, partial
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
PUBLISH_TIMEOUT_SECONDS = 0.5
RETRY_REDIS_AFTER_SECONDS = 5.0
LOBBY_KEY = "lobby:"

WakeListener = Callable[[frozenset[str]], None]


class Publisher:
    """Publishes wake-ups to Redis and to the hub of this process; Redis rests a while after a failure."""

    def __init__(self) -> None:
        self.listener: WakeListener | None = None  # of the hub, if streams are open in this process
        self.retry_redis_at = 0.0
        self.lock = threading.Lock()

    def publish(self, keys: frozenset[str]) -> None:
        """Publish keys now."""
        if not keys:
            return
        if self.listener:
            self.listener(keys)
        if not settings.REDIS_URL or time.monotonic() < self.retry_redis_at:
            return
        try:
            connect_redis(settings.REDIS_URL).publish(channel_of(settings.REDIS_URL), " ".join(sorted(keys)))
        except (RedisError, OSError):
            with self.lock:
                self.retry_redis_at = time.monotonic() + RETRY_REDIS_AFTER_SECONDS
            log.warning("Redis does not answer; streams find changes by polling", exc_info=True)


@cache
def connect_redis(url: str) -> Redis:
    """The client of this process for publishing."""
    return Redis.from_url(
        url, socket_timeout=PUBLISH_TIMEOUT_SECONDS, socket_connect_timeout=PUBLISH_TIMEOUT_SECONDS
    )


def channel_of(redis_url: str) -> str:
    """The channel of a site; it has the number of the database, because all of a Redis share channels."""
    return f"otto:streams:{urlsplit(redis_url).path.strip('/') or '0'}"


publisher = Publisher()


def player_key(player_id: int) -> str:
    """The key of a player's feed."""
    return f"player:{player_id}"


def wake_streams_after_commit(keys: Iterable[str]) -> None:
    """Wake the streams of these keys after the commit; at once outside a transaction."""
    keys_to_publish = frozenset(key for key in keys if key)
    if keys_to_publish:
        transaction.on_commit(partial(publisher.publish, keys_to_publish), robust=True)
