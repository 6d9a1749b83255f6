"""A game with known cards and tiles for tests of the replay."""

from __future__ import annotations

from typing import Any

from games.models import Game
from tests.factories.timing import play_first_legal, start_seeded_game

REPLAY_SEED = 7
REPLAY_ACTIONS = ("draw", "D-b3-0", "draw", "F-b2-180", "draw", "D-b4-0")


def play_replay_game(number: int = REPLAY_SEED, **terms: Any) -> Game:
    """Return a running game of ada and bob after REPLAY_ACTIONS."""
    game = start_seeded_game(number, "ada", "bob", **terms)
    for action in REPLAY_ACTIONS:
        play_first_legal(game, action)
    return game
