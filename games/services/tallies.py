"""Counting what workers do, so that operators see it from anywhere."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from games.models import Tally


def add(*, name: str, now: datetime, count: int = 1, seconds: float = 0.0) -> None:
    """Count something once more; whoever comes first makes the row."""
    more = {"count": F("count") + count, "seconds": F("seconds") + seconds, "at": now}
    if not Tally.objects.filter(pk=name).update(**more):
        Tally.objects.bulk_create([Tally(name=name, at=now)], ignore_conflicts=True)
        Tally.objects.filter(pk=name).update(**more)
