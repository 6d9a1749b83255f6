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
from tournaments.models import Event
from tournaments.selectors import NoSuchEvent, dates, event_for


def of_player(player: Player) -> Iterator[Date]:
    """What a player's own calendar tells of tournaments and leagues."""
    for one in dates.to_come(player):
        if one.what == dates.START:
            yield start(one.code, one.name, one.format, one.made, one.at)
        elif one.what == dates.ROUND:
            yield round_end(one.code, one.name, one.number, one.counted, one.made, one.at)
        else:
            yield next_season(one)


@require_safe
@conditional_page
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    """The dates of one tournament, for everybody."""
    try:
        event = event_for(viewer_of(request), code)
    except NoSuchEvent:
        raise Http404(_("There is no such tournament.")) from None
    cancelled = event.status == Event.Status.CANCELLED
    answer = answered(
        event.name,
        of_event(event),
        none=_("This tournament was cancelled.") if cancelled else _("This tournament has no dates yet."),
    )
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
    if at := event.started_at or event.starts_at:
        yield start(event.code, event.name, event.format, event.created_at, at)
    counted = event.format in dates.COUNTED and not event.at_once
    for round in event.published.filter(ends_at__isnull=False).order_by("number"):
        assert round.ends_at
        known_as = round.number if counted else 0
        yield round_end(event.code, event.name, round.number, known_as, round.made_at, round.ends_at)


# -------------------------------------------------------------------------------------------------- the dates


def entry(event: Event, what: str, at: datetime, title: str) -> Date:
    """From when on, or until when one may enter."""
    address = links.tournament(event.code)
    return Date(f"{event.code}-{what}", event.created_at, at, title, played(event.format), address)


def played(format: str) -> str:
    """What an event is, in a word."""
    return f"{words.format_name(format)}."


def start(code: str, name: str, format: str, made: datetime, at: datetime) -> Date:
    """When an event begins, or began."""
    title = _("%(name)s begins") % {"name": name}
    return Date(f"{code}-start", made, at, title, played(format), links.tournament(code))


def round_end(code: str, name: str, number: int, known_as: int, made: datetime, at: datetime) -> Date:
    """When what is still played is decided by the points."""
    facts = {"name": name, "n": known_as}
    title = _("%(name)s: round %(n)d ends") % facts if known_as else _("%(name)s: the round ends") % facts
    text = _("What is still being played then is decided by the points made until then.")
    return Date(f"{code}-round-{number}", made, at, title, text, links.tournament(code))


def next_season(last: dates.ToCome) -> Date:
    """When the season after the last one begins."""
    number = last.number + 1
    return Date(
        uid=f"{last.code}-season-{number}",
        made=last.made,
        at=last.at + timedelta(seconds=last.later),
        title=_("%(name)s: season %(n)d begins") % {"name": last.name, "n": number},
        text=_("You stay in, unless you say otherwise before."),
        address=links.league(last.code),
    )


urlpatterns = [path("<slug:code>/calendar.ics", calendar, name="tournament-calendar")]
