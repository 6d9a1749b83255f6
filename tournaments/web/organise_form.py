"""The form of a tournament: a newcomer gives it a name and a format; the rest has its usual values."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.models import Event, limits
from tournaments.services.events import EARLIEST, ENTRY, LATEST, SHAPE, WHILE_RUNNING

from .terms_form import TermsForm, chosen

F = Event.Format
FORMATS = [
    (F.KNOCKOUT, lazy("Knock-out")),
    (F.SWISS, lazy("Swiss rounds")),
    (F.ROUND_ROBIN, lazy("Round robin")),
    (F.DOUBLE, lazy("Double elimination")),
]
REASONABLE = [
    MinValueValidator(EARLIEST, lazy("Not so long ago.")),
    MaxValueValidator(LATEST, lazy("Nobody waits so long.")),
]
# What is folded away, by the name of its fold.
FOLDS = {
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


CLOCK = {"clock", "allowance", "bank"}
TIMES = ("opens_at", "closes_at", "starts_at")
SOURCES = {"mode": {"seats"}, "table": {"seats"}, "clock_name": CLOCK, "allowance": CLOCK, "bank": CLOCK}


class TimeField(forms.DateTimeField):
    """A day and an hour in the zone of whoever fills the form in."""

    def __init__(self, *, required: bool = False, **more: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M")
        super().__init__(required=required, widget=widget, validators=REASONABLE, **more)


class TournamentForm(TermsForm):
    """All that an organiser chooses."""

    name = forms.CharField(
        label=lazy("Name"),
        max_length=limits.MAX_TITLE_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    format = forms.ChoiceField(
        label=lazy("How it is played"), choices=FORMATS, initial=F.KNOCKOUT, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=lazy("What players should know"),
        required=False,
        max_length=limits.MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=lazy("Who it is for, prizes, house rules: plain text, shown on its page."),
    )
    starts_at = TimeField(
        label=lazy("Starts"), help_text=lazy("Empty: when you say so. You can start it sooner.")
    )
    capacity = forms.IntegerField(
        label=lazy("Places"),
        required=False,
        **limits.PLACES.bounds,
        help_text=lazy("Who comes later is put on a waiting list. Empty: room for all."),
    )

    rounds = forms.IntegerField(
        label=lazy("Number of rounds"),
        required=False,
        **limits.ROUNDS.bounds,
        help_text=lazy(
            "For Swiss rounds, and for a round robin at tables of three or four. Empty: as many as it takes."
        ),
    )
    laps = forms.IntegerField(
        label=lazy("How often two players meet"),
        required=False,
        initial=1,
        **limits.LAPS.bounds,
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
        **limits.ADVANCE.bounds,
        help_text=lazy("For a knock-out at tables of three or four."),
    )
    third_place = forms.BooleanField(
        label=lazy("A match for third place"),
        required=False,
        help_text=lazy("For a knock-out at tables of two."),
    )

    opens_at = TimeField(label=lazy("Entries open"), help_text=lazy("Empty: as soon as it is published."))
    closes_at = TimeField(label=lazy("Entries close"), help_text=lazy("Empty: at the start."))
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
    least_rating = forms.IntegerField(label=lazy("Lowest rating"), required=False, **limits.RATING.bounds)
    most_rating = forms.IntegerField(
        label=lazy("Highest rating"),
        required=False,
        **limits.RATING.bounds,
        help_text=lazy("Who begins has 1500. Empty: open to all."),
    )
    seeding = forms.ChoiceField(
        label=lazy("Seeds"),
        required=False,
        initial=Event.Seeding.LOT,
        choices=Event.Seeding.choices,
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

    def __init__(self, *args: Any, fixed: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in fixed:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        """What does nothing for the format is in nobody's way; what belongs together fits together."""
        found = super().clean() or self.cleaned_data
        self.check_clock()
        for name in self.idle():
            self.errors.pop(name, None)
            found[name] = self.fields[name].initial
        if found.get("format") == F.DOUBLE and found.get("seats") not in ("2", "pairs", "", None):
            self.add_error("seats", _("Double elimination is played at tables of two."))
        if found.get("when_full") and not found.get("capacity") and "capacity" not in self.errors:
            self.add_error("capacity", _("What starts when it is full needs a number of places."))
        self.check_times()
        least, most = found.get("least_rating"), found.get("most_rating")
        if least is not None and most is not None and least > most:
            self.add_error("least_rating", _("The least rating is above the highest."))
        who = found.get("seats")
        if found.get("advance") and who in ("3", "4") and int(found["advance"]) >= int(who):
            self.add_error("advance", _("At least one is out at every table."))
        return found

    def idle(self) -> list[str]:
        """Fields that mean nothing for what was chosen."""
        format, table = self.cleaned_data.get("format"), self.cleaned_data.get("seats")
        large = table in ("3", "4")
        used = {
            "rounds": format == F.SWISS or (format == F.ROUND_ROBIN and large),
            "laps": format == F.ROUND_ROBIN and not large,
            "at_once": format == F.ROUND_ROBIN,
            "advance": format == F.KNOCKOUT and large,
            "third_place": format == F.KNOCKOUT and not large,
            "late": format == F.SWISS,
        }
        return [name for name, does in used.items() if not does]

    def check_times(self) -> None:
        """First entries open, then they close, then it starts; who may come later comes after the start."""
        found = self.cleaned_data
        orders = [("opens_at", "closes_at"), ("opens_at", "starts_at"), ("closes_at", "starts_at")]
        for first, second in orders[:2] if found.get("late") else orders:
            before, after = found.get(first), found.get(second)
            if before and after and before > after and second not in self.errors:
                self.add_error(second, _("Entries open, then they close, then it starts."))

    def laid_down(self) -> dict[str, Any]:
        """Everything, as the service takes it."""
        own = {name: self.usual(name) for name in ("name", "text", "format", *SHAPE, *ENTRY)}
        checks = [name for name in own if isinstance(self.fields[name], forms.BooleanField)]
        return own | {name: bool(own[name]) for name in checks} | self.terms()

    def changes(self) -> dict[str, Any]:
        """The part of it that was touched."""
        touched = set(self.changed_data)
        if touched & {"format", "seats"}:
            touched.update(self.idle())
        return {
            name: value for name, value in self.laid_down().items() if SOURCES.get(name, {name}) & touched
        }

    @property
    def open_folds(self) -> set[str]:
        """Folds in which something was chosen or is wrong."""
        return {
            fold
            for fold, names in FOLDS.items()
            if any(name in self.errors or (self.is_bound and name in self.changed_data) for name in names)
        }


def as_laid_down(event: Event) -> dict[str, Any]:
    """What the form of an event shows at first; of times, what a field for times can hold."""
    found = {name: getattr(event, name) for name in ("name", "text", "format", *SHAPE, *ENTRY)}
    times = {name: at.replace(second=0, microsecond=0) for name in TIMES if (at := found[name])}
    return {**found, **times, **chosen(event)}


def fixed(event: Event) -> set[str]:
    """Fields that cannot be changed any more: of what runs nearly all, and what others entered for."""
    played = {*TermsForm.base_fields, "format"} - WHILE_RUNNING
    if event.status == Event.Status.RUNNING:
        return set(TournamentForm.base_fields) - WHILE_RUNNING
    return played if event.entrants.exists() else set()
