"""Rounds that took long to pair, kept for a while: the sweep pairs a round, and pages show it from here.

A round is kept with a fingerprint of all that it follows from, so it is never shown once a result, a
withdrawal or a setting has changed; whatever is lost is worked out again. One round is kept for each event,
and only of Swiss events: no others take long.
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
    slot, basis = f"round:{fingerprint(event.key)}", fingerprint((PAIRING_VERSION, event, results))
    kept_basis, kept = cache.get(slot) or ("", None)
    if kept_basis == basis and isinstance(kept, Round):
        return kept
    found = pairing.next_round(event, results)
    if isinstance(found, Round):
        cache.set(slot, (basis, found), KEEP_SECONDS)
    return found


def fingerprint(value: object) -> str:
    """Tells values apart, and nothing of an event's key."""
    return hashlib.sha256(repr(value).encode()).hexdigest()
