"""Games with standing orders."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.models import Game, Seat
from games.services import standing_orders
from tests.factories.cast import NOW
from tests.factories.timing import (
    SECOND,
    list_waiting_names,
    play_first_legal,
    reload_player,
    start_quick_game,
)

SOON_AFTER = NOW + 5 * SECOND


def give_orders(game: Game, name: str, now: datetime = NOW, **orders: Any) -> Seat:
    seat = standing_orders.set_standing_orders(player=reload_player(name), code=game.code, now=now, **orders)
    game.refresh_from_db()
    return seat


def get_orders(game: Game, name: str) -> tuple[bool, bool]:
    seat = Seat.objects.get(game=game, player__name=name)
    return seat.draws_automatically, seat.plays_only_action


def start_game_with_order(**orders: bool) -> tuple[Game, str]:
    """Start a game in which the waiting player has given standing orders and the player on turn has drawn."""
    game = start_quick_game("ada", "bob")
    (name,) = list_waiting_names(game)
    give_orders(game, name, **orders or {"draw": True})
    play_first_legal(game, "draw")
    return game, name
