"""Kinds of contacts: actions of one person that send a mail to another, each with its daily limit.

Apps declare theirs as `CONTACT_KINDS` in their module `contact_kinds`. Mails about a game or tournament that
the recipient has entered are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from common.extensions import collect_declarations


@dataclass(frozen=True)
class DailyLimit:
    """Limits per day: by one sender in all, to one person they have met, to one stranger.

    Mails without a sender are counted by recipient instead: in all, and about one subject.
    """

    per_sender: int
    per_acquaintance: int
    per_stranger: int
    is_consented: bool = False  # the recipient takes part in what it is about, so nobody is a stranger


@dataclass(frozen=True)
class ContactKind:
    """A kind of contact: its name, which counters are stored under, and its limit."""

    name: str
    limit: DailyLimit


@cache
def load_daily_limits() -> dict[str, DailyLimit]:
    """The limits of all kinds of contacts, by their names."""
    kinds = collect_declarations("contact_kinds", "CONTACT_KINDS", ContactKind)
    return {kind.name: kind.limit for kind in kinds}
