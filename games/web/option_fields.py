"""Fields of forms for options: `add_form_fields` gives a form those of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.functional import lazy as lazily
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from common.duration_format import format_duration
from common.field_limits import MOMENT_VALIDATORS
from games import clock
from games.options import Option, OptionTable

FormClass = TypeVar("FormClass", bound=type[forms.Form])
UNIT_CHOICES = [
    (clock.SECONDS_PER_MINUTE, lazy("minutes")),
    (clock.SECONDS_PER_HOUR, lazy("hours")),
    (clock.SECONDS_PER_DAY, lazy("days")),
]

lazy_minimum_text = lazily(
    lambda n: _("At least %(span)s.") % {"span": format_duration(timedelta(seconds=n))}, str
)
lazy_maximum_text = lazily(
    lambda n: _("At most %(span)s.") % {"span": format_duration(timedelta(seconds=n))}, str
)


class LocalDateTimeField(forms.DateTimeField):
    """A date and time in the user's time zone."""

    def __init__(self, *, required: bool = False, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M")
        super().__init__(required=required, widget=widget, validators=MOMENT_VALIDATORS, **options)


class DurationWidget(forms.MultiWidget):
    """A number input and a unit select."""

    use_fieldset = True

    def __init__(self, default_unit: int = clock.SECONDS_PER_HOUR) -> None:
        self.default_unit = default_unit
        number_widget = forms.NumberInput({"min": 0, "aria-label": lazy("Number")})
        unit_widget = forms.Select({"aria-label": lazy("Unit")}, choices=UNIT_CHOICES)
        super().__init__([number_widget, unit_widget])

    def decompress(self, value: int | None) -> list[Any]:
        """Split seconds into the largest unit that gives a whole number."""
        if value is None:
            return [None, self.default_unit]
        unit = next(
            unit
            for unit, _name in reversed(UNIT_CHOICES)
            if value % unit == 0 or unit == clock.SECONDS_PER_MINUTE
        )
        return [value // unit, unit]


class DurationField(forms.MultiValueField):
    """A duration in seconds, None if empty."""

    def __init__(
        self, *, least: int = 0, most: int, default_unit: int = clock.SECONDS_PER_HOUR, **options: Any
    ) -> None:
        number_field = forms.IntegerField(min_value=0, max_value=1_000_000, required=False)
        unit_field = forms.TypedChoiceField(choices=UNIT_CHOICES, coerce=int, required=False)
        super().__init__(
            fields=(number_field, unit_field),
            widget=DurationWidget(default_unit),
            require_all_fields=False,
            required=False,
            validators=[
                MinValueValidator(least, lazy_minimum_text(least)),
                MaxValueValidator(most, lazy_maximum_text(most)),
            ],
            **options,
        )

    def compress(self, values: list[Any]) -> int | None:
        """Return number times unit, None if no number is given."""
        if not values or values[0] is None:
            return None
        return int(values[0]) * int(values[1] or clock.SECONDS_PER_HOUR)


def build_form_field(option: Option) -> forms.Field:
    """Build the field of an option."""
    texts: dict[str, Any] = {
        "label": option.label,
        "help_text": option.help_text,
        "initial": option.initial_value,
    }
    if option.duration_unit:
        return DurationField(**option.limits.duration_bounds, default_unit=option.duration_unit, **texts)
    texts["required"] = option.is_required and option.initial_value is None
    match option.kind:
        case "boolean" if option.choices:
            return forms.TypedChoiceField(
                choices=option.choices, coerce=lambda word: str(word) == "True", empty_value=None, **texts
            )
        case "boolean":
            return forms.BooleanField(**texts)
        case "number" if option.choices:
            return forms.TypedChoiceField(choices=option.choices, coerce=int, empty_value=None, **texts)
        case "number":
            return forms.IntegerField(**option.limits.number_bounds, **texts)
        case "choice":
            return forms.ChoiceField(choices=option.choices or option.column.choices or (), **texts)
        case "moment":
            return LocalDateTimeField(**texts)
        case _:
            is_long = isinstance(option.column, models.TextField)
            widget = forms.Textarea({"rows": 4}) if is_long else forms.TextInput({"autocomplete": "off"})
            return forms.CharField(max_length=option.column.max_length, widget=widget, **texts)


def add_form_fields(*tables: OptionTable) -> Callable[[FormClass], FormClass]:
    """Decorate a form: it gets a field for each option that has a label, after its own fields."""

    def add_fields(form_class: FormClass) -> FormClass:
        form_class.base_fields |= {
            name: build_form_field(option)
            for table in tables
            for name, option in table.items()
            if option.label and name not in form_class.base_fields
        }
        return form_class

    return add_fields


def list_open_sections(form: forms.Form, sections: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the sections that contain a change or an error."""

    def is_touched(field_names: Iterable[str]) -> bool:
        return any(
            name in form.errors or (form.is_bound and name in form.changed_data) for name in field_names
        )

    return {section for section, field_names in sections.items() if is_touched(field_names)}
