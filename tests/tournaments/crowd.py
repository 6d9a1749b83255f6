"""Large events, entered and settled through the services; only what happens inside a game is left out."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from games.models import Game
from tournaments.models import Tournament
from tournaments.selectors import list_seated_entrant_ids
from tournaments.services import entries, simulation, tournaments

from .play import NOW, host, playing


def large(format: str, count: int, **fields: Any) -> tuple[Tournament, dict[int, int]]:
    """An event of so many, by lot; and how strong each entrant is, 0 the strongest."""
    event = tournaments.create_tournament(
        organiser=host(), name="All of us", format=format, now=NOW, ask=False, **fields
    )
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    people = simulation.create_bot_players(count, rng=random.Random(f"{format}/{count}"), now=NOW)
    strength = {
        entries.enter_tournament(player=player, code=event.code, now=NOW).pk: number
        for number, player in enumerate(people)
    }
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    return event, strength


def end_games(event: Tournament, strength: dict[int, int], now: datetime) -> int:
    """All games that run are over, as they would be stored; who is stronger has won."""
    games = []
    for table in playing(event):
        assert table.game
        seats = list_seated_entrant_ids(table)
        winner = seats.index(min(seats, key=strength.__getitem__)) + 1
        totals = {str(side): 24 if side == winner else 12 for side in range(1, len(seats) + 1)}
        table.game.status, table.game.finished_at, table.game.due_at = Game.Status.OVER, now, None
        table.game.result = {"totals": totals, "winner": winner}
        games.append(table.game)
    Game.objects.bulk_update(games, ["status", "finished_at", "due_at", "result"])
    return len(games)
