"""The form of a league; only the name is required."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as lazy

from games import clock
from tournaments.models import League, limits
from tournaments.selectors.league_read_models import FORMAT_FIELDS

from .game_settings_form import DurationField, GameSettingsForm, build_initial_settings

# The fields of each collapsed section.
FIELDS_BY_SECTION = {
    "shape": ("groups", "rounds", "laps", "at_once", "round_length", "pause", "seasons"),
    "games": (
        *("allowance", "bank", "edition", "target", "cards", "timeouts", "vacation"),
        *("blind_allowance", "weekends", "nights", "chat", "rated", "private"),
    ),
}
FORMAT_CHOICES = [
    (League.Format.ROUND_ROBIN, lazy("Round robin")),
    (League.Format.SWISS, lazy("Swiss rounds")),
]


class LeagueForm(GameSettingsForm):
    """All settings of a league."""

    name = forms.CharField(
        label=lazy("Name"),
        max_length=limits.MAX_TITLE_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    text = forms.CharField(
        label=lazy("What players should know"),
        required=False,
        max_length=limits.MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=lazy("Who it is for, prizes, house rules: plain text, shown on its page."),
    )
    size = forms.IntegerField(
        label=lazy("Places in a division"),
        required=False,
        initial=8,
        **limits.DIVISION_SIZE.number_bounds,
        help_text=lazy("With eight, everybody plays seven games in a season."),
    )
    moves = forms.IntegerField(
        label=lazy("How many go up, and down"),
        required=False,
        initial=2,
        **limits.PROMOTION_COUNT.number_bounds,
        help_text=lazy("After each season, between neighbouring divisions."),
    )
    newcomers = forms.ChoiceField(
        label=lazy("Where new players begin"),
        required=False,
        initial=League.NewcomerPolicy.BOTTOM,
        choices=League.NewcomerPolicy.choices,
    )
    format = forms.ChoiceField(
        label=lazy("How a season is played"),
        required=False,
        initial=League.Format.ROUND_ROBIN,
        choices=FORMAT_CHOICES,
        help_text=lazy("In a round robin everybody meets everybody else of their division."),
    )
    rounds = forms.IntegerField(
        label=lazy("Number of rounds"),
        required=False,
        **limits.ROUND_COUNT.number_bounds,
        help_text=lazy("For Swiss rounds. Empty: as many as it takes."),
    )
    groups = forms.IntegerField(
        label=lazy("Groups in a division"),
        required=False,
        initial=1,
        **limits.GROUPS_PER_DIVISION.number_bounds,
        help_text=lazy("With more than one, groups play apart and are ranked together."),
    )
    laps = forms.IntegerField(
        label=lazy("How often two players meet"),
        required=False,
        initial=1,
        **limits.CYCLES.number_bounds,
        help_text=lazy("For a round robin at tables of two."),
    )
    at_once = forms.BooleanField(
        label=lazy("All rounds begin at once"),
        required=False,
        help_text=lazy("For a round robin: everybody plays all their games side by side."),
    )
    pause = DurationField(
        label=lazy("Pause between two seasons"),
        **limits.SEASON_PAUSE.duration_bounds,
        initial=3 * clock.SECONDS_PER_DAY,
        help_text=lazy("Time to breathe, to leave and to come in. Empty: the next season begins at once."),
    )
    seasons = forms.IntegerField(
        label=lazy("Number of seasons"),
        required=False,
        **limits.SEASON_LIMIT.number_bounds,
        help_text=lazy("Empty: season after season, until you close the league."),
    )

    field_order = ("name", "text", "size", "moves", "seats", "clock", "format", "newcomers")

    def clean(self) -> dict[str, Any]:
        """Check a custom clock; ignore fields that have no meaning for the format."""
        cleaned_data = super().clean() or self.cleaned_data
        self.check_custom_clock()
        is_swiss, is_large_table = (
            self.value_or_none("format") == League.Format.SWISS,
            cleaned_data.get("seats") in ("3", "4"),
        )
        unused_fields = ["laps", "at_once"] if is_swiss else ["rounds", *(["laps"] if is_large_table else [])]
        for field_name in unused_fields:
            self.errors.pop(field_name, None)
            cleaned_data[field_name] = self.fields[field_name].initial
        return cleaned_data

    def value_or_none(self, field_name: str) -> Any:
        """Return the chosen value, None if it is invalid."""
        return self.value_or_default(field_name) if field_name in self.cleaned_data else None

    def build_settings(self) -> dict[str, Any]:
        """Return all settings as keyword arguments of the service."""
        cleaned_data = self.cleaned_data
        format_settings = {field_name: self.value_or_default(field_name) for field_name in FORMAT_FIELDS}
        format_settings |= {"at_once": bool(cleaned_data["at_once"]), "pause": cleaned_data["pause"] or 0}
        return {
            "name": cleaned_data["name"],
            "text": cleaned_data["text"],
            **format_settings,
            **self.build_game_settings(),
        }

    def open_sections(self) -> set[str]:
        """Return the sections that contain a change or an error."""
        return {
            section
            for section, field_names in FIELDS_BY_SECTION.items()
            if any(
                field_name in self.errors or (self.is_bound and field_name in self.changed_data)
                for field_name in field_names
            )
        }


def build_initial_values(league: League) -> dict[str, Any]:
    """Return the initial values of the form for a league."""
    return {
        **{field_name: getattr(league, field_name) for field_name in ("name", "text", *FORMAT_FIELDS)},
        **build_initial_settings(league),
    }
