"""Client seeds of a tournament: given on entry, fixed when the player is first paired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import Player
from common.refusals import check_allowed
from games.services.lobby import check_client_seed
from tournaments import permissions
from tournaments.models import EntrantPlayer, LeagueMember, Tournament

from .tournaments import lock_visible_tournament

CLIENT_SEED_FIELDS = ("client_seed", "entry_number", "client_seed_fixed")


def find_next_entry_number(tournament: Tournament) -> int:
    """Return the entry number of the next player who enters. The caller locks the tournament."""
    return (tournament.entrant_players.aggregate(last=Max("entry_number"))["last"] or 0) + 1


@transaction.atomic
def set_client_seed(*, player: Player, code: str, client_seed: str, now: datetime) -> EntrantPlayer:
    """Replace the player's client seed, before the start or before they are first paired; "" removes it.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    tournament = lock_visible_tournament(code)
    entrant_player = tournament.entrant_players.filter(player=player).first()
    check_allowed(permissions.find_client_seed_refusal(tournament, entrant_player))
    assert entrant_player
    entrant_player.client_seed = client_seed
    entrant_player.save(update_fields=["client_seed"])
    return entrant_player


def assign_missing_entry_numbers(tournament: Tournament) -> None:
    """Give entry numbers to players stored without one. The caller locks the tournament."""
    unnumbered_players = list(tournament.entrant_players.filter(entry_number=None).order_by("pk"))
    if unnumbered_players:
        for entry_number, entrant_player in enumerate(unnumbered_players, find_next_entry_number(tournament)):
            entrant_player.entry_number = entry_number
        EntrantPlayer.objects.bulk_update(unnumbered_players, ["entry_number"])


def fix_client_seeds(tournament: Tournament, entrant_ids: Iterable[int]) -> None:
    """Fix the client seeds of the players of these entrants. The caller locks the tournament."""
    assign_missing_entry_numbers(tournament)
    tournament.entrant_players.filter(entrant__in=list(entrant_ids), client_seed_fixed=False).update(
        client_seed_fixed=True
    )


def hand_over_entrant_player(
    tournament: Tournament, entrant_player: EntrantPlayer, player: Player, client_seed: str = ""
) -> None:
    """Put another player into an entrant as a new entry, with their own client seed for later games.

    Without a `client_seed` they get the one they gave to the league, if any.
    """
    league_members = LeagueMember.objects.filter(
        league__seasons__divisions=tournament.division_id, player=player
    )
    league_client_seed = (
        league_members.values_list("client_seed", flat=True).first() if tournament.division_id else None
    )
    entrant_player.entry_number = find_next_entry_number(tournament)
    entrant_player.player, entrant_player.client_seed, entrant_player.client_seed_fixed = (
        player,
        client_seed or league_client_seed or "",
        False,
    )
    entrant_player.save(update_fields=["player", "client_seed", "entry_number", "client_seed_fixed"])


def get_client_seed_fields(entrant_player: EntrantPlayer) -> dict[str, Any]:
    """Return the client seed fields of an entrant player, to restore them if a replacement is undone."""
    return {name: getattr(entrant_player, name) for name in CLIENT_SEED_FIELDS}


def restore_client_seed(entrant_player: EntrantPlayer, stored_fields: Mapping[str, Any]) -> None:
    """Restore the client seed fields that `get_client_seed_fields` returned."""
    for name in CLIENT_SEED_FIELDS:
        setattr(entrant_player, name, stored_fields[name])
    entrant_player.save(update_fields=CLIENT_SEED_FIELDS)
