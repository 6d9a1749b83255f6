"""Serializers that document read models in the OpenAPI document, built from the types of their fields."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, TypeGuard, get_args, get_origin, get_type_hints

from rest_framework import serializers

from .read_models import Url

FIELD_CLASSES: dict[Any, type[serializers.Field]] = {
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    float: serializers.FloatField,
    int: serializers.IntegerField,
    str: serializers.CharField,
    Url: serializers.URLField,
}


@cache  # one entry for each read model; a document may not have two classes of one name
def build_serializer(read_model: type) -> type[serializers.Serializer]:
    """Build the serializer that documents a read model. Raises KeyError for a type without a field class."""
    hints = get_type_hints(read_model, include_extras=True)
    serializer_fields: dict[str, Any] = {}
    inline_hints: dict[str, Any] = {}
    for field in fields(read_model):
        options = dict(field.metadata)
        if "inline" in options:
            inline_hints |= options["inline"]
            continue
        key = options.pop("key", field.name)
        serializer_fields[key] = build_serializer_field(hints[field.name], **options)
    for key, hint in inline_hints.items():
        serializer_fields.setdefault(key, build_serializer_field(hint))
    name = f"{read_model.__name__.removesuffix('Data')}Serializer"
    namespace = serializer_fields | {"__doc__": read_model.__doc__, "__module__": read_model.__module__}
    return type(serializers.Serializer)(name, (serializers.Serializer,), namespace)


def is_read_model(hint: Any) -> TypeGuard[type]:
    """Return whether a type hint is a read model."""
    return isinstance(hint, type) and is_dataclass(hint)


def build_serializer_field(hint: Any, **options: Any) -> serializers.Field:
    """Build the serializer field of a type: plain, enum, read model, list or dict of these, or None."""
    if get_origin(hint) is Annotated:
        hint, options["help_text"] = get_args(hint)
        return build_serializer_field(hint, **options)
    arguments: tuple[Any, ...] = get_args(hint)
    if NoneType in arguments:
        (hint,) = (argument for argument in arguments if argument is not NoneType)
        return build_serializer_field(hint, allow_null=True, **options)
    if get_origin(hint) in (list, tuple):
        if is_read_model(arguments[0]):
            return build_serializer(arguments[0])(many=True, **options)
        return serializers.ListField(child=build_serializer_field(arguments[0]), **options)
    if get_origin(hint) is dict:
        if arguments[1] is Any:
            return serializers.DictField(**options)
        return serializers.DictField(child=build_serializer_field(arguments[1]), **options)
    if get_origin(hint) is Literal:
        return serializers.ChoiceField(list(arguments), **options)
    if is_read_model(hint):
        return build_serializer(hint)(**options)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return serializers.ChoiceField([member.value for member in hint], **options)
    return FIELD_CLASSES[hint](**options)
