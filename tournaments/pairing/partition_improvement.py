"""Improve groups by local search: split any two groups anew in the best way until none gets better."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Any, NamedTuple

from tournaments.pairing.partition import Group, PartitionProblem
from tournaments.pairing.randomness import draw_below, generate_numbers

MAX_GROUPS_MIXED = 4  # groups shuffled together at once
NEIGHBOUR_GROUP_COUNT = 6  # nearest groups in rank that one may be shuffled with


class GroupSplit(NamedTuple):
    """A way to split people in two groups; a tuple, as the search unpacks millions of them."""

    first_group: Group
    second_group: Group
    get_costs: itemgetter[Any]  # of the pairs inside the groups, from the costs of all pairs


@lru_cache(maxsize=16)
def list_splits(first: int, second: int) -> tuple[GroupSplit, ...]:
    """List all ways to split first + second people in two groups.

    A getter returns one pair twice, so that it gives a tuple even for a single pair.
    """
    people = range(first + second)
    pair_index = {pair: number for number, pair in enumerate(combinations(people, 2))}
    splits = []
    for first_group in combinations(people, first):
        if first == second and 0 not in first_group:
            continue
        second_group = tuple(place for place in people if place not in first_group)
        pairs = [pair_index[pair] for group in (first_group, second_group) for pair in combinations(group, 2)]
        splits.append(GroupSplit(first_group, second_group, itemgetter(*pairs, pairs[0])))
    return tuple(splits)


class GroupImprover:
    """Groups that are being improved, and the cost of each."""

    def __init__(self, problem: PartitionProblem, groups: Iterable[Group]) -> None:
        self.problem = problem
        self.groups = list(groups)
        self.costs = [problem.cost_group(group) for group in self.groups]

    def set_group(self, index: int, people: Iterable[int]) -> None:
        """Set a group and its cost."""
        self.groups[index] = tuple(sorted(people))
        self.costs[index] = self.problem.cost_group(self.groups[index])

    def resplit_groups(self, a: int, b: int) -> bool:
        """Split two groups again in the cheapest way. Returns whether that is cheaper than before."""
        best_cost, best_split = self.costs[a] + self.costs[b], None
        if best_cost == 0:
            return False
        if len(self.groups[a]) < len(self.groups[b]):
            a, b = b, a
        sizes = len(self.groups[a]), len(self.groups[b])
        if sizes[0] == 1:
            return False
        people = self.groups[a] + self.groups[b]
        rows = self.problem.pair_costs
        pairs = [rows[person][other_person] for person, other_person in combinations(people, 2)]
        is_small = [size < self.problem.sizes[0] for size in sizes]
        small_costs = [self.problem.small_group_costs[place] for place in people]
        base = sum(small_costs) if all(is_small) else 0
        for first_group, second_group, getter in list_splits(*sizes):
            values = getter(pairs)
            cost = sum(values) - values[-1] + base
            if is_small[1] and not is_small[0]:
                for place in second_group:
                    cost += small_costs[place]
            if cost < best_cost:
                best_cost, best_split = cost, (first_group, second_group)
        if best_split is None:
            return False
        self.set_group(a, (people[place] for place in best_split[0]))
        self.set_group(b, (people[place] for place in best_split[1]))
        return True

    def improve_until_stable(self, changed: Iterable[int]) -> int:
        """Improve changed groups until no two can be better. Returns the number of pairs tried."""
        queue = deque(changed)
        attempts = 0
        while queue:
            a = queue.popleft()
            for b in range(len(self.groups)):
                if b != a:
                    attempts += 1
                    if self.resplit_groups(a, b):
                        queue += [index for index in (a, b) if index not in queue]
        return attempts


def improve_groups(
    problem: PartitionProblem, groups: Sequence[Group], *, max_attempts: int, sufficient_cost: int
) -> tuple[Group, ...]:
    """Return the best groups found: improve, shuffle a few neighbouring groups, improve again.

    Ends after `max_attempts` pairs of groups, or when the total cost is at most `sufficient_cost`.
    """
    count = len(groups)
    improver = GroupImprover(problem, groups)
    attempts = improver.improve_until_stable(range(count))
    best_groups, best_costs = list(improver.groups), list(improver.costs)
    source = generate_numbers(b"", f"partition/{len(problem.scores)}/{count}")
    while attempts < max_attempts and sum(best_costs) > sufficient_cost and count > 2:
        mixed_indexes = choose_neighbour_groups(improver.groups, source)
        people = [place for index in mixed_indexes for place in improver.groups[index]]
        for i in range(len(people) - 1, 0, -1):
            j = draw_below(source, i + 1)
            people[i], people[j] = people[j], people[i]
        for index in mixed_indexes:
            size = len(improver.groups[index])
            improver.set_group(index, people[:size])
            people = people[size:]
        attempts += improver.improve_until_stable(mixed_indexes)
        if sum(improver.costs) <= sum(best_costs):
            best_groups, best_costs = list(improver.groups), list(improver.costs)
        else:
            improver.groups, improver.costs = list(best_groups), list(best_costs)
    return tuple(best_groups)


def choose_neighbour_groups(groups: Sequence[Group], source: Any) -> list[int]:
    """Choose a few groups near each other in rank at random."""
    first = draw_below(source, len(groups))
    first_group = groups[first]

    def rank_distance(index: int) -> int:
        """Return the distance of two groups' mean ranks, as an integer."""
        return abs(sum(groups[index]) * len(first_group) - sum(first_group) * len(groups[index]))

    nearest = sorted((index for index in range(len(groups)) if index != first), key=rank_distance)
    wanted_count = min(2 + draw_below(source, MAX_GROUPS_MIXED - 1), len(groups))
    chosen_indexes = [first]
    while len(chosen_indexes) < wanted_count:
        chosen_indexes.append(nearest.pop(draw_below(source, min(len(nearest), NEIGHBOUR_GROUP_COUNT))))
    return chosen_indexes
