"""Rounds that took long to pair, kept for a while: the sweep pairs a round, and pages show it from here.

A round is found by all that it follows from, so a result, a withdrawal or another setting makes it another
one, and whatever is lost is worked out again. Only Swiss rounds take long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.core.cache import cache

from tournaments import pairing
from tournaments.pairing import Event, Finished, Result, Round, Waiting

PAIRING_VERSION = 2  # another one whenever the same event and results are paired differently
KEEP_SECONDS = 24 * 60 * 60


def find_next_round(event: Event, results: Sequence[Result]) -> Round | Waiting | Finished:
    """What comes next in an event, from the cache if the same has been asked before."""
    if event.format != "swiss":
        return pairing.next_round(event, results)
    key = cache_key(event, results)
    kept = cache.get(key)
    if isinstance(kept, Round | Waiting | Finished):
        return kept
    found = pairing.next_round(event, results)
    if isinstance(found, Round):
        cache.set(key, found, KEEP_SECONDS)
    return found


def cache_key(event: Event, results: Sequence[Result]) -> str:
    """A fingerprint of all that a round follows from; its key tells nothing of the event's seed."""
    said = repr((PAIRING_VERSION, event, results)).encode()
    return f"round:{hashlib.sha256(said).hexdigest()}"
