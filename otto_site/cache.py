"""The cache in Redis. While Redis is away each process counts for itself, and nobody is turned away."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
AWAY = 5.0  # seconds before Redis is asked again


class Steady(RedisCache):
    """Django's own, with a memory of this process beside it for as long as Redis does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.beside = LocMemCache(f"beside {server} {params.get('KEY_PREFIX', '')}", params)
        self.until = 0.0

    def ask(self, deed: str, *args: Any, **kwargs: Any) -> Any:
        """Redis, or the memory beside it."""
        if time.monotonic() >= self.until:
            try:
                return getattr(super(), deed)(*args, **kwargs)
            except (RedisError, OSError):
                self.until = time.monotonic() + AWAY
                log.warning("Redis is away: every process counts for itself", exc_info=True)
        return getattr(self.beside, deed)(*args, **kwargs)


def through(deed: str) -> Any:
    """A method of a cache that may be answered from beside."""

    def method(self: Steady, *args: Any, **kwargs: Any) -> Any:
        return self.ask(deed, *args, **kwargs)

    method.__name__ = deed
    return method


DEEDS = "add get set touch delete get_many set_many delete_many has_key incr clear"
for name in DEEDS.split():
    setattr(Steady, name, through(name))
