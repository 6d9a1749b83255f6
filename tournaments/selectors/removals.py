"""Players who were removed from a tournament or league and may not come back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet

from accounts.models import Player
from tournaments.models import League, Removal, Tournament


@dataclass(frozen=True)
class RemovalData:
    """A removed member of a league."""

    name: Annotated[str, "The name of the removed player."]
    created_by: Annotated[str | None, "The name of the organiser; null if the account was deleted."]
    reason: Annotated[str, "The reason, for the organisers."]
    created_at: Annotated[datetime, "When they were removed."]


def build_removal(removal: Removal) -> RemovalData:
    """Build the read model of a removal; needs `list_removals`."""
    return RemovalData(
        name=removal.player.name,
        created_by=removal.created_by.name if removal.created_by else None,
        reason=removal.reason,
        created_at=removal.created_at,
    )


def list_removals(subject: Tournament | League) -> QuerySet[Removal]:
    """List the removals in force, the newest first."""
    removals = subject.removals.filter(lifted_at=None)
    return removals.select_related("player", "created_by").order_by("-pk")


def is_removed(player: Player, subject: Tournament | League) -> bool:
    """Tell whether a player is removed and the removal is not lifted."""
    return subject.removals.filter(player=player, lifted_at=None).exists()
