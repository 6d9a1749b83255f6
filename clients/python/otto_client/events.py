"""Your feed: everything that happened to you, in order, with ids that stay."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from .views import Event, Feed

if TYPE_CHECKING:
    from .client import Client


class Events:
    """`client.events`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def page(self, after: int = 0, limit: int = 100) -> Feed:
        """What came after a cursor; `after` in the answer is the next cursor."""
        return cast(Feed, self.client.get("events/", after=after, limit=limit))

    def follow(self, after: int = 0, *, every: float = 2.0, quiet: float | None = None) -> Iterator[Event]:
        """Events as they come, asking every so many seconds.

        Ends when nothing has come for `quiet` seconds, never if that is None. Who keeps the last event's `id`
        can go on from there another day.
        """
        heard = time.monotonic()
        while True:
            feed = self.page(after)
            if feed["results"]:
                yield from feed["results"]
                after, heard = feed["after"], time.monotonic()
            elif quiet is not None and time.monotonic() - heard >= quiet:
                return
            else:
                self.client.sleep(every)
