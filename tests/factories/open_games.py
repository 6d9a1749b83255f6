"""Games that wait for players or have begun."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from games.models import Game
from games.services import lobby
from tests.factories.cast import player


def create_open_game(**terms: Any) -> Game:
    now = timezone.now()
    game = lobby.create_game(player=player("ada"), now=now, **terms)
    return lobby.join_game(player=player("ada"), code=game.code, now=now)
