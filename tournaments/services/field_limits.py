"""Validation of single fields of a tournament or league by the validators of its model."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import FieldDoesNotExist, ValidationError

from games.services.errors import Invalid
from tournaments.models import League, Tournament


def check_field_limits(instance: Tournament | League, field_names: Iterable[str]) -> None:
    """Raise Invalid on the first of the named fields whose value its model validators refuse."""
    for field_name in field_names:
        try:
            validators = type(instance)._meta.get_field(field_name).validators  # type: ignore[union-attr]
        except FieldDoesNotExist:
            continue
        value = getattr(instance, field_name)
        for validate in validators if value is not None else ():
            try:
                validate(value)
            except ValidationError as error:
                raise Invalid(f"{field_name}: {error.messages[0]}") from None
