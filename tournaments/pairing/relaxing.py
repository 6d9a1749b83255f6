"""How good groups can be at best: a bound from prices for people, and the groups that can still be in it.

Every person has a price. A group is worth what it costs less the prices of its people; as many of the
cheapest groups as there are to be, each with another person as its first, cost together no more than any
partition, once all prices are added. Raising the prices of people who are in no such group, and lowering
those of people who are in several, raises that bound (subgradient optimisation of a Lagrangian relaxation).
What a group is worth above its share of the bound is its reduced cost: no group whose reduced cost is above
the gap between the bound and a partition that is known can be part of a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from tournaments.pairing.partition import Group, Matrix

PRICE_SCALE = 64  # prices are in such parts of a unit of cost
STEP_SCALE = 64
PATIENCE = 8  # steps without progress before they become smaller
WINDOWS = {4: 14, 3: 24}  # the nearest people below that make the first groups with somebody
LARGE_WINDOW = 60


class Cheapest(NamedTuple):
    """The group worth least among those whose first person is `first`."""

    worth: int
    first: int
    rest: Group


class Relaxation:
    """Prices for people, and the groups that are known so far."""

    def __init__(self, costs: Matrix, allowed: Sequence[Sequence[bool]], size_counts: dict[int, int]) -> None:
        self.people = len(costs)
        self.costs = [[cost * PRICE_SCALE for cost in row] for row in costs]
        self.allowed = allowed
        self.size_counts = size_counts
        self.pools: dict[int, list[list[Group]]] = {
            size: [[] for _ in range(self.people)] for size in size_counts
        }  # by size and first person: the cost, and the other people
        self.known: set[Group] = set()

    def add(self, group: Group) -> bool:
        """Take a group into account; answers whether it is new."""
        if group in self.known:
            return False
        self.known.add(group)
        self.pools[len(group)][group[0]].append((self.cost(group), *group[1:]))
        return True

    def cost(self, group: Group) -> int:
        """What a group costs, in parts of a unit."""
        return sum(self.costs[a][b] for a, b in combinations(group, 2))

    def add_neighbours(self) -> None:
        """Take the groups of people near each other into account."""
        for first in range(self.people):
            below = [other for other in range(first + 1, self.people) if self.allowed[first][other]]
            for size in self.size_counts:
                window = below[: WINDOWS.get(size, LARGE_WINDOW)]
                for rest in combinations(window, size - 1):
                    if all(self.allowed[a][b] for a, b in combinations(rest, 2)):
                        self.add((first, *rest))

    def find_cheapest(self, prices: Sequence[int]) -> dict[int, list[Cheapest]]:
        """For each size the groups worth least by their first people, the least first."""
        found = {}
        for size, pools in self.pools.items():
            best = []
            for first, pool in enumerate(pools):
                if not pool:
                    continue
                if size == 4:
                    worths = [c - prices[i] - prices[j] - prices[k] for c, i, j, k in pool]
                elif size == 3:
                    worths = [c - prices[i] - prices[j] for c, i, j in pool]
                elif size == 2:
                    worths = [c - prices[i] for c, i in pool]
                else:
                    worths = [0]
                least = min(worths)
                best.append(Cheapest(least - prices[first], first, pool[worths.index(least)][1:]))
            found[size] = sorted(best)
        return found

    def bound(self, prices: Sequence[int]) -> tuple[int, list[int]]:
        """The bound that prices give on the groups known so far, and how often it takes everybody.

        Needs the groups of one partition at least to be known.
        """
        total, needed = sum(prices), [0] * self.people
        for size, best in self.find_cheapest(prices).items():
            count = self.size_counts[size]
            for worth, first, rest in best[:count]:
                total += worth
                needed[first] += 1
                for other in rest:
                    needed[other] += 1
        return total, needed

    def raise_bound(
        self, prices: list[int], *, known: int, enough: int, steps: int, step: int
    ) -> tuple[int, list[int]]:
        """Better prices for the groups known so far, with their bound.

        `known` is what a partition costs; steps end when the bound is beyond `enough`.
        """
        best, best_prices, stalled = self.bound(prices)[0], prices, 0
        before = [0] * self.people
        for _ in range(steps):
            bound, needed = self.bound(prices)
            stalled = stalled + 1 if bound - best <= (known - best) // 200 else 0
            if bound > best:
                best, best_prices = bound, prices
            if best > enough:
                break
            if stalled >= PATIENCE:
                step, stalled, prices = step * 2 // 3, 0, best_prices
                if step < 2:
                    break
                continue
            missing = [1 - count for count in needed]
            if not any(missing):
                break
            # Half of the last direction is kept: prices swing less from side to side.
            direction = [5 * now + 3 * last for now, last in zip(missing, before, strict=True)]
            before = missing
            length = sum(change * change for change in direction)
            if length:
                factor = (known - bound) * step * 5
                prices = [
                    price + factor * change // (STEP_SCALE * length)
                    for price, change in zip(prices, direction, strict=True)
                ]
        return best, best_prices

    def find_limits(self, prices: Sequence[int], above: int) -> dict[int, list[int]]:
        """For each size and first person: what a group may be worth so as to be `above` its share at most."""
        limits = {}
        for size, best in self.find_cheapest(prices).items():
            share = best[self.size_counts[size] - 1].worth
            limits[size] = [share + above] * self.people
            for worth, first, _ in best:
                limits[size][first] = min(worth, share) + above
        return limits

    def add_below(self, prices: Sequence[int]) -> int:
        """Take all groups into account without which the bound is too high; answers how many there are."""
        listed = self.list_groups(prices, self.find_limits(prices, -1))
        return sum([self.add(group) for _, group in listed or ()])

    def list_groups(
        self, prices: Sequence[int], limits: dict[int, list[int]], most: int | None = None
    ) -> list[tuple[int, Group]] | None:
        """All groups whose worth is within the limits; None if there are more than `most`."""
        found: list[tuple[int, Group]] = []
        for size in self.size_counts:
            for first in range(self.people):
                self.list_from(first, size, prices, limits[size][first] + prices[first], found)
                if most is not None and len(found) > most:
                    return None
        return [(worth - prices[group[0]], group) for worth, group in found]

    def list_from(
        self, i: int, size: int, prices: Sequence[int], limit: int, found: list[tuple[int, Group]]
    ) -> None:
        """All groups with this first person whose worth, without their price, is within the limit.

        A partial group is given up once even the cheapest people could not bring it within the limit.
        """
        costs, allowed = self.costs, self.allowed
        if size == 1:
            found += [(0, (i,))] if limit >= 0 else []
            return
        others = [(j, costs[i][j] - prices[j]) for j in range(i + 1, self.people) if allowed[i][j]]
        if size == 2:
            found += [(worth, (i, j)) for j, worth in others if worth <= limit]
            return
        least = min((worth for _, worth in others), default=0)
        others = [one for one in others if one[1] + (size - 2) * least <= limit]
        for at, (j, worth) in enumerate(others):
            cost, free, left = costs[j], allowed[j], limit - worth
            thirds = [
                (k, own + cost[k])
                for k, own in others[at + 1 :]
                if own + cost[k] + (size - 3) * least <= left and free[k]
            ]
            if size == 3:
                found += [(worth + own, (i, j, k)) for k, own in thirds]
                continue
            lowest = min((own for _, own in thirds), default=0)
            thirds = [one for one in thirds if one[1] + lowest <= left]
            for number, (k, third) in enumerate(thirds):
                last, open_to, rest = costs[k], allowed[k], left - third
                so_far = worth + third
                found += [
                    (so_far + own + last[m], (i, j, k, m))
                    for m, own in thirds[number + 1 :]
                    if own + last[m] <= rest and open_to[m]
                ]
