"""Single elimination: the bracket at tables of 2, with byes for the top seeds, or at larger tables."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing.datatypes import BracketMatch, SeatSource
from tournaments.pairing.seating import deal_snake_order, plan_table_sizes


def list_bracket_order(size: int) -> list[int]:
    """List the seeds from top to bottom of a bracket of 2, 4, 8 …: opponents add up to the same number."""
    order = [1]
    while len(order) < size:
        order = [seed for top in order for seed in (top, 2 * len(order) + 1 - top)]
    return order


def pair_first_round(entrant_count: int) -> list[tuple[SeatSource, SeatSource]]:
    """Pair the seeds of the first round; a missing seed is a bye."""
    size = 1 << max(entrant_count - 1, 1).bit_length()
    order = list_bracket_order(size)
    seats = [SeatSource(seed=seed) if seed <= entrant_count else SeatSource() for seed in order]
    return list(zip(seats[::2], seats[1::2], strict=True))


def plan_matches_of_two(entrant_count: int, *, third_place: bool) -> tuple[BracketMatch, ...]:
    """Plan the matches of a knock-out at tables of 2, each after those that it depends on."""
    pairs: list[tuple[SeatSource, SeatSource]] = pair_first_round(entrant_count)
    matches: list[BracketMatch] = []
    number = 0
    while True:
        number += 1
        round_matches = [
            BracketMatch(f"R{number}.{table}", "main", number, 2 * number, pair)
            for table, pair in enumerate(pairs, 1)
        ]
        if len(round_matches) == 1 and third_place and number > 1:
            losers = tuple(SeatSource(match=match.id, place=2) for match in matches[-2:])
            matches.append(BracketMatch("third", "third", number, 2 * number - 1, losers))
        matches += round_matches
        if len(round_matches) == 1:
            return tuple(matches)
        winners = [SeatSource(match=match.id) for match in round_matches]
        pairs = list(zip(winners[::2], winners[1::2], strict=True))


def plan_larger_matches(
    entrant_count: int, *, table_size: int, advancing_count: int
) -> tuple[BracketMatch, ...]:
    """Plan the matches of a knock-out at tables of 3 or 4: the best advance until one table is left.

    Nobody has a bye; tables are as even as possible, and the strongest sit at the smaller ones. From a table
    of 2 only one advances.
    """
    queue: list[SeatSource] = [SeatSource(seed=seed) for seed in range(1, entrant_count + 1)]
    matches: list[BracketMatch] = []
    number = 0
    while True:
        number += 1
        tables = deal_snake_order(queue, plan_table_sizes(len(queue), table_size))
        round_matches = [
            BracketMatch(
                f"R{number}.{t}",
                "main",
                number,
                2 * number,
                tuple(seats),
                advancing_count=min(advancing_count, len(seats) - 1) if len(tables) > 1 else 1,
            )
            for t, seats in enumerate(tables, 1)
        ]
        matches += round_matches
        if len(round_matches) == 1:
            return tuple(matches)
        queue = [SeatSource(match=match.id) for match in round_matches]
        runners_up = [
            SeatSource(match=match.id, place=2) for match in round_matches if match.advancing_count > 1
        ]
        queue += separate_runners_up(queue, runners_up, table_size)


def separate_runners_up(
    winners: Sequence[SeatSource], runners_up: Sequence[SeatSource], table_size: int
) -> list[SeatSource]:
    """Order the runners-up so that the fewest meet again whom they have just played."""

    def count_repeat_meetings(order: list[SeatSource]) -> int:
        """Count the entrants who would meet somebody of their last table."""
        tables = deal_snake_order([*winners, *order], plan_table_sizes(len(winners) + len(order), table_size))
        return sum(len(seats) - len({source.match for source in seats}) for seats in tables)

    rotations = [[*runners_up[i:], *runners_up[:i]] for i in range(len(runners_up))]
    return min(
        [*rotations, *(rotation[::-1] for rotation in rotations)], key=count_repeat_meetings, default=[]
    )
