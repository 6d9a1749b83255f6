"""The form of a new game: its fields, defaults and labels. The services validate the settings."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models.limits import MAX_EMAIL_LENGTH
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from games.game_text import describe_bot, format_bot_name
from games.models import Game, limits
from games.options import GAME_OPTIONS, group_by_section
from games.services import lobby

from . import settings_text
from .option_fields import add_form_fields

# Under "More options".
ADVANCED_FIELDS = (*group_by_section(GAME_OPTIONS)["games"], "shuffled", "client_seed")


class GamePreset(models.TextChoices):
    """The first choice on the page of a new game, which decides the other fields."""

    BOT = "bot", lazy("Against a bot")
    FRIEND = "friend", lazy("With a friend")
    OPEN = "open", lazy("Open to everybody")
    SOLO = "solo", lazy("Solo")


# Fields ignored for each preset: they may hold a value from a preset that was selected before.
IGNORED_FIELDS_BY_PRESET: dict[str, tuple[str, ...]] = {
    GamePreset.BOT: ("who", "side", "rated", "bots_allowed"),
    GamePreset.FRIEND: ("bot",),
    GamePreset.OPEN: ("who", "side", "bot"),
    GamePreset.SOLO: (
        *("who", "side", "bot", "mode", "seats", "time_control", "target", "timeout_policy", "rated"),
        *("cards", "cards_from", "seniority_rule", "bots_allowed"),
    ),
}
WITHOUT_PEOPLE = (GamePreset.BOT, GamePreset.SOLO)  # nobody is there to talk to


def list_seat_choices() -> list[tuple[str, str]]:
    """Return the choices for the number of players."""
    choices = [(str(n), capfirst(settings_text.describe_players(Game.Mode.SINGLES, n))) for n in (2, 3, 4)]
    return [*choices, (Game.Mode.PAIRS.value, capfirst(settings_text.describe_players(Game.Mode.PAIRS, 4)))]


def list_bot_choices() -> list[tuple[str, str]]:
    """Return the choices of bots with their habits."""
    return [
        (policy, f"{capfirst(format_bot_name(policy))}: {describe_bot(policy)}")
        for policy in lobby.BOT_POLICY_NAMES
    ]


@add_form_fields(GAME_OPTIONS)
class NewGameForm(forms.Form):
    """The settings of a new game; `ADVANCED_FIELDS` are folded away under "More options"."""

    key = forms.CharField(required=False, max_length=MAX_IDEMPOTENCY_KEY_LENGTH, widget=forms.HiddenInput)
    preset = forms.ChoiceField(
        label=lazy("How would you like to play?"),
        required=False,
        initial=GamePreset.BOT.value,
        widget=forms.RadioSelect,
        choices=GamePreset.choices,
    )
    who = forms.CharField(
        label=lazy("Your friend’s name on this site, or email address"),
        required=False,
        max_length=MAX_EMAIL_LENGTH,
        help_text=lazy(
            "The game is private, and we save the seat for your friend. You can invite more friends later."
        ),
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
        help_text=lazy("You can change the pairs until the game begins."),
    )
    bot = forms.ChoiceField(
        label=lazy("Which bot"), required=False, initial="greedy", choices=list_bot_choices
    )
    mode = forms.CharField(required=False, max_length=10)  # for programs; the page sets it with `seats`
    seats = forms.ChoiceField(
        label=lazy("Number of players"), required=False, initial="2", choices=list_seat_choices
    )

    shuffled = forms.BooleanField(
        label=lazy("Draw seats by lot"),
        required=False,
        help_text=lazy("Otherwise you sit in the order you join."),
    )
    client_seed = forms.CharField(
        label=lazy("Your part of the shuffle"),
        required=False,
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        strip=False,  # hashed exactly as typed
        validators=[RegexValidator(r"\A[^|]*\Z", lazy("Any text without the character |."))],
        help_text=lazy(
            "Any text. We shuffle the tiles with it and with a secret that we sealed before you "
            "came, so neither of us can choose the outcome. After the game you can check it."
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
                has_default = name != "preset" and (name != "bot" or preset == GamePreset.BOT)
                cleaned_data[name] = field.initial if has_default and field.initial else ""
        cleaned_data["preset"] = preset or self.guess_preset(cleaned_data)
        if cleaned_data["preset"] in WITHOUT_PEOPLE:
            cleaned_data["chat"] = False
        if cleaned_data.get("rated") and cleaned_data.get("obligation") == "lenient":
            self.add_error("rated", _("A rated game needs the duty to close figures."))
        if (
            cleaned_data["preset"] == GamePreset.FRIEND
            and not cleaned_data.get("who")
            and "who" not in self.errors
        ):
            self.add_error("who", _("Enter the name of the friend you want to play with."))
        return cleaned_data

    @staticmethod
    def guess_preset(cleaned_data: dict[str, Any]) -> GamePreset:
        """Return the preset that a form without one implies."""
        if cleaned_data.get("mode") == Game.Mode.SOLO:
            return GamePreset.SOLO
        if cleaned_data.get("who"):
            return GamePreset.FRIEND
        return GamePreset.BOT if cleaned_data.get("bot") else GamePreset.OPEN

    def build_game_settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments of the service."""
        cleaned_data = self.cleaned_data
        mode = cleaned_data["mode"] or Game.Mode.SINGLES
        if cleaned_data["seats"] == Game.Mode.PAIRS:
            mode = Game.Mode.PAIRS
        if cleaned_data["preset"] == GamePreset.SOLO:
            mode = Game.Mode.SOLO
        return {
            **{name: cleaned_data[name] for name, option in GAME_OPTIONS.items() if option.label},
            "cards": None if cleaned_data["cards"] == "" else cleaned_data["cards"],
            "mode": mode,
            "seat_count": int(cleaned_data["seats"]) if mode == Game.Mode.SINGLES else None,
            "seat_order": Game.SeatOrder.SHUFFLED if cleaned_data["shuffled"] else Game.SeatOrder.AS_JOINED,
            "private": cleaned_data["private"] or cleaned_data["preset"] == GamePreset.FRIEND,
            "rated": bool(cleaned_data["rated"]),
            "bots_allowed": bool(cleaned_data["bots_allowed"]),
        }

    def build_idempotency_key(self) -> str:
        """Return an idempotency key of this form and its choices: changed choices create another game."""
        form_data = dict(self.cleaned_data)
        key: str = form_data.pop("key")
        del form_data["client_seed"]  # the script draws a new one on every submit
        return key and f"{key}|{json.dumps(form_data, sort_keys=True)}"

    @property
    def shows_advanced(self) -> bool:
        """True if an advanced field was changed or has an error."""
        return self.is_bound and any(
            name in self.errors or name in self.changed_data for name in ADVANCED_FIELDS
        )
