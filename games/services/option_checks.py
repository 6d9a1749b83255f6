"""Validation of options by their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from common.service_errors import Invalid
from games.options import OptionTable


def check_options(table: OptionTable, values: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise Invalid on the first named option whose value is none of its choices or beyond its limits."""
    for option in (table[name] for name in names):
        value, allowed_values = values[option.name], option.allowed_values
        if allowed_values and value not in allowed_values:
            words = ", ".join(allowed_values)
            message = _("%(name)s must be one of %(words)s") % {"name": option.key, "words": words}
            raise Invalid(message, field=option.key)
        try:
            option.column.run_validators(value)
        except ValidationError as error:
            raise Invalid(f"{option.key}: {error.messages[0]}", field=option.key) from None
