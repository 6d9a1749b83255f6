"""Who was removed from an event or a league, and may not come back."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Player
from tournaments.models import Event, League, Removal


def removals_from(place: Event | League) -> QuerySet[Removal]:
    """Removals that hold, the newest first."""
    found = place.removals.filter(lifted_at=None)
    return found.select_related("player", "by").order_by("-pk")


def is_removed(player: Player, place: Event | League) -> bool:
    """Whether an organiser has removed somebody and not let them in again."""
    return place.removals.filter(player=player, lifted_at=None).exists()
