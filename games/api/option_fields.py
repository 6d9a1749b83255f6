"""Fields of serializers for options: a request gets those of a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any, TypeVar

from django.db.models import NOT_PROVIDED
from rest_framework import serializers

from common.api.strict_fields import StrictBooleanField, StrictCharField, StrictIntegerField
from common.field_limits import MOMENT_VALIDATORS
from games.options import Option, OptionTable

SerializerClass = TypeVar("SerializerClass", bound=type[serializers.Serializer])


class UtcDateTimeField(serializers.DateTimeField):
    """A date and time, in UTC if it has no zone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, validators=MOMENT_VALIDATORS, **kwargs)


def build_request_field(option: Option) -> serializers.Field:
    """Build the field by which a request chooses an option."""
    rules: dict[str, Any] = {
        "required": option.is_required,
        "help_text": option.api_help or option.label or None,
    }
    if option.default_value is not NOT_PROVIDED:
        rules["default"] = option.default_value
        del rules["required"]
    if option.column.null or option.default_value is None:
        rules["allow_null"] = True
    if option.api_name:
        rules["source"] = option.name
    match option.kind:
        case "boolean":
            return StrictBooleanField(**rules)
        case "number" | "duration":
            return StrictIntegerField(**option.limits.number_bounds, **rules)
        case "choice":
            if option.api_error:
                rules["error_messages"] = {"invalid_choice": option.api_error}
            choices = option.column.choices if option.has_api_labels else option.allowed_values
            return serializers.ChoiceField(choices, **rules)
        case "moment":
            return UtcDateTimeField(**rules)
        case "text":
            return StrictCharField(
                max_length=option.column.max_length, allow_blank=option.column.blank, **rules
            )


def add_request_fields(table: OptionTable) -> Callable[[SerializerClass], SerializerClass]:
    """Decorate the serializer of a request: it gets a field for each option, after its own fields."""
    return add_fields({option.key: build_request_field(option) for option in table.values()})


def add_fields(new_fields: dict[str, serializers.Field]) -> Callable[[SerializerClass], SerializerClass]:
    """Decorate a serializer: it gets the fields that it has not yet, after its own."""

    def add_to(serializer_class: SerializerClass) -> SerializerClass:
        own_fields: dict[str, serializers.Field] = serializer_class._declared_fields
        serializer_class._declared_fields = own_fields | {
            name: field for name, field in new_fields.items() if name not in own_fields
        }
        return serializer_class

    return add_to
