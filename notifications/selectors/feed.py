"""A player's feed: reads it, and as the API shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.db import connection

from accounts.models import Player
from notifications.models import FeedEntry
from notifications.topics import find_topic_code


@dataclass(frozen=True)
class FeedEntryData:
    """An entry of your feed."""

    id: Annotated[int, "ascending, and stable"]
    kind: Annotated[str, "what happened: turn, started, over, ..."]
    game: Annotated[str | None, "the game that it is about, if any"]
    at: Annotated[datetime, "when it happened"]
    data: Annotated[dict[str, Any], "details, by kind"]


@dataclass(frozen=True)
class FeedData:
    """A page of your feed."""

    results: Annotated[list[FeedEntryData], "in order"]
    after: Annotated[int, "where to go on: ask with ?after= this"]


def build_feed_data(entries: Sequence[FeedEntry], after: int) -> FeedData:
    """A page of a feed that was asked for from a cursor on."""
    results = [
        FeedEntryData(entry.pk, entry.kind, find_topic_code(entry.topic, "game"), entry.at, entry.data)
        for entry in entries
    ]
    return FeedData(results, after=results[-1].id if results else after)


def load_feed(player: Player, after: int, limit: int) -> list[FeedEntry]:
    """A player's next feed entries. On PostgreSQL, only those no running transaction can still precede."""
    entries = FeedEntry.objects.filter(player=player, pk__gt=after).order_by("pk")
    if connection.vendor == "postgresql":
        oldest_running = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
        entries = entries.extra(where=[f"transaction_id < {oldest_running}"])
    return list(entries[:limit])
