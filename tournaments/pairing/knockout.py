"""Single elimination: the plan of a bracket, at tables of 2 with byes to the top seeds, or at larger ones."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing.model import Match, Source
from tournaments.pairing.tables import sizes, snaked


def bracket_order(size: int) -> list[int]:
    """Seeds from top to bottom of a bracket of 2, 4, 8 …: two who would meet add up to the same."""
    order = [1]
    while len(order) < size:
        order = [seed for top in order for seed in (top, 2 * len(order) + 1 - top)]
    return order


def first_round(entrants: int) -> list[tuple[Source, Source]]:
    """Who meets in the first round; a bye stands where there is no such seed."""
    size = 1 << max(entrants - 1, 1).bit_length()
    order = bracket_order(size)
    seats = [Source(seed=seed) if seed <= entrants else Source() for seed in order]
    return list(zip(seats[::2], seats[1::2], strict=True))


def duels(entrants: int, *, third_place: bool) -> tuple[Match, ...]:
    """The matches of a knock-out at tables of 2, each after those that it waits for."""
    pairs: list[tuple[Source, Source]] = first_round(entrants)
    matches: list[Match] = []
    number = 0
    while True:
        number += 1
        now = [
            Match(f"R{number}.{table}", "main", number, 2 * number, pair)
            for table, pair in enumerate(pairs, 1)
        ]
        if len(now) == 1 and third_place and number > 1:
            losers = tuple(Source(match=match.id, place=2) for match in matches[-2:])
            matches.append(Match("third", "third", number, 2 * number - 1, losers))
        matches += now
        if len(now) == 1:
            return tuple(matches)
        winners = [Source(match=match.id) for match in now]
        pairs = list(zip(winners[::2], winners[1::2], strict=True))


def tables(entrants: int, *, table: int, advance: int) -> tuple[Match, ...]:
    """The matches of a knock-out at tables of 3 or 4: the best of each table go on, until there is one table.

    Nobody has a bye; tables are as even as can be, and the strongest sit at the smaller ones. From a table of
    2 only one goes on.
    """
    queue: list[Source] = [Source(seed=seed) for seed in range(1, entrants + 1)]
    matches: list[Match] = []
    number = 0
    while True:
        number += 1
        together = snaked(queue, sizes(len(queue), table))
        now = [
            Match(
                f"R{number}.{t}",
                "main",
                number,
                2 * number,
                tuple(seats),
                advance=min(advance, len(seats) - 1) if len(together) > 1 else 1,
            )
            for t, seats in enumerate(together, 1)
        ]
        matches += now
        if len(now) == 1:
            return tuple(matches)
        queue = [Source(match=match.id) for match in now]
        seconds = [Source(match=match.id, place=2) for match in now if match.advance > 1]
        queue += apart(queue, seconds, table)


def apart(winners: Sequence[Source], seconds: Sequence[Source], table: int) -> list[Source]:
    """The seconds in that order in which the fewest meet again whom they have just played."""

    def again(order: list[Source]) -> int:
        tables = snaked([*winners, *order], sizes(len(winners) + len(order), table))
        return sum(len(seats) - len({source.match for source in seats}) for seats in tables)

    turns = [[*seconds[i:], *seconds[:i]] for i in range(len(seconds))]
    return min([*turns, *(turn[::-1] for turn in turns)], key=again, default=[])
