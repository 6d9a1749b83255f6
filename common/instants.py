"""Instants as the API writes them."""

from __future__ import annotations

from datetime import UTC, datetime


def format_instant(at: datetime | None) -> str | None:
    """Format an instant as ISO 8601 in UTC, to the second; None stays None."""
    return f"{at.astimezone(UTC).isoformat()[:19]}Z" if at else None
