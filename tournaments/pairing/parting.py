"""The best way to part people into groups: a good one by improving it, then a proof, or a better one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.pairing.covering import Objective, Search
from tournaments.pairing.improving import improve
from tournaments.pairing.partition import EXACT, Group, Matrix, Partition, Problem, bound_differences
from tournaments.pairing.relaxing import PRICE_SCALE, Relaxation


class Effort(NamedTuple):
    """How much is tried, in steps, so that it is the same everywhere."""

    looks: int  # at two groups that are parted anew
    search: int  # groups that a search takes up
    listed: int  # groups that a search may choose from
    rounds: int  # of better prices


EFFORT = Effort(looks=20_000, search=600_000, listed=100_000, rounds=4)
FIRST_STEPS, MORE_STEPS = 150, 60  # of prices
FIRST_STEP, MORE_STEP = 64, 24
PASSES = 2


def part(problem: Problem, start: Sequence[Group], effort: Effort = EFFORT) -> Partition:
    """The best partition that the effort finds, from one to start with, and whether it is proved the best."""
    floor = bound_differences(problem.scores, problem.size_counts)
    enough = floor * problem.small_unit
    groups = improve(problem, start, looks=effort.looks, enough=enough)
    if len(problem.scores) > EXACT:
        fewest = problem.count_meetings(groups) == 0
        return Partition(groups, fewest, fewest and problem.count_differences(groups) == floor)
    groups, fewest = part_by_meetings(problem, groups, effort)
    groups, least = part_by_scores(problem, groups, floor, effort)
    return Partition(groups, fewest, fewest and least)


def part_by_meetings(
    problem: Problem, groups: tuple[Group, ...], effort: Effort
) -> tuple[tuple[Group, ...], bool]:
    """Groups with fewer meetings if there are any, and whether none have fewer."""
    zero = [[0] * len(row) for row in problem.meetings]
    for _ in range(PASSES):
        best = problem.count_meetings(groups)
        if best == 0:
            return groups, True
        objective = Objective(problem.meetings, zero, 0, 1)
        better, proved = refine(problem, objective, groups, best, 0, effort)
        if better is None:
            return groups, proved
        groups = improve(problem, better, looks=effort.looks, enough=0)
        if proved and problem.count_meetings(better) == problem.count_meetings(groups):
            return groups, True
    return groups, False


def part_by_scores(
    problem: Problem, groups: tuple[Group, ...], floor: int, effort: Effort
) -> tuple[tuple[Group, ...], bool]:
    """Groups with less between their scores and as many meetings, and whether none have less."""
    meetings = problem.count_meetings(groups)
    objective = Objective(
        problem.differences, problem.meetings, meetings, problem.score_step, problem.scores, floor
    )
    for _ in range(PASSES):
        best = problem.count_differences(groups)
        if best == floor:
            return groups, True
        better, proved = refine(problem, objective, groups, best, meetings, effort)
        if better is None:
            return groups, proved
        groups = improve(problem, better, looks=effort.looks, enough=floor * problem.small_unit)
        if proved:
            return groups, True
    return groups, False


def refine(
    problem: Problem, objective: Objective, groups: Sequence[Group], best: int, side: int, effort: Effort
) -> tuple[tuple[Group, ...] | None, bool]:
    """Better groups if the search meets some, and whether none are better than these or those."""
    allowed = [[cost <= objective.side_limit for cost in row] for row in objective.side_costs]
    factors = [0] if side == 0 else list_factors(objective, best, side)
    chosen: tuple[int, int, Relaxation, list[int]] | None = None
    for factor in factors:
        costs = add_costs(objective.costs, objective.side_costs, factor)
        relaxation = Relaxation(costs, allowed, problem.size_counts)
        known = (best + factor * side) * PRICE_SCALE
        enough = known - objective.step * PRICE_SCALE
        prices = start_prices(relaxation, groups)
        bound, prices = bound_all(relaxation, prices, known, enough, effort)
        bound -= factor * side * PRICE_SCALE
        if bound > (best - objective.step) * PRICE_SCALE:
            return None, True
        if chosen is None or bound > chosen[0]:
            chosen = bound, factor, relaxation, prices
    assert chosen is not None
    bound, factor, relaxation, prices = chosen
    # The floor that scores alone give is worked out at every step only where it is near the bound, or above.
    if objective.scores is not None and (best - objective.floor) * PRICE_SCALE > 2 * (
        best * PRICE_SCALE - bound
    ):
        objective = objective._replace(scores=None)
    search = Search(objective, problem.size_counts, bound=bound, best=best, steps=effort.search)
    listed = relaxation.list_groups(prices, relaxation.find_limits(prices, search.gap), effort.listed)
    if listed is None:
        return None, False
    shares = relaxation.find_limits(prices, 0)
    done = search.run((worth - shares[len(group)][group[0]], group) for worth, group in listed)
    return search.groups, done


def list_factors(objective: Objective, best: int, side: int) -> list[int]:
    """What a meeting may be made to cost in the bound, where there are some."""
    step = max(best // (4 * side), 1)
    return [step, 4 * step]


def add_costs(costs: Matrix, more: Matrix, factor: int) -> Matrix:
    """Costs and so many times others."""
    if factor == 0:
        return costs
    return [[a + factor * b for a, b in zip(*rows, strict=True)] for rows in zip(costs, more, strict=True)]


def start_prices(relaxation: Relaxation, groups: Sequence[Group]) -> list[int]:
    """What everybody's group costs, in equal shares; makes the groups and those of neighbours known."""
    prices = [0] * relaxation.people
    for group in sorted(groups):
        relaxation.add(group)
        cost = relaxation.cost(group)
        for place in group:
            prices[place] = cost // len(group)
    relaxation.add_neighbours()
    return prices


def bound_all(
    relaxation: Relaxation, prices: list[int], known: int, enough: int, effort: Effort
) -> tuple[int, list[int]]:
    """Prices with a bound that holds for all groups, those included that are not among neighbours."""
    steps, step = FIRST_STEPS, FIRST_STEP
    for _ in range(effort.rounds):
        _bound, prices = relaxation.raise_bound(prices, known=known, enough=enough, steps=steps, step=step)
        steps, step = MORE_STEPS, MORE_STEP
        if not relaxation.add_below(prices):
            break
    else:
        relaxation.add_below(prices)
    return relaxation.bound(prices)[0], prices
