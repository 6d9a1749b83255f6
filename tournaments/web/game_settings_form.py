"""Base form with the game settings of tournaments and leagues."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.functional import lazy as lazily
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import clock, rule_text
from games.duration_format import format_duration
from games.engine import DEFAULT_EDITION, list_edition_names, load_edition
from games.models import Game
from games.services.errors import ServiceError
from games.web import settings_text
from games.web.create_game_form import clock_choices, seat_choices
from tournaments.models import GameSettings, limits
from tournaments.services.game_settings import shorten_time_control
from tournaments.text import rules

DAY_SECONDS = clock.SECONDS_PER_DAY
UNIT_CHOICES = [
    (clock.SECONDS_PER_MINUTE, lazy("minutes")),
    (clock.SECONDS_PER_HOUR, lazy("hours")),
    (clock.SECONDS_PER_DAY, lazy("days")),
]
OPTION_FIELDS = ("edition", "target", "cards", "timeouts", "weekends", "nights")
GAME_FIELDS = (*OPTION_FIELDS, "chat", "rated", "private")  # fields named like the parameters of the service


lazy_minimum_text = lazily(
    lambda n: _("At least %(span)s.") % {"span": format_duration(timedelta(seconds=n))}, str
)
lazy_maximum_text = lazily(
    lambda n: _("At most %(span)s.") % {"span": format_duration(timedelta(seconds=n))}, str
)


class DurationWidget(forms.MultiWidget):
    """A number input and a unit select."""

    use_fieldset = True

    def __init__(self, default_unit: int = clock.SECONDS_PER_HOUR) -> None:
        self.default_unit = default_unit
        number_widget = forms.NumberInput({"min": 0, "aria-label": lazy("How many")})
        unit_widget = forms.Select({"aria-label": lazy("Minutes, hours or days")}, choices=UNIT_CHOICES)
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


def list_clock_choices() -> list[tuple[str, str]]:
    """Return the clock presets and the custom clock as choices."""
    return [*clock_choices(), ("custom", _("another time"))]


class GameSettingsForm(forms.Form):
    """The settings that all games of a tournament or league share."""

    seats = forms.ChoiceField(
        label=lazy("Who sits at a table"),
        required=False,
        initial="2",
        choices=seat_choices,
        help_text=lazy("In pairs one enters with a partner."),
    )
    clock = forms.ChoiceField(
        label=lazy("Time for each turn"),
        required=False,
        initial=clock.DEFAULT_PRESET,
        choices=list_clock_choices,
        help_text=lazy("Who takes longer uses up the reserve, which is there once for the whole game."),
    )
    allowance = DurationField(label=lazy("Time for each turn"), **limits.ALLOWANCE.duration_bounds)
    bank = DurationField(
        label=lazy("In reserve, for the whole game"), default_unit=DAY_SECONDS, **limits.BANK.duration_bounds
    )
    edition = forms.ChoiceField(
        label=lazy("Rulebook"),
        required=False,
        initial=DEFAULT_EDITION,
        choices=lambda: [(name, load_edition(name).title) for name in list_edition_names()],
        help_text=lazy("The boxes differ in a few rules; the tiles are the same."),
    )
    target = forms.IntegerField(
        label=lazy("Points to play for"),
        required=False,
        initial=settings_text.DEFAULT_TARGET_POINTS,
        **limits.TARGET_SCORE.number_bounds,
        help_text=lazy("24 by the book. With 8 a game is often over after one match."),
    )
    cards = forms.BooleanField(label=lazy("With secret cards"), required=False, initial=True)
    blind_allowance = DurationField(
        label=lazy("Time for a turn of a blind match"),
        **limits.ALLOWANCE.duration_bounds,
        help_text=rule_text.lazy_blind_default(),
    )
    short_allowance = DurationField(
        label=lazy("Time for a turn of a rematch"),
        **limits.ALLOWANCE.duration_bounds,
        help_text=rules.lazy_rematch_allowance_default(),
    )
    short_bank = DurationField(
        label=lazy("In reserve, for a rematch"),
        **limits.BANK.duration_bounds,
        help_text=rules.lazy_rematch_bank_default(),
    )
    timeouts = forms.ChoiceField(
        label=lazy("If time runs out"),
        required=False,
        initial=Game.TimeoutPolicy.AUTOPLAY,
        choices=rule_text.list_timeout_choices,
    )
    vacation = forms.ChoiceField(
        label=lazy("Clocks rest while a player is on vacation"),
        required=False,
        initial="",
        choices=[
            ("", rule_text.lazy_vacation_default()),
            ("yes", lazy("yes")),
            ("no", lazy("no")),
        ],
    )
    weekends = forms.BooleanField(label=lazy("Clocks rest at the weekend"), required=False)
    nights = forms.BooleanField(
        label=lazy("Clocks rest at night"),
        required=False,
        help_text=rule_text.lazy_nights(),
    )
    chat = forms.BooleanField(label=lazy("Players can talk at the table"), required=False, initial=True)
    rated = forms.BooleanField(
        label=lazy("Rated"), required=False, initial=True, help_text=lazy("The games count for ratings.")
    )
    private = forms.BooleanField(
        label=lazy("Private games"),
        required=False,
        help_text=lazy("Only those at a table see its game; results are public all the same."),
    )
    round_length = DurationField(
        label=lazy("A round lasts at most"),
        **limits.ROUND_LENGTH.duration_bounds,
        default_unit=DAY_SECONDS,
        help_text=lazy(
            "What is still played then is decided by the points on the table, and the next round can begin. "
            "Empty: games are played to their end, however long it takes."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)

    def value_or_default(self, field_name: str) -> Any:
        """Return the chosen value, or the field's initial value if it was left empty."""
        value, default = self.cleaned_data.get(field_name), self.fields[field_name].initial
        return default if value in ("", None) and default is not None else value

    def check_custom_clock(self) -> None:
        """Require both times of a custom clock; ignore them for a preset."""
        field_names = ("allowance", "bank")
        if self.cleaned_data.get("clock") != "custom":
            for field_name in field_names:
                self.errors.pop(field_name, None)
                self.cleaned_data[field_name] = None
            return
        for field_name in field_names:
            if self.cleaned_data.get(field_name) is None and field_name not in self.errors:
                self.add_error(field_name, _("Say how long."))

    def build_game_settings(self) -> dict[str, Any]:
        """Return the game settings as keyword arguments of the service."""
        cleaned_data, seat_choice = self.cleaned_data, self.value_or_default("seats")
        is_pairs = seat_choice == "pairs"
        return {
            "mode": GameSettings.Mode.PAIRS if is_pairs else GameSettings.Mode.SINGLES,
            "table": 2 if is_pairs else int(seat_choice),
            "clock_name": self.value_or_default("clock"),
            "vacation": {"yes": True, "no": False}.get(cleaned_data["vacation"]),
            **{field_name: self.value_or_default(field_name) for field_name in GAME_FIELDS},
            **{field_name: cleaned_data[field_name] for field_name in DURATION_FIELDS},
        }


