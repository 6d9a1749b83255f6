"""Double elimination: losers continue in the losers' bracket and are out after a second loss."""

from __future__ import annotations

from tournaments.pairing.datatypes import BracketMatch, SeatSource
from tournaments.pairing.single_elimination import pair_first_round


def plan_double_elimination(entrant_count: int) -> tuple[BracketMatch, ...]:
    """Plan all matches, each after those that it depends on; a second final is played only after an upset."""
    pairs = pair_first_round(entrant_count)
    matches: list[BracketMatch] = []
    survivors: list[SeatSource] = []  # in the losers' bracket
    number = lower = stage = 0
    while True:
        number, stage = number + 1, stage + 1
        upper = [
            BracketMatch(f"W{number}.{t}", "winners", number, stage, pair) for t, pair in enumerate(pairs, 1)
        ]
        matches += upper
        dropped = cross_losers([SeatSource(match=match.id, place=2) for match in upper], number)
        if number == 1:
            survivors = dropped
        else:
            lower, stage = lower + 1, stage + 1
            survivors = add_losers_round(matches, list(zip(survivors, dropped, strict=True)), lower, stage)
        if len(survivors) > 1:
            lower, stage = lower + 1, stage + 1
            survivors = add_losers_round(
                matches, list(zip(survivors[::2], survivors[1::2], strict=True)), lower, stage
            )
        winners = [SeatSource(match=match.id) for match in upper]
        if len(winners) == 1:
            break
        pairs = list(zip(winners[::2], winners[1::2], strict=True))
    matches.append(BracketMatch("F1", "final", 1, stage + 1, (winners[0], survivors[0])))
    second_final_sources = (SeatSource(match="F1"), SeatSource(match="F1", place=2))
    matches.append(BracketMatch("F2", "final", 2, stage + 2, second_final_sources))
    return tuple(matches)


def add_losers_round(
    matches: list[BracketMatch], pairs: list[tuple[SeatSource, SeatSource]], number: int, stage: int
) -> list[SeatSource]:
    """Add a round of the losers' bracket. Returns its winners."""
    round_matches = [
        BracketMatch(f"L{number}.{t}", "losers", number, stage, pair) for t, pair in enumerate(pairs, 1)
    ]
    matches += round_matches
    return [SeatSource(match=match.id) for match in round_matches]


def cross_losers(dropped: list[SeatSource], number: int) -> list[SeatSource]:
    """Reorder the losers of a round so that those who have met are far apart."""
    swapped = dropped[len(dropped) // 2 :] + dropped[: len(dropped) // 2]
    return [dropped, dropped[::-1], swapped[::-1], swapped][(number - 1) % 4]
