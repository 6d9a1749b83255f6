"""The limits of what players fill in: one constant each, for form, page, API, model and service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from django.core.validators import MaxValueValidator, MinValueValidator

from games import clock
from games.engine.fairness import CLIENT_SEED_LENGTH
from games.engine.state import MAX_TARGET, MIN_TARGET
from games.names import MAX_NAME_LENGTH

MAX_NOTE_LENGTH, MAX_MESSAGE_LENGTH, MAX_REPORT_LENGTH = 5000, 500, 500
MAX_EMAIL_LENGTH, MAX_URL_LENGTH, MAX_TOKEN_NAME_LENGTH = 254, 500, 50
# How long a text may be in fields that templates write themselves.
LONGEST_TEXTS = {
    "client-seed": CLIENT_SEED_LENGTH,
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


ALLOWANCE = Limits(clock.SHORTEST.allowance, clock.LONGEST.allowance)
BANK = Limits(clock.SHORTEST.bank, clock.LONGEST.bank)
TARGET = Limits(MIN_TARGET, MAX_TARGET)
PERCENTAGE = Limits(1, 99)  # of time, at which somebody is reminded
