"""The notice kinds of games, as feed entries and deliveries store them; `games.notices` declares each."""

from __future__ import annotations

from enum import StrEnum


class GameNoticeKind(StrEnum):
    """The kinds of notices about a game."""

    TURN = "turn"
    REMINDER = "reminder"
    DIGEST = "digest"
    STARTED = "started"
    MOVED = "moved"
    TIMEOUT = "timeout"
    VACATION = "vacation"
    BLIND = "blind"
    SHOOT_OUT = "shoot-out"
    OVER = "over"
    CANCELLED = "cancelled"
    PAUSE = "pause"
    PAUSED = "paused"
    PAUSE_DECLINED = "pause-declined"
    INVITED = "invited"
    MAILED_INVITATION = "mailed-invitation"  # to an address that the player gave
    DECLINED = "declined"
    CHAT = "chat"
    REPLY = "reply"
    ORDERS = "orders"  # a line of a player's own log of standing orders
