"""The first legal action of the seat on turn."""

from __future__ import annotations

from django.utils import timezone

from games import engine
from games.models import Game
from games.selectors import load_game
from games.services import action_log


def play_any_action(game: Game) -> None:
    loaded_game = load_game(game.code)
    assert loaded_game.state
    seat = loaded_game.to_act[0]
    action = engine.legal_actions(loaded_game.state, seat)[0]
    action_log.commit_action(
        loaded_game=loaded_game, seat_no=seat, action=action, by="player", now=timezone.now()
    )
