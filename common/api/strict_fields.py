"""Fields of requests that take only the JSON type that they are for."""

from __future__ import annotations

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
