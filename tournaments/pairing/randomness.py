"""Lots that anyone can check: the same arithmetic as for games, from an event's key.

Labels: `seeds/J` over those who join in round J; `round/N` over those who are paired in the N-th Swiss round;
`seats/MATCH/GAME` over those who play a match of a knock-out; `newcomers` and `division` in leagues. Ids are
brought into an order of their own before they are shuffled: numbers first, then texts.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from tournaments.pairing.model import Entrant, Event, Id, sort_key

T = TypeVar("T")


def numbers(key: bytes, label: str) -> Iterator[int]:
    """The endless unsigned 32-bit numbers of a label."""
    block = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(key, f"{label}|{block}".encode(), "sha256"))
        block += 1


def below(source: Iterator[int], n: int) -> int:
    """The next number of the source, fairly brought under n."""
    limit = 2**32 - 2**32 % n
    x = next(source)
    while x >= limit:
        x = next(source)
    return x % n


def shuffled(key: bytes, label: str, items: Sequence[T]) -> list[T]:
    """The items in the order that the label gives them."""
    result, source = list(items), numbers(key, label)
    for i in range(len(result) - 1, 0, -1):
        j = below(source, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def lots(key: bytes, label: str, ids: Iterable[Id]) -> dict[Id, int]:
    """A lot for each id, lowest first, whatever order they come in."""
    return {id: lot for lot, id in enumerate(shuffled(key, label, sorted(ids, key=sort_key)))}


@lru_cache(maxsize=8)
def seeds(event: Event) -> dict[Id, int]:
    """Everybody's seed from 1 on, without gaps: as given, then by lot; no later entry changes it."""
    lot: dict[Id, int] = {}
    for joined in {entrant.joined for entrant in event.entrants}:
        together = [entrant.id for entrant in event.entrants if entrant.joined == joined]
        lot |= lots(event.key, f"seeds/{joined}", together)

    def place(entrant: Entrant) -> tuple[int, bool, int, int]:
        return entrant.joined, entrant.seed is None, entrant.seed or 0, lot[entrant.id]

    return {entrant.id: number for number, entrant in enumerate(sorted(event.entrants, key=place), 1)}


def entered(event: Event) -> list[Id]:
    """Who is in a bracket or a schedule, by seed: whoever was there at the start."""
    number = seeds(event)
    inside = [entrant.id for entrant in event.entrants if entrant.joined <= 1 and entrant.left != 0]
    return sorted(inside, key=number.__getitem__)
