"""Double elimination: who loses once goes on in the losers' bracket, who loses twice is out."""

from __future__ import annotations

from tournaments.pairing.knockout import first_round
from tournaments.pairing.model import Match, Source


def plan(entrants: int) -> tuple[Match, ...]:
    """All matches, each after those it waits for; a second final is played only if the first was upset."""
    pairs = first_round(entrants)
    matches: list[Match] = []
    survivors: list[Source] = []  # of the losers' bracket
    number = lower = stage = 0
    while True:
        number, stage = number + 1, stage + 1
        upper = [Match(f"W{number}.{t}", "winners", number, stage, pair) for t, pair in enumerate(pairs, 1)]
        matches += upper
        dropped = crossed([Source(match=match.id, place=2) for match in upper], number)
        if number == 1:
            survivors = dropped
        else:
            lower, stage = lower + 1, stage + 1
            survivors = played(matches, list(zip(survivors, dropped, strict=True)), lower, stage)
        if len(survivors) > 1:
            lower, stage = lower + 1, stage + 1
            survivors = played(matches, list(zip(survivors[::2], survivors[1::2], strict=True)), lower, stage)
        winners = [Source(match=match.id) for match in upper]
        if len(winners) == 1:
            break
        pairs = list(zip(winners[::2], winners[1::2], strict=True))
    matches.append(Match("F1", "final", 1, stage + 1, (winners[0], survivors[0])))
    again = (Source(match="F1"), Source(match="F1", place=2))
    matches.append(Match("F2", "final", 2, stage + 2, again))
    return tuple(matches)


def played(matches: list[Match], pairs: list[tuple[Source, Source]], number: int, stage: int) -> list[Source]:
    """Add a round of the losers' bracket; answers its winners."""
    now = [Match(f"L{number}.{t}", "losers", number, stage, pair) for t, pair in enumerate(pairs, 1)]
    matches += now
    return [Source(match=match.id) for match in now]


def crossed(dropped: list[Source], number: int) -> list[Source]:
    """Losers of a round in an order that brings those who have met far apart."""
    swapped = dropped[len(dropped) // 2 :] + dropped[: len(dropped) // 2]
    return [dropped, dropped[::-1], swapped[::-1], swapped][(number - 1) % 4]
