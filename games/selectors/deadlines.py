"""Which deadline ends a game first: that of a turn, or the end of the tournament round that it is played in.

When a round ends, the points on the table decide, however much time the clocks have left.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import clock
from games.models import Game

PLAYING = (Game.Status.RUNNING, Game.Status.TIEBREAK)


@dataclass(frozen=True)
class RoundEnd:
    """When the round of a game ends, and whose round it is."""

    at: datetime
    tournament: str
    number: int  # of the round; 0 where its players know it by no number
    page: str  # path of the tournament's page


def round_end_of(game: Game) -> RoundEnd | None:
    """The end of the round that a running game is played in; None if there is none."""
    if game.round_ends_at is None or game.status not in PLAYING:
        return None
    facts: dict[str, Any] = game.round_of or {}
    return RoundEnd(
        game.round_ends_at, facts.get("tournament", ""), facts.get("number", 0), facts.get("page", "")
    )


def first_deadline(game: Game, turn_ends: datetime | None) -> datetime | None:
    """The deadline that comes first: that of a turn, None if its clock rests, or the end of the round."""
    end = round_end_of(game)
    return clock.first([turn_ends, end.at if end else None])


def round_ending_first(game: Game, turn_ends: datetime | None) -> RoundEnd | None:
    """The end of the round, if it comes before that of a turn."""
    end = round_end_of(game)
    return end if end and (turn_ends is None or end.at < turn_ends) else None


def deadline_of(game: Game) -> datetime | None:
    """The first deadline at a table, as all may see it; None where nobody is to act."""
    if game.status != Game.Status.RUNNING or not game.to_act:
        return game.deadline
    return first_deadline(game, game.deadline)
