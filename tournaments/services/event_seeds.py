"""Seeds of events and leagues: published when nothing depends on them any more."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.services import house
from tournaments.models import Event, EventSecret, League, LeagueSecret

# An event may end while a game of it is played on for nothing: its hands would follow from the event's seed.
PUBLISH_RETRY = timedelta(hours=1)


def publish_event_seed(event: Event, now: datetime) -> str:
    """Publish the seed of an event that is over, once none of its games runs; the caller holds the event."""
    if event.seed or event.tables.filter(game__status__in=house.PLAYING).exists():
        return ""
    event.seed = bytes(EventSecret.objects.get(event=event).seed).hex()
    event.save(update_fields=["seed"])
    house.publish_event_seed(event=event.code, seed=event.seed, now=now)
    if event.division_id:
        # Held from here on: whoever closes the league at the same moment sees this seed, or is seen.
        league = League.objects.select_for_update(of=("self",)).get(played__divisions=event.division_id)
        publish_league_seed(league)
    return "seed-published"


def publish_league_seed(league: League) -> bool:
    """Publish the seed of a league that is closed, once those of all its events are: they follow from it.

    The caller holds the league.
    """
    if league.seed or league.status != League.Status.CLOSED:
        return False
    if Event.objects.filter(division__season__league=league, seed="").exists():
        return False
    league.seed = bytes(LeagueSecret.objects.get(league=league).seed).hex()
    league.save(update_fields=["seed"])
    return True
