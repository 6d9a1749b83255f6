"""A player's feed: read in an order that no later commit disturbs, and as the API shows it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import Player
from common.service_errors import UnknownCursor
from notifications.feed_entry_types import map_absent_members
from notifications.models import FeedEntry
from notifications.topics import find_topic_code

LAST_ID_SQL = (
    "SELECT last_value FROM pg_sequences"
    " WHERE format('%%I.%%I', schemaname, sequencename) = pg_get_serial_sequence(%s, 'id')"
)
OLDEST_RUNNING_SQL = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"


class FeedPosition(NamedTuple):
    """The position of a reader of a feed: the transaction and the id of the last entry that was read.

    Clients see the id alone. Entries are ordered by both: all entries of finished transactions precede those
    of transactions that still run, whatever ids either has drawn.
    """

    transaction_id: int
    entry_id: int


FEED_START = FeedPosition(-1, 0)


@dataclass(frozen=True)
class FeedPage:
    """The next entries of a feed, and whether committed ones must wait for a transaction that still runs."""

    entries: list[FeedEntry]
    is_held_back: bool


def find_feed_position(player: Player, after: int) -> FeedPosition:
    """The position of the player's entry with this id; if it is gone, of the last one before it."""
    earlier_entries = FeedEntry.objects.filter(player=player, pk__lte=after).order_by("-pk")
    position = earlier_entries.values_list("transaction_id", "pk").first() if after else None
    return FeedPosition(*position) if position else FEED_START


def find_cursor_position(player: Player, after: int) -> FeedPosition:
    """The position of a cursor that a client sent. Raises UnknownCursor if no entry has had this id yet."""
    position = find_feed_position(player, after)
    if position.entry_id < after and after > find_last_entry_id():
        raise UnknownCursor
    return position


def find_last_entry_id() -> int:
    """The highest id that any entry has ever had, also if it is gone."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(LAST_ID_SQL, [FeedEntry._meta.db_table])
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [FeedEntry._meta.db_table])
        row = cursor.fetchone()
    return int(row[0] or 0) if row else 0


def load_feed_page(player: Player, position: FeedPosition, limit: int) -> FeedPage:
    """A player's next feed entries after a position, and whether others are held back.

    On PostgreSQL only entries are shown that no running transaction can still precede. Ordering by id would
    lose entries: a transaction that began later may draw a lower id and commit last.
    """
    entries = (
        FeedEntry.objects.filter(player=player)
        .only("topic", "kind", "at", "data", "transaction_id")
        .order_by("transaction_id", "pk")
        .extra(where=["(transaction_id, id) > (%s, %s)"], params=list(position))
    )
    if connection.vendor != "postgresql":
        return FeedPage(list(entries[:limit]), is_held_back=False)
    rows = list(entries.extra(select={"oldest_running": OLDEST_RUNNING_SQL})[: limit + 1])
    finished = [row for row in rows if row.transaction_id < row.oldest_running]
    return FeedPage(finished[:limit], is_held_back=len(finished) < len(rows))


def find_last_position(player: Player) -> FeedPosition:
    """The position of the last entry that the feed shows now."""
    entries = FeedEntry.objects.filter(player=player).order_by("-transaction_id", "-pk")
    if connection.vendor == "postgresql":
        entries = entries.extra(where=[f"transaction_id < {OLDEST_RUNNING_SQL}"])
    position = entries.values_list("transaction_id", "pk").first()
    return FeedPosition(*position) if position else FEED_START


def find_feed_marks(player_ids: Collection[int]) -> dict[int, str]:
    """A mark of each player's feed, which changes with every entry, whether it is shown yet or not."""
    rows = with_feed_marks(Player.objects.filter(pk__in=player_ids)).values_list("pk", *FEED_MARK_COLUMNS)
    return {pk: f"{last_id}.{last_written}" for pk, last_id, last_written in rows}


FEED_MARK_COLUMNS = ("last_id", "last_written")


def with_feed_marks(players: QuerySet[Player]) -> QuerySet[Player]:
    """Read with players the columns that make up the marks of their feeds."""
    entries = FeedEntry.objects.filter(player=OuterRef("pk"))
    return players.annotate(
        last_id=Subquery(entries.order_by("-pk").values("pk")[:1]),
        last_written=Subquery(entries.order_by("-transaction_id", "-pk").values("pk")[:1]),
    )


@dataclass(frozen=True)
class FeedEntryData:
    """An entry of your feed."""

    id: Annotated[int, "The number of the entry, which is also the cursor of the feed. It never changes."]
    kind: Annotated[str, "What happened. New kinds may be added."]
    game: Annotated[str | None, "The `id` of the game that it is about; null if it is about no game."]
    at: Annotated[datetime, "When it happened."]
    data: Annotated[
        dict[str, Any], "The details, which depend on `kind`. Null means that there is nothing to say."
    ]


@dataclass(frozen=True)
class FeedData:
    """A page of your feed."""

    results: Annotated[list[FeedEntryData], "The items, in order."]
    after: Annotated[int, "The cursor. Send it as `after` to get the next entries."]


def build_feed_entry(entry: FeedEntry) -> FeedEntryData:
    """A feed entry as the API shows it, with null for members that its kind has and it has not."""
    data = map_absent_members().get(entry.kind, {}) | entry.data
    return FeedEntryData(entry.pk, entry.kind, find_topic_code(entry.topic, "game"), entry.at, data)
