"""Bot accounts, declared through the services."""

from __future__ import annotations

from typing import Any

from accounts.models import Player
from accounts.services import bot_accounts
from tests.factories.cast import NOW, player


def declare_bot(name: str, owner: str = "dirk", **settings: Any) -> Player:
    """Declare a bot with this owner and change these of its settings."""
    owner_code, _expires_at = bot_accounts.make_owner_code(owner=player(owner), now=NOW)
    bot_accounts.declare_bot(player=player(name), owner_code=owner_code, confirmation=name, now=NOW)
    bot = Player.objects.get(name=name)
    if settings:
        bot_accounts.change_bot_settings(player=bot, now=NOW, **settings)
    return bot
