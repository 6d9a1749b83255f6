"""The start of an event, in a transaction of the caller's, which holds its row."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Entrant, Event
from tournaments.selectors.caps import begins_too_many
from tournaments.selectors.lineup import LineUp, line_up

from .client_seeds import fix_client_seeds
from .events import TOO_MANY_GAMES
from .lapsing import lapse_of_event
from .notices import members, tell, tell_of_places, tell_partners
from .rounds import hold


def begin(event: Event, now: datetime) -> str:
    """Start an event whose time has come, or that is full; "" if neither is so."""
    due = event.starts_at is not None and event.starts_at <= now
    if event.held or not (due or event.when_full):
        return ""
    found = line_up(event)
    if not due and not found.full:
        return ""
    if len(found.playing) < 2:  # everybody stays as they are until the organiser has another idea
        return hold(event, "too-few", (), now)
    if begins_too_many(event, len(found.playing)):
        return hold(event, TOO_MANY_GAMES, (), now)
    write(found, now)
    event.status, event.started_at = Event.Status.RUNNING, now
    event.save(update_fields=["status", "started_at"])
    lapse_of_event(event, now)
    fix_client_seeds(event, [one.pk for one in found.playing])
    tell(event, "event-start", "start", members(event), now)
    return "began"


def write(found: LineUp, now: datetime) -> None:
    """Store who plays, and tell those for whom it is news."""
    event = found.event
    tell_partners(event, found.gone, now)
    event.entrants.filter(pk__in=[one.pk for one in found.gone]).delete()
    Entrant.objects.bulk_update(found.silent, ["status", "left"])
    changed = {one.pk: one for one in (*found.lucky, *found.seeded)}
    Entrant.objects.bulk_update(changed.values(), ["status", "joined", "seed"])
    if found.lucky:
        tell_of_places(event, [one.pk for one in found.lucky], now)
