"""Search the best partition among listed groups by branch and bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from tournaments.pairing.partition import Group, Matrix, bound_score_differences
from tournaments.pairing.partition_bound import PRICE_SCALE

FLOOR_STEP_COST = 8  # steps that computing a floor counts as


class CandidateGroup(NamedTuple):
    """A group that may be part of a better partition."""

    reduced_cost: int  # cost above its share of the bound
    mask: int  # its people as a bit mask
    group: Group
    cost: int
    side_cost: int


class SearchObjective(NamedTuple):
    """The cost to minimise, the limit of a second one, and known bounds of both."""

    costs: Matrix
    side_costs: Matrix
    side_limit: int
    step: int  # every partition's cost is a multiple of it
    scores: Sequence[int] | None = None  # if given, costs are their squared differences
    floor: int = 0  # lower bound of all partitions

    def cost_group(self, group: Sequence[int]) -> int:
        """Return the cost of a group."""
        return sum(self.costs[a][b] for a, b in combinations(group, 2))

    def side_cost_group(self, group: Sequence[int]) -> int:
        """Return the second cost of a group."""
        return sum(self.side_costs[a][b] for a, b in combinations(group, 2))


class PartitionSearch:
    """Depth-first search over partitions: the first person without a group is always placed next."""

    def __init__(
        self,
        objective: SearchObjective,
        size_counts: dict[int, int],
        *,
        bound: int,
        best_cost: int,
        steps: int,
    ) -> None:
        """`best_cost` is the cost of a known partition, `bound` a lower bound of all, in scaled units."""
        self.objective = objective
        self.remaining_counts = dict(size_counts)
        self.person_count = sum(size * count for size, count in size_counts.items())
        self.bound, self.best_cost = bound, best_cost
        self.steps_left = steps
        self.better_groups: tuple[Group, ...] | None = None  # of a better partition, once found
        self.candidates: list[list[CandidateGroup]] = [[] for _ in range(self.person_count)]
        self.chosen_groups: list[Group] = []
        # The least cost so far by people, side cost and remaining sizes. Reduced costs cannot be compared:
        # the shares of the bound that they lack depend on who is first in a group.
        self.cheapest_by_state: dict[tuple[int, ...], int] = {}
        self.floor_cache: dict[tuple[int, ...], int] = {}

    @property
    def gap(self) -> int:
        """The largest sum of reduced costs that a better partition can have."""
        return (self.best_cost - self.objective.step) * PRICE_SCALE - self.bound

    def run(self, listed_groups: Iterable[tuple[int, Group]]) -> bool:
        """Search for a better partition. Returns whether the steps sufficed to try all."""
        for reduced_cost, group in listed_groups:
            cost, side_cost = self.objective.cost_group(group), self.objective.side_cost_group(group)
            if side_cost <= self.objective.side_limit and self.is_within_floor(group, cost):
                mask = sum(1 << place for place in group)
                self.candidates[group[0]].append(CandidateGroup(reduced_cost, mask, group, cost, side_cost))
        for candidates in self.candidates:
            candidates.sort()
        return self.extend_partition(0, 0, 0, 0)

    def is_within_floor(self, group: Group, cost: int) -> bool:
        """Tell whether a group of this cost leaves room for the least cost of the others."""
        mask = sum(1 << place for place in group)
        self.remaining_counts[len(group)] -= 1
        floor = self.find_cost_floor(mask)
        self.remaining_counts[len(group)] += 1
        return cost + floor <= self.best_cost - self.objective.step

    def find_cost_floor(self, mask: int) -> int:
        """Return the least possible cost of the people without a group."""
        scores = self.objective.scores
        if scores is None:
            return 0
        self.steps_left -= FLOOR_STEP_COST
        remaining_scores = tuple([score for place, score in enumerate(scores) if not mask >> place & 1])
        key = (*remaining_scores, -1, *self.remaining_counts.values())
        floor = self.floor_cache.get(key)
        if floor is None:
            floor = self.floor_cache[key] = bound_score_differences(remaining_scores, self.remaining_counts)
        return floor

    def extend_partition(self, mask: int, reduced_cost: int, cost: int, side_cost: int) -> bool:
        """Place everybody who has no group yet. Returns whether the steps sufficed to try all ways."""
        first = (~mask & (mask + 1)).bit_length() - 1
        if first == self.person_count:
            if cost < self.best_cost:
                self.best_cost, self.better_groups = cost, tuple(self.chosen_groups)
            return True
        state = (mask, side_cost, *self.remaining_counts.values())
        if self.cheapest_by_state.get(state, cost + 1) <= cost:
            return True
        if cost + self.find_cost_floor(mask) > self.best_cost - self.objective.step:
            return True
        for candidate in self.candidates[first]:
            if reduced_cost + candidate.reduced_cost > self.gap:
                break
            if self.steps_left <= 0:
                return False
            self.steps_left -= 1
            size = len(candidate.group)
            if (
                candidate.mask & mask
                or not self.remaining_counts[size]
                or side_cost + candidate.side_cost > self.objective.side_limit
            ):
                continue
            self.remaining_counts[size] -= 1
            self.chosen_groups.append(candidate.group)
            is_exhaustive = self.extend_partition(
                mask | candidate.mask,
                reduced_cost + candidate.reduced_cost,
                cost + candidate.cost,
                side_cost + candidate.side_cost,
            )
            self.chosen_groups.pop()
            self.remaining_counts[size] += 1
            if not is_exhaustive:
                return False
        self.cheapest_by_state[state] = cost
        return True
