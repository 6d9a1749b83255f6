"""Ranges of numbers and times, in the words of models, forms and serializers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypedDict

from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as lazy

MAX_IDEMPOTENCY_KEY_LENGTH = 100
# Bounds that time zone arithmetic cannot push out of the range of datetime.
EARLIEST_TIME, LATEST_TIME = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
MOMENT_VALIDATORS = [
    MinValueValidator(EARLIEST_TIME, lazy("This is too far in the past. Choose a later time.")),
    MaxValueValidator(LATEST_TIME, lazy("This is too far in the future. Choose an earlier time.")),
]


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
        """The validators for a field of a model."""
        return [MinValueValidator(self.minimum), MaxValueValidator(self.maximum)]

    @property
    def number_bounds(self) -> Bounds:
        """For fields of forms and of serializers."""
        return {"min_value": self.minimum, "max_value": self.maximum}

    @property
    def duration_bounds(self) -> Span:
        """For fields that take a length of time."""
        return {"least": self.minimum, "most": self.maximum}
