"""Counters of work done by workers, shown to operators."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from .models import MetricCounter


def list_counters() -> list[MetricCounter]:
    """All counters, by name."""
    return list(MetricCounter.objects.order_by("pk"))


def increment_counter(*, name: str, now: datetime, count: int = 1, seconds: float = 0.0) -> None:
    """Increment a counter, creating its row if needed."""
    changes = {"count": F("count") + count, "seconds": F("seconds") + seconds, "updated_at": now}
    if not MetricCounter.objects.filter(pk=name).update(**changes):
        MetricCounter.objects.bulk_create([MetricCounter(name=name, updated_at=now)], ignore_conflicts=True)
        MetricCounter.objects.filter(pk=name).update(**changes)
