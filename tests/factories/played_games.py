"""Games played for a while through the services by a greedy strategy.

The seeds belong to games of ada against bob in which both play the actions of a greedy bot.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

from games import engine
from games.engine.bots import choose_action
from games.models import Game
from games.selectors import load_game
from games.services import sweep, turns
from tests.factories.cast import start_cast_game

# Match 1 ends with a full board, 3 : 16: bob has no marker, but his table tile A scores 16. He wins 24 : 9.
SILLY_SEED = 19
# Match 1 ends with an 8 by ada, and bob protects his points. He wins 25 : 16 in match 4.
EIGHT_SEED = 97
# The sides are level after six matches and after the blind match; ada wins in round 3 of a shoot-out.
SHOOT_OUT_SEED = 8
# Ada wins 31 : 30 in a blind match.
BLIND_SEED = 37


def play_greedily(game: Game, enough: Callable[[Game], bool], now: datetime) -> Game:
    """Play until the condition is true or the game is over."""
    for _ in range(500):
        game.refresh_from_db()
        if enough(game) or game.is_over:
            return game
        if game.status == Game.Status.TIEBREAK:
            sweep.sweep_games(now=now)
            continue
        play_greedy_action(game, now)
    raise AssertionError("this game never ends")


def start_played_game(enough: Callable[[Game], bool], *names: str, now: datetime, **terms: Any) -> Game:
    """Start games until one of them fulfils the condition after at least ten actions; return it."""
    for _attempt in range(20):
        game = start_cast_game(*names, now=now, **terms)
        play_greedily(game, lambda game: game.seq > 9 and enough(game), now)
        if enough(game):
            return game
    raise AssertionError("no game ever comes to that")


def play_greedy_action(game: Game, now: datetime) -> str:
    """Play the action of a greedy bot for the first seat to act."""
    loaded_game = load_game(game.code)
    seat, state = loaded_game.seat_by_no(loaded_game.to_act[0]), loaded_game.state
    assert seat.player
    assert seat.seat_no
    assert state
    position = engine.build_view(state, seat.seat_no)
    legal_actions = engine.legal_actions(state, seat.seat_no)
    action = choose_action("greedy", position, legal_actions, random.Random(state.seq))
    turns.play_action(player=seat.player, code=game.code, text=action, seq=state.seq, key="", now=now)
    return action


def is_in_match(number: int) -> Callable[[Game], bool]:
    """Return a condition: the game has reached the match with this number."""
    return lambda game: get_match_no(game) >= number


def is_turn_of(name: str, phase: str) -> Callable[[Game], bool]:
    """Return a condition: this player is the first to act, in this phase."""

    def is_so(game: Game) -> bool:
        loaded_game = load_game(game.code)
        if game.status != Game.Status.RUNNING or game.phase != phase:
            return False
        seat = loaded_game.seat_by_no(loaded_game.to_act[0])
        return seat.player is not None and seat.player.name == name

    return is_so


def is_over(game: Game) -> bool:
    """True if a game is over."""
    return game.is_over


def get_match_no(game: Game) -> int:
    """Return the number of a game's current match."""
    state: engine.State | None = load_game(game.code).state
    assert state
    return state.match_no
