"""Places and the waiting list of an event; the caller holds its row."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Entrant, Event

from .notices import members, tell


def taken(event: Event) -> int:
    """How many places are taken."""
    return event.entrants.filter(status=Entrant.Status.ENTERED).count()


def move_up(event: Event, now: datetime) -> None:
    """Whoever waits longest takes a place that is free."""
    waiting = event.entrants.filter(status=Entrant.Status.WAITING).order_by("pk")
    free = None if event.capacity is None else max(event.capacity - taken(event), 0)
    lucky = list(waiting.values_list("pk", flat=True)[:free])
    if lucky:
        event.entrants.filter(pk__in=lucky).update(status=Entrant.Status.ENTERED)
        tell(event, "event-place", "place", members(event, lucky), now)
