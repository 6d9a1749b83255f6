"""Places and the waitlist of a tournament. The caller locks the tournament."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Player
from tournaments.models import Entrant, EntrantPlayer, Tournament
from tournaments.permissions import find_first_round
from tournaments.selectors.quotas import count_places

from .notices import notify_moved_up, notify_partners


def count_taken_places(tournament: Tournament) -> int:
    """Count the taken places."""
    return tournament.entrants.filter(status=Entrant.Status.ENTERED).count()


def move_up_waitlist(tournament: Tournament, now: datetime) -> None:
    """Give free places to the entrants who wait longest, if entry is still possible, and notify them."""
    if not find_first_round(tournament):
        return
    waiting_entrants = tournament.entrants.filter(status=Entrant.Status.WAITING).order_by("pk")
    free_places = max(count_places(tournament) - count_taken_places(tournament), 0)
    entrant_ids = list(waiting_entrants.values_list("pk", flat=True)[:free_places])
    if entrant_ids:
        tournament.entrants.filter(pk__in=entrant_ids).update(
            status=Entrant.Status.ENTERED, first_round=find_first_round(tournament)
        )
        if tournament.confirmation and tournament.is_published:
            Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=now)  # they must confirm as well
        notify_moved_up(tournament, entrant_ids, now)


# ------------------------------------------------------------------------------- replacements from the list


def find_waiting_entrant(tournament: Tournament, player: Player) -> Entrant | None:
    """Return the player's entrant on the waitlist, or None."""
    return tournament.entrants.filter(status=Entrant.Status.WAITING, entrant_players__player=player).first()


def take_off_waitlist(tournament: Tournament, player: Player, now: datetime) -> dict[str, Any]:
    """Remove a player's entry from the waitlist. Returns what is needed to put it back, or {}.

    A partner in the same entry is notified; the pair no longer waits.
    """
    entrant = find_waiting_entrant(tournament, player)
    if entrant is None:
        return {}
    entry_data = {
        "entrant": entrant.pk,
        "entered_at": entrant.entered_at.isoformat(),
        "confirmed_at": entrant.confirmed_at.isoformat() if entrant.confirmed_at else None,
        "entrant_players": list(
            entrant.entrant_players.order_by("position").values(
                "player_id", "position", "client_seed", "entry_number"
            )
        ),
    }
    notify_partners(tournament, [entrant], now, leaver=player)
    entrant.delete()
    return {"waited": entry_data}


def put_back_on_waitlist(tournament: Tournament, decision_data: Mapping[str, Any]) -> None:
    """Put an entry back on the waitlist, unless its players entered, left or were removed since."""
    waiting_entry = decision_data.get("waited")
    player_ids = (
        [player_data["player_id"] for player_data in waiting_entry["entrant_players"]]
        if waiting_entry
        else []
    )
    if not waiting_entry or tournament.entrant_players.filter(player__in=player_ids).exists():
        return
    removed_player_ids = tournament.removals.filter(lifted_at=None).values("player")
    available_players = Player.objects.filter(pk__in=player_ids, is_active=True).exclude(
        pk__in=removed_player_ids
    )
    if available_players.count() < len(player_ids):  # a pair needs both players
        return
    confirmed_at = waiting_entry["confirmed_at"]
    entrant = Entrant.objects.create(
        pk=waiting_entry["entrant"],  # the waitlist is ordered by id
        tournament=tournament,
        status=Entrant.Status.WAITING,
        entered_at=datetime.fromisoformat(waiting_entry["entered_at"]),
        confirmed_at=datetime.fromisoformat(confirmed_at) if confirmed_at else None,
    )
    EntrantPlayer.objects.bulk_create(
        [
            EntrantPlayer(tournament=tournament, entrant=entrant, **player_data)
            for player_data in waiting_entry["entrant_players"]
        ]
    )
