"""Open and running games."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from games.models import Game
from games.services import lobby
from tests.factories.cast import player


def create_open_game(*names: str, client_seed: str = "", **terms: Any) -> Game:
    """Create a game that these players, by default ada, have joined; the first is its host."""
    now, names = timezone.now(), names or ("ada",)
    game = lobby.create_game(player=player(names[0]), now=now, **terms)
    for name in names:
        game = lobby.join_game(player=player(name), code=game.code, now=now, client_seed=client_seed)
    return game
