"""Database models: fields, constraints and one-line properties. All writes are in accounts.services."""

from .bot_profiles import BotProfile
from .contacts import ContactCount, RefusedAddress
from .idempotency import IdempotentResponse
from .player_tasks import PlayerTask
from .players import Player
from .tokens import Token

__all__ = [
    "BotProfile",
    "ContactCount",
    "IdempotentResponse",
    "Player",
    "PlayerTask",
    "RefusedAddress",
    "Token",
]
