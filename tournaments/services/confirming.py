"""Where only those play who have confirmed, everybody is asked in time, once."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat

from games.models import Event as Line
from tournaments.models import Entrant, Event

from .notices import lines, live, write

BEFORE = timedelta(days=1)  # the start; where nobody knows when that will be, one is asked on entering


def next_look(event: Event, now: datetime) -> datetime | None:
    """When the sweep has something to do in an event that waits for its start: to ask, then to start."""
    if event.confirmation and event.starts_at and event.starts_at - BEFORE > now:
        return event.starts_at - BEFORE
    return event.starts_at


def ask(event: Event, now: datetime) -> str:
    """Ask those who have neither confirmed nor been asked for this day; the caller holds the event."""
    if not event.confirmation or (event.starts_at and event.starts_at - BEFORE > now):
        return ""
    reason = f"confirm:{event.starts_at:%Y-%m-%d}" if event.starts_at else "confirm"
    # With the number of the entrant: whoever left and enters again is asked again.
    full_reason = Concat(Value(f"{event.code}:{reason}:"), Cast(OuterRef("entrant"), CharField()))
    asked = Line.objects.filter(player=OuterRef("player"), reason=full_reason)
    waiting = event.members.filter(
        ~Exists(asked),
        entrant__status=Entrant.Status.ENTERED,
        entrant__confirmed_at=None,
        player__isnull=False,
    )
    due = [
        line
        for entrant, player in waiting.values_list("entrant_id", "player_id")
        for line in lines(event, "event-confirm", f"{reason}:{entrant}", [player], now)
    ]
    write(due, at_once=live(event))
    return "asked" if due else ""
