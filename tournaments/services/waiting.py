"""Places and the waiting list of an event; the caller holds its row."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Entrant, Event
from tournaments.selectors.caps import count_places
from tournaments.selectors.may import first_round

from .notices import members, tell


def taken(event: Event) -> int:
    """How many places are taken."""
    return event.entrants.filter(status=Entrant.Status.ENTERED).count()


def move_up(event: Event, now: datetime) -> None:
    """Whoever waits longest takes a place that is free, if one can still come in."""
    if not first_round(event):
        return
    waiting = event.entrants.filter(status=Entrant.Status.WAITING).order_by("pk")
    free = max(count_places(event) - taken(event), 0)
    lucky = list(waiting.values_list("pk", flat=True)[:free])
    if lucky:
        event.entrants.filter(pk__in=lucky).update(status=Entrant.Status.ENTERED, joined=first_round(event))
        if event.confirmation and event.status == Event.Status.PUBLISHED:
            Event.objects.filter(pk=event.pk).update(due_at=now)  # they are asked, too
        tell(event, "event-place", "place", members(event, lucky), now)
