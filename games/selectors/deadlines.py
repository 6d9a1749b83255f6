"""The first deadline of a game: that of the turn, or the end of its tournament round.

When a round ends, the points on the board decide, however much time the clocks have left. Whoever shows a
deadline shows the one that `find_first_deadline` chooses, with its name. A tournament writes the end of its
round into the game's row (`services.system_games.set_round_end`), so that no list needs a query for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from games.models import Game

DEADLINE_HELP_TEXT = (
    "The end of the turn, or of the tournament's round if that comes first; null if no clock runs."
)
DEADLINE_KIND_HELP_TEXT = "What ends at the deadline: `turn` or `round`; null without a deadline."


@dataclass(frozen=True)
class RoundEnd:
    """The end of the round of a game, with its tournament."""

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


def find_round_no(game: Game) -> int | None:
    """The number of the round that a game is played in, as far as the game knows it."""
    return (game.round_info or {}).get("number") or None


class DeadlineKind(StrEnum):
    """The kinds of deadlines."""

    TURN = "turn"
    ROUND = "round"


@dataclass(frozen=True)
class Deadline:
    """A deadline with its name: until when to move, or when the round ends."""

    at: datetime
    round_end: RoundEnd | None = None  # if it is the end of a round

    @property
    def kind(self) -> DeadlineKind:
        """The kind of this deadline."""
        return DeadlineKind.ROUND if self.round_end else DeadlineKind.TURN


def find_first_deadline(game: Game, turn_deadline: datetime | None) -> Deadline | None:
    """The deadline that comes first: the turn's (None while its clock rests), or the end of the round."""
    round_end = round_end_of(game)
    if round_end and (turn_deadline is None or round_end.ends_at < turn_deadline):
        return Deadline(round_end.ends_at, round_end)
    return Deadline(turn_deadline) if turn_deadline else None


def first_deadline(game: Game, turn_deadline: datetime | None) -> datetime | None:
    """The time of the first deadline."""
    deadline = find_first_deadline(game, turn_deadline)
    return deadline.at if deadline else None


def round_end_if_first(game: Game, turn_deadline: datetime | None) -> RoundEnd | None:
    """The end of the round, if it is the first deadline."""
    deadline = find_first_deadline(game, turn_deadline)
    return deadline.round_end if deadline else None


def find_public_deadline(game: Game) -> Deadline | None:
    """The first deadline of a game, as everybody may see it; None if nobody is to act."""
    if not game.is_running or not game.to_act_mask:
        return Deadline(game.deadline) if game.deadline else None
    return find_first_deadline(game, game.deadline)


def deadline_of(game: Game) -> datetime | None:
    """The time of the first deadline of a game, as everybody may see it."""
    deadline = find_public_deadline(game)
    return deadline.at if deadline else None


def deadline_kind_of(game: Game) -> DeadlineKind | None:
    """Return the kind of the first deadline of a game, as everybody may see it."""
    deadline = find_public_deadline(game)
    return deadline.kind if deadline else None
