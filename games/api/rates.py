"""How often somebody came this minute, counted by all workers together without asking at every request.

API and pages are counted apart, each for a player, or for an address without one. What costs much more than
other answers is charged as several: `charge_request(request, cost=10)`.
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

WINDOW = 60  # seconds
# A whole minute's requests at once would make everybody else wait: only a part of them comes in a moment.
BURST_WINDOW, BURST_PARTS, MIN_BURST = 5, 10, 20
KEPT = 10  # requests that a worker keeps to itself: as many more may pass a limit
IPV6_PREFIX = 64  # bits: whoever has one address of such a network has them all

EXPORT_COST = 20  # all games of a player, read and written anew
HASHING_COST = 10  # a password or the secret of an app: as long as some twenty pages

heard: dict[str, tuple[int, int]] = {}  # what all have counted, as last heard; what came here since
minute = 0
lock = threading.Lock()  # for these two: a web server has several threads


def used(who: str, limit: int, now: int, cost: int = 1) -> int:
    """Count one more; from half the limit on, every one is told to all, until one was too many."""
    return add(f"{who}:{now // WINDOW}", limit, now, cost, unheard=limit)


def used_at_once(who: str, limit: int, now: int, cost: int = 1) -> int:
    """Count one more of this moment; few are not worth a word to the others."""
    return add(f"{who}:b{now // BURST_WINDOW}", limit, now, cost, unheard=0)


def add(key: str, limit: int, now: int, cost: int, *, unheard: int) -> int:
    """Count under a key; `unheard` is what all have counted where nothing was heard of it yet."""
    global minute
    with lock:
        if minute < now // WINDOW:  # a request that began in the minute before may still be counted
            heard.clear()
            minute = now // WINDOW
        current = minute
        all_of_us, here = heard.get(key, (unheard, 0))
        here += cost
        if all_of_us > limit:  # what all have counted only grows, and nobody needs to know by how much
            heard[key] = all_of_us + here, 0
            return all_of_us + here
        if here < KEPT and 2 * (all_of_us + here) <= limit:
            heard[key] = all_of_us, here
            return all_of_us + here
        heard[key] = all_of_us, 0
    all_of_us = tell(f"rate:{key}", here)
    with lock:
        if minute == current:
            heard[key] = all_of_us, heard.get(key, (0, 0))[1]
    return all_of_us


def tell(key: str, count: int) -> int:
    """Add to what all have counted; returns that."""
    try:
        return cache.incr(key, count)
    except ValueError:
        cache.add(key, 0, WINDOW * 2)
        return cache.incr(key, count)


def forget() -> None:
    """As if nobody had come."""
    heard.clear()
    cache.clear()


# -------------------------------------------------------------------------------------------------- requests


@dataclass
class RequestCount:
    """Under what a request is counted, and how many of this minute's are used up."""

    who: str
    limit: int
    now: int
    used: int = 0
    used_at_once: int = 0

    @property
    def reset(self) -> int:
        """Seconds until the next minute."""
        return WINDOW - self.now % WINDOW

    @property
    def burst_limit(self) -> int:
        return max(self.limit // BURST_PARTS, MIN_BURST)

    @property
    def remaining(self) -> int:
        return max(self.limit - self.used, 0)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit or self.used_at_once > self.burst_limit

    @property
    def retry_after(self) -> int:
        """Seconds until there is something left again."""
        return self.reset if self.used > self.limit else BURST_WINDOW - self.now % BURST_WINDOW

    def add(self, cost: int, *, at_once: bool = True) -> None:
        """Count so many requests more; one that costs much does not fill up a moment by itself."""
        self.used = used(self.who, self.limit, self.now, cost)
        if at_once:
            part = min(cost, self.burst_limit // 4)
            self.used_at_once = used_at_once(self.who, self.burst_limit, self.now, part)


def client_address(request: HttpRequest | Request) -> str:
    """Who is asking, as the proxies that we trust say."""
    return network_of(BaseThrottle().get_ident(request) or "")


def network_of(host: str) -> str:
    """An address as it is counted: of IPv6 the network, which is one customer's."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False))


def count_request(
    request: HttpRequest,
    *,
    door: str,
    player_id: int | None,
    limits: tuple[int, int],
    at_once: bool = True,
) -> RequestCount:
    """Count a request at a door, and keep what came of it as `request.rate`.

    `limits` are a player's and an address's; with `at_once`, few may come in a moment.
    """
    who = f"a{client_address(request)}" if player_id is None else f"p{player_id}"
    key = hashlib.sha256(f"{door}:{who}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    now = int(timezone.now().timestamp())
    count = RequestCount(key, limits[player_id is None], now)
    count.add(1, at_once=at_once)
    request.rate = count  # type: ignore[attr-defined]
    return count


def charge_request(request: HttpRequest | Request, *, cost: int) -> None:
    """Count a request as `cost` more, before the work is done. Raises Throttled beyond the limit."""
    plain: Any = getattr(request, "_request", request)
    count: RequestCount = plain.rate
    count.add(min(cost, count.limit - 1))  # a whole minute's worth buys any answer
    if count.is_exceeded:
        raise Throttled(wait=count.retry_after)
