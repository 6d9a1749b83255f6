"""Large tournaments, entered and settled through the services; only the games themselves are not played."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from games.models import Game
from tests.factories.events import NOW, get_host, list_running_pairings
from tournaments.models import Tournament
from tournaments.selectors import list_seated_entrant_ids
from tournaments.services import entries, simulation, tournaments


def create_large_tournament(format: str, count: int, **fields: Any) -> tuple[Tournament, dict[int, int]]:
    """Create a tournament of so many bots; return it with the strength of each entrant, 0 the strongest."""
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="All of us", format=format, now=NOW, hold_on_warnings=False, **fields
    )
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    people = simulation.create_bot_players(count, rng=random.Random(f"{format}/{count}"), now=NOW)
    strength = {
        entries.enter_tournament(player=player, code=tournament.code, now=NOW).pk: number
        for number, player in enumerate(people)
    }
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    return tournament, strength


def end_games(tournament: Tournament, strength: dict[int, int], now: datetime) -> int:
    """Store all running games as finished, won by the stronger entrant; return their number."""
    games = []
    for table in list_running_pairings(tournament):
        assert table.game
        seats = list_seated_entrant_ids(table)
        winner = seats.index(min(seats, key=strength.__getitem__)) + 1
        totals = {str(side): 24 if side == winner else 12 for side in range(1, len(seats) + 1)}
        table.game.status, table.game.finished_at, table.game.next_sweep_at = Game.Status.OVER, now, None
        table.game.result = {"totals": totals, "winner": winner}
        games.append(table.game)
    Game.objects.bulk_update(games, ["status", "finished_at", "next_sweep_at", "result"])
    return len(games)
