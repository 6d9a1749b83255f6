"""All reads of tournaments and leagues. `event_for` is how a door gets an event."""

from .course import Course, name_of, people, seats_of
from .events import (
    NoSuchEvent,
    NoSuchLeague,
    event_for,
    events,
    league_for,
    leagues,
    may_organise,
    may_run,
    my_events,
)
from .ratings import best, rating_of, shown, unsure

__all__ = [
    "Course",
    "NoSuchEvent",
    "NoSuchLeague",
    "best",
    "event_for",
    "events",
    "league_for",
    "leagues",
    "may_organise",
    "may_run",
    "my_events",
    "name_of",
    "people",
    "rating_of",
    "seats_of",
    "shown",
    "unsure",
]
