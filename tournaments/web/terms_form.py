"""The terms of all games of a tournament, as a form: the choices, their defaults and their words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.functional import lazy as lazily
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import clock, rule_words
from games.engine import DEFAULT_EDITION, edition, edition_names
from games.models import Game
from games.services.errors import Refusal
from games.spans import lasting
from games.web import terms
from games.web.making_form import clocks, seats
from tournaments.models import Terms, limits
from tournaments.services.terms import shortened
from tournaments.words import rules

DAY = clock.DAY
UNITS = [(clock.MINUTE, lazy("minutes")), (clock.HOUR, lazy("hours")), (clock.DAY, lazy("days"))]
OPTIONS = ("edition", "target", "cards", "timeouts", "weekends", "nights")
GAMES = (*OPTIONS, "chat", "rated", "private")  # asked for under the names that the service has for them


at_least = lazily(lambda n: _("At least %(span)s.") % {"span": lasting(timedelta(seconds=n))}, str)
at_most = lazily(lambda n: _("At most %(span)s.") % {"span": lasting(timedelta(seconds=n))}, str)


class SpanWidget(forms.MultiWidget):
    """A number, and of what."""

    use_fieldset = True

    def __init__(self, usual: int = clock.HOUR) -> None:
        self.usual = usual
        number = forms.NumberInput({"min": 0, "aria-label": lazy("How many")})
        unit = forms.Select({"aria-label": lazy("Minutes, hours or days")}, choices=UNITS)
        super().__init__([number, unit])

    def decompress(self, value: int | None) -> list[Any]:
        """The same in the largest unit in which it is a whole number."""
        if value is None:
            return [None, self.usual]
        unit = next(unit for unit, _name in reversed(UNITS) if value % unit == 0 or unit == clock.MINUTE)
        return [value // unit, unit]


class SpanField(forms.MultiValueField):
    """A length of time in seconds; None if nobody said anything."""

    def __init__(self, *, least: int = 0, most: int, unit: int = clock.HOUR, **more: Any) -> None:
        number = forms.IntegerField(min_value=0, max_value=1_000_000, required=False)
        of_what = forms.TypedChoiceField(choices=UNITS, coerce=int, required=False)
        super().__init__(
            fields=(number, of_what),
            widget=SpanWidget(unit),
            require_all_fields=False,
            required=False,
            validators=[
                MinValueValidator(least, at_least(least)),
                MaxValueValidator(most, at_most(most)),
            ],
            **more,
        )

    def compress(self, values: list[Any]) -> int | None:
        if not values or values[0] is None:
            return None
        return int(values[0]) * int(values[1] or clock.HOUR)


def all_clocks() -> list[tuple[str, str]]:
    return [*clocks(), ("custom", _("another time"))]


class TermsForm(forms.Form):
    """What an organiser lays down once for all tables."""

    seats = forms.ChoiceField(
        label=lazy("Who sits at a table"),
        required=False,
        initial="2",
        choices=seats,
        help_text=lazy("In pairs one enters with a partner."),
    )
    clock = forms.ChoiceField(
        label=lazy("Time for each turn"),
        required=False,
        initial=clock.DEFAULT,
        choices=all_clocks,
        help_text=lazy("Who takes longer uses up the reserve, which is there once for the whole game."),
    )
    allowance = SpanField(label=lazy("Time for each turn"), **limits.ALLOWANCE.span)
    bank = SpanField(label=lazy("In reserve, for the whole game"), unit=DAY, **limits.BANK.span)
    edition = forms.ChoiceField(
        label=lazy("Rulebook"),
        required=False,
        initial=DEFAULT_EDITION,
        choices=lambda: [(name, edition(name).title) for name in edition_names()],
        help_text=lazy("The boxes differ in a few rules; the tiles are the same."),
    )
    target = forms.IntegerField(
        label=lazy("Points to play for"),
        required=False,
        initial=terms.TARGET,
        **limits.TARGET.bounds,
        help_text=lazy("24 by the book. With 8 a game is often over after one match."),
    )
    cards = forms.BooleanField(label=lazy("With secret cards"), required=False, initial=True)
    blind_allowance = SpanField(
        label=lazy("Time for a turn of a blind match"),
        **limits.ALLOWANCE.span,
        help_text=rule_words.lazy_blind_default(),
    )
    short_allowance = SpanField(
        label=lazy("Time for a turn of a rematch"),
        **limits.ALLOWANCE.span,
        help_text=rules.lazy_rematch_allowance_default(),
    )
    short_bank = SpanField(
        label=lazy("In reserve, for a rematch"),
        **limits.BANK.span,
        help_text=rules.lazy_rematch_bank_default(),
    )
    timeouts = forms.ChoiceField(
        label=lazy("If time runs out"),
        required=False,
        initial=Game.Timeouts.AUTOPLAY,
        choices=rule_words.timeout_choices,
    )
    vacation = forms.ChoiceField(
        label=lazy("Clocks rest while a player is on vacation"),
        required=False,
        initial="",
        choices=[
            ("", rule_words.lazy_vacation_default()),
            ("yes", lazy("yes")),
            ("no", lazy("no")),
        ],
    )
    weekends = forms.BooleanField(label=lazy("Clocks rest at the weekend"), required=False)
    nights = forms.BooleanField(
        label=lazy("Clocks rest at night"),
        required=False,
        help_text=rule_words.lazy_nights(),
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
    round_length = SpanField(
        label=lazy("A round lasts at most"),
        **limits.ROUND_LENGTH.span,
        unit=DAY,
        help_text=lazy(
            "What is still played then is decided by the points on the table, and the next round can begin. "
            "Empty: games are played to their end, however long it takes."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)

    def usual(self, name: str) -> Any:
        """What was chosen; what was left empty is as it is usual."""
        found, usual = self.cleaned_data.get(name), self.fields[name].initial
        return usual if found in ("", None) and usual is not None else found

    def check_clock(self) -> None:
        """A clock of one's own has both its times; where another one is chosen they are in nobody's way."""
        names = ("allowance", "bank")
        if self.cleaned_data.get("clock") != "custom":
            for name in names:
                self.errors.pop(name, None)
                self.cleaned_data[name] = None
            return
        for name in names:
            if self.cleaned_data.get(name) is None and name not in self.errors:
                self.add_error(name, _("Say how long."))

    def terms(self) -> dict[str, Any]:
        """The terms, as the service takes them."""
        found, who = self.cleaned_data, self.usual("seats")
        pairs = who == "pairs"
        return {
            "mode": Terms.Mode.PAIRS if pairs else Terms.Mode.SINGLES,
            "table": 2 if pairs else int(who),
            "clock_name": self.usual("clock"),
            "vacation": {"yes": True, "no": False}.get(found["vacation"]),
            **{name: self.usual(name) for name in GAMES},
            **{name: found[name] for name in SPANS},
        }


def add_refusal(form: forms.Form, refusal: Refusal) -> None:
    """Say in a form why a service refused it: beside the field that it is about, if it names one."""
    field = refusal.extra.get("field")
    form.add_error(field if field in form.fields else None, capfirst(str(refusal)))


SPANS = ("allowance", "bank", "blind_allowance", "short_allowance", "short_bank", "round_length")


def chosen(terms: Terms) -> dict[str, Any]:
    """Terms that are laid down, as the form shows them; what follows from the clock is left empty."""
    custom = terms.clock == "custom"
    quick = shortened(clock.Clock(terms.allowance, terms.bank))
    vacation = "yes" if terms.vacation else "no"
    short = None if terms.short_allowance == quick.allowance else terms.short_allowance
    return {
        **{name: getattr(terms, name) for name in (*GAMES, *SPANS)},
        "seats": "pairs" if terms.mode == Terms.Mode.PAIRS else str(terms.table),
        "clock": terms.clock,
        "allowance": terms.allowance if custom else None,
        "bank": terms.bank if custom else None,
        "short_allowance": short,
        "short_bank": None if terms.short_bank == quick.bank else terms.short_bank,
        "vacation": "" if terms.vacation == (terms.allowance >= clock.LIVE) else vacation,
    }
