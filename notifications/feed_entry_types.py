"""What the entries of a feed hold, by kind: declared by the apps in their `feed_entries.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from common.extensions import collect_declarations


@dataclass(frozen=True)
class FeedEntryType:
    """The members of `data` in feed entries of some kinds: a TypedDict whose docstring says what they tell.

    A class `TurnEntryDetailsData` is the component `TurnEntryDetails`, and its entries are `TurnFeedEntry`.
    """

    details: type
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the entries in the OpenAPI document."""
        return f"{self.details.__name__.removesuffix('EntryDetailsData')}FeedEntry"


@cache
def load_feed_entry_types() -> tuple[FeedEntryType, ...]:
    """Return the types that all apps declare."""
    return tuple(collect_declarations("feed_entries", "FEED_ENTRY_TYPES", FeedEntryType))
