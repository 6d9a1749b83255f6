"""Entries in the running season of a league."""

from __future__ import annotations

from accounts.models import Player
from tournaments.models import EntrantPlayer, League


def find_season_entry(league: League, player: Player) -> EntrantPlayer | None:
    """Find a player's entry in the running season, with its entrant and tournament."""
    entrant_players = EntrantPlayer.objects.filter(
        entrant__placement__season__league=league, entrant__placement__season__finished_at=None, player=player
    )
    return entrant_players.select_related("tournament", "entrant__tournament").first()
