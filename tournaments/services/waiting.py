"""Places and the waiting list of an event; the caller holds its row."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max

from tournaments.models import Entrant, Event
from tournaments.pairing import swiss
from tournaments.selectors.course import planned

from .notices import members, tell


def taken(event: Event) -> int:
    """How many places are taken."""
    return event.entrants.filter(status=Entrant.Status.ENTERED).count()


def move_up(event: Event, now: datetime) -> None:
    """Whoever waits longest takes a place that is free, if one can still come in."""
    if not first_round(event):
        return
    waiting = event.entrants.filter(status=Entrant.Status.WAITING).order_by("pk")
    free = None if event.capacity is None else max(event.capacity - taken(event), 0)
    lucky = list(waiting.values_list("pk", flat=True)[:free])
    if lucky:
        event.entrants.filter(pk__in=lucky).update(status=Entrant.Status.ENTERED, joined=first_round(event))
        tell(event, "event-place", "place", members(event, lucky), now)


def first_round(event: Event) -> int:
    """The round in which somebody who comes in now plays first; 0 if nobody can."""
    if event.status in (Event.Status.DRAFT, Event.Status.PUBLISHED):
        return 1
    if event.status != Event.Status.RUNNING or not event.late:
        return 0
    begun = event.tables.aggregate(last=Max("round"))["last"] or 0
    entrants = event.entrants.exclude(status=Entrant.Status.WAITING)
    return begun + 1 if begun < swiss.rounds(planned(event, entrants, bytes(32))) else 0
