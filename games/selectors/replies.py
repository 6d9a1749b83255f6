"""Lines of mail replies that were already played."""

from __future__ import annotations

from accounts.models import Player
from notifications.models import FeedEntry


def actions_played_by_key(player: Player, keys: list[str]) -> dict[str, str]:
    """The actions that were played under these idempotency keys, by key."""
    rows = FeedEntry.objects.filter(player=player, idempotency_key__in=keys).values_list(
        "idempotency_key", "data"
    )
    return {key: str(data.get("action", "")) for key, data in rows}
