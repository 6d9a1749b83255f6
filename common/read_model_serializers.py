"""Serializers that document read models in the OpenAPI document, built from the types of their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, time
from enum import Enum
from functools import cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeGuard,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from .api.strict_fields import HourOfDayField
from .instants import Instant
from .read_models import EmailAddress, OneOf, Url

FIELD_CLASSES: dict[Any, type[serializers.Field]] = {
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    float: serializers.FloatField,
    int: serializers.IntegerField,
    str: serializers.CharField,
    time: HourOfDayField,
    EmailAddress: serializers.EmailField,
    Instant: serializers.DateTimeField,
    Url: serializers.URLField,
}
CLASSES_OF_FORMATS = {"date-time": Instant}  # for read models of packages that import nothing


@cache  # one entry for each read model; a document may not have two classes of one name
def build_serializer(read_model: type) -> type[serializers.Serializer]:
    """Build the serializer that documents a read model. Raises KeyError for a type without a field class."""
    hints = get_type_hints(read_model, include_extras=True)
    serializer_fields: dict[str, Any] = {}
    inline_hints: dict[str, Any] = {}
    options: dict[str, Any]
    if is_typeddict(read_model):
        optional_keys: frozenset[str] = vars(read_model)["__optional_keys__"]
        for key, hint in hints.items():
            options = {"required": False} if key in optional_keys else {}
            serializer_fields[key] = build_serializer_field(hint, **options)
    else:
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
    return is_typeddict(hint) or (isinstance(hint, type) and is_dataclass(hint))


def build_serializer_field(hint: Any, **options: Any) -> serializers.Field:
    """Build the serializer field of a type hint.

    It is a plain type, an enum, a read model, or a list or dict of these; it may be None, or in a TypedDict
    `NotRequired`.
    """
    if get_origin(hint) is NotRequired:
        return build_serializer_field(*get_args(hint), **options | {"required": False})
    if get_origin(hint) is Annotated:
        hint, note, *formats = get_args(hint)
        if isinstance(note, OneOf):
            return build_union_field(get_args(hint), note)(**options)
        hint = CLASSES_OF_FORMATS[formats[0]] if formats else hint
        return build_serializer_field(hint, **options | {"help_text": note})
    arguments: tuple[Any, ...] = get_args(hint)
    if NoneType in arguments:
        (hint,) = (argument for argument in arguments if argument is not NoneType)
        return build_serializer_field(hint, allow_null=True, **options)
    if get_origin(hint) in (list, tuple):
        if is_read_model(arguments[0]):
            return build_serializer(arguments[0])(many=True, **options)
        return serializers.ListField(child=build_serializer_field(arguments[0]), **options)
    if get_origin(hint) in (dict, Mapping):
        if arguments[1] is Any:
            return serializers.DictField(**options)
        return serializers.DictField(child=build_serializer_field(arguments[1]), **options)
    if "choices" in options:
        return serializers.ChoiceField(**options)
    if get_origin(hint) is Literal:
        return serializers.ChoiceField(list(arguments), **options)
    if is_read_model(hint):
        return build_serializer(hint)(**options)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return serializers.ChoiceField(list_choices(hint), **options)
    return FIELD_CLASSES[hint](**options)


@cache  # one entry for each union
def build_union_field(read_models: tuple[type, ...], union: OneOf) -> type[serializers.Field]:
    """Build the field class that documents a union of read models, told apart by the values of a key."""
    return extend_schema_field(build_union_serializer(read_models, union))(
        type(f"{union.name}Field", (serializers.Field,), {})
    )


def build_union_serializer(read_models: Iterable[type], union: OneOf) -> PolymorphicProxySerializer:
    """Build the serializer that documents a union of read models."""
    serializers_by_value = {
        value: build_serializer(read_model)
        for read_model in read_models
        for value in find_literal_values(read_model, union.key)
    }
    return PolymorphicProxySerializer(
        component_name=union.name, serializers=serializers_by_value, resource_type_field_name=union.key
    )


def find_literal_values(read_model: type, key: str) -> tuple[Any, ...]:
    """Return the values that a key of a read model may have. Raises KeyError if it is no Literal."""
    hint = get_type_hints(read_model)[key]
    if get_origin(hint) is not Literal:
        raise KeyError(f"{read_model.__name__}.{key}")
    return get_args(hint)


def list_choices(enum: type[Enum]) -> list[Any]:
    """Return the values of an enum, with their labels if it has labels."""
    labelled_values: list[Any] | None = getattr(enum, "choices", None)
    return labelled_values or [member.value for member in enum]


def find_help_text(read_model: type, name: str) -> str:
    """Return the help text of a field, for a request that changes it. Raises KeyError if it has none."""
    help_text = build_serializer(read_model)._declared_fields[name].help_text
    if not help_text:
        raise KeyError(name)
    return str(help_text)
