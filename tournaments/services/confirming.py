"""Where only those play who have confirmed, everybody is asked in time, once."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from games.models import Event as Line
from tournaments.models import Entrant, Event

from .notices import tell

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
    asked = Line.objects.filter(player=OuterRef("player"), reason=f"{event.code}:{reason}")
    waiting = event.members.filter(
        ~Exists(asked),
        entrant__status=Entrant.Status.ENTERED,
        entrant__confirmed_at=None,
        player__isnull=False,
    )
    players = list(waiting.values_list("player_id", flat=True))
    tell(event, "event-confirm", reason, players, now)
    return "asked" if players else ""
