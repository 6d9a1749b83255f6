"""Cache of planned Swiss rounds: the sweep pairs a round, and pages show it from the cache.

The key is one per tournament; the entry holds a hash of the input, so that a changed result, withdrawal or
setting invalidates it. A lost entry is computed again. Other formats are fast and not cached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.core.cache import cache

from tournaments import pairing
from tournaments.pairing import (
    PairingResult,
    PlannedRound,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
)

PAIRING_VERSION = 2  # increase it when the same input is paired differently
CACHE_SECONDS = 24 * 60 * 60


def plan_next_round_cached(
    spec: TournamentSpec, results: Sequence[PairingResult]
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan the next round, from the cache if the input has not changed."""
    if spec.format != "swiss":
        return pairing.plan_next_round(spec, results)
    cache_key, input_hash = f"round:{hash_value(spec.key)}", hash_value((PAIRING_VERSION, spec, results))
    cached_hash, cached_round = cache.get(cache_key) or ("", None)
    if cached_hash == input_hash and isinstance(cached_round, PlannedRound):
        return cached_round
    next_step = pairing.plan_next_round(spec, results)
    if isinstance(next_step, PlannedRound):
        cache.set(cache_key, (input_hash, next_step), CACHE_SECONDS)
    return next_step


def hash_value(value: object) -> str:
    """Hash a value; reveals nothing of the tournament's key."""
    return hashlib.sha256(repr(value).encode()).hexdigest()
