"""Settings shared by all games of a tournament or league: validated once, passed to every game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from common.duration_format import format_duration
from common.service_errors import Invalid
from games import clock
from games.options import GAME_OPTIONS, add_defaults, read_options
from games.services.lobby import can_be_rated
from games.services.lobby import validate_game_settings as validate_options_of_game
from games.services.option_checks import check_options
from tournaments.models import GameSettings
from tournaments.models.limits import REMATCH_TIME_DIVISOR, ROUND_LENGTH
from tournaments.options import ALL_TABLES, GAME_SETTINGS_OPTIONS, SMALL_TABLES

# The options that a game has, too, but for the number of seats, which follows from `table_size`.
SHARED_OPTIONS = tuple(name for name in GAME_SETTINGS_OPTIONS if name in GAME_OPTIONS)


def validate_game_settings(**choices: Any) -> dict[str, Any]:
    """Validate options of all games and return the fields of `GameSettings`.

    Raises Invalid on settings that no game can have.
    """
    options = add_defaults(GAME_SETTINGS_OPTIONS, choices)
    check_options(GAME_SETTINGS_OPTIONS, options, ["mode"])
    if not can_be_rated(obligation=options["obligation"]):
        # Games that cannot be rated are not played in tournaments.
        message = str(GAME_SETTINGS_OPTIONS["obligation"].api_error)
        raise Invalid(message, field="obligation")
    is_pairs = options["mode"] == GameSettings.Mode.PAIRS
    if options["table_size"] not in (SMALL_TABLES if is_pairs else ALL_TABLES):
        raise Invalid(
            _("A table has %(least)s to %(most)s places; two pairs sit at a table of pairs.")
            % {"least": ALL_TABLES[0], "most": ALL_TABLES[-1]},
            field=GAME_SETTINGS_OPTIONS["table_size"].key,
        )
    game_options = validate_options_of_game(
        seat_count=4 if is_pairs else options["table_size"],
        **{name: options[name] for name in SHARED_OPTIONS},
    )
    options |= {name: game_options[name] for name in SHARED_OPTIONS}
    shorter_times = shorten_time_control(clock.TimeControl(options["allowance"], options["bank"]))
    if options["rematch_allowance"] is None:
        options["rematch_allowance"] = shorter_times.allowance
    if options["rematch_bank"] is None:
        options["rematch_bank"] = shorter_times.bank
    try:
        clock.build_time_control("custom", options["rematch_allowance"], options["rematch_bank"])
    except clock.InvalidTimeControl as error:
        raise Invalid(error.translate_message(_), field=f"rematch_{error.field}") from None
    check_round_length(options)
    return options


def check_round_length(options: Mapping[str, Any]) -> None:
    """Raise Invalid if rounds are too short or too long, or shorter than a turn may take."""
    round_length = options["round_length"]
    if round_length is None:
        return
    if not ROUND_LENGTH.minimum <= round_length <= ROUND_LENGTH.maximum:
        raise Invalid(
            _("A round must last between %(least)s and %(most)s.")
            % {
                "least": format_duration(timedelta(seconds=ROUND_LENGTH.minimum)),
                "most": format_duration(timedelta(seconds=ROUND_LENGTH.maximum)),
            },
            field="round_length_seconds",
        )
    longest_turn = max(options["allowance"], options["rematch_allowance"], options["blind_allowance"] or 0)
    if round_length < longest_turn:
        raise Invalid(
            _("The round is shorter than one turn. Lengthen the round or shorten the turn."),
            code="round-too-short",
            limit=longest_turn,
            field="round_length_seconds",
        )


def shorten_time_control(turn_times: clock.TimeControl) -> clock.TimeControl:
    """Return the default time control of a rematch."""
    return clock.TimeControl(
        max(turn_times.allowance // REMATCH_TIME_DIVISOR, clock.MIN_TIME_CONTROL.allowance),
        turn_times.bank // REMATCH_TIME_DIVISOR,
    )


def rebuild_choices(game_settings: GameSettings, time_control: str) -> dict[str, Any]:
    """Return the arguments of `validate_game_settings` that give these settings again with a time control.

    What follows from the time control by default is left to it again.
    """
    choices = read_options(game_settings, GAME_SETTINGS_OPTIONS)
    shorter_times = shorten_time_control(clock.TimeControl(game_settings.allowance, game_settings.bank))
    defaults = {
        "rematch_allowance": shorter_times.allowance,
        "rematch_bank": shorter_times.bank,
        "vacation": game_settings.allowance >= clock.LIVE_ALLOWANCE_SECONDS,
    }
    choices |= {name: None for name, value in defaults.items() if choices[name] == value}
    if time_control != "custom":
        choices |= {"allowance": None, "bank": None}
    return choices


def merge_game_settings(
    game_settings: GameSettings, changes: Mapping[str, Any], *, keeps_obligation: bool = True
) -> dict[str, Any]:
    """Return the fields of `GameSettings` after changes; defaults of the time control follow a new one.

    `keeps_obligation`: one that could be chosen only before stays; otherwise it becomes the default. Raises
    Invalid on settings that no game can have.
    """
    choices = rebuild_choices(game_settings, changes.get("time_control", game_settings.time_control))
    old_obligation = choices.pop("obligation")
    fields = validate_game_settings(**choices | dict(changes))
    return (
        fields | {"obligation": old_obligation}
        if keeps_obligation and "obligation" not in changes
        else fields
    )


def check_stored_settings(game_settings: GameSettings) -> None:
    """Raise Invalid on stored settings that could not be chosen today, with the errors of the form."""
    validate_game_settings(**rebuild_choices(game_settings, game_settings.time_control))


def describe_unplayable_settings(game_settings: GameSettings) -> str:
    """Describe what is wrong with stored settings, in the reader's language; "" if nothing is."""
    try:
        check_stored_settings(game_settings)
    except Invalid as error:
        return capfirst(error.detail).rstrip(".") + "."
    return ""


def build_game_settings_dict(game_settings: GameSettings) -> dict[str, Any]:
    """Return the settings as a dict, for another tournament."""
    return read_options(game_settings, GAME_SETTINGS_OPTIONS)


def build_game_options(game_settings: GameSettings, *, is_rematch: bool) -> dict[str, Any]:
    """Return the arguments to create a game; a rematch has the shorter time control."""
    options = read_options(game_settings, SHARED_OPTIONS)
    options["rated"] = game_settings.rated and can_be_rated(obligation=game_settings.obligation)
    if is_rematch:
        return options | {
            "time_control": "custom",
            "allowance": game_settings.rematch_allowance,
            "bank": game_settings.rematch_bank,
            "blind_allowance": None,
        }
    is_custom = game_settings.time_control == "custom"
    return options | {
        "allowance": game_settings.allowance if is_custom else None,
        "bank": game_settings.bank if is_custom else None,
    }
