"""Dates of tournaments and leagues, as calendars that can be subscribed to (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from games.models import Player
from games.web.asking import viewer_of
from games.web.feeds import FRESH, Date, answered
from tournaments import links, words
from tournaments.models import Event, Round, Season
from tournaments.selectors import NoSuchEvent, dates, event_for


def of_player(player: Player) -> Iterator[Date]:
    """What a player's own calendar tells of tournaments and leagues."""
    yield from map(start, dates.starts(player))
    yield from map(round_end, dates.ends(player))
    yield from map(next_season, dates.last_seasons(player))


@require_safe
@conditional_page
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    """The dates of one tournament, for everybody."""
    try:
        event = event_for(viewer_of(request), code)
    except NoSuchEvent:
        raise Http404(_("There is no such tournament.")) from None
    answer = answered(event.name, of_event(event))
    patch_cache_control(answer, private=event.status == Event.Status.DRAFT, max_age=FRESH)
    answer["Content-Disposition"] = f'inline; filename="{event.code}.ics"'
    return answer


def of_event(event: Event) -> Iterator[Date]:
    """Entries, start and ends of rounds; nothing of what was cancelled."""
    if event.status == Event.Status.CANCELLED:
        return
    named = {"name": event.name}
    if event.opens_at:
        yield entry(event, "opens", event.opens_at, _("%(name)s: entries open") % named)
    if event.closes_at:
        yield entry(event, "closes", event.closes_at, _("%(name)s: entries close") % named)
    if event.starts_at or event.started_at:
        yield start(event)
    for round in event.published.filter(ends_at__isnull=False).order_by("number"):
        round.event = event
        yield round_end(round)


# -------------------------------------------------------------------------------------------------- the dates


def address(event: Event) -> str:
    """The page of an event."""
    return links.tournament(event.code)


def entry(event: Event, what: str, at: datetime, title: str) -> Date:
    """From when on, or until when one may enter."""
    return Date(f"{event.code}-{what}", event.created_at, at, title, played(event), address(event))


def start(event: Event) -> Date:
    """When an event begins, or began."""
    at = event.started_at or event.starts_at
    assert at
    title = _("%(name)s begins") % {"name": event.name}
    return Date(f"{event.code}-start", event.created_at, at, title, played(event), address(event))


def played(event: Event) -> str:
    """What an event is, in a word."""
    return f"{words.format_name(event.format)}."


def round_end(round: Round) -> Date:
    """When what is still played is decided by the points."""
    event, at = round.event, round.ends_at
    assert at
    counted = event.format in (Event.Format.SWISS, Event.Format.ROUND_ROBIN) and not event.at_once
    facts = {"name": event.name, "n": round.number}
    title = _("%(name)s: round %(n)d ends") % facts if counted else _("%(name)s: the round ends") % facts
    text = _("What is still being played then is decided by the points made until then.")
    return Date(f"{event.code}-round-{round.number}", round.made_at, at, title, text, address(event))


def next_season(last: Season) -> Date:
    """When the season after the last one begins."""
    assert last.finished_at
    league, number = last.league, last.number + 1
    return Date(
        uid=f"{league.code}-season-{number}",
        made=last.finished_at,
        at=last.finished_at + timedelta(seconds=league.pause),
        title=_("%(name)s: season %(n)d begins") % {"name": league.name, "n": number},
        text=_("You stay in, unless you say otherwise before."),
        address=links.league(league.code),
    )


urlpatterns = [path("<slug:code>/calendar.ics", calendar, name="tournament-calendar")]
