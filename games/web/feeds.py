"""Private feeds, read by programs that cannot sign in: my turns as Atom, my deadlines as a calendar.

The key in the address is all that is asked for; whoever has it sees whose turn it is and when, what a player
takes part in, and no more.
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

from games import links
from games.clock import zone_named
from games.models import Player
from games.moments import say_until
from games.selectors.mail import Turn, by_key, company, turns_of

FRESH = 300  # seconds for which a reader need not ask again
WIDTH = 75  # octets of a line of a calendar


@dataclass(frozen=True)
class Date:
    """A line of a calendar. A later version of the same one has the same `uid` and a higher `version`."""

    uid: str
    made: datetime
    at: datetime
    title: str
    text: str
    address: str
    version: int = 0


# Other dates of a player's, which other apps know; they add themselves when the site starts.
DATES: list[Callable[[Player], Iterable[Date]]] = []


def private(view: Callable[[Player], HttpResponse]) -> Callable[..., HttpResponse]:
    """A feed of whoever has the key, in their language and zone; nobody keeps it but its reader."""

    @wraps(view)
    def shown(request: HttpRequest, key: str) -> HttpResponse:
        player = by_key(key)
        if player is None:
            raise Http404
        with translation.override(player.language), timezone.override(zone_named(player.time_zone)):
            answer = view(player)
        patch_cache_control(answer, private=True, max_age=FRESH)
        answer["Content-Language"] = player.language
        answer["X-Robots-Tag"] = "noindex"
        answer["Referrer-Policy"] = "no-referrer"
        return answer

    return require_safe(conditional_page(shown))


def title(turn: Turn, player: Player) -> str:
    """A turn in a line."""
    return _("Your turn in OTTO (%(who)s)") % {"who": company(turn.game.places.all(), player)}


def until(turn: Turn) -> str:
    """How long a turn lasts, in words."""
    if turn.deadline is None:
        return _("Your clock does not run at present.")
    return say_until(turn.deadline, turn.round_end)


# ------------------------------------------------------------------------------------------------------ Atom


class Steady(Atom1Feed):
    """A feed that changes only when a turn does: an empty one would else be as old as the request."""

    def __init__(self, *args: Any, empty_since: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.empty_since = empty_since

    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=self.empty_since)


@private
def turns(player: Player) -> HttpResponse:
    """The turns that wait for a player."""
    feed = Steady(
        title=_("Your turns in OTTO"),
        link=links.page("/games/"),
        description="",
        author_name="OTTO online",
        feed_url=links.page(f"/feeds/{player.key}/turns.atom"),
        language=player.language,
        empty_since=player.joined_at,
    )
    for turn in turns_of(player):
        address = links.page(f"/games/{turn.game.code}/")
        feed.add_item(
            title=title(turn, player),
            link=address,
            description=until(turn),
            unique_id=f"{address}#turn-{turn.number}-{turn.place.number}",
            pubdate=turn.since,
            updateddate=turn.since,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


# -------------------------------------------------------------------------------------------------- iCalendar


@private
def deadlines(player: Player) -> HttpResponse:
    """The deadlines of a player's turns, as a calendar that can be subscribed to (RFC 5545)."""
    dates = [*map(partial(deadline, player), (turn for turn in turns_of(player) if turn.deadline))]
    return answered(
        _("OTTO deadlines"),
        [*dates, *(date for more in DATES for date in more(player))],
        none=_("No turn of yours has a deadline at present, and no tournament of yours a date."),
    )


def deadline(player: Player, turn: Turn) -> Date:
    """When a turn ends."""
    assert turn.deadline
    return Date(
        uid=turn.game.code,  # one for each game: a new deadline takes its place
        made=turn.since,
        at=turn.deadline,
        title=title(turn, player),
        text=until(turn),
        address=links.page(f"/games/{turn.game.code}/"),
        version=turn.number,
    )


def answered(name: str, dates: Iterable[Date], *, none: str) -> HttpResponse:
    """A calendar of that name; `none` is what it says of itself when there is no date."""
    lines = [line for item in calendar(name, list(dates), none) for line in folded(item)]
    return HttpResponse("".join(f"{line}\r\n" for line in lines), content_type="text/calendar; charset=utf-8")


# A calendar must have something in it (RFC 5545, 3.6). Without a date that is the zone of all its times.
ZONE = (
    *("BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
    *("TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
)


def calendar(name: str, dates: Sequence[Date], none: str) -> Iterator[str]:
    """The lines of a calendar, as long as they come."""
    host = urlsplit(settings.SITE_URL).hostname
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//OTTO online//deadlines//EN")
    yield from ("CALSCALE:GREGORIAN", "METHOD:PUBLISH", f"X-WR-CALNAME:{escaped(name)}")
    yield from ("REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M")
    if not dates:
        yield f"X-WR-CALDESC:{escaped(none)}"
        yield from ZONE
    for date in dates:
        yield "BEGIN:VEVENT"
        yield f"UID:{date.uid}@{host}"
        yield f"DTSTAMP:{utc(date.made)}"
        yield f"SEQUENCE:{date.version}"
        yield f"DTSTART:{utc(date.at)}"
        yield f"SUMMARY:{escaped(date.title)}"
        yield f"DESCRIPTION:{escaped(date.text + ' ' + date.address)}"
        yield f"URL:{date.address}"
        yield "TRANSP:TRANSPARENT"  # it takes no time of the day
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def utc(at: datetime) -> str:
    """A time as calendars write it."""
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """Text in which nothing can be taken for the end of a line or of a value."""
    text = text.replace("\r\n", "\n").replace("\r", "")
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", "\\n")


def folded(line: str) -> Iterator[str]:
    """A line in pieces of at most 75 octets, none of which ends within a letter."""
    piece, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > WIDTH:
            yield piece
            piece, size = " ", 1
        piece, size = piece + letter, size + octets
    yield piece


urlpatterns = [
    path("feeds/<str:key>/turns.atom", turns, name="feed-turns"),
    path("feeds/<str:key>/deadlines.ics", deadlines, name="feed-deadlines"),
]
