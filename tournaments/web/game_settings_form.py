"""Base form with the game settings of tournaments and leagues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from common.service_errors import ServiceError
from games import clock, option_text
from games.options import OptionTable, read_options
from games.web.create_game_form import list_seat_choices
from games.web.option_fields import add_form_fields, list_open_sections
from tournaments.models import GameSettings
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.services.game_settings import shorten_time_control

PLAIN_OPTIONS = tuple(name for name, option in GAME_SETTINGS_OPTIONS.items() if option.label)


@add_form_fields(GAME_SETTINGS_OPTIONS)
class GameSettingsForm(forms.Form):
    """The settings that all games of a tournament or league share; subclasses add a table of their own."""

    seats = forms.ChoiceField(
        label=lazy("Players per table"),
        required=False,
        initial="2",
        choices=list_seat_choices,
        help_text=lazy("In pairs, players enter with a partner."),
    )
    vacation = forms.ChoiceField(
        label=lazy("Clocks stop during vacations"),
        required=False,
        initial="",
        choices=[
            ("", option_text.lazy_vacation_default()),
            ("yes", lazy("yes")),
            ("no", lazy("no")),
        ],
    )

    own_options: OptionTable = {}
    sections: Mapping[str, tuple[str, ...]] = {}  # the fields of each collapsed section

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)

    def value_or_default(self, field_name: str) -> Any:
        """Return the chosen value, or the field's initial value if it was left empty."""
        value, default = self.cleaned_data.get(field_name), self.fields[field_name].initial
        return default if value in ("", None) and default is not None else value

    def check_custom_clock(self) -> None:
        """Require both times of a custom clock; ignore them for a preset."""
        field_names = ("allowance", "bank")
        if self.cleaned_data.get("time_control") != "custom":
            for field_name in field_names:
                self.errors.pop(field_name, None)
                self.cleaned_data[field_name] = None
            return
        for field_name in field_names:
            if self.cleaned_data.get(field_name) is None and field_name not in self.errors:
                self.add_error(field_name, _("Enter a time."))

    def clean(self) -> dict[str, Any]:
        """Check a custom clock; ignore fields that have no meaning for the format."""
        cleaned_data = super().clean() or self.cleaned_data
        self.check_custom_clock()
        for field_name in self.list_unused_fields():
            self.errors.pop(field_name, None)
            cleaned_data[field_name] = self.fields[field_name].initial
        return cleaned_data

    def list_unused_fields(self) -> list[str]:
        """List the fields that have no meaning for the chosen format."""
        chosen_format = self.value_or_default("format") if "format" in self.cleaned_data else None
        seat_choice = self.cleaned_data.get("seats") or ""
        table_size = int(seat_choice) if seat_choice.isdecimal() else 2
        return [
            name for name, option in self.own_options.items() if not option.fits(chosen_format, table_size)
        ]

    def build_settings(self) -> dict[str, Any]:
        """Return all settings as keyword arguments of the service."""
        cleaned_data, seat_choice = self.cleaned_data, self.value_or_default("seats")
        is_pairs = seat_choice == "pairs"
        settings = {name: self.value_or_default(name) for name in (*self.own_options, *PLAIN_OPTIONS)}
        return settings | {
            "mode": GameSettings.Mode.PAIRS if is_pairs else GameSettings.Mode.SINGLES,
            "table_size": 2 if is_pairs else int(seat_choice),
            "vacation": {"yes": True, "no": False}.get(cleaned_data["vacation"]),
        }

    @property
    def open_sections(self) -> set[str]:
        """The sections that contain a change or an error."""
        return list_open_sections(self, self.sections)


def add_service_error(form: forms.Form, error: ServiceError) -> None:
    """Add a service error to a form, on the field that it names by its API name if the form has it."""
    api_name = error.extra.get("field", "")
    names = {option.key: name for name, option in (TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS).items()}
    field = names.get(api_name, api_name)
    form.add_error(field if field in form.fields else None, capfirst(str(error)))


def build_initial_settings(game_settings: GameSettings) -> dict[str, Any]:
    """Return stored game settings as initial values; what follows from the clock is left empty."""
    is_custom = game_settings.time_control == "custom"
    rematch_clock = shorten_time_control(clock.TimeControl(game_settings.allowance, game_settings.bank))
    vacation_choice = "yes" if game_settings.vacation else "no"
    rematch_allowance = (
        None
        if game_settings.rematch_allowance == rematch_clock.allowance
        else game_settings.rematch_allowance
    )
    return {
        **read_options(game_settings, PLAIN_OPTIONS),
        "seats": "pairs" if game_settings.mode == GameSettings.Mode.PAIRS else str(game_settings.table_size),
        "allowance": game_settings.allowance if is_custom else None,
        "bank": game_settings.bank if is_custom else None,
        "rematch_allowance": rematch_allowance,
        "rematch_bank": None
        if game_settings.rematch_bank == rematch_clock.bank
        else game_settings.rematch_bank,
        "vacation": ""
        if game_settings.vacation == (game_settings.allowance >= clock.LIVE_ALLOWANCE_SECONDS)
        else vacation_choice,
    }
