"""Which deadline of a game comes first: that of the turn, or the end of its tournament round.

When a round ends, the points on the board decide, however much time the clocks have left.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import clock
from games.models import Game

DEADLINE_HELP_TEXT = "the end of the turn, or that of the tournament's round if it comes first"


@dataclass(frozen=True)
class RoundEnd:
    """When the round of a game ends, and which tournament it belongs to."""

    ends_at: datetime
    tournament_name: str
    round_no: int  # of the round; 0 if it has no number that players know
    page_path: str  # path of the tournament's page


def round_end_of(game: Game) -> RoundEnd | None:
    """The end of the round that a running game belongs to, or None."""
    if game.round_ends_at is None or not game.is_playing:
        return None
    round_info: dict[str, Any] = game.round_info or {}
    return RoundEnd(
        game.round_ends_at,
        round_info.get("tournament", ""),
        round_info.get("number", 0),
        round_info.get("page", ""),
    )


def first_deadline(game: Game, turn_deadline: datetime | None) -> datetime | None:
    """The earlier of a turn's deadline (None while its clock is stopped) and the end of the round."""
    round_end = round_end_of(game)
    return clock.earliest_time([turn_deadline, round_end.ends_at if round_end else None])


def round_end_if_first(game: Game, turn_deadline: datetime | None) -> RoundEnd | None:
    """The end of the round, if it comes before the turn's deadline."""
    round_end = round_end_of(game)
    return round_end if round_end and (turn_deadline is None or round_end.ends_at < turn_deadline) else None


def deadline_of(game: Game) -> datetime | None:
    """The first deadline of a game, as everybody may see it; None if nobody is to act."""
    if not game.is_running or not game.to_act_mask:
        return game.deadline
    return first_deadline(game, game.deadline)
