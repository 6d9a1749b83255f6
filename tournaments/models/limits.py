"""The limits of what organisers fill in: one constant each, for form, API, model and service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from django.core.validators import MaxValueValidator, MinValueValidator

from games import clock

MAX_TITLE_LENGTH, MAX_TEXT_LENGTH, MAX_REASON_LENGTH, MAX_APPEAL_LENGTH = 80, 5000, 500, 1000
MAX_LAPS = 10  # how often two meet in a round robin
MAX_PLACES_PER_EVENT = 4096
MAX_ROUNDS = 100
MIN_DIVISION_SIZE = 3  # with two, one might be left alone below
MAX_RESULT_POINTS, MAX_RESULT_EIGHTS = 999, 99  # that an organiser may write for one seat


class Bounds(TypedDict):
    """The words by which fields of forms and of serializers take limits."""

    min_value: int
    max_value: int


class Span(TypedDict):
    """The words by which fields for lengths of time take limits."""

    least: int
    most: int


@dataclass(frozen=True)
class Limits:
    """The least and the greatest value of a number."""

    least: int
    most: int

    @property
    def validators(self) -> list[MinValueValidator | MaxValueValidator]:
        """What a field of a model holds its values to."""
        return [MinValueValidator(self.least), MaxValueValidator(self.most)]

    @property
    def bounds(self) -> Bounds:
        """For fields of forms and of serializers."""
        return {"min_value": self.least, "max_value": self.most}

    @property
    def span(self) -> Span:
        """For fields that take a length of time."""
        return {"least": self.least, "most": self.most}


TABLE, TARGET = Limits(2, 4), Limits(1, 99)
ALLOWANCE = Limits(clock.SHORTEST.allowance, clock.LONGEST.allowance)
BANK = Limits(clock.SHORTEST.bank, clock.LONGEST.bank)
ROUND_LENGTH = Limits(600, 400 * clock.DAY)
ROUNDS, LAPS, ADVANCE = Limits(1, MAX_ROUNDS), Limits(1, MAX_LAPS), Limits(1, 2)
PLACES, RATING = Limits(2, MAX_PLACES_PER_EVENT), Limits(0, 9999)
DIVISION_SIZE, MOVES, GROUPS = Limits(MIN_DIVISION_SIZE, 100), Limits(0, 50), Limits(1, 20)
PAUSE, SEASONS = Limits(0, 365 * clock.DAY), Limits(1, 1000)
