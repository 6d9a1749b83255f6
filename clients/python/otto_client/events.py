"""Your feed: everything that happened to you, in order, with stable ids."""

from __future__ import annotations

from typing import Literal, TypeVar, cast

from .operations import (
    Call,
    Cursor,
    FeedCursor,
    Resource,
    StreamedEvent,
    Subscription,
    list_operation,
    operation,
    stream_operation,
)
from .types import Feed, FeedEntry

C = TypeVar("C")


def read_entry(event: StreamedEvent) -> FeedEntry | None:
    """Return the entry that an event of the stream brings, if it brings one."""
    return cast(FeedEntry, event["data"]) if event["event"] == "entry" else None


class Events(Resource[C]):
    """`client.events`."""

    @operation("events")
    def page(self, after: int | Literal["latest"] = 0, limit: int = 100) -> Call[Feed]:
        """Return the entries after a cursor; `after` in the response is the next cursor.

        `after="latest"` returns no entry, and the cursor of the last one.
        """
        return Call(fields={"after": after, "limit": limit})

    @list_operation("events")
    def follow(
        self, after: int | Literal["latest"] = 0, *, every: float = 2.0, quiet: float | None = None
    ) -> Cursor[FeedEntry]:
        """Iterate over entries as they come, polling every so many seconds.

        With `after="latest"` only those that come from now on. Ends after `quiet` seconds without an entry,
        never if that is None. Store the last entry's `id` to continue later.
        """
        return FeedCursor(after, every, quiet)

    @stream_operation("events_stream")
    def stream(self, after: int | None = None) -> Subscription[FeedEntry]:
        """Iterate over the entries of your feed as they come, after a cursor; without one from now on.

        A broken connection is resumed without loss or doubles. Store the last entry's `id` to continue later.
        Raises Problem, and Unreachable after `max_attempts` failures in a row.
        """
        return Subscription((), None if after is None else str(after), read_entry)
