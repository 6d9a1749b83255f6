"""Text about leagues: rules, membership, calendar, promotion."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from common.duration_format import format_duration
from tournaments.leagues.read_models import CalendarEntryData
from tournaments.text.labels import DataDict
from tournaments.text.rules import describe_retry


def describe_league_status(code: str) -> str:
    """Describe the status of a league."""
    return {
        "open": lambda: pgettext("league", "before its first season"),
        "running": lambda: pgettext("league", "running"),
        "closed": lambda: pgettext("league", "closed"),
    }.get(code, lambda: code)()


def describe_membership(code: str | None) -> str:
    """Describe the viewer's membership."""
    return {
        "member": lambda: _("you play"),
        "substitute": lambda: _("you stand by"),
        "out": lambda: _("you sit out"),
    }.get(code or "", lambda: "")()


def describe_next_season_role(code: str) -> str:
    """Describe what a member does in the next season, for a list."""
    return {
        "member": lambda: pgettext("league", "plays"),
        "substitute": lambda: pgettext("league", "stands by"),
        "out": lambda: pgettext("league", "sits out"),
    }.get(code, lambda: code)()


def describe_division_size(division_size: int) -> str:
    """Describe the division size."""
    return ngettext("divisions of %(n)s", "divisions of %(n)s", division_size) % {"n": division_size}


def list_rules(league_data: DataDict) -> list[str]:
    """List the rules of a league, one sentence each; `league_data` has its settings."""
    is_pairs = league_data["mode"] == "pairs"
    sentences = [
        (
            _("Divisions of %(n)s pairs, one above the other.")
            if is_pairs
            else _("Divisions of %(n)s players, one above the other.")
        )
        % {"n": league_data["division_size"]}
    ]
    if league_data["groups_per_division"] > 1:
        sentences.append(
            _("Each division plays in %(n)s groups.") % {"n": league_data["groups_per_division"]}
        )
    sentences.append(describe_season_format(league_data))
    if league_data["format"] == "round-robin" and league_data["all_rounds_at_once"]:
        sentences.append(_("All games of a season begin at once."))
    if league_data["promotion_count"]:
        sentences.append(
            ngettext(
                "After a season the best of each division goes up, and the last one goes down.",
                "After a season the best %(n)s of each division go up, and the last %(n)s go down.",
                league_data["promotion_count"],
            )
            % {"n": league_data["promotion_count"]}
        )
    sentences.append(describe_newcomer_policy(league_data))
    sentences.append(_("Who plays stays in, season after season, until they say otherwise."))
    sentences.append(_("When somebody drops out, a substitute takes over their place and their games."))
    sentences.append(describe_season_pause(league_data))
    if league_data["season_limit"]:
        sentences.append(
            ngettext("There is one season.", "There are %(n)s seasons.", league_data["season_limit"])
            % {"n": league_data["season_limit"]}
        )
    return sentences


def describe_season_format(league_data: DataDict) -> str:
    """Describe the format of a season."""
    if league_data["format"] == "swiss":
        if league_data["round_count"]:
            return ngettext(
                "A season is %(n)s Swiss round: those with about as many points meet.",
                "A season is %(n)s Swiss rounds: those with about as many points meet.",
                league_data["round_count"],
            ) % {"n": league_data["round_count"]}
        return _("A season is played in Swiss rounds: those with about as many points meet.")
    if league_data["table_size"] > 2:
        return _("In a season everybody plays on a schedule, so that all meet about equally often.")
    if league_data["cycles"] > 1:
        return _("In a season everybody meets everybody else %(n)s times.") % {"n": league_data["cycles"]}
    return _("In a season everybody meets everybody else once.")


def describe_newcomer_policy(league_data: DataDict) -> str:
    """Describe where new players start."""
    if league_data["newcomer_policy"] == "rating":
        return _("New players begin in the division where their rating fits, at the next season.")
    return _("New players begin in the lowest division, at the next season.")


def describe_season_pause(league_data: DataDict) -> str:
    """Describe the pause between two seasons."""
    if league_data["season_pause_seconds"]:
        span = format_duration(timedelta(seconds=league_data["season_pause_seconds"]))
        return _("Between two seasons there is a pause of %(span)s.") % {"span": span}
    return _("A season begins as soon as the one before is over.")


def describe_calendar_entry(entry: CalendarEntryData, league_data: DataDict) -> str:
    """Describe an entry of the calendar, without its time."""
    if entry.kind == "season-began":
        return _("Season %(n)s began") % {"n": entry.season}
    if entry.kind == "round-ends" and league_data["all_rounds_at_once"]:
        return _("The games end: what is still played is decided by the points made")
    if entry.kind == "round-ends":
        return _("Round %(n)s ends: what is still played is decided by the points made") % {"n": entry.round}
    if entry.kind == "season-ends" and entry.at:
        return _("Season %(n)s ends; until then one can appeal") % {"n": entry.season}
    if entry.kind == "season-ends":
        return _("Season %(n)s ends when all its games are played") % {"n": entry.season}
    if entry.kind == "season-ended":
        return _("Season %(n)s ended") % {"n": entry.season}
    if entry.at:
        return _("Season %(n)s begins") % {"n": entry.season}
    if entry.season == 1:
        return _("Season 1 begins when the organiser says so")
    if league_data["season_pause_seconds"]:
        span = format_duration(timedelta(seconds=league_data["season_pause_seconds"]))
        return _("Season %(n)s begins %(span)s later") % {"n": entry.season, "span": span}
    return _("Season %(n)s begins at once") % {"n": entry.season}


def describe_movement(movement: str | None, is_final: bool) -> str:
    """Describe promotion or relegation of a placement."""
    if movement == "up":
        return _("goes up") if is_final else _("would go up")
    if movement == "down":
        return _("goes down") if is_final else _("would go down")
    return ""


def describe_last_error(code: str) -> str:
    """Describe why a league cannot continue, for its organisers."""
    if code == "too-few":
        return _("Fewer than two players are in, so the season waits for more.")
    if code == "unplayable-terms":
        return _("The next season waits, as its games cannot be played by these settings. Change them first.")
    return describe_retry() if code else ""
