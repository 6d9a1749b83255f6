"""Actions of a player that send a mail to somebody who has not entered the game, or to the others in it."""

from __future__ import annotations

from enum import StrEnum

from accounts.daily_limits import ContactKind, DailyLimit


class GameContactKind(StrEnum):
    """An action in a game that sends a mail to another person."""

    GAME_INVITATION = "game-invitation"  # by name; includes rematches
    MAILED_INVITATION = "mailed-invitation"  # to an address
    PAUSE_PROPOSAL = "pause-proposal"


CONTACT_KINDS = (
    ContactKind(GameContactKind.GAME_INVITATION, DailyLimit(60, 12, 3)),
    ContactKind(GameContactKind.MAILED_INVITATION, DailyLimit(20, 3, 3)),
    ContactKind(GameContactKind.PAUSE_PROPOSAL, DailyLimit(100, 12, 12, is_consented=True)),
)
