"""Which places of an event that was over another result would change."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tournaments.models import Entrant

from .course import Course, name_of


@dataclass(frozen=True)
class PlaceChange:
    """An entrant whose place at the end becomes another one."""

    entrant: int
    name: str
    before: int
    after: int

    def as_dict(self) -> dict[str, Any]:
        """The change as plain facts."""
        return asdict(self)


def find_changed_places(course: Course) -> list[PlaceChange]:
    """Compare the places that were told at the end with those that follow now, the best first."""
    changes = []
    for line in course.standings():
        one: Entrant = course.entrants[int(line.entrant)]
        if one.rank is not None and one.rank != line.rank:
            changes.append(PlaceChange(one.pk, name_of(one), one.rank, line.rank))
    return changes


def was_over(course: Course) -> bool:
    """Whether an event has ended before, so that its places were told."""
    return any(one.rank is not None for one in course.entrants.values())


def goes_on(course: Course) -> bool:
    """Whether something is to be played, or still played."""
    return not course.is_over()
