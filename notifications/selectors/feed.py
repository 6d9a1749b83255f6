"""Reads a player's feed."""

from __future__ import annotations

from django.db import connection

from accounts.models import Player
from notifications.models import FeedEntry


def load_feed(player: Player, after: int, limit: int) -> list[FeedEntry]:
    """A player's next feed entries. On PostgreSQL, only those no running transaction can still precede."""
    entries = FeedEntry.objects.filter(player=player, pk__gt=after).order_by("pk")
    if connection.vendor == "postgresql":
        oldest_running = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
        entries = entries.extra(where=[f"transaction_id < {oldest_running}"])
    return list(entries[:limit])
