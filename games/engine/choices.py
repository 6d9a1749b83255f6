"""Values that settings and records choose from, as stored and published."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

Phase = Literal["start", "stolen", "place", "react", "over"]  # what is asked of the seats
MatchKind = Literal["normal", "blind", "solo"]
MatchEnd = Literal["infinity", "full", "tower", "won"]
# What an action goes through until the next phase is reached.
Step = Literal["deal", "begin", "draw", "eight", "finish"] | MatchEnd
FigureKind = Literal["small circle", "circle", "square", "infinity"]
Obligation = Literal["strict", "lenient"]
SeniorityRule = Literal["account", "lot"]
UnmarkedRule = Literal["turn", "at-once", "next-side"]
TiedStartRule = Literal["tile", "oldest"]


class Mode(StrEnum):
    """The modes of play."""

    SINGLES = "singles"
    PAIRS = "pairs"
    SOLO = "solo"


class SeatOrder(StrEnum):
    """The orders in which seats are numbered at the start of a game."""

    AS_JOINED = "as-joined"
    SHUFFLED = "shuffled"


class ActionSource(StrEnum):
    """The sources of an action: the player, the server when time was up, or a bot."""

    PLAYER = "player"
    CLOCK = "clock"
    BOT = "bot"
