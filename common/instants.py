"""Instants as the API writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NewType, overload

Instant = NewType("Instant", str)  # as `format_instant` writes it


@overload
def format_instant(at: datetime) -> Instant:
    """Format an instant."""


@overload
def format_instant(at: datetime | None) -> Instant | None:
    """Format an instant that may be missing."""


def format_instant(at: datetime | None) -> Instant | None:
    """Format an instant as ISO 8601 in UTC, to the second; None stays None."""
    return Instant(f"{at.astimezone(UTC).isoformat()[:19]}Z") if at else None
