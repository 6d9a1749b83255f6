"""Private feeds for programs that cannot sign in: Atom, and a player's dates as iCalendar.

The token in the URL is the only credential. It shows when the player is to act, and in which games
and tournaments they take part; nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from accounts.models import Player
from accounts.player_locale import activate_locale_of
from accounts.selectors.player_tokens import find_player_by_feed_token
from common.extensions import collect_declarations
from common.read_models import Url
from common.site_urls import build_absolute_url

FEED_MAX_AGE_SECONDS = 300  # seconds a feed may be cached by its reader


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


@dataclass(frozen=True)
class CalendarSource:
    """A source of entries for players' calendars, declared in an app's `calendar_dates.CALENDAR_SOURCES`."""

    list_entries: Callable[[Player], Iterable[CalendarEntry]]


@dataclass(frozen=True)
class FeedAddressesData:
    """The private addresses of your feeds."""

    turns: Annotated[Url, "The address of an Atom feed with the turns that wait for you."]
    deadlines: Annotated[Url, "The address of an iCalendar file with your deadlines."]


def build_feed_addresses(player: Player) -> FeedAddressesData:
    """Return the URLs of a player's private feeds."""
    turns_path, deadlines_path = (
        reverse(name, args=[player.feed_token]) for name in ("feed-turns", "feed-deadlines")
    )
    return FeedAddressesData(Url(build_absolute_url(turns_path)), Url(build_absolute_url(deadlines_path)))


def private_feed(view: Callable[[Player], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: find the player by the token and call the view in their language and time zone."""

    @wraps(view)
    def wrapper(request: HttpRequest, key: str) -> HttpResponse:
        player = find_player_by_feed_token(key)
        if player is None:
            raise Http404
        with activate_locale_of(player):
            response = view(player)
        patch_cache_control(response, private=True, max_age=FEED_MAX_AGE_SECONDS)
        response["Content-Language"] = player.language
        response["X-Robots-Tag"] = "noindex"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return require_safe(conditional_page(wrapper))


# ------------------------------------------------------------------------------------------------------ Atom


class StableAtomFeed(Atom1Feed):
    """An Atom feed whose `updated` changes only with its items; an empty feed uses `empty_since`."""

    def __init__(self, *args: Any, empty_since: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.empty_since = empty_since

    def latest_post_date(self) -> datetime:
        """Return the time of the newest item, or `empty_since`."""
        return max((item["updateddate"] for item in self.items), default=self.empty_since)


# -------------------------------------------------------------------------------------------------- iCalendar


@private_feed
def show_deadlines_calendar(player: Player) -> HttpResponse:
    """Show the dates that the apps declare for the player, as a calendar (RFC 5545)."""
    sources = collect_declarations("calendar_dates", "CALENDAR_SOURCES", CalendarSource)
    return calendar_response(
        _("OTTO deadlines"),
        [entry for source in sources for entry in source.list_entries(player)],
        empty_text=_("You have no deadlines and no tournament dates right now."),
    )


def calendar_response(name: str, entries: Iterable[CalendarEntry], *, empty_text: str) -> HttpResponse:
    """Return a calendar as a response; `empty_text` describes it when there are no entries."""
    from .calendar_file import build_calendar

    body = build_calendar(name, entries, empty_text=empty_text)
    return HttpResponse(body, content_type="text/calendar; charset=utf-8")


urlpatterns = [path("feeds/<str:key>/deadlines.ics", show_deadlines_calendar, name="feed-deadlines")]
