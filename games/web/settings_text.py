"""The settings of a game in the reader's language. A game here is a game view or a row of a list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from common.duration_format import format_duration
from games.engine import DEFAULT_EDITION, load_edition
from games.models import Game
from games.options import GAME_OPTIONS


def describe_players(mode: str, seats: int) -> str:
    """Return the mode and number of players in words."""
    if mode == Game.Mode.SINGLES:
        return {2: _("two players"), 3: _("three players"), 4: _("four players")}[seats]
    return _("pairs, two against two") if mode == Game.Mode.PAIRS else _("solo")


def describe_cards(game: Mapping[str, Any]) -> str:
    """Return whether the game has secret cards; solo games never do."""
    if not game["options"]["cards"] or game["mode"] == Game.Mode.SOLO:
        return _("without cards")
    if game["options"].get("cards_from", 1) > 1:
        return _("with secret cards from the second match on")
    return _("with secret cards")


def describe_rulebook(game: Mapping[str, Any]) -> str:
    """Return the name of the rulebook."""
    return _("%(title)s rulebook") % {"title": load_edition(game["edition"]).title}


def describe_duty(game: Mapping[str, Any]) -> str:
    """Return whether figures must be closed."""
    if game["options"]["obligation"] == "strict":
        return _("if you can close a figure, you must")
    return _("head in the clouds: you need not close figures")


def describe_seniority(game: Mapping[str, Any]) -> str:
    """Return who counts as the oldest if a lot decides it, or an empty string."""
    is_by_lot = game["options"].get("seniority") == "lot" and game["mode"] != Game.Mode.SOLO
    return _("seniority by lot") if is_by_lot else ""


def describe_hints(game: Mapping[str, Any]) -> str:
    """Return that pages do not show where a figure can be closed, or an empty string."""
    return "" if game["hints"] else _("no help with closing figures")


def describe_clock(game: Mapping[str, Any]) -> str:
    """Return the time for each turn; a solo game has no clock."""
    if game["mode"] == Game.Mode.SOLO:
        return _("no clock")
    return _("%(span)s per turn") % {
        "span": format_duration(timedelta(seconds=game["clock"]["allowance_seconds"]))
    }


def describe_reserve(game: Mapping[str, Any]) -> str:
    """Return the time bank for the whole game, or an empty string."""
    if game["mode"] == Game.Mode.SOLO or not game["clock"]["bank_seconds"]:
        return ""
    return _("%(span)s in reserve") % {
        "span": format_duration(timedelta(seconds=game["clock"]["bank_seconds"]))
    }


def describe_clock_stops(game: Mapping[str, Any]) -> str:
    """Return when all clocks stop, or an empty string."""
    weekends, nights = game["clock"]["weekends"], game["clock"]["nights"]
    if game["mode"] == Game.Mode.SOLO or not (weekends or nights):
        return ""
    if weekends and nights:
        return _("clocks stop at night and at weekends")
    return _("clocks stop at weekends") if weekends else _("clocks stop at night")


def describe_bots_option(game: Mapping[str, Any]) -> str:
    """Return that bots may join an open game, or that only they may, or an empty string."""
    if not game["bots_allowed"] or not Game.Status(game["status"]).is_open:
        return ""
    return _("for bots only") if game["rated"] else _("bots may join")


def describe_status(game: Mapping[str, Any]) -> str:
    """Return the status of the game."""
    return str(Game.Status(game["status"]).label)


def summarise_open_game(game: Mapping[str, Any]) -> str:
    """Return the settings of a game that waits for players, in one line."""
    parts = [describe_players(game["mode"], game["seats_wanted"])]
    if game["mode"] != Game.Mode.SOLO:
        parts.append(describe_cards(game))
    parts += [describe_clock(game), describe_rulebook(game), *list_unusual_settings(game)]
    return capfirst(" · ".join(parts))


def summarise_begun_game(game: Mapping[str, Any]) -> str:
    """Return the settings of a begun game that its seats and board do not show, in one line."""
    parts = (
        [describe_players(game["mode"], game["seats_wanted"])] if game["mode"] != Game.Mode.SINGLES else []
    )
    has_late_cards = game["options"].get("cards_from", 1) > 1
    if game["mode"] != Game.Mode.SOLO and (has_late_cards or not game["options"]["cards"]):
        parts.append(describe_cards(game))
    if game["edition"] != DEFAULT_EDITION:
        parts.append(describe_rulebook(game))
    if not Game.Status(game["status"]).is_over:
        parts.append(describe_clock(game))
    return capfirst(" · ".join([*parts, *list_unusual_settings(game)]))


def list_unusual_settings(game: Mapping[str, Any]) -> list[str]:
    """List settings that differ from the usual ones."""
    parts = []
    if game["options"]["obligation"] != "strict":
        parts.append(_("head in the clouds"))
    if game["options"]["target"] != GAME_OPTIONS["target"].default_value and game["mode"] != Game.Mode.SOLO:
        parts.append(_("to %(n)s points") % {"n": game["options"]["target"]})
    parts += [describe_seniority(game), describe_hints(game), describe_clock_stops(game)]
    if game["rated"]:
        parts.append(_("rated"))
    parts.append(describe_bots_option(game))
    return [part for part in parts if part]


def list_all_settings(game: Mapping[str, Any]) -> list[str]:
    """List all settings, one phrase each."""
    parts = [describe_players(game["mode"], game["seats_wanted"])]
    if game["mode"] != Game.Mode.SOLO:
        parts.append(describe_cards(game))
        parts.append(_("to %(n)s points") % {"n": game["options"]["target"]})
    parts.append(", ".join(part for part in (describe_clock(game), describe_reserve(game)) if part))
    parts += [
        describe_clock_stops(game),
        describe_rulebook(game),
        describe_duty(game),
        describe_seniority(game),
        describe_hints(game),
        _("rated") if game["rated"] else "",
        describe_bots_option(game),
    ]
    return [capfirst(part) for part in parts if part]
