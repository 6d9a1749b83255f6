"""Fields of requests that take only the JSON type that they are for."""

from __future__ import annotations

from datetime import time
from typing import Any

from rest_framework import serializers


class StrictCharField(serializers.CharField):
    """A JSON string: numbers are rejected and whitespace is kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """The string. Raises ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer: neither a string nor a boolean."""

    def to_internal_value(self, data: Any) -> int:
        """The integer. Raises ValidationError."""
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StrictBooleanField(serializers.BooleanField):
    """A JSON boolean: `true` or `false` only, no strings or numbers."""

    def to_internal_value(self, data: Any) -> bool:
        """The boolean. Raises ValidationError."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class HourOfDayField(serializers.RegexField):
    """A time of day: "22:30"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """The time of day. Raises ValidationError."""
        value = super().run_validation(data)
        return time.fromisoformat(value) if isinstance(value, str) else value

    def to_representation(self, value: time) -> str:
        """The time of day as HH:MM."""
        return value.strftime("%H:%M")
