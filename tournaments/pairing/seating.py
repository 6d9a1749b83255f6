"""Table sizes, seat order, and groups for Swiss rounds at tables of 3 or 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise, permutations
from typing import TypeVar

from tournaments.pairing.datatypes import EntrantId
from tournaments.pairing.outcomes import EntrantHistory
from tournaments.pairing.partition import Partition, PartitionProblem
from tournaments.pairing.partition_solver import solve_partition

T = TypeVar("T")


def plan_table_sizes(entrant_count: int, table_size: int) -> list[int]:
    """Return the sizes of the fewest tables that seat everybody, as even as possible, larger ones first."""
    return split_evenly(entrant_count, -(-entrant_count // table_size))


def split_evenly(entrant_count: int, count: int) -> list[int]:
    """Split a number into `count` parts, as even as possible, larger ones first."""
    return [entrant_count // count + (i < entrant_count % count) for i in range(count)]


def choose_seats(
    table_ids: Sequence[EntrantId],
    histories: Mapping[EntrantId, EntrantHistory],
    lots: Mapping[EntrantId, int],
    *,
    avoid_seat_runs: bool = True,
) -> tuple[EntrantId, ...]:
    """Choose the seat order of a table: the fairest of all orders, by lot among equals.

    Criteria in this order: nobody in the same seat three times running; everybody in every seat equally
    often; nobody in the seat of their last pairing.
    """
    ids_by_lot = sorted(table_ids, key=lots.__getitem__)

    def measure_unfairness(order: Sequence[EntrantId]) -> tuple[int, int, int]:
        """Return the three criteria as a tuple; smaller is fairer."""
        seat_run_count = (
            sum(histories[entrant_id].had_seat_twice_running(seat) for seat, entrant_id in enumerate(order))
            if avoid_seat_runs
            else 0
        )
        seat_cost = sum(
            (histories[entrant_id].seat_counts[seat] + 1) ** 2 - histories[entrant_id].seat_counts[seat] ** 2
            for seat, entrant_id in enumerate(order)
        )
        return (
            seat_run_count,
            seat_cost,
            sum(histories[entrant_id].last_seat == seat for seat, entrant_id in enumerate(order)),
        )

    return min(permutations(ids_by_lot), key=measure_unfairness)


def deal_snake_order(queue: Sequence[T], table_sizes: Sequence[int]) -> list[list[T]]:
    """Deal entrants of each strength to every table: forth and back along the tables, smaller ones first."""
    table_sizes = sorted(table_sizes)
    tables: list[list[T]] = [[] for _ in table_sizes]
    waiting = iter(queue)
    for pass_no in range(max(table_sizes, default=0)):
        for table_no in range(len(table_sizes)) if pass_no % 2 == 0 else range(len(table_sizes) - 1, -1, -1):
            if pass_no < table_sizes[table_no]:
                tables[table_no].append(next(waiting))
    return tables


def group_by_score(
    ids: Sequence[EntrantId], histories: Mapping[EntrantId, EntrantHistory], table_size: int
) -> tuple[list[list[EntrantId]], Partition]:
    """Group entrants, sorted by points, into tables. Returns the tables and the partition behind them.

    Criteria in this order: fewest repeat meetings (a third meeting costs more than a second), least
    difference of scores, and nobody at a smaller table again.
    """
    table_sizes = plan_table_sizes(len(ids), table_size)
    problem = PartitionProblem(
        meetings=[[histories[row_id].meetings[column_id] ** 2 for column_id in ids] for row_id in ids],
        scores=tuple(round(2 * histories[entrant_id].points) for entrant_id in ids),
        small_group_costs=tuple(histories[entrant_id].small_table_count for entrant_id in ids),
        sizes=tuple(table_sizes),
    )
    ends = list(accumulate(table_sizes, initial=0))
    partition = solve_partition(problem, [tuple(range(start, end)) for start, end in pairwise(ends)])
    return [[ids[place] for place in group] for group in sorted(partition.groups)], partition
