"""Leagues in the reader's language: how one is played, what comes when, who goes where."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.spans import lasting

from .places import Said
from .rules import say_retry


def status(code: str) -> str:
    """How far a league is."""
    return {
        "open": lambda: pgettext("league", "before its first season"),
        "running": lambda: pgettext("league", "running"),
        "closed": lambda: pgettext("league", "closed"),
    }.get(code, lambda: code)()


def membership(code: str | None) -> str:
    """What somebody is in a league."""
    return {
        "member": lambda: _("you play"),
        "substitute": lambda: _("you stand by"),
        "out": lambda: _("you sit out"),
    }.get(code or "", lambda: "")()


def next_season(code: str) -> str:
    """What somebody does in the next season, in a list."""
    return {
        "member": lambda: pgettext("league", "plays"),
        "substitute": lambda: pgettext("league", "stands by"),
        "out": lambda: pgettext("league", "sits out"),
    }.get(code, lambda: code)()


def size(league: Said) -> str:
    """How large a division is."""
    return ngettext("divisions of %(n)s", "divisions of %(n)s", league["size"]) % {"n": league["size"]}


def rules(league: Said) -> list[str]:
    """How a league is played, a sentence each; `league` is what `leagues.laid_down` gives."""
    pairs = league["mode"] == "pairs"
    told = [
        (
            _("Divisions of %(n)s pairs, one above the other.")
            if pairs
            else _("Divisions of %(n)s players, one above the other.")
        )
        % {"n": league["size"]}
    ]
    if league["groups"] > 1:
        told.append(_("Each division plays in %(n)s groups.") % {"n": league["groups"]})
    told.append(played(league))
    if league["format"] == "round-robin" and league["at_once"]:
        told.append(_("All games of a season begin at once."))
    if league["moves"]:
        told.append(
            ngettext(
                "After a season the best of each division goes up, and the last one goes down.",
                "After a season the best %(n)s of each division go up, and the last %(n)s go down.",
                league["moves"],
            )
            % {"n": league["moves"]}
        )
    told.append(newcomers(league))
    told.append(_("Who plays stays in, season after season, until they say otherwise."))
    told.append(_("When somebody drops out, a substitute takes over their place and their games."))
    told.append(between(league))
    if league["seasons"]:
        told.append(
            ngettext("There is one season.", "There are %(n)s seasons.", league["seasons"])
            % {"n": league["seasons"]}
        )
    return told


def played(league: Said) -> str:
    """What a season is."""
    if league["format"] == "swiss":
        if league["rounds"]:
            return ngettext(
                "A season is %(n)s Swiss round: those with about as many points meet.",
                "A season is %(n)s Swiss rounds: those with about as many points meet.",
                league["rounds"],
            ) % {"n": league["rounds"]}
        return _("A season is played in Swiss rounds: those with about as many points meet.")
    if league["table"] > 2:
        return _("In a season everybody plays on a schedule, so that all meet about equally often.")
    if league["laps"] > 1:
        return _("In a season everybody meets everybody else %(n)s times.") % {"n": league["laps"]}
    return _("In a season everybody meets everybody else once.")


def newcomers(league: Said) -> str:
    """Where new players begin."""
    if league["newcomers"] == "rating":
        return _("New players begin in the division where their rating fits, at the next season.")
    return _("New players begin in the lowest division, at the next season.")


def between(league: Said) -> str:
    """How one season follows the other."""
    if league["pause"]:
        span = lasting(timedelta(seconds=league["pause"]))
        return _("Between two seasons there is a pause of %(span)s.") % {"span": span}
    return _("A season begins as soon as the one before is over.")


def comes(line: Said, league: Said) -> str:
    """A line of the calendar, without its time."""
    if line["kind"] == "season-began":
        return _("Season %(n)s began") % {"n": line["season"]}
    if line["kind"] == "round-ends" and league["at_once"]:
        return _("The games end: what is still played is decided by the points made")
    if line["kind"] == "round-ends":
        return _("Round %(n)s ends: what is still played is decided by the points made") % {
            "n": line["round"]
        }
    if line["kind"] == "season-ends" and line["at"]:
        return _("Season %(n)s ends; until then one can appeal") % {"n": line["season"]}
    if line["kind"] == "season-ends":
        return _("Season %(n)s ends when all its games are played") % {"n": line["season"]}
    if line["kind"] == "season-ended":
        return _("Season %(n)s ended") % {"n": line["season"]}
    if line["at"]:
        return _("Season %(n)s begins") % {"n": line["season"]}
    if line["season"] == 1:
        return _("Season 1 begins when the organiser says so")
    if league["pause"]:
        span = lasting(timedelta(seconds=league["pause"]))
        return _("Season %(n)s begins %(span)s later") % {"n": line["season"], "span": span}
    return _("Season %(n)s begins at once") % {"n": line["season"]}


def heading(code: str, final: bool) -> str:
    """Where a place in a division leads."""
    if code == "up":
        return _("goes up") if final else _("would go up")
    if code == "down":
        return _("goes down") if final else _("would go down")
    return ""


def trouble(code: str) -> str:
    """Why a league cannot go on, for who organises it."""
    if code == "too-few":
        return _("Fewer than two players are in, so the season waits for more.")
    if code == "unplayable-terms":
        return _("The next season waits, as its games cannot be played by these settings. Change them first.")
    return say_retry() if code else ""
