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
        "open": lambda: pgettext("league", "not started"),
        "running": lambda: pgettext("league", "in progress"),
        "closed": lambda: pgettext("league", "closed"),
    }.get(code, lambda: code)()


def describe_membership(code: str | None) -> str:
    """Describe the viewer's membership."""
    return {
        "member": lambda: _("you play"),
        "substitute": lambda: _("you are a substitute"),
        "out": lambda: _("you sit out"),
    }.get(code or "", lambda: "")()


def describe_next_season_role(code: str) -> str:
    """Describe what a member does in the next season, for a list."""
    return {
        "member": lambda: pgettext("league", "plays"),
        "substitute": lambda: pgettext("league", "substitute"),
        "out": lambda: pgettext("league", "sits out"),
    }.get(code, lambda: code)()


def describe_division_size(division_size: int) -> str:
    """Describe the division size."""
    return ngettext("divisions of %(n)s", "divisions of %(n)s", division_size) % {"n": division_size}


def list_rules(league_data: DataDict) -> list[str]:
    """List the rules of a league, one sentence each; `league_data` has its settings."""
    is_pairs = league_data["mode"] == "pairs"
    sentences = [
        (_("Each division has %(n)s pairs.") if is_pairs else _("Each division has %(n)s players."))
        % {"n": league_data["division_size"]}
    ]
    if league_data["groups_per_division"] > 1:
        sentences.append(_("Each division has %(n)s groups.") % {"n": league_data["groups_per_division"]})
    sentences.append(describe_season_format(league_data))
    if league_data["format"] == "round-robin" and league_data["all_rounds_at_once"]:
        sentences.append(_("All games of a season start at once."))
    if league_data["promotion_count"]:
        sentences.append(
            ngettext(
                "After a season each division’s first is promoted and its last relegated.",
                "After a season each division’s top %(n)s are promoted and its last %(n)s relegated.",
                league_data["promotion_count"],
            )
            % {"n": league_data["promotion_count"]}
        )
    sentences.append(describe_newcomer_policy(league_data))
    sentences.append(_("Members play every season until they leave."))
    sentences.append(_("If a player withdraws, a substitute takes over their place and games."))
    sentences.append(describe_season_pause(league_data))
    if league_data["season_limit"]:
        sentences.append(
            ngettext(
                "The league has one season.", "The league has %(n)s seasons.", league_data["season_limit"]
            )
            % {"n": league_data["season_limit"]}
        )
    return sentences


def describe_season_format(league_data: DataDict) -> str:
    """Describe the format of a season."""
    if league_data["format"] == "swiss":
        if league_data["round_count"]:
            return ngettext(
                "A season has %(n)s Swiss round: you meet players with similar points.",
                "A season has %(n)s Swiss rounds: you meet players with similar points.",
                league_data["round_count"],
            ) % {"n": league_data["round_count"]}
        return _("A season has Swiss rounds: you meet players with similar points.")
    if league_data["table_size"] > 2:
        return _("In a season everybody meets everybody about equally often.")
    if league_data["cycles"] > 1:
        return _("In a season everybody meets everybody %(n)s times.") % {"n": league_data["cycles"]}
    return _("In a season everybody meets everybody once.")


def describe_newcomer_policy(league_data: DataDict) -> str:
    """Describe where new players start."""
    if league_data["newcomer_policy"] == "rating":
        return _("New players start next season, in the division that fits their rating.")
    return _("New players start next season, in the lowest division.")


def describe_season_pause(league_data: DataDict) -> str:
    """Describe the pause between two seasons."""
    if league_data["season_pause_seconds"]:
        span = format_duration(timedelta(seconds=league_data["season_pause_seconds"]))
        return _("The break between seasons lasts %(span)s.") % {"span": span}
    return _("Each season starts as soon as the previous one ends.")


def describe_calendar_entry(entry: CalendarEntryData, league_data: DataDict) -> str:
    """Describe an entry of the calendar, without its time."""
    if entry.kind == "season-began":
        return _("Season %(n)s started") % {"n": entry.season}
    if entry.kind == "round-ends" and league_data["all_rounds_at_once"]:
        return _("Deadline: points decide unfinished games")
    if entry.kind == "round-ends":
        return _("Round %(n)s ends: points decide unfinished games") % {"n": entry.round}
    if entry.kind == "season-ends" and entry.at:
        return _("Season %(n)s ends; last chance to appeal") % {"n": entry.season}
    if entry.kind == "season-ends":
        return _("Season %(n)s ends when all games are over") % {"n": entry.season}
    if entry.kind == "season-ended":
        return _("Season %(n)s ended") % {"n": entry.season}
    if entry.at:
        return _("Season %(n)s starts") % {"n": entry.season}
    if entry.season == 1:
        return _("Season 1 starts when the organiser starts it")
    if league_data["season_pause_seconds"]:
        span = format_duration(timedelta(seconds=league_data["season_pause_seconds"]))
        return _("Season %(n)s starts %(span)s later") % {"n": entry.season, "span": span}
    return _("Season %(n)s starts immediately") % {"n": entry.season}


def describe_movement(movement: str | None, is_final: bool) -> str:
    """Describe promotion or relegation of a placement."""
    if movement == "up":
        return _("promoted") if is_final else _("would be promoted")
    if movement == "down":
        return _("relegated") if is_final else _("would be relegated")
    return ""


def describe_last_error(code: str) -> str:
    """Describe why a league cannot continue, for its organisers."""
    if code == "too-few":
        return _("Fewer than two players have joined. The season starts when there are two.")
    if code == "unplayable-settings":
        return _("The next season cannot start with these settings. Change them first.")
    return describe_retry() if code else ""
