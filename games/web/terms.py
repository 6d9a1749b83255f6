"""The terms of a game in the reader's language. A game is here a view, or a line of a list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.engine import DEFAULT_EDITION, edition
from games.models import Game
from games.spans import lasting

TARGET = 24  # points to play for, unless a game says otherwise


def players(mode: str, seats: int) -> str:
    """Who plays against whom."""
    if mode == "singles":
        return {2: _("two players"), 3: _("three players"), 4: _("four players")}[seats]
    return _("pairs, two against two") if mode == "pairs" else _("solo")


def cards(game: Mapping[str, Any]) -> str:
    """Whether secret cards are in play; alone there are none."""
    with_cards = game["options"]["cards"] and game["mode"] != "solo"
    return _("with secret cards") if with_cards else _("without cards")


def rulebook(game: Mapping[str, Any]) -> str:
    """The rulebook that is played by."""
    return _("%(title)s rulebook") % {"title": edition(game["edition"]).title}


def duty(game: Mapping[str, Any]) -> str:
    """Whether figures have to be closed."""
    if game["options"]["obligation"] == "strict":
        return _("whoever can close a figure must")
    return _("head in the clouds: nobody has to close a figure")


def clock(game: Mapping[str, Any]) -> str:
    """How long a turn may take; alone one keeps nobody waiting."""
    if game["mode"] == "solo":
        return _("without a clock")
    return _("%(span)s for each turn") % {"span": lasting(timedelta(seconds=game["clock"]["allowance"]))}


def reserve(game: Mapping[str, Any]) -> str:
    """What there is besides, for the whole game."""
    if game["mode"] == "solo" or not game["clock"]["bank"]:
        return ""
    return _("%(span)s in reserve") % {"span": lasting(timedelta(seconds=game["clock"]["bank"]))}


def rests(game: Mapping[str, Any]) -> str:
    """When all clocks stand still."""
    weekends, nights = game["clock"]["weekends"], game["clock"]["nights"]
    if game["mode"] == "solo" or not (weekends or nights):
        return ""
    if weekends and nights:
        return _("clocks rest at night and at the weekend")
    return _("clocks rest at the weekend") if weekends else _("clocks rest at night")


def status(game: Mapping[str, Any]) -> str:
    """How far it is."""
    return str(Game.Status(game["status"]).label)


def in_short(game: Mapping[str, Any]) -> str:
    """A game in a line: what somebody looks at before they sit down."""
    told = [players(game["mode"], game["seats_wanted"])]
    if game["mode"] != "solo":
        told.append(cards(game))
    told += [clock(game), rulebook(game), *unusual(game)]
    return capfirst(" · ".join(told))


def in_brief(game: Mapping[str, Any]) -> str:
    """A game that has begun, in a line: only what its seats and its board do not show."""
    told = [players(game["mode"], game["seats_wanted"])] if game["mode"] != "singles" else []
    if game["mode"] != "solo" and not game["options"]["cards"]:
        told.append(cards(game))
    if game["edition"] != DEFAULT_EDITION:
        told.append(rulebook(game))
    if game["status"] != Game.Status.OVER:
        told.append(clock(game))
    return capfirst(" · ".join([*told, *unusual(game)]))


def unusual(game: Mapping[str, Any]) -> list[str]:
    """What most games have otherwise."""
    told = []
    if game["options"]["obligation"] != "strict":
        told.append(_("head in the clouds"))
    if game["options"]["target"] != TARGET and game["mode"] != "solo":
        told.append(_("to %(n)s points") % {"n": game["options"]["target"]})
    if rests(game):
        told.append(rests(game))
    if game["rated"]:
        told.append(_("rated"))
    return told


def in_full(game: Mapping[str, Any]) -> list[str]:
    """Everything that is agreed, a sentence each."""
    told = [players(game["mode"], game["seats_wanted"])]
    if game["mode"] != "solo":
        told.append(cards(game))
        told.append(_("to %(n)s points") % {"n": game["options"]["target"]})
    told.append(", ".join(part for part in (clock(game), reserve(game)) if part))
    told += [rests(game), rulebook(game), duty(game), _("rated") if game["rated"] else ""]
    return [capfirst(part) for part in told if part]
