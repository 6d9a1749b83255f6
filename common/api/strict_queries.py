"""Query parameters that an operation does not know are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from .serializers import MAX_FIELD_NAME_LENGTH, MAX_REPORTED_FIELDS


def check_query_names(request: Request, known_names: Collection[str]) -> None:
    """Raise ValidationError for query parameters that are unknown, or that are there twice."""
    if not request.META.get("QUERY_STRING"):
        return
    errors: dict[str, list[str]] = {}
    for name, values in request.query_params.lists():
        if name not in known_names:
            errors[name[:MAX_FIELD_NAME_LENGTH]] = [_("Unknown query parameter. Check its name.")]
        elif len(values) > 1:
            errors[name] = [_("Send this query parameter only once.")]
        if len(errors) >= MAX_REPORTED_FIELDS:
            break
    if errors:
        raise serializers.ValidationError(errors)


def refuse_unknown_parameters(method: Callable[..., Any], known_names: Collection[str]) -> Callable[..., Any]:
    """Return a view method that first refuses query parameters other than the known ones."""

    @wraps(method)
    def wrapper(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Check the names, then call the method. Raises ValidationError."""
        check_query_names(request, known_names)
        return method(view, request, *args, **kwargs)

    return wrapper
