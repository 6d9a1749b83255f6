"""Solve a partition problem: improve a start by local search, then prove it optimal or find a better one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.pairing.partition import (
    MAX_PEOPLE_FOR_PROOF,
    Group,
    Matrix,
    Partition,
    PartitionProblem,
    bound_score_differences,
)
from tournaments.pairing.partition_bound import PRICE_SCALE, PartitionRelaxation
from tournaments.pairing.partition_improvement import improve_groups
from tournaments.pairing.partition_search import PartitionSearch, SearchObjective


class SearchEffort(NamedTuple):
    """The effort of a search, counted in steps, so that every machine does the same."""

    resplit_attempts: int  # attempts to split two groups anew
    search_steps: int  # groups that a search tries
    max_listed_groups: int  # most groups that a search may choose from
    price_rounds: int  # rounds of price improvement


DEFAULT_EFFORT = SearchEffort(
    resplit_attempts=20_000, search_steps=600_000, max_listed_groups=100_000, price_rounds=4
)
FIRST_PRICE_STEPS, LATER_PRICE_STEPS = 150, 60  # price steps in the first and in later rounds
FIRST_STEP_SIZE, LATER_STEP_SIZE = 64, 24
MAX_REFINE_PASSES = 2


def solve_partition(
    problem: PartitionProblem, start: Sequence[Group], effort: SearchEffort = DEFAULT_EFFORT
) -> Partition:
    """Return the best partition that the effort finds from a given start, and whether it is proved optimal.

    1. Improve the start by local search. 2. Beyond `MAX_PEOPLE_FOR_PROOF` people, stop there. 3. Search for
    fewer meetings. 4. Search for smaller differences with as many meetings.
    """
    floor = bound_score_differences(problem.scores, problem.size_counts)
    sufficient_cost = floor * problem.score_weight
    groups = improve_groups(
        problem, start, max_attempts=effort.resplit_attempts, sufficient_cost=sufficient_cost
    )
    if len(problem.scores) > MAX_PEOPLE_FOR_PROOF:
        has_fewest_meetings = problem.count_meetings(groups) == 0
        return Partition(
            groups, has_fewest_meetings, has_fewest_meetings and problem.count_differences(groups) == floor
        )
    groups, has_fewest_meetings = minimise_meetings(problem, groups, effort)
    groups, has_least_differences = minimise_score_differences(problem, groups, floor, effort)
    return Partition(groups, has_fewest_meetings, has_fewest_meetings and has_least_differences)


def minimise_meetings(
    problem: PartitionProblem, groups: tuple[Group, ...], effort: SearchEffort
) -> tuple[tuple[Group, ...], bool]:
    """Return groups with as few meetings as found, and whether none have fewer."""
    no_side_costs = [[0] * len(row) for row in problem.meetings]
    for _ in range(MAX_REFINE_PASSES):
        best_cost = problem.count_meetings(groups)
        if best_cost == 0:
            return groups, True
        objective = SearchObjective(problem.meetings, no_side_costs, 0, 1)
        better_groups, is_proved = search_better_groups(problem, objective, groups, best_cost, 0, effort)
        if better_groups is None:
            return groups, is_proved
        groups = improve_groups(
            problem, better_groups, max_attempts=effort.resplit_attempts, sufficient_cost=0
        )
        if is_proved and problem.count_meetings(better_groups) == problem.count_meetings(groups):
            return groups, True
    return groups, False


def minimise_score_differences(
    problem: PartitionProblem, groups: tuple[Group, ...], floor: int, effort: SearchEffort
) -> tuple[tuple[Group, ...], bool]:
    """Return groups with smaller differences and no more meetings, and whether none are better."""
    meetings = problem.count_meetings(groups)
    objective = SearchObjective(
        problem.score_differences, problem.meetings, meetings, problem.score_step, problem.scores, floor
    )
    for _ in range(MAX_REFINE_PASSES):
        best_cost = problem.count_differences(groups)
        if best_cost == floor:
            return groups, True
        better_groups, is_proved = search_better_groups(
            problem, objective, groups, best_cost, meetings, effort
        )
        if better_groups is None:
            return groups, is_proved
        groups = improve_groups(
            problem,
            better_groups,
            max_attempts=effort.resplit_attempts,
            sufficient_cost=floor * problem.score_weight,
        )
        if is_proved:
            return groups, True
    return groups, False


def search_better_groups(
    problem: PartitionProblem,
    objective: SearchObjective,
    groups: Sequence[Group],
    best_cost: int,
    side_cost: int,
    effort: SearchEffort,
) -> tuple[tuple[Group, ...] | None, bool]:
    """Return better groups if the search finds some, else None, and whether the answer is proved.

    1. Compute a lower bound by Lagrangian relaxation, with several penalties for meetings. 2. If the bound
    rules out anything better, stop. 3. List the groups that may be part of a better partition, and search
    them all.
    """
    allowed = [[cost <= objective.side_limit for cost in row] for row in objective.side_costs]
    factors = [0] if side_cost == 0 else list_penalty_factors(objective, best_cost, side_cost)
    best_relaxation: tuple[int, int, PartitionRelaxation, list[int]] | None = None
    for factor in factors:
        costs = add_costs(objective.costs, objective.side_costs, factor)
        relaxation = PartitionRelaxation(costs, allowed, problem.size_counts)
        known_cost = (best_cost + factor * side_cost) * PRICE_SCALE
        sufficient_cost = known_cost - objective.step * PRICE_SCALE
        prices = set_start_prices(relaxation, groups)
        bound, prices = bound_all_groups(relaxation, prices, known_cost, sufficient_cost, effort)
        bound -= factor * side_cost * PRICE_SCALE
        if bound > (best_cost - objective.step) * PRICE_SCALE:
            return None, True
        if best_relaxation is None or bound > best_relaxation[0]:
            best_relaxation = bound, factor, relaxation, prices
    assert best_relaxation is not None
    bound, factor, relaxation, prices = best_relaxation
    # The floor from scores alone is worth computing at every step only if it is near the bound, or above it.
    if objective.scores is not None and (best_cost - objective.floor) * PRICE_SCALE > 2 * (
        best_cost * PRICE_SCALE - bound
    ):
        objective = objective._replace(scores=None)
    search = PartitionSearch(
        objective, problem.size_counts, bound=bound, best_cost=best_cost, steps=effort.search_steps
    )
    listed_groups = relaxation.list_groups_within(
        prices, relaxation.find_worth_limits(prices, search.gap), effort.max_listed_groups
    )
    if listed_groups is None:
        return None, False
    shares = relaxation.find_worth_limits(prices, 0)
    is_exhaustive = search.run(
        (worth - shares[len(group)][group[0]], group) for worth, group in listed_groups
    )
    return search.better_groups, is_exhaustive


def list_penalty_factors(objective: SearchObjective, best_cost: int, side_cost: int) -> list[int]:
    """List the penalties for a meeting that the bound tries."""
    step = max(best_cost // (4 * side_cost), 1)
    return [step, 4 * step]


def add_costs(costs: Matrix, side_costs: Matrix, factor: int) -> Matrix:
    """Return costs plus `factor` times the other costs."""
    if factor == 0:
        return costs
    return [
        [a + factor * b for a, b in zip(*rows, strict=True)] for rows in zip(costs, side_costs, strict=True)
    ]


def set_start_prices(relaxation: PartitionRelaxation, groups: Sequence[Group]) -> list[int]:
    """Share each group's cost among its people as first prices; adds these and neighbour groups."""
    prices = [0] * relaxation.person_count
    for group in sorted(groups):
        relaxation.add_group(group)
        cost = relaxation.cost_group(group)
        for place in group:
            prices[place] = cost // len(group)
    relaxation.add_neighbour_groups()
    return prices


def bound_all_groups(
    relaxation: PartitionRelaxation,
    prices: list[int],
    known_cost: int,
    sufficient_cost: int,
    effort: SearchEffort,
) -> tuple[int, list[int]]:
    """Return a bound, with its prices, that holds for all groups, also those not listed at first."""
    steps, step = FIRST_PRICE_STEPS, FIRST_STEP_SIZE
    for _ in range(effort.price_rounds):
        _bound, prices = relaxation.raise_bound(
            prices, known_cost=known_cost, sufficient_bound=sufficient_cost, steps=steps, step=step
        )
        steps, step = LATER_PRICE_STEPS, LATER_STEP_SIZE
        if not relaxation.add_groups_below_bound(prices):
            break
    else:
        relaxation.add_groups_below_bound(prices)
    return relaxation.compute_bound(prices)[0], prices
