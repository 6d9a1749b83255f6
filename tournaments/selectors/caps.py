"""How large a tournament may be, and how many of them somebody may organise.

The limits of single fields stand in tournaments.models.limits.
"""

from __future__ import annotations

from typing import Protocol

from games.models import Player
from tournaments.models import Event, League
from tournaments.models.limits import MAX_PLACES_PER_EVENT
from tournaments.pairing.tables import sizes

MAX_GAMES_AT_ONCE_PER_EVENT = 500  # that begin together: more of them would keep others waiting
MAX_RUNNING_EVENTS_PER_ORGANISER = 10  # open for entries or running, besides those of leagues
MAX_DRAFT_EVENTS_PER_ORGANISER = 10
MAX_LEAGUES_PER_ORGANISER = 10  # that are not closed

ACTIVE = (Event.Status.PUBLISHED, Event.Status.RUNNING)


class Shape(Protocol):
    """What says how many games begin together: an event or a league."""

    format: str
    table: int
    rounds: int | None
    laps: int
    at_once: bool


def count_games_at_once(shape: Shape, entrants: int) -> int:
    """How many games begin together if so many take part."""
    if entrants < 2:
        return 0
    if shape.format != Event.Format.ROUND_ROBIN or not shape.at_once:
        return entrants // 2 if shape.table == 2 else len(sizes(entrants, shape.table))
    if shape.table == 2:
        return entrants * (entrants - 1) // 2 * shape.laps
    rounds = shape.rounds or max(-(-(entrants - 1) // (shape.table - 1)), 1)
    return rounds * len(sizes(entrants, shape.table))


def begins_too_many(shape: Shape, entrants: int) -> bool:
    """Whether so many entrants make more games at once than an event may have."""
    return count_games_at_once(shape, entrants) > MAX_GAMES_AT_ONCE_PER_EVENT


def count_places(event: Event) -> int:
    """How many may take part: as the organiser says, and no more than make games for one event."""
    least, most = 2, event.capacity or MAX_PLACES_PER_EVENT
    while least < most:  # the more take part, the more games there are
        middle = (least + most + 1) // 2
        least, most = (least, middle - 1) if begins_too_many(event, middle) else (middle, most)
    return least


def count_active_events(organiser: Player) -> int:
    """How many tournaments of somebody are open for entries or running; a league's do not count."""
    return Event.objects.filter(organiser=organiser, status__in=ACTIVE, division=None).count()


def count_drafts(organiser: Player) -> int:
    """How many tournaments somebody has in preparation."""
    return Event.objects.filter(organiser=organiser, status=Event.Status.DRAFT).count()


def count_leagues(organiser: Player) -> int:
    """How many leagues of somebody are not closed."""
    return League.objects.filter(organiser=organiser).exclude(status=League.Status.CLOSED).count()
