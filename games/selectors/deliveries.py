"""A player's waiting turns with their own deadlines, deliveries and webhooks."""

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
from games.game_text import seat_display_name
from games.models import Delivery, Game, Player, Seat, Webhook

from .clocks import build_calendar, load_unprocessed_incidents, seat_clock_of
from .deadlines import RoundEnd, first_deadline, round_end_if_first
from .lists import SEATS_WITH_PLAYERS, list_seats_on_turn
from .loaded_games import format_instant, seat_occupant_view

MAX_LISTED_DELIVERIES = 50  # deliveries shown on a page


@dataclass(frozen=True)
class WaitingTurn:
    """A turn that waits for a player."""

    game: Game
    seat: Seat
    turn_seq: int  # the seq at which it began
    since: datetime
    deadline: datetime | None  # the player's own, or the round's if earlier; other seats may have less time
    round_end: RoundEnd | None = None  # if the round ends before the turn's deadline


def list_waiting_turns(player: Player) -> list[WaitingTurn]:
    """The turns that wait for a player, most urgent first."""
    seats = list_seats_on_turn(player)
    prefetch_related_objects([seat.game for seat in seats], SEATS_WITH_PLAYERS)
    incidents = load_unprocessed_incidents() if seats else []
    waiting_turns = []
    for seat in seats:
        game = seat.game
        assert seat.number
        assert game.moved_at
        seat_clock = seat_clock_of(game, seat.number)
        turn_deadline = clock.deadline_of(seat_clock, build_calendar(game, player, incidents, seat_clock))
        turn_seq = seat_clock.turn_seq if seat_clock.is_on_turn else game.seq
        waiting_turns.append(
            WaitingTurn(
                game=game,
                seat=seat,
                turn_seq=turn_seq,
                since=seat_clock.turn_began_at or game.moved_at,
                deadline=first_deadline(game, turn_deadline),
                round_end=round_end_if_first(game, turn_deadline),
            )
        )
    return sorted(
        waiting_turns, key=lambda turn: (turn.deadline is None, turn.deadline or turn.since, turn.game.pk)
    )


def describe_other_players(seats: Iterable[Seat], player: Player) -> str:
    """A phrase that names the other players of a game."""
    ordered_seats = sorted(seats, key=lambda seat: (seat.number or 9, seat.joined))
    other_names = [
        seat_display_name(seat_occupant_view(seat)) for seat in ordered_seats if seat.player_id != player.pk
    ]
    if not other_names:
        return _("alone")
    return _("with %(names)s") % {"names": get_text_list(other_names, _("and"))}


def list_recent_deliveries(player: Player) -> list[Delivery]:
    """A player's latest mails and webhook calls, newest first."""
    queryset = Delivery.objects.filter(player=player).select_related("game", "webhook").order_by("-pk")
    return list(queryset[:MAX_LISTED_DELIVERIES])


def delivery_view(delivery: Delivery) -> dict[str, Any]:
    """The view of a delivery for its player."""
    return {
        "id": delivery.pk,
        "by": "webhook" if delivery.webhook_id else "mail",
        "webhook": delivery.webhook_id,
        "kind": delivery.kind,
        "game": delivery.game.code if delivery.game else None,
        "status": delivery.status,
        "why": delivery.why,
        "tries": delivery.tries,
        "to": delivery_address_of(delivery),
        "made_at": format_instant(delivery.made_at),
        "sent_at": format_instant(delivery.sent_at),
        "handed_over_at": format_instant(delivery.handed_over_at),
        "delivered_at": format_instant(delivery.delivered_at),
        "next_try_at": format_instant(delivery.due_at),
    }


def list_webhooks(player: Player) -> QuerySet[Webhook]:
    """A player's webhooks, oldest first."""
    return Webhook.objects.filter(player=player).order_by("pk")


def delivery_address_of(delivery: Delivery) -> str:
    """Where a delivery goes, as far as it may be shown."""
    return delivery.address or (webhook_host_of(delivery.webhook) if delivery.webhook else "")


def webhook_host_of(webhook: Webhook) -> str:
    """The host of a webhook; Discord's and Slack's full URLs contain a password."""
    return urlsplit(webhook.url).hostname or ""


def find_player_by_feed_token(token: str) -> Player | None:
    """The player whose private feeds have this token, or None."""
    if not (token.isascii() and token.isalnum()):
        return None
    return Player.objects.filter(key=token, is_active=True).first()
