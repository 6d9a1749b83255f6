"""Players who were removed from a tournament or league and may not come back."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import Player
from tournaments.models import League, Removal, Tournament


def list_removals(subject: Tournament | League) -> QuerySet[Removal]:
    """List the removals in force, the newest first."""
    removals = subject.removals.filter(lifted_at=None)
    return removals.select_related("player", "created_by").order_by("-pk")


def is_removed(player: Player, subject: Tournament | League) -> bool:
    """Tell whether a player is removed and the removal is not lifted."""
    return subject.removals.filter(player=player, lifted_at=None).exists()
