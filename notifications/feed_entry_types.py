"""Types of feed entries by kind, as declared by the apps in their `feed_entries.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, NotRequired, TypedDict, get_args, get_origin, get_type_hints

from common.extensions import collect_declarations


@dataclass(frozen=True)
class FeedEntryType:
    """The members of `data` in feed entries of some kinds: a TypedDict whose docstring says what they tell.

    A member that is `NotRequired` is not stored where there is nothing to say; readers get null for it.
    A class `TurnEntryDetailsData` is the component `TurnEntryDetails`, and its entries are `TurnFeedEntry`.
    """

    details: type
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the entries in the OpenAPI document."""
        return f"{self.details.__name__.removesuffix('EntryDetailsData')}FeedEntry"

    @cached_property
    def absent_members(self) -> dict[str, None]:
        """The members that may be absent in a stored entry, each with null."""
        hints = get_type_hints(self.details, include_extras=True)
        return {key: None for key, hint in hints.items() if get_origin(hint) is NotRequired}

    @cached_property
    def shown_details(self) -> type:
        """The TypedDict of what readers get: null for what is absent."""
        hints = get_type_hints(self.details, include_extras=True)
        members = {
            key: allow_null(get_args(hint)[0]) if key in self.absent_members else hint
            for key, hint in hints.items()
        }
        make_type: Any = TypedDict
        shown_type: type = make_type(self.details.__name__, members)
        shown_type.__doc__, shown_type.__module__ = self.details.__doc__, self.details.__module__
        return shown_type


def allow_null(hint: Any) -> Any:
    """Return the type hint of a described member that may also be null."""
    member_type, description = get_args(hint)
    return Annotated[member_type | None, description]


@cache
def load_feed_entry_types() -> tuple[FeedEntryType, ...]:
    """Return the types that all apps declare."""
    return tuple(collect_declarations("feed_entries", "FEED_ENTRY_TYPES", FeedEntryType))


@cache
def map_absent_members() -> dict[str, dict[str, None]]:
    """Return by kind the members that may be absent in stored entries, each with null."""
    return {
        kind: entry_type.absent_members for entry_type in load_feed_entry_types() for kind in entry_type.kinds
    }
