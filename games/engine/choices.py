"""Values that settings and records choose from, as stored and published."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """Who plays against whom."""

    SINGLES = "singles"
    PAIRS = "pairs"
    SOLO = "solo"


class SeatOrder(StrEnum):
    """How seats are numbered at the start of a game."""

    AS_JOINED = "as-joined"
    SHUFFLED = "shuffled"


class ActionSource(StrEnum):
    """Who chose an action: the player, the server when time was up, or a bot."""

    PLAYER = "player"
    CLOCK = "clock"
    BOT = "bot"
