"""Tournaments whose final is finished or running."""

from __future__ import annotations

from typing import Any

from games.models import Game
from games.services import turns
from tests.factories.events import (
    NOW,
    create_started_tournament,
    decide,
    get_player,
    list_running_pairings,
    name_at,
)
from tournaments.models import Pairing, Tournament
from tournaments.services import sweep


def list_names(table: Pairing) -> list[str]:
    """List the players of a pairing in seat order."""
    return [name_at(table, place) for place in range(table.pairing_seats.count())]


def sweep_tournament(tournament: Tournament) -> Tournament:
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    return tournament


def start_final(**fields: Any) -> tuple[Tournament, Pairing, Pairing, Pairing]:
    """Return a knock-out of four in its final: the tournament, the two semi-finals and the final."""
    tournament = create_started_tournament("knockout", 4, **fields)
    first, second = list_running_pairings(tournament)
    decide(first, *list_names(first))
    decide(second, *list_names(second))
    sweep_tournament(tournament)
    return tournament, first, second, tournament.pairings.get(match="R2.1")


def get_final(tournament: Tournament) -> Pairing:
    return tournament.pairings.get(match="R2.1", is_void=False)


def play_clock_action(name: str, game: Game) -> None:
    """Let a player resign, as the clock would make them forfeit."""
    turns.play_action(player=get_player(name), code=game.code, text="resign", seq=None, key="", now=NOW)
