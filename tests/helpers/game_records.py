"""Lists of records as programs read them, and finished games."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from games.models import Game
from games.services import turns
from tests.factories.cast import NOW, start_cast_game


def read_records(answer: Any) -> list[dict[str, Any]]:
    """Read the records of a streamed response."""
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def list_codes(answer: Any) -> list[str]:
    """List the games of a streamed response, in order."""
    return [record["game"] for record in read_records(answer)]


def finish_game(game: Game, now: datetime = NOW) -> Game:
    """End a game: all players but the last resign."""
    for seat in game.seats.order_by("join_order").select_related("player")[: game.seat_count - 1]:
        assert seat.player
        turns.play_action(player=seat.player, code=game.code, text="resign", seq=None, key="", now=now)
    game.refresh_from_db()
    assert game.is_over
    return game


def create_finished_game(*names: str, now: datetime = NOW, private: bool = False) -> Game:
    """Create a finished game of these players."""
    game = finish_game(start_cast_game(*(names or ("ada", "bob"))), now)
    if private:
        Game.objects.filter(pk=game.pk).update(private=True)
    return game
