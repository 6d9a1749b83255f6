"""The best partition out of listed groups: all of them are tried, but for those that a bound rules out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from tournaments.pairing.partition import Group, Matrix, bound_differences
from tournaments.pairing.relaxing import PRICE_SCALE

FLOOR_STEPS = 8  # what it counts as to work out the floor of those who are left


class Candidate(NamedTuple):
    """A group that may be part of a better partition."""

    reduced: int  # what it costs above its share of the bound
    mask: int  # its people as bits
    group: Group
    cost: int
    side_cost: int


class Objective(NamedTuple):
    """What is to be least, how much of something else there may be, and what is known of both."""

    costs: Matrix
    side_costs: Matrix
    side_limit: int
    step: int  # costs of partitions are multiples of it
    scores: Sequence[int] | None = None  # costs are the squares of their differences, if they are given
    floor: int = 0  # what no partition is below

    def cost(self, group: Sequence[int]) -> int:
        """What a group costs."""
        return sum(self.costs[a][b] for a, b in combinations(group, 2))

    def side_cost(self, group: Sequence[int]) -> int:
        """How much of something else a group takes."""
        return sum(self.side_costs[a][b] for a, b in combinations(group, 2))


class Search:
    """Partitions of listed groups, the first person who is left over always the next to be put into one."""

    def __init__(
        self, objective: Objective, size_counts: dict[int, int], *, bound: int, best: int, steps: int
    ) -> None:
        """`best` is what a known partition costs, `bound` what none is below, in parts of a unit."""
        self.objective = objective
        self.left = dict(size_counts)
        self.people = sum(size * count for size, count in size_counts.items())
        self.bound, self.best = bound, best
        self.steps = steps
        self.groups: tuple[Group, ...] | None = None  # of a better partition, once there is one
        self.candidates: list[list[Candidate]] = [[] for _ in range(self.people)]
        self.chosen: list[Group] = []
        # The least cost so far by people, side cost and sizes that are left. Reduced costs do not compare:
        # the shares of the bound that they lack differ with who is first in a group.
        self.cheapest: dict[tuple[int, ...], int] = {}
        self.floors: dict[tuple[int, ...], int] = {}

    @property
    def gap(self) -> int:
        """Reduced costs may add up to this in a better partition."""
        return (self.best - self.objective.step) * PRICE_SCALE - self.bound

    def run(self, listed: Iterable[tuple[int, Group]]) -> bool:
        """Look for a better partition; answers whether there was time for all of them."""
        for reduced, group in listed:
            cost, side_cost = self.objective.cost(group), self.objective.side_cost(group)
            if side_cost <= self.objective.side_limit and self.is_within_floor(group, cost):
                mask = sum(1 << place for place in group)
                self.candidates[group[0]].append(Candidate(reduced, mask, group, cost, side_cost))
        for candidates in self.candidates:
            candidates.sort()
        return self.extend(0, 0, 0, 0)

    def is_within_floor(self, group: Group, cost: int) -> bool:
        """Whether the others, whoever they have met, leave room for a group that costs so much."""
        mask = sum(1 << place for place in group)
        self.left[len(group)] -= 1
        floor = self.find_floor(mask)
        self.left[len(group)] += 1
        return cost + floor <= self.best - self.objective.step

    def find_floor(self, mask: int) -> int:
        """What the people who are left cost at least."""
        scores = self.objective.scores
        if scores is None:
            return 0
        self.steps -= FLOOR_STEPS
        rest = tuple([score for place, score in enumerate(scores) if not mask >> place & 1])
        key = (*rest, -1, *self.left.values())
        floor = self.floors.get(key)
        if floor is None:
            floor = self.floors[key] = bound_differences(rest, self.left)
        return floor

    def extend(self, mask: int, reduced: int, cost: int, side_cost: int) -> bool:
        """Put everybody who is left into groups; answers whether there was time for all ways."""
        first = (~mask & (mask + 1)).bit_length() - 1
        if first == self.people:
            if cost < self.best:
                self.best, self.groups = cost, tuple(self.chosen)
            return True
        state = (mask, side_cost, *self.left.values())
        if self.cheapest.get(state, cost + 1) <= cost:
            return True
        if cost + self.find_floor(mask) > self.best - self.objective.step:
            return True
        for candidate in self.candidates[first]:
            if reduced + candidate.reduced > self.gap:
                break
            if self.steps <= 0:
                return False
            self.steps -= 1
            size = len(candidate.group)
            if (
                candidate.mask & mask
                or not self.left[size]
                or side_cost + candidate.side_cost > self.objective.side_limit
            ):
                continue
            self.left[size] -= 1
            self.chosen.append(candidate.group)
            done = self.extend(
                mask | candidate.mask,
                reduced + candidate.reduced,
                cost + candidate.cost,
                side_cost + candidate.side_cost,
            )
            self.chosen.pop()
            self.left[size] += 1
            if not done:
                return False
        self.cheapest[state] = cost
        return True
