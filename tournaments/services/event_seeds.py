"""Seeds of events: published when nothing depends on them any more."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.services import house
from tournaments.models import Event, EventSecret

# An event may end while a game of it is played on for nothing: its hands would follow from the event's seed.
PUBLISH_RETRY = timedelta(hours=1)


def publish_event_seed(event: Event, now: datetime) -> str:
    """Publish the seed of an event that is over, once none of its games runs; the caller holds the event."""
    if event.seed or event.tables.filter(game__status__in=house.PLAYING).exists():
        return ""
    event.seed = bytes(EventSecret.objects.get(event=event).seed).hex()
    event.save(update_fields=["seed"])
    house.publish_event_seed(event=event.code, seed=event.seed, now=now)
    return "seed-published"