def add_service_error(form: forms.Form, error: ServiceError) -> None:
    """Add a service error to a form, on the field that it names if the form has it."""
    field = error.extra.get("field")
    form.add_error(field if field in form.fields else None, capfirst(str(error)))


DURATION_FIELDS = ("allowance", "bank", "blind_allowance", "short_allowance", "short_bank", "round_length")


def build_initial_settings(game_settings: GameSettings) -> dict[str, Any]:
    """Return stored game settings as initial values; what follows from the clock is left empty."""
    is_custom = game_settings.clock == "custom"
    rematch_clock = shorten_time_control(clock.TimeControl(game_settings.allowance, game_settings.bank))
    vacation_choice = "yes" if game_settings.vacation else "no"
    rematch_allowance = (
        None if game_settings.short_allowance == rematch_clock.allowance else game_settings.short_allowance
    )
    return {
        **{field_name: getattr(game_settings, field_name) for field_name in (*GAME_FIELDS, *DURATION_FIELDS)},
        "seats": "pairs" if game_settings.mode == GameSettings.Mode.PAIRS else str(game_settings.table),
        "clock": game_settings.clock,
        "allowance": game_settings.allowance if is_custom else None,
        "bank": game_settings.bank if is_custom else None,
        "short_allowance": rematch_allowance,
        "short_bank": None if game_settings.short_bank == rematch_clock.bank else game_settings.short_bank,
        "vacation": ""
        if game_settings.vacation == (game_settings.allowance >= clock.LIVE_ALLOWANCE_SECONDS)
        else vacation_choice,
    }
