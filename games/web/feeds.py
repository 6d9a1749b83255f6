"""Private feeds for programs that cannot sign in: a player's turns as Atom, their deadlines as iCalendar.

The token in the URL is the only credential. Whoever has it sees whose turn it is, the deadlines, and in which
games and tournaments the player takes part; nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from games import signed_links
from games.clock import load_zone
from games.datetime_format import format_deadline_sentence
from games.models import Player
from games.selectors.deliveries import (
    WaitingTurn,
    describe_other_players,
    find_player_by_feed_token,
    list_waiting_turns,
)

FEED_MAX_AGE_SECONDS = 300  # seconds a feed may be cached by its reader
MAX_LINE_OCTETS = 75  # longest line of a calendar, in octets (RFC 5545, 3.1)


@dataclass(frozen=True)
class CalendarEntry:
    """One calendar entry. A later version of an entry keeps its `uid` and has a higher `version`."""

    uid: str
    created_at: datetime
    starts_at: datetime
    title: str
    text: str
    url: str
    version: int = 0


# Functions of other apps that add entries of a player to the calendar; registered in AppConfig.ready().
CALENDAR_SOURCES: list[Callable[[Player], Iterable[CalendarEntry]]] = []


def private_feed(view: Callable[[Player], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: find the player by the token and call the view in their language and time zone."""

    @wraps(view)
    def wrapper(request: HttpRequest, key: str) -> HttpResponse:
        player = find_player_by_feed_token(key)
        if player is None:
            raise Http404
        with translation.override(player.language), timezone.override(load_zone(player.time_zone)):
            response = view(player)
        patch_cache_control(response, private=True, max_age=FEED_MAX_AGE_SECONDS)
        response["Content-Language"] = player.language
        response["X-Robots-Tag"] = "noindex"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return require_safe(conditional_page(wrapper))


def turn_title(turn: WaitingTurn, player: Player) -> str:
    """Return the title of a turn."""
    return _("Your turn in OTTO (%(who)s)") % {"who": describe_other_players(turn.game.places.all(), player)}


def describe_time_left(turn: WaitingTurn) -> str:
    """Return how long a turn lasts, in words."""
    if turn.deadline is None:
        return _("Your clock does not run at present.")
    return format_deadline_sentence(turn.deadline, turn.round_end)


# ------------------------------------------------------------------------------------------------------ Atom


class StableAtomFeed(Atom1Feed):
    """An Atom feed whose `updated` changes only with a turn; an empty feed uses `empty_since`."""

    def __init__(self, *args: Any, empty_since: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.empty_since = empty_since

    def latest_post_date(self) -> datetime:
        """Return the time of the newest turn, or `empty_since`."""
        return max((item["updateddate"] for item in self.items), default=self.empty_since)


@private_feed
def show_turns_feed(player: Player) -> HttpResponse:
    """Show the turns that wait for the player, as Atom."""
    feed = StableAtomFeed(
        title=_("Your turns in OTTO"),
        link=signed_links.build_absolute_url("/games/"),
        description="",
        author_name="OTTO online",
        feed_url=signed_links.build_absolute_url(f"/feeds/{player.key}/turns.atom"),
        language=player.language,
        empty_since=player.joined_at,
    )
    for turn in list_waiting_turns(player):
        game_url = signed_links.build_absolute_url(f"/games/{turn.game.code}/")
        feed.add_item(
            title=turn_title(turn, player),
            link=game_url,
            description=describe_time_left(turn),
            unique_id=f"{game_url}#turn-{turn.turn_seq}-{turn.seat.number}",
            pubdate=turn.since,
            updateddate=turn.since,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


# -------------------------------------------------------------------------------------------------- iCalendar


@private_feed
def show_deadlines_calendar(player: Player) -> HttpResponse:
    """Show the deadlines of the player's turns, and dates from other apps, as a calendar (RFC 5545)."""
    entries = [
        *map(
            partial(build_deadline_entry, player),
            (turn for turn in list_waiting_turns(player) if turn.deadline),
        )
    ]
    return calendar_response(
        _("OTTO deadlines"),
        [*entries, *(entry for calendar_source in CALENDAR_SOURCES for entry in calendar_source(player))],
        empty_text=_("No turn of yours has a deadline at present, and no tournament of yours a date."),
    )


def build_deadline_entry(player: Player, turn: WaitingTurn) -> CalendarEntry:
    """Return the calendar entry of a turn's deadline."""
    assert turn.deadline
    return CalendarEntry(
        uid=turn.game.code,  # one per game: a new deadline replaces the old one
        created_at=turn.since,
        starts_at=turn.deadline,
        title=turn_title(turn, player),
        text=describe_time_left(turn),
        url=signed_links.build_absolute_url(f"/games/{turn.game.code}/"),
        version=turn.turn_seq,
    )


def calendar_response(name: str, entries: Iterable[CalendarEntry], *, empty_text: str) -> HttpResponse:
    """Return a calendar as a response; `empty_text` describes it when there are no entries."""
    lines = [line for item in calendar_lines(name, list(entries), empty_text) for line in fold_line(item)]
    return HttpResponse("".join(f"{line}\r\n" for line in lines), content_type="text/calendar; charset=utf-8")


# A calendar must have a component (RFC 5545, 3.6): without entries, the time zone is that component.
UTC_TIMEZONE_LINES = (
    *("BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
    *("TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
)


def calendar_lines(name: str, entries: Sequence[CalendarEntry], empty_text: str) -> Iterator[str]:
    """Yield the unfolded lines of a calendar."""
    host = urlsplit(settings.SITE_URL).hostname
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//OTTO online//deadlines//EN")
    yield from ("CALSCALE:GREGORIAN", "METHOD:PUBLISH", f"X-WR-CALNAME:{escape_ical_text(name)}")
    yield from ("REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M")
    if not entries:
        yield f"X-WR-CALDESC:{escape_ical_text(empty_text)}"
        yield from UTC_TIMEZONE_LINES
    for entry in entries:
        yield "BEGIN:VEVENT"
        yield f"UID:{entry.uid}@{host}"
        yield f"DTSTAMP:{format_ical_time(entry.created_at)}"
        yield f"SEQUENCE:{entry.version}"
        yield f"DTSTART:{format_ical_time(entry.starts_at)}"
        yield f"SUMMARY:{escape_ical_text(entry.title)}"
        yield f"DESCRIPTION:{escape_ical_text(entry.text + ' ' + entry.url)}"
        yield f"URL:{entry.url}"
        yield "TRANSP:TRANSPARENT"  # does not block the calendar
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def format_ical_time(at: datetime) -> str:
    """Return a time in the format of iCalendar."""
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escape_ical_text(text: str) -> str:
    """Return text with the special characters of iCalendar escaped."""
    text = text.replace("\r\n", "\n").replace("\r", "")
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", "\\n")


def fold_line(line: str) -> Iterator[str]:
    """Split a line into pieces of at most 75 octets without cutting a character."""
    piece, size = "", 0
    for char in line:
        octets = len(char.encode())
        if size + octets > MAX_LINE_OCTETS:
            yield piece
            piece, size = " ", 1
        piece, size = piece + char, size + octets
    yield piece


urlpatterns = [
    path("feeds/<str:key>/turns.atom", show_turns_feed, name="feed-turns"),
    path("feeds/<str:key>/deadlines.ics", show_deadlines_calendar, name="feed-deadlines"),
]
