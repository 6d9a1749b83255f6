"""Seeds of events and seasons: drawn and committed to ahead, published when nothing depends on them."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from games.engine import fairness
from games.services import house
from tournaments.models import Event, EventSecret, League, Season, SeasonSecret, SeasonSeed

# An event may end while a game of it is played on for nothing: its hands would follow from the event's seed.
PUBLISH_RETRY = timedelta(hours=1)


def commit_season(league: League, number: int, now: datetime) -> SeasonSeed:
    """Draw the seed of a season and publish its commitment, once; the caller holds the league."""
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    found, new = SeasonSeed.objects.get_or_create(
        league=league,
        number=number,
        defaults={"commitment": fairness.commitment(seed), "at": now},
    )
    if new:
        SeasonSecret.objects.create(season_seed=found, seed=seed)
    return found


def season_seed_of(league: League, number: int, now: datetime) -> bytes:
    """The secret seed of a season, from which those of its events follow."""
    secret = SeasonSecret.objects.get(season_seed=commit_season(league, number, now))
    return bytes(secret.seed)


def publish_event_seed(event: Event, now: datetime) -> str:
    """Publish the seed of an event that is over, once none of its games runs; the caller holds the event."""
    if event.seed:
        return ""
    if event.tables.filter(game__status__in=house.PLAYING).exists():
        return ""
    event.seed = bytes(EventSecret.objects.get(event=event).seed).hex()
    event.save(update_fields=["seed"])
    house.publish_event_seed(event=event.code, seed=event.seed, now=now)
    if event.division_id:
        publish_season_seed(Season.objects.get(divisions=event.division_id), now)
    return "seed-published"


def publish_season_seed(season: Season, now: datetime) -> None:
    """Publish the seed of a season that is over, once those of all its events are public."""
    if season.finished_at is None or Event.objects.filter(division__season=season, seed="").exists():
        return
    found = SeasonSeed.objects.filter(league=season.league_id, number=season.number, seed="").first()
    if found:
        found.seed = bytes(SeasonSecret.objects.get(season_seed=found).seed).hex()
        found.save(update_fields=["seed"])
