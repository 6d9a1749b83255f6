"""The form of a new game: its fields, defaults and labels. The services validate the settings."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import clock, rule_text
from games.duration_format import format_duration
from games.engine import DEFAULT_EDITION, list_edition_names, load_edition
from games.game_text import describe_bot, format_bot_name
from games.models import Game, limits
from games.services import lobby

from . import settings_text

SETTINGS_FIELDS = ("edition", "obligation", "target", "timeouts", "weekends", "nights", "chat")
ADVANCED_FIELDS = (*SETTINGS_FIELDS, "rated", "shuffled", "private", "client_seed")  # under "More choices"

# Fields ignored for each preset: they may hold a value from a preset that was selected before.
IGNORED_FIELDS_BY_PRESET = {
    "bot": ("who", "side", "rated"),
    "friend": ("bot",),
    "open": ("who", "side", "bot"),
    "solo": ("who", "side", "bot", "mode", "seats", "clock", "target", "timeouts", "rated"),
}
WITHOUT_PEOPLE = ("bot", "solo")  # nobody is there to talk to


def seat_choices() -> list[tuple[str, str]]:
    """Return the choices for the number of players."""
    choices = [(str(n), capfirst(settings_text.describe_players("singles", n))) for n in (2, 3, 4)]
    return [*choices, ("pairs", capfirst(settings_text.describe_players("pairs", 4)))]


def bot_choices() -> list[tuple[str, str]]:
    """Return the choices of bots with their habits."""
    return [
        (policy, f"{capfirst(format_bot_name(policy))}: {describe_bot(policy)}")
        for policy in lobby.BOT_POLICY_NAMES
    ]


def clock_choices() -> list[tuple[str, str]]:
    """Return the choices of time controls, fastest first."""
    presets = sorted(clock.TIME_CONTROL_PRESETS.items(), key=lambda item: item[1].allowance)
    return [
        (
            name,
            _("%(allowance)s, and %(bank)s in reserve")
            % {
                "allowance": format_duration(timedelta(seconds=time_control.allowance)),
                "bank": format_duration(timedelta(seconds=time_control.bank)),
            },
        )
        for name, time_control in presets
    ]


class NewGameForm(forms.Form):
    """The settings of a new game; `ADVANCED_FIELDS` are folded away under "More choices"."""

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
    bot = forms.ChoiceField(label=lazy("Which bot"), required=False, initial="greedy", choices=bot_choices)
    mode = forms.CharField(required=False, max_length=10)  # for programs; the page sets it with `seats`
    seats = forms.ChoiceField(label=lazy("How many play"), required=False, initial="2", choices=seat_choices)
    clock = forms.ChoiceField(
        label=lazy("Time for each turn"),
        required=False,
        initial=clock.DEFAULT_PRESET,
        choices=clock_choices,
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
        choices=lambda: [(name, load_edition(name).title) for name in list_edition_names()],
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
        initial=settings_text.DEFAULT_TARGET_POINTS,
        **limits.TARGET_SCORE.number_bounds,
        help_text=lazy("24 by the book. With 8 a game is often over after one match."),
    )
    timeouts = forms.ChoiceField(
        label=lazy("If time runs out"),
        required=False,
        initial=Game.TimeoutPolicy.AUTOPLAY,
        choices=rule_text.list_timeout_choices,
    )
    weekends = forms.BooleanField(label=lazy("Clocks rest at the weekend"), required=False)
    nights = forms.BooleanField(
        label=lazy("Clocks rest at night"),
        required=False,
        help_text=rule_text.lazy_nights(),
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
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        strip=False,  # hashed exactly as typed
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
        """Fill in defaults, ignore fields that the preset does not use, and check their combination."""
        cleaned_data = super().clean() or self.cleaned_data
        preset = cleaned_data.get("preset") or ""
        for name in IGNORED_FIELDS_BY_PRESET.get(preset, ()):
            self.errors.pop(name, None)
            cleaned_data[name] = None
        for name, field in self.fields.items():
            if cleaned_data.get(name) in ("", None) and name not in self.errors:
                # No default bot unless the preset is "bot".
                has_default = name != "preset" and (name != "bot" or preset == "bot")
                cleaned_data[name] = field.initial if has_default and field.initial else ""
        cleaned_data["preset"] = preset or self.guess_preset(cleaned_data)
        if cleaned_data["preset"] in WITHOUT_PEOPLE:
            cleaned_data["chat"] = False
        if cleaned_data.get("rated") and cleaned_data.get("obligation") == "lenient":
            self.add_error("rated", _("Games in which nobody has to close figures are not rated."))
        if cleaned_data["preset"] == "friend" and not cleaned_data.get("who") and "who" not in self.errors:
            self.add_error("who", _("Say whom you would like to play with."))
        return cleaned_data

    @staticmethod
    def guess_preset(cleaned_data: dict[str, Any]) -> str:
        """Return the preset that a form without one implies."""
        if cleaned_data.get("mode") == "solo":
            return "solo"
        if cleaned_data.get("who"):
            return "friend"
        return "bot" if cleaned_data.get("bot") else "open"

    def build_game_settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments of the service."""
        cleaned_data = self.cleaned_data
        mode = "pairs" if cleaned_data["seats"] == "pairs" else cleaned_data["mode"] or "singles"
        mode = "solo" if cleaned_data["preset"] == "solo" else mode
        return {
            "mode": mode,
            "seats": int(cleaned_data["seats"]) if mode == "singles" else None,
            "clock_name": cleaned_data["clock"],
            "order": "shuffled" if cleaned_data["shuffled"] else "as-joined",
            "private": cleaned_data["private"] or cleaned_data["preset"] == "friend",
            "rated": bool(cleaned_data["rated"]),
            "cards": cleaned_data["cards"],
            **{name: cleaned_data[name] for name in SETTINGS_FIELDS},
        }

    def build_idempotency_key(self) -> str:
        """Return an idempotency key of this form and its choices: changed choices create another game."""
        form_data = dict(self.cleaned_data)
        key: str = form_data.pop("key")
        del form_data["client_seed"]  # the script draws a new one on every submit
        return key and f"{key}|{json.dumps(form_data, sort_keys=True)}"

    @property
    def shows_advanced(self) -> bool:
        """Whether an advanced field was changed or has an error."""
        return self.is_bound and any(
            name in self.errors or name in self.changed_data for name in ADVANCED_FIELDS
        )
