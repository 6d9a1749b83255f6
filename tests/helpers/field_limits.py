"""Limits of fields in models, forms and the API."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from rest_framework import serializers

Found = dict[str, Any]


def limits_of(field: Any) -> Found:
    """Return the least and greatest value and the maximum length of a form, serializer or model field."""
    limits: Found = {}
    if (length := getattr(field, "max_length", None)) is not None:
        limits["longest"] = length
    for validator in field.validators:
        for kind, name in ((MinValueValidator, "least"), (MaxValueValidator, "most")):
            if type(validator) is kind:
                limit = validator.limit_value
                limits[name] = limit() if callable(limit) else limit
    return limits


def own_limits(model: type[models.Model], name: str) -> Found | None:
    """Return the limits of a model's field without those of its type; None if there is no such field."""
    field = next((field for field in model._meta.get_fields() if field.name == name), None)
    if field is None:
        return None
    limits = limits_of(field)
    if isinstance(field, models.IntegerField):
        own = [validator.limit_value for validator in field._validators]  # type: ignore[attr-defined]
        limits = {key: value for key, value in limits.items() if value in own}
    return limits


def api_fields(serializer: type[serializers.Serializer]) -> dict[str, Any]:
    """Return the fields of a serializer by their names in services and models."""
    return {str(field.source): field for field in serializer().fields.values()}


def numbers(serializer: type[serializers.Serializer]) -> list[tuple[str, int, int]]:
    return [
        (name, limits["least"], limits["most"])
        for name, field in api_fields(serializer).items()
        if {"least", "most"} <= (limits := limits_of(field)).keys() and isinstance(limits["most"], int)
    ]
