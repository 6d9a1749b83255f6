"""The form of a tournament; only name and format are required."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.functional import lazy as lazy_text
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.options import group_by_section, read_options
from games.web.option_fields import add_form_fields
from tournaments.models import Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.selectors.tournaments import list_fixed_options
from tournaments.services.option_conflicts import iter_option_conflicts

from .game_settings_form import GameSettingsForm, build_initial_settings

TournamentFormat = Tournament.Format
lazy_capfirst = lazy_text(capfirst, str)
FORMAT_CHOICES = [
    (format_choice, lazy_capfirst(format_choice.label))
    for format_choice in (
        TournamentFormat.KNOCKOUT,
        TournamentFormat.SWISS,
        TournamentFormat.ROUND_ROBIN,
        TournamentFormat.DOUBLE,
    )
]
TIME_CONTROL_FIELDS = {"time_control", "allowance", "bank"}
DATE_FIELDS = ("opens_at", "closes_at", "starts_at")
FORM_FIELDS_BY_SETTING = {
    "mode": {"seats"},
    "table_size": {"seats"},
    "time_control": TIME_CONTROL_FIELDS,
    "allowance": TIME_CONTROL_FIELDS,
    "bank": TIME_CONTROL_FIELDS,
}


@add_form_fields(TOURNAMENT_OPTIONS)
class TournamentForm(GameSettingsForm):
    """All settings of a tournament."""

    format = forms.ChoiceField(
        label=lazy("How it is played"),
        choices=FORMAT_CHOICES,
        initial=TournamentFormat.KNOCKOUT,
        widget=forms.RadioSelect,
    )

    own_options = TOURNAMENT_OPTIONS
    sections = group_by_section(TOURNAMENT_OPTIONS, GAME_SETTINGS_OPTIONS)
    field_order = ("name", "format", "seats", "time_control", "starts_at", "capacity", "text")

    def __init__(self, *args: Any, fixed_fields: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field_name in fixed_fields:
            self.fields[field_name].disabled = True

    def clean(self) -> dict[str, Any]:
        """Check fields that depend on each other."""
        cleaned_data = super().clean()
        for field_name, message in iter_option_conflicts(self.build_conflict_values()):
            if field_name not in self.errors:
                self.add_error("seats" if field_name == "table_size" else field_name, message)
        seat_choice = cleaned_data.get("seats")
        if (
            cleaned_data.get("advancing_count")
            and seat_choice in ("3", "4")
            and int(cleaned_data["advancing_count"]) >= int(seat_choice)
        ):
            self.add_error(
                "advancing_count", _("At least one player of every table must be out. Let fewer advance.")
            )
        return cleaned_data

    def build_conflict_values(self) -> dict[str, Any]:
        """Return the values that may contradict each other; options that do not fit are left out."""
        cleaned_data = self.cleaned_data
        seat_choice = cleaned_data.get("seats")
        table_size = int(seat_choice) if seat_choice and seat_choice.isdigit() else 2
        return {
            name: value
            for name, value in cleaned_data.items()
            if name not in TOURNAMENT_OPTIONS
            or TOURNAMENT_OPTIONS[name].fits(cleaned_data.get("format"), table_size)
        } | {"table_size": table_size}

    def build_changes(self) -> dict[str, Any]:
        """Return only the changed settings."""
        changed_fields = set(self.changed_data)
        if changed_fields & {"format", "seats"}:
            changed_fields.update(self.list_unused_fields())
        return {
            setting: value
            for setting, value in self.build_settings().items()
            if FORM_FIELDS_BY_SETTING.get(setting, {setting}) & changed_fields
        }


def build_initial_values(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values of the form for a tournament; dates are cut to the minute."""
    values = read_options(tournament, TOURNAMENT_OPTIONS)
    truncated_dates = {
        field_name: date.replace(second=0, microsecond=0)
        for field_name in DATE_FIELDS
        if (date := values[field_name])
    }
    return {**values, **truncated_dates, **build_initial_settings(tournament)}


def list_fixed_fields(tournament: Tournament) -> set[str]:
    """Return the fields of the options that cannot change now."""
    field_names = set(list_fixed_options(tournament))
    if "table_size" in field_names:
        field_names.add("seats")
    return field_names & TournamentForm.base_fields.keys()
