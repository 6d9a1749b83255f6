"""Tables: how many of what size, who sits where, and who sits together in a Swiss round of 3 or 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise, permutations
from typing import TypeVar

from tournaments.pairing.model import Id
from tournaments.pairing.outcomes import Past
from tournaments.pairing.parting import part
from tournaments.pairing.partition import Partition, Problem

T = TypeVar("T")


def sizes(entrants: int, table: int) -> list[int]:
    """The fewest tables that seat everybody, as even as can be, the larger ones first."""
    return shares(entrants, -(-entrants // table))


def shares(entrants: int, count: int) -> list[int]:
    """So many parts, as even as can be, the larger ones first."""
    return [entrants // count + (i < entrants % count) for i in range(count)]


def seated(
    together: Sequence[Id], past: Mapping[Id, Past], lot: Mapping[Id, int], *, watch_runs: bool = True
) -> tuple[Id, ...]:
    """The seats of a table: of all orders the best one, by lot where several are.

    What counts, in this order: nobody in the same seat three times running, everybody in every seat as evenly
    as can be, and not as last time.
    """
    start = sorted(together, key=lot.__getitem__)

    def unfairness(order: Sequence[Id]) -> tuple[int, int, int]:
        runs = sum(past[id].sat_twice_running(seat) for seat, id in enumerate(order)) if watch_runs else 0
        sat = sum((past[id].sat[seat] + 1) ** 2 - past[id].sat[seat] ** 2 for seat, id in enumerate(order))
        return runs, sat, sum(past[id].last_seat == seat for seat, id in enumerate(order))

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


def grouped(ids: Sequence[Id], past: Mapping[Id, Past], table: int) -> tuple[list[list[Id]], Partition]:
    """Tables for people in the order of their points, and how good they are known to be.

    What counts, in this order: fewest earlier meetings (a third one weighs more than a second), least
    difference of scores, and that nobody sits at a smaller table again.
    """
    plan = sizes(len(ids), table)
    problem = Problem(
        meetings=[[past[one].met[other] ** 2 for other in ids] for one in ids],
        scores=tuple(round(2 * past[id].points) for id in ids),
        small_costs=tuple(past[id].small for id in ids),
        sizes=tuple(plan),
    )
    ends = list(accumulate(plan, initial=0))
    found = part(problem, [tuple(range(start, end)) for start, end in pairwise(ends)])
    return [[ids[place] for place in group] for group in sorted(found.groups)], found
