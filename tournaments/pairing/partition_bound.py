"""A lower bound for partitions from prices of people, and the groups that a better partition can contain.

Every person has a price. A group's worth is its cost less the prices of its people. As many of the cheapest
groups as there are to be, each with another first person, plus all prices, cost no more than any partition.
Raising the prices of people in no such group and lowering those of people in several raises the bound
(subgradient optimisation of a Lagrangian relaxation). A group's worth above its share of the bound is its
reduced cost: no group whose reduced cost exceeds the gap between the bound and a known partition can be part
of a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from tournaments.pairing.partition import Group, Matrix

PRICE_SCALE = 64  # prices are in fractions of a unit of cost
STEP_SCALE = 64
MAX_STALLED_STEPS = 8  # steps without progress before the step size shrinks
NEIGHBOUR_WINDOW_BY_SIZE = {4: 14, 3: 24}  # nearest people below, by group size
DEFAULT_NEIGHBOUR_WINDOW = 60


class CheapestGroup(NamedTuple):
    """The group of least worth among those whose first person is `first`."""

    worth: int
    first: int
    other_people: Group


class PartitionRelaxation:
    """Prices of people, and the groups known so far."""

    def __init__(self, costs: Matrix, allowed: Sequence[Sequence[bool]], size_counts: dict[int, int]) -> None:
        self.person_count = len(costs)
        self.costs = [[cost * PRICE_SCALE for cost in row] for row in costs]
        self.allowed = allowed
        self.size_counts = size_counts
        self.pools: dict[int, list[list[Group]]] = {
            size: [[] for _ in range(self.person_count)] for size in size_counts
        }  # by size and first person: cost and the other people
        self.known_groups: set[Group] = set()

    def add_group(self, group: Group) -> bool:
        """Add a group. Returns whether it is new."""
        if group in self.known_groups:
            return False
        self.known_groups.add(group)
        self.pools[len(group)][group[0]].append((self.cost_group(group), *group[1:]))
        return True

    def cost_group(self, group: Group) -> int:
        """Return the cost of a group in scaled units."""
        return sum(self.costs[a][b] for a, b in combinations(group, 2))

    def add_neighbour_groups(self) -> None:
        """Add the groups of people near each other."""
        for first in range(self.person_count):
            below = [other for other in range(first + 1, self.person_count) if self.allowed[first][other]]
            for size in self.size_counts:
                window = below[: NEIGHBOUR_WINDOW_BY_SIZE.get(size, DEFAULT_NEIGHBOUR_WINDOW)]
                for rest in combinations(window, size - 1):
                    if all(self.allowed[a][b] for a, b in combinations(rest, 2)):
                        self.add_group((first, *rest))

    def find_cheapest_groups(self, prices: Sequence[int]) -> dict[int, list[CheapestGroup]]:
        """Return for each size the group of least worth for each first person, sorted."""
        cheapest_by_size = {}
        for size, pools in self.pools.items():
            cheapest = []
            for first, pool in enumerate(pools):
                if not pool:
                    continue
                if size == 4:
                    worths = [cost - prices[i] - prices[j] - prices[k] for cost, i, j, k in pool]
                elif size == 3:
                    worths = [cost - prices[i] - prices[j] for cost, i, j in pool]
                elif size == 2:
                    worths = [cost - prices[i] for cost, i in pool]
                else:
                    worths = [0]
                least = min(worths)
                cheapest.append(CheapestGroup(least - prices[first], first, pool[worths.index(least)][1:]))
            cheapest_by_size[size] = sorted(cheapest)
        return cheapest_by_size

    def compute_bound(self, prices: Sequence[int]) -> tuple[int, list[int]]:
        """Return the bound that prices give over the known groups, and how often it uses each person.

        Needs the groups of at least one partition to be known.
        """
        total, use_counts = sum(prices), [0] * self.person_count
        for size, cheapest in self.find_cheapest_groups(prices).items():
            count = self.size_counts[size]
            for worth, first, rest in cheapest[:count]:
                total += worth
                use_counts[first] += 1
                for other in rest:
                    use_counts[other] += 1
        return total, use_counts

    def raise_bound(
        self, prices: list[int], *, known_cost: int, sufficient_bound: int, steps: int, step: int
    ) -> tuple[int, list[int]]:
        """Improve the prices over the known groups. Returns the best bound and its prices.

        `known_cost` is the cost of a known partition; steps end once the bound exceeds `sufficient_bound`.
        """
        best_bound, best_prices, stalled_steps = self.compute_bound(prices)[0], prices, 0
        last_shortfalls = [0] * self.person_count
        for _ in range(steps):
            bound, use_counts = self.compute_bound(prices)
            stalled_steps = stalled_steps + 1 if bound - best_bound <= (known_cost - best_bound) // 200 else 0
            if bound > best_bound:
                best_bound, best_prices = bound, prices
            if best_bound > sufficient_bound:
                break
            if stalled_steps >= MAX_STALLED_STEPS:
                step, stalled_steps, prices = step * 2 // 3, 0, best_prices
                if step < 2:
                    break
                continue
            shortfalls = [1 - count for count in use_counts]
            if not any(shortfalls):
                break
            # Keep part of the last direction: prices oscillate less.
            direction = [5 * now + 3 * last for now, last in zip(shortfalls, last_shortfalls, strict=True)]
            last_shortfalls = shortfalls
            length = sum(change * change for change in direction)
            if length:
                factor = (known_cost - bound) * step * 5
                prices = [
                    price + factor * change // (STEP_SCALE * length)
                    for price, change in zip(prices, direction, strict=True)
                ]
        return best_bound, best_prices

    def find_worth_limits(self, prices: Sequence[int], margin: int) -> dict[int, list[int]]:
        """Return by size and first person the largest worth at most `margin` above the group's share."""
        limits = {}
        for size, cheapest in self.find_cheapest_groups(prices).items():
            share = cheapest[self.size_counts[size] - 1].worth
            limits[size] = [share + margin] * self.person_count
            for worth, first, _ in cheapest:
                limits[size][first] = min(worth, share) + margin
        return limits

    def add_groups_below_bound(self, prices: Sequence[int]) -> int:
        """Add all groups that would lower the bound. Returns how many were new."""
        listed_groups = self.list_groups_within(prices, self.find_worth_limits(prices, -1))
        return sum([self.add_group(group) for _, group in listed_groups or ()])

    def list_groups_within(
        self, prices: Sequence[int], limits: dict[int, list[int]], max_count: int | None = None
    ) -> list[tuple[int, Group]] | None:
        """List all groups whose worth is within the limits, None if there are more than `max_count`."""
        groups: list[tuple[int, Group]] = []
        for size in self.size_counts:
            for first in range(self.person_count):
                self.list_groups_from(first, size, prices, limits[size][first] + prices[first], groups)
                if max_count is not None and len(groups) > max_count:
                    return None
        return [(worth - prices[group[0]], group) for worth, group in groups]

    def list_groups_from(
        self, i: int, size: int, prices: Sequence[int], limit: int, groups: list[tuple[int, Group]]
    ) -> None:
        """Append all groups with this first person whose worth, without their price, is within the limit.

        A partial group is dropped once even the cheapest people could not bring it within the limit.
        """
        costs, allowed = self.costs, self.allowed
        if size == 1:
            groups += [(0, (i,))] if limit >= 0 else []
            return
        seconds = [(j, costs[i][j] - prices[j]) for j in range(i + 1, self.person_count) if allowed[i][j]]
        if size == 2:
            groups += [(worth, (i, j)) for j, worth in seconds if worth <= limit]
            return
        least = min((worth for _, worth in seconds), default=0)
        seconds = [option for option in seconds if option[1] + (size - 2) * least <= limit]
        for index, (j, worth) in enumerate(seconds):
            cost, allowed_with_second, left = costs[j], allowed[j], limit - worth
            thirds = [
                (k, own_worth + cost[k])
                for k, own_worth in seconds[index + 1 :]
                if own_worth + cost[k] + (size - 3) * least <= left and allowed_with_second[k]
            ]
            if size == 3:
                groups += [(worth + own_worth, (i, j, k)) for k, own_worth in thirds]
                continue
            lowest = min((own_worth for _, own_worth in thirds), default=0)
            thirds = [option for option in thirds if option[1] + lowest <= left]
            for number, (k, third) in enumerate(thirds):
                last, allowed_with_third, rest = costs[k], allowed[k], left - third
                partial_worth = worth + third
                groups += [
                    (partial_worth + own_worth + last[m], (i, j, k, m))
                    for m, own_worth in thirds[number + 1 :]
                    if own_worth + last[m] <= rest and allowed_with_third[m]
                ]
