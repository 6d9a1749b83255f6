"""Rate limits per minute, shared by all workers through the cache without a round trip per request.

API and pages are counted separately, per user, or per network if anonymous. Expensive requests are charged
as several: `charge_request(request, cost=10)`.
"""

from __future__ import annotations

import hashlib
import ipaddress
import threading
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

WINDOW_SECONDS = 60
# A whole minute's requests at once would slow everybody down: a burst gets a fraction of the limit.
BURST_WINDOW_SECONDS, BURST_DIVISOR, MIN_BURST_LIMIT = 5, 10, 20
MAX_UNSHARED_REQUESTS = 10  # per worker and key; a limit may be exceeded by as many
IPV6_PREFIX_BITS = 64  # a customer usually owns all addresses of such a network

EXPORT_COST = 20  # reads all that is stored about a user
HASHING_COST = 10  # a password or app secret: as slow as some twenty pages

counts: dict[str, tuple[int, int]] = {}  # key -> (shared count as last read, local count since)
current_window = 0
counts_lock = threading.Lock()  # guards both; the web server has several threads


def count_in_window(client_key: str, limit: int, now: int, cost: int = 1) -> int:
    """Count requests in this minute. From half the limit on, every request is shared with all workers."""
    return add_to_count(f"{client_key}:{now // WINDOW_SECONDS}", limit, now, cost, initial_shared_count=limit)


def count_in_burst(client_key: str, limit: int, now: int, cost: int = 1) -> int:
    """Count requests in this burst window; small counts stay local."""
    return add_to_count(
        f"{client_key}:b{now // BURST_WINDOW_SECONDS}", limit, now, cost, initial_shared_count=0
    )


def add_to_count(key: str, limit: int, now: int, cost: int, *, initial_shared_count: int) -> int:
    """Add to a count and return it, as far as this worker knows it.

    1. Start anew if a new window has begun.
    2. Over the limit: count locally, without the cache.
    3. Few local requests, far below the limit: count locally.
    4. Otherwise add the local count to the shared count in the cache.

    `initial_shared_count` is assumed for a key that was not shared yet.
    """
    global current_window
    with counts_lock:
        if current_window < now // WINDOW_SECONDS:  # a request from the previous window may come late
            counts.clear()
            current_window = now // WINDOW_SECONDS
        window_at_start = current_window
        shared_count, local_count = counts.get(key, (initial_shared_count, 0))
        local_count += cost
        if shared_count > limit:  # the shared count only grows; no need to read it again
            counts[key] = shared_count + local_count, 0
            return shared_count + local_count
        if local_count < MAX_UNSHARED_REQUESTS and 2 * (shared_count + local_count) <= limit:
            counts[key] = shared_count, local_count
            return shared_count + local_count
        counts[key] = shared_count, 0
    shared_count = add_to_shared_count(f"rate:{key}", local_count)
    with counts_lock:
        if current_window == window_at_start:
            counts[key] = shared_count, counts.get(key, (0, 0))[1]
    return shared_count


def add_to_shared_count(key: str, count: int) -> int:
    """Add to the shared count in the cache; returns the new count."""
    try:
        return cache.incr(key, count)
    except ValueError:
        cache.add(key, 0, WINDOW_SECONDS * 2)
        return cache.incr(key, count)


def reset_counts() -> None:
    """Reset all counts; for tests."""
    counts.clear()
    cache.clear()


# -------------------------------------------------------------------------------------------------- requests


@dataclass
class RequestCount:
    """The count of a request's client in this window and in this burst."""

    client_key: str
    limit: int
    now: int
    used: int = 0
    used_in_burst: int = 0

    @property
    def reset(self) -> int:
        """Seconds until the next window."""
        return WINDOW_SECONDS - self.now % WINDOW_SECONDS

    @property
    def burst_limit(self) -> int:
        """The number of requests allowed within a burst window."""
        return max(self.limit // BURST_DIVISOR, MIN_BURST_LIMIT)

    @property
    def remaining(self) -> int:
        """The number of requests left in this window."""
        return max(self.limit - self.used, 0)

    @property
    def burst_remaining(self) -> int:
        """The number of requests left in this burst window."""
        return max(self.burst_limit - self.used_in_burst, 0)

    @property
    def burst_reset(self) -> int:
        """Seconds until the next burst window."""
        return BURST_WINDOW_SECONDS - self.now % BURST_WINDOW_SECONDS

    @property
    def is_exceeded(self) -> bool:
        """True if the limit or the burst limit is exceeded."""
        return self.used > self.limit or self.used_in_burst > self.burst_limit

    @property
    def retry_after(self) -> int:
        """Seconds until a request is allowed again."""
        return self.reset if self.used > self.limit else self.burst_reset

    def add_cost(self, cost: int, *, limit_bursts: bool = True) -> None:
        """Charge `cost` requests; a costly one uses up at most a quarter of the burst limit."""
        self.used = count_in_window(self.client_key, self.limit, self.now, cost)
        if limit_bursts:
            burst_cost = min(cost, self.burst_limit // 4)
            self.used_in_burst = count_in_burst(self.client_key, self.burst_limit, self.now, burst_cost)


def client_network_of(request: HttpRequest | Request) -> str:
    """The client's network, as the trusted proxies report it."""
    return network_of(BaseThrottle().get_ident(request) or "")


def network_of(host: str) -> str:
    """The unit that is counted: an IPv4 address, or an IPv6 network of one customer."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX_BITS), strict=False))


def count_request(
    request: HttpRequest,
    *,
    bucket: str,
    user_id: int | None,
    limits: tuple[int, int],
    limit_bursts: bool = True,
) -> RequestCount:
    """Count a request in a bucket and store the RequestCount as `request.rate`.

    `limits` are those of a user and of an anonymous network; `limit_bursts` applies the burst limit as
    well.
    """
    client = f"a{client_network_of(request)}" if user_id is None else f"p{user_id}"
    key = hashlib.sha256(f"{bucket}:{client}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    now = int(timezone.now().timestamp())
    count = RequestCount(key, limits[user_id is None], now)
    count.add_cost(1, limit_bursts=limit_bursts)
    request.rate = count  # type: ignore[attr-defined]
    return count


def charge_request(request: HttpRequest | Request, *, cost: int) -> None:
    """Charge a request `cost` more, before the work is done. Raises Throttled beyond the limit."""
    django_request: Any = getattr(request, "_request", request)
    count: RequestCount = django_request.rate
    count.add_cost(min(cost, count.limit - 1))  # an unused limit is enough for any request
    if count.is_exceeded:
        raise Throttled(wait=count.retry_after)
