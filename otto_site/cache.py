"""The Redis cache with a fallback: without Redis each process uses its own memory and refuses nobody."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
RETRY_REDIS_AFTER_SECONDS = 5.0  # seconds before Redis is tried again


class FallbackRedisCache(RedisCache):
    """Django's Redis cache with an in-process cache for as long as Redis does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.local_cache = LocMemCache(f"beside {server} {params.get('KEY_PREFIX', '')}", params)
        self.retry_redis_at = 0.0

    def call_with_fallback(self, method_name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a cache method on Redis, or on the in-process cache for a while after Redis failed."""
        if time.monotonic() >= self.retry_redis_at:
            try:
                return getattr(super(), method_name)(*args, **kwargs)
            except (RedisError, OSError):
                self.retry_redis_at = time.monotonic() + RETRY_REDIS_AFTER_SECONDS
                log.warning("Redis does not answer; using the in-process cache", exc_info=True)
        return getattr(self.local_cache, method_name)(*args, **kwargs)


def make_fallback_method(method_name: str) -> Any:
    """Return a cache method that falls back to the in-process cache."""

    def method(self: FallbackRedisCache, *args: Any, **kwargs: Any) -> Any:
        return self.call_with_fallback(method_name, *args, **kwargs)

    method.__name__ = method_name
    return method


CACHE_METHODS = "add get set touch delete get_many set_many delete_many has_key incr clear"
for name in CACHE_METHODS.split():
    setattr(FallbackRedisCache, name, make_fallback_method(name))
