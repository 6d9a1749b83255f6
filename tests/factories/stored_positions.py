"""Hand-made positions in stored games."""

from __future__ import annotations

from typing import Any

from games import engine
from games.models import Game, GameSecrets
from games.selectors import load_game
from games.services import action_log
from tests.factories.positions import build_position


def put_position(game: Game, cells: dict[str, str] | None = None, **fields: Any) -> Game:
    """Put a hand-made position into a new game, with the setup of that game."""
    state = load_game(game.code).state
    assert state
    return store_position(game, build_position(cells, setup=state.setup, **fields))


def store_position(game: Game, state: engine.State) -> Game:
    """Put a state into a stored game."""
    assert GameSecrets.objects.filter(game=game).update(state=engine.dump_state(state)) == 1
    Game.objects.filter(pk=game.pk).update(
        phase=state.phase, to_act_mask=action_log.encode_seat_bits(state.seats_to_act), seq=state.seq
    )
    game.refresh_from_db()
    return game
