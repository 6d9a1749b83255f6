"""Tables: how many of what size, who sits where, and who sits together in a Swiss round of 3 or 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeVar

from tournaments.pairing.model import Id
from tournaments.pairing.outcomes import Past

T = TypeVar("T")

REACH = 12  # so many places up and down the list an entrant may be moved at once


def sizes(entrants: int, table: int) -> list[int]:
    """The fewest tables that seat everybody, as even as can be, the larger ones first."""
    return shares(entrants, -(-entrants // table))


def shares(entrants: int, count: int) -> list[int]:
    """So many parts, as even as can be, the larger ones first."""
    return [entrants // count + (i < entrants % count) for i in range(count)]


def seated(together: Sequence[Id], past: Mapping[Id, Past], lot: Mapping[Id, int]) -> tuple[Id, ...]:
    """The seats of a table: everybody in every seat as evenly as can be, not as last time, then by lot."""
    start = sorted(together, key=lot.__getitem__)

    def unfairness(order: Sequence[Id]) -> tuple[int, int]:
        sat = sum((past[id].sat[seat] + 1) ** 2 - past[id].sat[seat] ** 2 for seat, id in enumerate(order))
        return sat, sum(past[id].last_seat == seat for seat, id in enumerate(order))

    return min(permutations(start), key=unfairness)


def snaked(queue: Sequence[T], plan: Sequence[int]) -> list[list[T]]:
    """One of each strength at every table: along the tables and back again, the smaller ones first."""
    plan = sorted(plan)
    together: list[list[T]] = [[] for _ in plan]
    waiting = iter(queue)
    for lap in range(max(plan, default=0)):
        for t in range(len(plan)) if lap % 2 == 0 else range(len(plan) - 1, -1, -1):
            if lap < plan[t]:
                together[t].append(next(waiting))
    return together


def grouped(ids: Sequence[Id], past: Mapping[Id, Past], table: int) -> list[list[Id]]:
    """Tables of neighbours in the list, improved by exchanges until none helps.

    What counts, in this order: fewest earlier meetings (a third one weighs more than a second), least
    difference of scores, and that nobody sits at a smaller table again.
    """
    plan = sizes(len(ids), table)
    full, places = max(plan, default=0), list(ids)
    table_of = [t for t, size in enumerate(plan) for _ in range(size)]
    span = [sum(plan[:t]) for t in range(len(plan) + 1)]

    def cost(t: int) -> tuple[int, float, int]:
        seats = places[span[t] : span[t + 1]]
        met, apart = 0, 0.0
        for a, b in combinations(seats, 2):
            met += past[a].met[b] ** 2
            apart += (past[a].points - past[b].points) ** 2
        return met, apart, sum(past[id].small for id in seats) if plan[t] < full else 0

    costs = [cost(t) for t in range(len(plan))]
    reach, better = REACH, True
    while better:
        better = False
        for i in range(len(places)):
            for j in range(i + 1, min(i + reach, len(places))):
                a, b = table_of[i], table_of[j]
                if a == b or (
                    costs[a][0] == costs[b][0] == 0 == costs[a][1] == costs[b][1] and plan[a] == plan[b]
                ):
                    continue
                places[i], places[j] = places[j], places[i]
                one, other = cost(a), cost(b)
                if added(one, other) < added(costs[a], costs[b]):
                    costs[a], costs[b], better = one, other, True
                else:
                    places[i], places[j] = places[j], places[i]
        if not better and reach < len(places) and any(met for met, _, _ in costs):
            reach, better = reach * 4, True  # there still are repeated meetings: look further afield
    return [places[span[t] : span[t + 1]] for t in range(len(plan))]


def added(one: tuple[int, float, int], other: tuple[int, float, int]) -> tuple[int, float, int]:
    """Two costs together."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
