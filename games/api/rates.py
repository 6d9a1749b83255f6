"""How often somebody came this minute, counted by all workers together without asking at every request."""

from __future__ import annotations

from django.core.cache import cache

WINDOW = 60  # seconds
KEPT = 10  # requests that a worker keeps to itself: as many more may pass a limit

heard: dict[str, tuple[int, int]] = {}  # what all have counted, as last heard; what came here since
minute = 0


def used(who: str, limit: int, now: int, units: int = 1) -> int:
    """Count one more, or as many as an answer weighs; from half the limit on, every one is told to all."""
    global minute
    if minute != now // WINDOW:
        heard.clear()
        minute = now // WINDOW
    all_of_us, here = heard.get(who, (limit, 0))
    here += units
    if here >= KEPT or 2 * (all_of_us + here) > limit:
        all_of_us, here = tell(f"rate:{who}:{minute}", here), 0
    heard[who] = all_of_us, here
    return all_of_us + here


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
