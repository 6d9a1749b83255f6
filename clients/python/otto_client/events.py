"""Your feed: everything that happened to you, in order, with stable ids."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from .types import Feed, FeedEntry

if TYPE_CHECKING:
    from .client import Client


class Events:
    """`client.events`."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def page(self, after: int | Literal["latest"] = 0, limit: int = 100) -> Feed:
        """Return the entries after a cursor; `after` in the response is the next cursor.

        `after="latest"` returns no entry, and the cursor of the last one.
        """
        return cast(Feed, self.client.get("events/", after=after, limit=limit))

    def follow(
        self, after: int | Literal["latest"] = 0, *, every: float = 2.0, quiet: float | None = None
    ) -> Iterator[FeedEntry]:
        """Iterate over entries as they come, polling every so many seconds.

        With `after="latest"` only those that come from now on. Ends after `quiet` seconds without an entry,
        never if that is None. Store the last entry's `id` to continue later.
        """
        started_at = time.monotonic()
        while True:
            feed = self.page(after)
            after = feed["after"]
            if feed["results"]:
                yield from feed["results"]
                started_at = time.monotonic()
            elif quiet is not None and time.monotonic() - started_at >= quiet:
                return
            else:
                self.client.sleep(every)
