"""Rated games."""

from __future__ import annotations

import random
from datetime import datetime

from games.models import Game
from tests.factories.events import NOW, QUICK, get_player
from tests.factories.pairing_tables import open_tournament_game
from tournaments.services import simulation


def game(
    *names: str, rated: bool = True, mode: str = "singles", now: datetime = NOW, to_the_end: bool = True
) -> Game:
    """Return a game of these players, by default finished."""
    new_game = open_tournament_game(
        [get_player(name) for name in names], now=NOW, mode=mode, rated=rated, **QUICK
    )
    if to_the_end:
        simulation.play_game(new_game.code, policy="random", rng=random.Random(new_game.pk), now=now)
    new_game.refresh_from_db()
    return new_game
