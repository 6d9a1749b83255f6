"""What goes out to a player, read: turns with their own deadlines, deliveries, webhooks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet, prefetch_related_objects
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games import clock
from games.models import Delivery, Game, Player, Seat, Webhook
from games.words import name_on

from .clocks import calendar, incidents, watch_of
from .deadlines import RoundEnd, first_deadline, round_ending_first
from .lists import PEOPLE, my_turns
from .tables import instant, person

SHOWN = 50  # deliveries on a page


@dataclass(frozen=True)
class Turn:
    """A turn that waits for a player."""

    game: Game
    place: Seat
    number: int  # the seq at which it came
    since: datetime
    deadline: datetime | None  # the first of the player's own and the round's: others may have less time
    round_end: RoundEnd | None = None  # if the round ends before the turn does


def turns_of(player: Player) -> list[Turn]:
    """The turns that wait for a player, most urgent first."""
    places = my_turns(player)
    prefetch_related_objects([place.game for place in places], PEOPLE)
    stopped = incidents() if places else []
    found = []
    for place in places:
        game = place.game
        assert place.number
        assert game.moved_at
        watch = watch_of(game, place.number)
        until = clock.deadline(watch, calendar(game, player, stopped, watch))
        turn = watch.turn if watch.on else game.seq
        found.append(
            Turn(
                game=game,
                place=place,
                number=turn,
                since=watch.since or game.moved_at,
                deadline=first_deadline(game, until),
                round_end=round_ending_first(game, until),
            )
        )
    return sorted(found, key=lambda turn: (turn.deadline is None, turn.deadline or turn.since, turn.game.pk))


def company(places: Iterable[Seat], player: Player) -> str:
    """Who else is at the table, in words."""
    in_order = sorted(places, key=lambda place: (place.number or 9, place.joined))
    others = [name_on(person(place)) for place in in_order if place.player_id != player.pk]
    if not others:
        return _("alone")
    return _("with %(names)s") % {"names": get_text_list(others, _("and"))}


def deliveries(player: Player) -> list[Delivery]:
    """A player's last mails and calls of webhooks, newest first."""
    found = Delivery.objects.filter(player=player).select_related("game", "webhook").order_by("-pk")
    return list(found[:SHOWN])


def delivery(found: Delivery) -> dict[str, Any]:
    """A delivery as its player sees it."""
    return {
        "id": found.pk,
        "by": "webhook" if found.webhook_id else "mail",
        "webhook": found.webhook_id,
        "kind": found.kind,
        "game": found.game.code if found.game else None,
        "status": found.status,
        "why": found.why,
        "tries": found.tries,
        "to": address_of(found),
        "made_at": instant(found.made_at),
        "sent_at": instant(found.sent_at),
        "handed_over_at": instant(found.handed_over_at),
        "delivered_at": instant(found.delivered_at),
        "next_try_at": instant(found.due_at),
    }


def webhooks(player: Player) -> QuerySet[Webhook]:
    """A player's webhooks, oldest first."""
    return Webhook.objects.filter(player=player).order_by("pk")


def address_of(found: Delivery) -> str:
    """Where a delivery goes, as it may be shown."""
    return found.address or (host_of(found.webhook) if found.webhook else "")


def host_of(webhook: Webhook) -> str:
    """What may be shown of where a call goes: Discord's and Slack's addresses have their password in them."""
    return urlsplit(webhook.url).hostname or ""


def by_key(key: str) -> Player | None:
    """The player whose private feeds have this key."""
    if not (key.isascii() and key.isalnum()):
        return None
    return Player.objects.filter(key=key, is_active=True).first()
