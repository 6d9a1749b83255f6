"""Dates of tournaments and leagues as iCalendar feeds (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from notifications.web.feeds import FEED_MAX_AGE_SECONDS, CalendarEntry, calendar_response
from tournaments import links, text
from tournaments.models import Tournament
from tournaments.selectors import NoSuchTournament, calendar_dates, get_tournament_for


def list_player_dates(player: Player) -> Iterator[CalendarEntry]:
    """Yield the tournament and league dates of a player's own calendar."""
    for upcoming in calendar_dates.list_upcoming_dates(player):
        if upcoming.kind == calendar_dates.TOURNAMENT_START:
            yield build_start_date(
                upcoming.code, upcoming.name, upcoming.format, upcoming.recorded_at, upcoming.at
            )
        elif upcoming.kind == calendar_dates.ROUND_END:
            yield build_round_end_date(
                upcoming.code,
                upcoming.name,
                upcoming.number,
                upcoming.shown_number,
                upcoming.recorded_at,
                upcoming.at,
            )
        else:
            yield build_next_season_date(upcoming)


@require_safe
@conditional_page
def show_calendar(request: HttpRequest, code: str) -> HttpResponse:
    """Return a tournament's calendar, public unless the tournament is private."""
    try:
        tournament = get_tournament_for(viewer_of(request), code)
    except NoSuchTournament:
        raise Http404(_("Tournament not found.")) from None
    response = calendar_response(
        tournament.name,
        list_tournament_dates(tournament),
        empty_text=_("This tournament was cancelled.")
        if tournament.is_cancelled
        else _("This tournament has no dates yet."),
    )
    patch_cache_control(response, private=tournament.is_private, max_age=FEED_MAX_AGE_SECONDS)
    response["Content-Disposition"] = f'inline; filename="{tournament.code}.ics"'
    return response


def list_tournament_dates(tournament: Tournament) -> Iterator[CalendarEntry]:
    """Yield the entry, start and round end dates of a tournament; nothing if it was cancelled."""
    if tournament.is_cancelled:
        return
    details = {"name": tournament.name}
    if tournament.opens_at:
        yield build_entry_date(
            tournament, "opens", tournament.opens_at, _("%(name)s: entries open") % details
        )
    if tournament.closes_at:
        yield build_entry_date(
            tournament, "closes", tournament.closes_at, _("%(name)s: entries close") % details
        )
    if starts_at := tournament.started_at or tournament.starts_at:
        yield build_start_date(
            tournament.code, tournament.name, tournament.format, tournament.created_at, starts_at
        )
    is_numbered = (
        tournament.format in calendar_dates.NUMBERED_ROUND_FORMATS and not tournament.all_rounds_at_once
    )
    for published_round in tournament.rounds.filter(ends_at__isnull=False).order_by("number"):
        assert published_round.ends_at
        shown_number = published_round.number if is_numbered else 0
        yield build_round_end_date(
            tournament.code,
            tournament.name,
            published_round.number,
            shown_number,
            published_round.published_at,
            published_round.ends_at,
        )


# ----------------------------------------------------------------------------------------------- single dates


def build_entry_date(tournament: Tournament, kind: str, starts_at: datetime, title: str) -> CalendarEntry:
    """Return the date when entries open or close."""
    url = links.build_tournament_url(tournament.code)
    return CalendarEntry(
        f"{tournament.code}-{kind}",
        tournament.created_at,
        starts_at,
        title,
        build_format_text(tournament.format),
        url,
    )


def build_format_text(format_code: str) -> str:
    """Return the name of a format as a short text."""
    return f"{text.label_format(format_code)}."


def build_start_date(
    code: str, name: str, format_code: str, created_at: datetime, starts_at: datetime
) -> CalendarEntry:
    """Return the start date of a tournament."""
    title = _("%(name)s starts") % {"name": name}
    return CalendarEntry(
        f"{code}-start",
        created_at,
        starts_at,
        title,
        build_format_text(format_code),
        links.build_tournament_url(code),
    )


def build_round_end_date(
    code: str, name: str, round_no: int, shown_number: int, created_at: datetime, ends_at: datetime
) -> CalendarEntry:
    """Return the date when a round ends and its open games are adjudicated by points."""
    details = {"name": name, "n": shown_number}
    title = (
        _("%(name)s: round %(n)d ends") % details if shown_number else _("%(name)s: the round ends") % details
    )
    description = _("Points decide games that are unfinished then.")
    return CalendarEntry(
        f"{code}-round-{round_no}", created_at, ends_at, title, description, links.build_tournament_url(code)
    )


def build_next_season_date(last_season: calendar_dates.UpcomingDate) -> CalendarEntry:
    """Return the start date of the season after the last one."""
    season_no = last_season.number + 1
    return CalendarEntry(
        uid=f"{last_season.code}-season-{season_no}",
        created_at=last_season.recorded_at,
        starts_at=last_season.at + timedelta(seconds=last_season.delay_seconds),
        title=_("%(name)s: season %(n)d starts") % {"name": last_season.name, "n": season_no},
        text=_("You play unless you leave before then."),
        url=links.build_league_url(last_season.code),
    )


urlpatterns = [path("<slug:code>/calendar.ics", show_calendar, name="tournament-calendar")]
