"""The form of a new game. The services decide; it knows the choices, their defaults and their words."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import clock, rule_words
from games.engine import DEFAULT_EDITION, edition, edition_names
from games.models import Game, limits
from games.services import lobby
from games.spans import lasting
from games.words import bot_habit, bot_name

from . import terms

CHOSEN = ("edition", "obligation", "target", "timeouts", "weekends", "nights", "chat")
MORE = (*CHOSEN, "rated", "shuffled", "private", "client_seed")  # what most never touch

# What a first choice leaves no room for: it may still stand there from another one.
LEFT_OVER = {
    "bot": ("who", "side", "rated"),
    "friend": ("bot",),
    "open": ("who", "side", "bot"),
    "solo": ("who", "side", "bot", "mode", "seats", "clock", "target", "timeouts", "rated"),
}
WITHOUT_PEOPLE = ("bot", "solo")  # nobody is there to talk to


def seats() -> list[tuple[str, str]]:
    found = [(str(n), capfirst(terms.players("singles", n))) for n in (2, 3, 4)]
    return [*found, ("pairs", capfirst(terms.players("pairs", 4)))]


def bots() -> list[tuple[str, str]]:
    return [(policy, f"{capfirst(bot_name(policy))}: {bot_habit(policy)}") for policy in lobby.BOTS]


def clocks() -> list[tuple[str, str]]:
    """From the quickest to the slowest."""
    found = sorted(clock.PRESETS.items(), key=lambda item: item[1].allowance)
    return [
        (
            name,
            _("%(allowance)s, and %(bank)s in reserve")
            % {
                "allowance": lasting(timedelta(seconds=time.allowance)),
                "bank": lasting(timedelta(seconds=time.bank)),
            },
        )
        for name, time in found
    ]


class NewGame(forms.Form):
    """What a newcomer chooses, and under "More choices" what most never touch."""

    key = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    preset = forms.ChoiceField(
        label=lazy("What would you like to play?"),
        required=False,
        initial="bot",
        widget=forms.RadioSelect,
        choices=[
            ("bot", lazy("Against a bot")),
            ("friend", lazy("With a friend")),
            ("open", lazy("Open to everybody")),
            ("solo", lazy("Solo")),
        ],
    )
    who = forms.CharField(
        label=lazy("Your friend’s name here, or their email address"),
        required=False,
        max_length=limits.MAX_EMAIL_LENGTH,
        help_text=lazy("The game is private and the seat is kept for them. You can ask more friends later."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    side = forms.ChoiceField(
        label=lazy("Your friend plays"),
        required=False,
        initial="partner",
        choices=[
            ("partner", lazy("with you, as your partner")),
            ("opponent", lazy("against you")),
        ],
        help_text=lazy("Until the game begins you can still change who plays with whom."),
    )
    bot = forms.ChoiceField(label=lazy("Which bot"), required=False, initial="greedy", choices=bots)
    mode = forms.CharField(required=False, max_length=10)  # for programs; people choose it with the seats
    seats = forms.ChoiceField(label=lazy("How many play"), required=False, initial="2", choices=seats)
    clock = forms.ChoiceField(
        label=lazy("Time for each turn"),
        required=False,
        initial=clock.DEFAULT,
        choices=clocks,
        help_text=lazy("Who takes longer uses up the reserve, which is there once for the whole game."),
    )
    cards = forms.BooleanField(
        label=lazy("With secret cards"),
        required=False,
        initial=True,
        help_text=lazy("They stir the game up. For a first time it is simpler without."),
    )

    edition = forms.ChoiceField(
        label=lazy("Rulebook"),
        required=False,
        initial=DEFAULT_EDITION,
        choices=lambda: [(name, edition(name).title) for name in edition_names()],
        help_text=lazy("The boxes differ in a few rules; the tiles are the same."),
    )
    obligation = forms.ChoiceField(
        label=lazy("Duty to close figures"),
        required=False,
        initial="strict",
        choices=[
            ("strict", lazy("strict: whoever can close a figure must")),
            ("lenient", lazy("head in the clouds: a missed point stays there for the others")),
        ],
    )
    target = forms.IntegerField(
        label=lazy("Points to play for"),
        required=False,
        initial=terms.TARGET,
        **limits.TARGET.bounds,
        help_text=lazy("24 by the book. With 8 a game is often over after one match."),
    )
    timeouts = forms.ChoiceField(
        label=lazy("If time runs out"),
        required=False,
        initial=Game.Timeouts.AUTOPLAY,
        choices=rule_words.timeout_choices,
    )
    weekends = forms.BooleanField(label=lazy("Clocks rest at the weekend"), required=False)
    nights = forms.BooleanField(
        label=lazy("Clocks rest at night"),
        required=False,
        help_text=rule_words.lazy_nights(),
    )
    shuffled = forms.BooleanField(
        label=lazy("Shuffle the seats"),
        required=False,
        help_text=lazy("Otherwise people sit in the order in which they come."),
    )
    private = forms.BooleanField(
        label=lazy("Private"),
        required=False,
        help_text=lazy("Only those who play or are invited see the game."),
    )
    chat = forms.BooleanField(label=lazy("Players can talk at the table"), required=False, initial=True)
    rated = forms.BooleanField(
        label=lazy("Rated"),
        required=False,
        help_text=lazy("For people only, and only with the duty to close figures."),
    )
    client_seed = forms.CharField(
        label=lazy("Your own part of the shuffle"),
        required=False,
        max_length=limits.CLIENT_SEED_LENGTH,
        strip=False,  # it counts exactly as it is written
        validators=[RegexValidator(r"\A[^|]*\Z", lazy("Any text will do, but for the sign |."))],
        help_text=lazy(
            "Any text. The tiles are shuffled with it and with a secret of ours that is sealed before you "
            "come, so that neither can choose the outcome; after the game everybody can check it."
        ),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)

    def clean(self) -> dict[str, Any]:
        """What was left out is as it is usual; what was chosen first says what the rest is about."""
        found = super().clean() or self.cleaned_data
        asked = found.get("preset") or ""
        for name in LEFT_OVER.get(asked, ()):
            self.errors.pop(name, None)
            found[name] = None
        for name, field in self.fields.items():
            if found.get(name) in ("", None) and name not in self.errors:
                # A bot, only where one was asked for.
                usual = name != "preset" and (name != "bot" or asked == "bot")
                found[name] = field.initial if usual and field.initial else ""
        found["preset"] = asked or self.meant(found)
        if found["preset"] in WITHOUT_PEOPLE:
            found["chat"] = False
        if found.get("rated") and found.get("obligation") == "lenient":
            self.add_error("rated", _("Games in which nobody has to close figures are not rated."))
        if found["preset"] == "friend" and not found.get("who") and "who" not in self.errors:
            self.add_error("who", _("Say whom you would like to play with."))
        return found

    @staticmethod
    def meant(found: dict[str, Any]) -> str:
        """What a form means that does not say it outright."""
        if found.get("mode") == "solo":
            return "solo"
        if found.get("who"):
            return "friend"
        return "bot" if found.get("bot") else "open"

    def terms(self) -> dict[str, Any]:
        """The terms, as the service takes them."""
        found = self.cleaned_data
        mode = "pairs" if found["seats"] == "pairs" else found["mode"] or "singles"
        mode = "solo" if found["preset"] == "solo" else mode
        return {
            "mode": mode,
            "seats": int(found["seats"]) if mode == "singles" else None,
            "clock_name": found["clock"],
            "order": "shuffled" if found["shuffled"] else "as-joined",
            "private": found["private"] or found["preset"] == "friend",
            "rated": bool(found["rated"]),
            "cards": found["cards"],
            **{name: found[name] for name in CHOSEN},
        }

    def own_key(self) -> str:
        """The key of this very form: after a step back and with other choices it asks for another game."""
        asked = dict(self.cleaned_data)
        key: str = asked.pop("key")
        del asked["client_seed"]  # which a script draws anew each time
        return key and f"{key}|{json.dumps(asked, sort_keys=True)}"

    @property
    def shows_more(self) -> bool:
        """Whether something under "More choices" was chosen or is wrong."""
        return self.is_bound and any(name in self.errors or name in self.changed_data for name in MORE)
