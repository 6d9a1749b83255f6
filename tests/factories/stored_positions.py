"""Hand-made positions in stored games."""

from __future__ import annotations

from games import engine
from games.models import Game
from games.selectors import load_game
from games.services import action_log


def store_position(game: Game, state: engine.State) -> None:
    """A hand-made position in a stored game."""
    loaded_game = load_game(game.code)
    game.secrets.state = engine.dump_state(state)
    game.secrets.save()
    Game.objects.filter(pk=game.pk).update(
        phase=state.phase, to_act_mask=action_log.encode_seat_bits(state.seats_to_act), seq=state.seq
    )
    assert loaded_game.game.pk == game.pk
