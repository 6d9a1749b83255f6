"""All reads of tournaments and leagues. `event_for` is how a door gets an event."""

from .course import Course, name_of, people, seats_of
from .events import NoSuchEvent, event_for, events, may_organise, my_events
from .ratings import best, rating_of, shown, unsure

__all__ = [
    "Course",
    "NoSuchEvent",
    "best",
    "event_for",
    "events",
    "may_organise",
    "my_events",
    "name_of",
    "people",
    "rating_of",
    "seats_of",
    "shown",
    "unsure",
]
