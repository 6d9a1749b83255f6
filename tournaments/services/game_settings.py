"""Settings shared by all games of a tournament or league: validated once, passed to every game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import clock, engine
from games.duration_format import format_duration
from games.models import Game
from games.services.errors import Invalid
from games.services.lobby import can_be_rated, check_allowance
from tournaments.models import GameSettings
from tournaments.models.limits import ROUND_LENGTH

REMATCH_TIME_DIVISOR = 4  # by default a rematch has a quarter of the time


def validate_game_settings(
    *,
    mode: str = GameSettings.Mode.SINGLES,
    table: int = 2,
    edition: str = engine.DEFAULT_EDITION,
    cards: bool = True,
    obligation: str = "strict",
    target: int = 24,
    clock_name: str = clock.DEFAULT_PRESET,
    allowance: int | None = None,
    bank: int | None = None,
    blind_allowance: int | None = None,
    short_allowance: int | None = None,
    short_bank: int | None = None,
    timeouts: str = Game.TimeoutPolicy.AUTOPLAY,
    weekends: bool = False,
    nights: bool = False,
    vacation: bool | None = None,
    chat: bool = True,
    rated: bool = True,
    private: bool = False,
    round_length: int | None = None,
) -> dict[str, Any]:
    """Return the fields of `GameSettings`. Raises Invalid on settings that no game can have."""
    if mode not in GameSettings.Mode.values:
        raise Invalid(_("mode is one of {modes}").format(modes=", ".join(GameSettings.Mode.values)))
    if not can_be_rated(obligation=obligation):  # games that cannot be rated are not played in tournaments
        message = _("tournaments and leagues are played with the duty to close figures")
        raise Invalid(message, errors={"obligation": [message]})
    is_pairs = mode == GameSettings.Mode.PAIRS
    if table not in ((2,) if is_pairs else (2, 3, 4)):
        raise Invalid(_("A table has 2 to 4 places; in pairs, two pairs sit at it."))
    try:
        engine.Setup(
            mode=mode,
            seats=4 if is_pairs else table,
            edition=edition,
            cards=cards,
            obligation=obligation,
            target=target,
        )
        time_control = clock.build_time_control(clock_name, allowance, bank)
        default_rematch_control = shorten_time_control(time_control)
        rematch_control = clock.build_time_control(
            "custom",
            default_rematch_control.allowance if short_allowance is None else short_allowance,
            default_rematch_control.bank if short_bank is None else short_bank,
        )
    except (engine.InvalidSetup, clock.InvalidTimeControl) as error:
        raise Invalid(error.translate_message(_)) from None
    if blind_allowance is not None:
        check_allowance(blind_allowance)
    if timeouts not in Game.TimeoutPolicy.values:
        raise Invalid(_("timeouts is one of %(words)s") % {"words": ", ".join(Game.TimeoutPolicy.values)})
    if round_length is not None and not ROUND_LENGTH.minimum <= round_length <= ROUND_LENGTH.maximum:
        raise Invalid(
            _("A round lasts %(least)s at least, and %(most)s at most.")
            % {
                "least": format_duration(timedelta(seconds=ROUND_LENGTH.minimum)),
                "most": format_duration(timedelta(seconds=ROUND_LENGTH.maximum)),
            }
        )
    longest_turn = max(time_control.allowance, rematch_control.allowance, blind_allowance or 0)
    if round_length is not None and round_length < longest_turn:
        raise Invalid(
            _("A round is shorter than one turn may take: give the round more time, or a turn less."),
            code="round-too-short",
            limit=longest_turn,
            field="round_length",
        )
    return {
        "mode": mode,
        "table": table,
        "edition": edition,
        "cards": cards,
        "obligation": obligation,
        "target": target,
        "clock": clock_name,
        "allowance": time_control.allowance,
        "bank": time_control.bank,
        "blind_allowance": blind_allowance,
        "short_allowance": rematch_control.allowance,
        "short_bank": rematch_control.bank,
        "timeouts": timeouts,
        "weekends": weekends,
        "nights": nights,
        "vacation": time_control.allowance >= clock.LIVE_ALLOWANCE_SECONDS if vacation is None else vacation,
        "chat": chat,
        "rated": rated,
        "private": private,
        "round_length": round_length,
    }


def shorten_time_control(time_control: clock.TimeControl) -> clock.TimeControl:
    """Return the default time control of a rematch."""
    return clock.TimeControl(
        max(time_control.allowance // REMATCH_TIME_DIVISOR, clock.MIN_TIME_CONTROL.allowance),
        time_control.bank // REMATCH_TIME_DIVISOR,
    )


GAME_SETTINGS_FIELDS = tuple(field.name for field in GameSettings._meta.get_fields())
GAME_SETTINGS_CHOICES = frozenset(GAME_SETTINGS_FIELDS) - {"clock"} | {
    "clock_name"
}  # parameters of `validate_game_settings`


def choices_of(terms: GameSettings, clock_name: str) -> dict[str, Any]:
    """What `checked` would be told to lay these terms down again, with another clock perhaps.

    What was left to the clock is left to it again.
    """
    now = {name: getattr(terms, name) for name in GAME_SETTINGS_CHOICES - {"clock_name"}} | {
        "clock_name": terms.clock
    }
    quick = shorten_time_control(clock.TimeControl(terms.allowance, terms.bank))
    usual = {
        "short_allowance": quick.allowance,
        "short_bank": quick.bank,
        "vacation": terms.allowance >= clock.LIVE_ALLOWANCE_SECONDS,
    }
    now |= {name: None for name, value in usual.items() if now[name] == value}
    if clock_name != "custom":
        now |= {"allowance": None, "bank": None}
    return now


def merge_game_settings(
    game_settings: GameSettings, changes: Mapping[str, Any], *, keeps_obligation: bool = True
) -> dict[str, Any]:
    """The fields of Terms with some choices made anew; what was left to the clock follows a new one.

    `keeps_obligation`: one that could be chosen only before stays; otherwise it becomes the usual one. Raises
    Invalid on what no game could be played by.
    """
    choices = choices_of(game_settings, changes.get("clock_name", game_settings.clock))
    old_obligation = choices.pop("obligation")
    fields = validate_game_settings(**choices | dict(changes))
    return (
        fields | {"obligation": old_obligation}
        if keeps_obligation and "obligation" not in changes
        else fields
    )


def check_terms(terms: GameSettings) -> None:
    """Raise Invalid on stored terms that could not be laid down today, with the errors of the form."""
    validate_game_settings(**choices_of(terms, terms.clock))


def describe_unplayable_settings(terms: GameSettings) -> str:
    """What is wrong with stored terms, in the reader's language; "" if nothing is."""
    try:
        check_terms(terms)
    except Invalid as error:
        return capfirst(error.detail).rstrip(".") + "."
    return ""


def build_game_settings_dict(game_settings: GameSettings) -> dict[str, Any]:
    """Return the settings as a dict, for another tournament."""
    return {name: getattr(game_settings, name) for name in GAME_SETTINGS_FIELDS}


def build_game_options(game_settings: GameSettings, *, is_rematch: bool) -> dict[str, Any]:
    """Return the arguments to create a game; a rematch has the shorter time control."""
    options = {
        name: getattr(game_settings, name)
        for name in (
            *("mode", "edition", "cards", "obligation", "target", "timeouts", "weekends", "nights"),
            *("vacation", "chat", "rated", "private"),
        )
    }
    options["rated"] = game_settings.rated and can_be_rated(obligation=game_settings.obligation)
    if is_rematch:
        return options | {
            "clock_name": "custom",
            "allowance": game_settings.short_allowance,
            "bank": game_settings.short_bank,
            "blind_allowance": None,
        }
    is_custom = game_settings.clock == "custom"
    return options | {
        "clock_name": game_settings.clock,
        "allowance": game_settings.allowance if is_custom else None,
        "bank": game_settings.bank if is_custom else None,
        "blind_allowance": game_settings.blind_allowance,
    }
