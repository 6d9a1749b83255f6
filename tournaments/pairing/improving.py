"""Good groups by improving: any two groups are parted anew in the best way, until no two can be better."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Any

from tournaments.pairing.partition import Group, Problem
from tournaments.pairing.randomness import below, numbers

MOST_SHAKEN = 4  # groups that are mixed at once
NEIGHBOURS = 6  # so many groups nearest in rank may be mixed with one


@lru_cache(maxsize=16)
def list_splits(first: int, second: int) -> tuple[tuple[Group, Group, Any], ...]:
    """All ways to part first + second people in two, each with a getter of the pairs that stay together.

    The getter takes one pair twice, so that it gives a tuple even for a single pair.
    """
    people = range(first + second)
    at = {pair: number for number, pair in enumerate(combinations(people, 2))}
    ways = []
    for one in combinations(people, first):
        if first == second and 0 not in one:
            continue
        other = tuple(place for place in people if place not in one)
        pairs = [at[pair] for group in (one, other) for pair in combinations(group, 2)]
        ways.append((one, other, itemgetter(*pairs, pairs[0])))
    return tuple(ways)


class Improver:
    """Groups while they are improved, and what each costs."""

    def __init__(self, problem: Problem, groups: Iterable[Group]) -> None:
        self.problem = problem
        self.groups = list(groups)
        self.costs = [problem.cost_group(group) for group in self.groups]

    def put(self, at: int, people: Iterable[int]) -> None:
        """Make a group of these."""
        self.groups[at] = tuple(sorted(people))
        self.costs[at] = self.problem.cost_group(self.groups[at])

    def part_anew(self, a: int, b: int) -> bool:
        """Part two groups in the best way; answers whether that is better than before."""
        best, best_way = self.costs[a] + self.costs[b], None
        if best == 0:
            return False
        if len(self.groups[a]) < len(self.groups[b]):
            a, b = b, a
        sizes = len(self.groups[a]), len(self.groups[b])
        if sizes[0] == 1:
            return False
        people = self.groups[a] + self.groups[b]
        rows = self.problem.pair_costs
        pairs = [rows[one][other] for one, other in combinations(people, 2)]
        small = [size < self.problem.sizes[0] for size in sizes]
        smalls = [self.problem.small_costs[place] for place in people]
        base = sum(smalls) if all(small) else 0
        for one, other, getter in list_splits(*sizes):
            values = getter(pairs)
            cost = sum(values) - values[-1] + base
            if small[1] and not small[0]:
                for place in other:
                    cost += smalls[place]
            if cost < best:
                best, best_way = cost, (one, other)
        if best_way is None:
            return False
        self.put(a, (people[place] for place in best_way[0]))
        self.put(b, (people[place] for place in best_way[1]))
        return True

    def descend(self, changed: Iterable[int]) -> int:
        """Improve what has changed until no two groups can be better; answers how many pairs it looked at."""
        queue = deque(changed)
        looks = 0
        while queue:
            a = queue.popleft()
            for b in range(len(self.groups)):
                if b != a:
                    looks += 1
                    if self.part_anew(a, b):
                        queue += [at for at in (a, b) if at not in queue]
        return looks


def improve(problem: Problem, groups: Sequence[Group], *, looks: int, enough: int) -> tuple[Group, ...]:
    """The best groups met by improving, mixing some near each other, and improving again.

    Ends after so many looks at two groups, or when all cost no more than `enough`.
    """
    count = len(groups)
    improver = Improver(problem, groups)
    looked = improver.descend(range(count))
    best, costs = list(improver.groups), list(improver.costs)
    source = numbers(b"", f"partition/{len(problem.scores)}/{count}")
    while looked < looks and sum(costs) > enough and count > 2:
        mixed = choose_neighbours(improver.groups, source)
        people = [place for at in mixed for place in improver.groups[at]]
        for i in range(len(people) - 1, 0, -1):
            j = below(source, i + 1)
            people[i], people[j] = people[j], people[i]
        for at in mixed:
            size = len(improver.groups[at])
            improver.put(at, people[:size])
            people = people[size:]
        looked += improver.descend(mixed)
        if sum(improver.costs) <= sum(costs):
            best, costs = list(improver.groups), list(improver.costs)
        else:
            improver.groups, improver.costs = list(best), list(costs)
    return tuple(best)


def choose_neighbours(groups: Sequence[Group], source: Any) -> list[int]:
    """Some groups that are near each other in rank, by chance."""
    first = below(source, len(groups))
    here = groups[first]

    def distance(at: int) -> int:
        return abs(sum(groups[at]) * len(here) - sum(here) * len(groups[at]))

    near = sorted((at for at in range(len(groups)) if at != first), key=distance)
    wanted = min(2 + below(source, MOST_SHAKEN - 1), len(groups))
    chosen = [first]
    while len(chosen) < wanted:
        chosen.append(near.pop(below(source, min(len(near), NEIGHBOURS))))
    return chosen
