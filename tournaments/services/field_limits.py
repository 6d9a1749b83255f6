"""Holds the fields of an event or a league to the limits that its model, the forms and the API share."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import FieldDoesNotExist, ValidationError

from games.services.errors import Invalid
from tournaments.models import Event, League


def check_field_limits(laid_down: Event | League, names: Iterable[str]) -> None:
    """Raise Invalid on the first of these fields whose value its model does not allow."""
    for name in names:
        try:
            validators = type(laid_down)._meta.get_field(name).validators  # type: ignore[union-attr]
        except FieldDoesNotExist:
            continue
        value = getattr(laid_down, name)
        for validate in validators if value is not None else ():
            try:
                validate(value)
            except ValidationError as error:
                raise Invalid(f"{name}: {error.messages[0]}") from None
