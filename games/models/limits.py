"""The limits of what players fill in: one constant each, for form, page, API, model and service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from django.core.validators import MaxValueValidator, MinValueValidator

from games import clock
from games.engine.fairness import MAX_CLIENT_SEED_LENGTH
from games.engine.state import MAX_TARGET, MIN_TARGET
from games.name_validation import MAX_NAME_LENGTH

MAX_NOTE_LENGTH, MAX_MESSAGE_LENGTH, MAX_REPORT_LENGTH = 5000, 500, 500
MAX_EMAIL_LENGTH, MAX_URL_LENGTH, MAX_TOKEN_NAME_LENGTH = 254, 500, 50
# How long a text may be in fields that templates write themselves.
LONGEST_TEXTS = {
    "client-seed": MAX_CLIENT_SEED_LENGTH,
    "email": MAX_EMAIL_LENGTH,
    "message": MAX_MESSAGE_LENGTH,
    "name": MAX_NAME_LENGTH,
    "note": MAX_NOTE_LENGTH,
}


class Bounds(TypedDict):
    """The words by which fields of forms and of serializers take limits."""

    min_value: int
    max_value: int


class Span(TypedDict):
    """The words by which fields for lengths of time take limits."""

    least: int
    most: int


@dataclass(frozen=True)
class NumberRange:
    """The least and the greatest value of a number."""

    minimum: int
    maximum: int

    @property
    def validators(self) -> list[MinValueValidator | MaxValueValidator]:
        """What a field of a model holds its values to."""
        return [MinValueValidator(self.minimum), MaxValueValidator(self.maximum)]

    @property
    def number_bounds(self) -> Bounds:
        """For fields of forms and of serializers."""
        return {"min_value": self.minimum, "max_value": self.maximum}

    @property
    def duration_bounds(self) -> Span:
        """For fields that take a length of time."""
        return {"least": self.minimum, "most": self.maximum}


ALLOWANCE = NumberRange(clock.MIN_TIME_CONTROL.allowance, clock.MAX_TIME_CONTROL.allowance)
BANK = NumberRange(clock.MIN_TIME_CONTROL.bank, clock.MAX_TIME_CONTROL.bank)
TARGET_SCORE = NumberRange(MIN_TARGET, MAX_TARGET)
PERCENTAGE = NumberRange(1, 99)  # of time, at which somebody is reminded
