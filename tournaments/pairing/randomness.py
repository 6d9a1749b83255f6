"""Verifiable lots: the arithmetic of games, from a tournament's key.

Labels: `seeds/J` over those who join in round J; `round/N` over those who are paired in the N-th Swiss round;
`seats/MATCH/GAME` over those who play a match of a knock-out; `newcomers` and `division` in leagues. Ids are
sorted before they are shuffled: numbers first, then texts.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from tournaments.pairing.datatypes import EntrantId, EntrantSpec, TournamentSpec, entrant_id_sort_key

T = TypeVar("T")


def generate_numbers(key: bytes, label: str) -> Iterator[int]:
    """Generate the endless sequence of unsigned 32-bit numbers of a label."""
    block = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(key, f"{label}|{block}".encode(), "sha256"))
        block += 1


def draw_below(source: Iterator[int], upper_bound: int) -> int:
    """Draw a number from 0 to n-1 without bias: numbers beyond the last multiple of n are skipped."""
    limit = 2**32 - 2**32 % upper_bound
    number = next(source)
    while number >= limit:
        number = next(source)
    return number % upper_bound


def shuffle_items(key: bytes, label: str, items: Sequence[T]) -> list[T]:
    """Return the items in the order that key and label give (Fisher-Yates)."""
    result, source = list(items), generate_numbers(key, label)
    for i in range(len(result) - 1, 0, -1):
        j = draw_below(source, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def draw_lots(key: bytes, label: str, ids: Iterable[EntrantId]) -> dict[EntrantId, int]:
    """Draw a lot for each id, 0 the lowest, whatever order the ids come in."""
    return {
        entrant_id: lot
        for lot, entrant_id in enumerate(shuffle_items(key, label, sorted(ids, key=entrant_id_sort_key)))
    }


@lru_cache(maxsize=8)
def assign_seeds(spec: TournamentSpec) -> dict[EntrantId, int]:
    """Number all entrants from 1 without gaps: manual seeds first, the others by lot.

    Entrants of later rounds come behind, so a late entry changes no earlier number.
    """
    lots: dict[EntrantId, int] = {}
    for first_round in {entrant.first_round for entrant in spec.entrants}:
        ids_of_round = [entrant.id for entrant in spec.entrants if entrant.first_round == first_round]
        lots |= draw_lots(spec.key, f"seeds/{first_round}", ids_of_round)

    def sort_key(entrant: EntrantSpec) -> tuple[int, bool, int, int]:
        """Sort by first round, then manual seeds, then lots."""
        return entrant.first_round, entrant.seed is None, entrant.seed or 0, lots[entrant.id]

    return {entrant.id: number for number, entrant in enumerate(sorted(spec.entrants, key=sort_key), 1)}


def list_starters(spec: TournamentSpec) -> list[EntrantId]:
    """List the ids of the entrants at the start by seed: those in the bracket or schedule."""
    seeds = assign_seeds(spec)
    starter_ids = [
        entrant.id for entrant in spec.entrants if entrant.first_round <= 1 and entrant.left_after_round != 0
    ]
    return sorted(starter_ids, key=seeds.__getitem__)
