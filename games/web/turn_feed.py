"""A player's turns as a private Atom feed."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from accounts.models import Player
from common.site_urls import build_absolute_url
from games.calendar_dates import describe_time_left, turn_title
from games.selectors.waiting_turns import list_waiting_turns
from notifications.web.feeds import StableAtomFeed, build_feed_addresses, private_feed


@private_feed
def show_turns_feed(player: Player) -> HttpResponse:
    """Show the turns that wait for the player, as Atom."""
    feed = StableAtomFeed(
        title=_("Your turns in OTTO"),
        link=build_absolute_url("/games/"),
        description="",
        author_name="OTTO online",
        feed_url=build_feed_addresses(player).turns,
        language=player.language,
        empty_since=player.joined_at,
    )
    for turn in list_waiting_turns(player):
        game_url = build_absolute_url(f"/games/{turn.game.code}/")
        feed.add_item(
            title=turn_title(turn, player),
            link=game_url,
            description=describe_time_left(turn),
            unique_id=f"{game_url}#turn-{turn.turn_seq}-{turn.seat.seat_no}",
            pubdate=turn.since,
            updateddate=turn.since,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


urlpatterns = [path("feeds/<str:key>/turns.atom", show_turns_feed, name="feed-turns")]
