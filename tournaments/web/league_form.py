"""The form of a league: a name will do; all else has its usual values."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as lazy

from games import clock
from tournaments.models import League, limits
from tournaments.selectors.league_facts import SHAPE

from .terms_form import SpanField, TermsForm, chosen

# What is folded away, by the name of its fold.
FOLDS = {
    "shape": ("groups", "rounds", "laps", "at_once", "round_length", "pause", "seasons"),
    "games": (
        *("allowance", "bank", "edition", "target", "cards", "timeouts", "vacation"),
        *("blind_allowance", "weekends", "nights", "chat", "rated", "private"),
    ),
}
FORMATS = [
    (League.Format.ROUND_ROBIN, lazy("Round robin")),
    (League.Format.SWISS, lazy("Swiss rounds")),
]


class LeagueForm(TermsForm):
    """All that an organiser chooses."""

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
        **limits.DIVISION_SIZE.bounds,
        help_text=lazy("With eight, everybody plays seven games in a season."),
    )
    moves = forms.IntegerField(
        label=lazy("How many go up, and down"),
        required=False,
        initial=2,
        **limits.MOVES.bounds,
        help_text=lazy("After each season, between neighbouring divisions."),
    )
    newcomers = forms.ChoiceField(
        label=lazy("Where new players begin"),
        required=False,
        initial=League.Newcomers.BOTTOM,
        choices=League.Newcomers.choices,
    )
    format = forms.ChoiceField(
        label=lazy("How a season is played"),
        required=False,
        initial=League.Format.ROUND_ROBIN,
        choices=FORMATS,
        help_text=lazy("In a round robin everybody meets everybody else of their division."),
    )
    rounds = forms.IntegerField(
        label=lazy("Number of rounds"),
        required=False,
        **limits.ROUNDS.bounds,
        help_text=lazy("For Swiss rounds. Empty: as many as it takes."),
    )
    groups = forms.IntegerField(
        label=lazy("Groups in a division"),
        required=False,
        initial=1,
        **limits.GROUPS.bounds,
        help_text=lazy("With more than one, groups play apart and are ranked together."),
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
    pause = SpanField(
        label=lazy("Pause between two seasons"),
        **limits.PAUSE.span,
        initial=3 * clock.DAY,
        help_text=lazy("Time to breathe, to leave and to come in. Empty: the next season begins at once."),
    )
    seasons = forms.IntegerField(
        label=lazy("Number of seasons"),
        required=False,
        **limits.SEASONS.bounds,
        help_text=lazy("Empty: season after season, until you close the league."),
    )

    field_order = ("name", "text", "size", "moves", "seats", "clock", "format", "newcomers")

    def clean(self) -> dict[str, Any]:
        """A clock of one's own has both its times; what means nothing for the format is in nobody's way."""
        found = super().clean() or self.cleaned_data
        self.check_clock()
        swiss, large = self.usual_or("format") == League.Format.SWISS, found.get("seats") in ("3", "4")
        idle = ["laps", "at_once"] if swiss else ["rounds", *(["laps"] if large else [])]
        for name in idle:
            self.errors.pop(name, None)
            found[name] = self.fields[name].initial
        return found

    def usual_or(self, name: str) -> Any:
        """What was chosen, as far as it can be read."""
        return self.usual(name) if name in self.cleaned_data else None

    def laid_down(self) -> dict[str, Any]:
        """Everything, as the service takes it."""
        found = self.cleaned_data
        shape = {name: self.usual(name) for name in SHAPE}
        shape |= {"at_once": bool(found["at_once"]), "pause": found["pause"] or 0}
        return {"name": found["name"], "text": found["text"], **shape, **self.terms()}

    def open_folds(self) -> set[str]:
        """Folds in which something was chosen or is wrong."""
        return {
            fold
            for fold, names in FOLDS.items()
            if any(name in self.errors or (self.is_bound and name in self.changed_data) for name in names)
        }


def as_laid_down(league: League) -> dict[str, Any]:
    """What the form of a league shows at first."""
    return {**{name: getattr(league, name) for name in ("name", "text", *SHAPE)}, **chosen(league)}
