"""The form of a tournament; only name and format are required."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.models import Tournament, limits
from tournaments.services.tournaments import (
    EARLIEST_TIME,
    EDITABLE_WHILE_RUNNING,
    ENTRY_FIELDS,
    FORMAT_FIELDS,
    LATEST_TIME,
)

from .game_settings_form import GameSettingsForm, build_initial_settings

TournamentFormat = Tournament.Format
FORMAT_CHOICES = [
    (TournamentFormat.KNOCKOUT, lazy("Knock-out")),
    (TournamentFormat.SWISS, lazy("Swiss rounds")),
    (TournamentFormat.ROUND_ROBIN, lazy("Round robin")),
    (TournamentFormat.DOUBLE, lazy("Double elimination")),
]
REASONABLE_DATE_VALIDATORS = [
    MinValueValidator(EARLIEST_TIME, lazy("Not so long ago.")),
    MaxValueValidator(LATEST_TIME, lazy("Nobody waits so long.")),
]
# The fields of each collapsed section.
FIELDS_BY_SECTION = {
    "shape": ("rounds", "laps", "at_once", "advance", "third_place"),
    "games": (
        *("edition", "target", "cards", "timeouts", "vacation"),
        *("blind_allowance", "short_allowance", "short_bank"),
        *("weekends", "nights", "chat", "rated", "private"),
    ),
    "entry": (
        *("opens_at", "closes_at", "when_full", "confirmation", "by_invitation"),
        *("least_rating", "most_rating", "seeding", "late"),
    ),
    "running": ("round_length", "ask", "review"),
}


CLOCK_FIELDS = {"clock", "allowance", "bank"}
DATE_FIELDS = ("opens_at", "closes_at", "starts_at")
FORM_FIELDS_BY_SETTING = {
    "mode": {"seats"},
    "table": {"seats"},
    "clock_name": CLOCK_FIELDS,
    "allowance": CLOCK_FIELDS,
    "bank": CLOCK_FIELDS,
}


class LocalDateTimeField(forms.DateTimeField):
    """A date and time in the user's time zone."""

    def __init__(self, *, required: bool = False, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M")
        super().__init__(required=required, widget=widget, validators=REASONABLE_DATE_VALIDATORS, **options)


class TournamentForm(GameSettingsForm):
    """All settings of a tournament."""

    name = forms.CharField(
        label=lazy("Name"),
        max_length=limits.MAX_TITLE_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    format = forms.ChoiceField(
        label=lazy("How it is played"),
        choices=FORMAT_CHOICES,
        initial=TournamentFormat.KNOCKOUT,
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        label=lazy("What players should know"),
        required=False,
        max_length=limits.MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=lazy("Who it is for, prizes, house rules: plain text, shown on its page."),
    )
    starts_at = LocalDateTimeField(
        label=lazy("Starts"), help_text=lazy("Empty: when you say so. You can start it sooner.")
    )
    capacity = forms.IntegerField(
        label=lazy("Places"),
        required=False,
        **limits.CAPACITY.number_bounds,
        help_text=lazy("Who comes later is put on a waiting list. Empty: room for all."),
    )

    rounds = forms.IntegerField(
        label=lazy("Number of rounds"),
        required=False,
        **limits.ROUND_COUNT.number_bounds,
        help_text=lazy(
            "For Swiss rounds, and for a round robin at tables of three or four. Empty: as many as it takes."
        ),
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
    advance = forms.IntegerField(
        label=lazy("How many go on from a table"),
        required=False,
        initial=1,
        **limits.ADVANCING_COUNT.number_bounds,
        help_text=lazy("For a knock-out at tables of three or four."),
    )
    third_place = forms.BooleanField(
        label=lazy("A match for third place"),
        required=False,
        help_text=lazy("For a knock-out at tables of two."),
    )

    opens_at = LocalDateTimeField(
        label=lazy("Entries open"), help_text=lazy("Empty: as soon as it is published.")
    )
    closes_at = LocalDateTimeField(label=lazy("Entries close"), help_text=lazy("Empty: at the start."))
    when_full = forms.BooleanField(
        label=lazy("Starts as soon as it is full"),
        required=False,
        help_text=lazy("Give a number of places above."),
    )
    confirmation = forms.BooleanField(
        label=lazy("Players confirm that they will be there"),
        required=False,
        help_text=lazy("Who has not confirmed by the start does not play."),
    )
    by_invitation = forms.BooleanField(
        label=lazy("By invitation only"),
        required=False,
        help_text=lazy("You invite people by name once it is made."),
    )
    least_rating = forms.IntegerField(
        label=lazy("Lowest rating"), required=False, **limits.RATING.number_bounds
    )
    most_rating = forms.IntegerField(
        label=lazy("Highest rating"),
        required=False,
        **limits.RATING.number_bounds,
        help_text=lazy("Who begins has 1500. Empty: open to all."),
    )
    seeding = forms.ChoiceField(
        label=lazy("Seeds"),
        required=False,
        initial=Tournament.Seeding.LOT,
        choices=Tournament.Seeding.choices,
        help_text=lazy("Who is strong meets the other strong ones late. You can set seeds by hand, too."),
    )
    late = forms.BooleanField(
        label=lazy("One can enter later"),
        required=False,
        help_text=lazy("For Swiss rounds: who comes after the start plays from the next round on."),
    )

    ask = forms.BooleanField(
        label=lazy("Ask me when something is odd"),
        required=False,
        initial=True,
        help_text=lazy(
            "A bye, somebody absent, a pairing that was played before: the round waits until you say go on."
        ),
    )
    review = forms.BooleanField(
        label=lazy("I look at every round first"),
        required=False,
        help_text=lazy("No round begins before you have seen its pairings."),
    )

    field_order = ("name", "format", "seats", "clock", "starts_at", "capacity", "text")

    def __init__(self, *args: Any, fixed_fields: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field_name in fixed_fields:
            self.fields[field_name].disabled = True

    def clean(self) -> dict[str, Any]:
        """Ignore fields without meaning for the format; check fields that depend on each other."""
        cleaned_data = super().clean() or self.cleaned_data
        self.check_custom_clock()
        for field_name in self.list_unused_fields():
            self.errors.pop(field_name, None)
            cleaned_data[field_name] = self.fields[field_name].initial
        if cleaned_data.get("format") == TournamentFormat.DOUBLE and cleaned_data.get("seats") not in (
            "2",
            "pairs",
            "",
            None,
        ):
            self.add_error("seats", _("Double elimination is played at tables of two."))
        if (
            cleaned_data.get("when_full")
            and not cleaned_data.get("capacity")
            and "capacity" not in self.errors
        ):
            self.add_error("capacity", _("What starts when it is full needs a number of places."))
        self.check_date_order()
        min_rating, max_rating = cleaned_data.get("least_rating"), cleaned_data.get("most_rating")
        if min_rating is not None and max_rating is not None and min_rating > max_rating:
            self.add_error("least_rating", _("The least rating is above the highest."))
        seat_choice = cleaned_data.get("seats")
        if (
            cleaned_data.get("advance")
            and seat_choice in ("3", "4")
            and int(cleaned_data["advance"]) >= int(seat_choice)
        ):
            self.add_error("advance", _("At least one is out at every table."))
        return cleaned_data

    def list_unused_fields(self) -> list[str]:
        """List the fields that have no meaning for the chosen format."""
        chosen_format, seat_choice = self.cleaned_data.get("format"), self.cleaned_data.get("seats")
        is_large_table = seat_choice in ("3", "4")
        used_fields = {
            "rounds": chosen_format == TournamentFormat.SWISS
            or (chosen_format == TournamentFormat.ROUND_ROBIN and is_large_table),
            "laps": chosen_format == TournamentFormat.ROUND_ROBIN and not is_large_table,
            "at_once": chosen_format == TournamentFormat.ROUND_ROBIN,
            "advance": chosen_format == TournamentFormat.KNOCKOUT and is_large_table,
            "third_place": chosen_format == TournamentFormat.KNOCKOUT and not is_large_table,
            "late": chosen_format == TournamentFormat.SWISS,
        }
        return [field_name for field_name, is_used in used_fields.items() if not is_used]

    def check_date_order(self) -> None:
        """Check that entries open before they close, and close before the start unless late entry is on."""
        cleaned_data = self.cleaned_data
        date_pairs = [("opens_at", "closes_at"), ("opens_at", "starts_at"), ("closes_at", "starts_at")]
        for earlier_field, later_field in date_pairs[:2] if cleaned_data.get("late") else date_pairs:
            earlier_date, later_date = cleaned_data.get(earlier_field), cleaned_data.get(later_field)
            if earlier_date and later_date and earlier_date > later_date and later_field not in self.errors:
                self.add_error(later_field, _("Entries open, then they close, then it starts."))

    def build_settings(self) -> dict[str, Any]:
        """Return all settings as keyword arguments of the service."""
        settings = {
            field_name: self.value_or_default(field_name)
            for field_name in ("name", "text", "format", *FORMAT_FIELDS, *ENTRY_FIELDS)
        }
        checkbox_fields = [
            field_name for field_name in settings if isinstance(self.fields[field_name], forms.BooleanField)
        ]
        return (
            settings
            | {field_name: bool(settings[field_name]) for field_name in checkbox_fields}
            | self.build_game_settings()
        )

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

    @property
    def open_sections(self) -> set[str]:
        """The sections that contain a change or an error."""
        return {
            section
            for section, field_names in FIELDS_BY_SECTION.items()
            if any(
                field_name in self.errors or (self.is_bound and field_name in self.changed_data)
                for field_name in field_names
            )
        }


def build_initial_values(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values of the form for a tournament; dates are cut to the minute."""
    values = {
        field_name: getattr(tournament, field_name)
        for field_name in ("name", "text", "format", *FORMAT_FIELDS, *ENTRY_FIELDS)
    }
    truncated_dates = {
        field_name: date.replace(second=0, microsecond=0)
        for field_name in DATE_FIELDS
        if (date := values[field_name])
    }
    return {**values, **truncated_dates, **build_initial_settings(tournament)}


def list_fixed_fields(tournament: Tournament) -> set[str]:
    """Return the fields that are now fixed: nearly all after the start, game settings after entries."""
    game_fields = {*GameSettingsForm.base_fields, "format"} - EDITABLE_WHILE_RUNNING
    if tournament.status == Tournament.Status.RUNNING:
        return set(TournamentForm.base_fields) - EDITABLE_WHILE_RUNNING
    return game_fields if tournament.entrants.exists() else set()
