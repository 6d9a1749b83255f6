"""A player's own log of standing orders in a game: given, carried out, ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.models import Player
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Seat
from notifications.models import FeedEntry
from notifications.topics import make_topic

MAX_ORDER_LOG_LINES = 5


class OrderLogEvent(StrEnum):
    """The subjects of lines in the order log."""

    CHANGED = "changed"
    PLAYED = "played"
    ENDED = "ended"


@dataclass(frozen=True)
class OrderLogLine:
    """A line of the log. Only the player of the seat may see it."""

    event: OrderLogEvent
    at: datetime
    actions: tuple[str, ...] = ()  # that an order played
    reason: str = ""  # why the orders ended
    draw: bool = False  # the orders as they were given
    only: bool = False


def list_ordered_seqs(code: str, seat_no: int, after_seq: int) -> set[int]:
    """The seqs after a seq of what the orders of a seat's player have played in a game.

    An entry of the log has the seq of the last of its actions, which follow each other.
    """
    seat = Seat.objects.filter(game__code=code, seat_no=seat_no)
    entries = FeedEntry.objects.filter(
        player__in=seat.values("player"),
        topic=make_topic(Game.TOPIC_FAMILY, code),
        kind=GameNoticeKind.ORDERS,
        data__event=OrderLogEvent.PLAYED,
        data__seq__gt=after_seq,
    )
    return {
        data["seq"] - steps_back
        for data in entries.values_list("data", flat=True)
        for steps_back in range(len(data["actions"]))
    }


def list_order_log(player: Player, code: str, limit: int = MAX_ORDER_LOG_LINES) -> list[OrderLogLine]:
    """The latest lines of a player's log of standing orders in a game, the latest first."""
    entries = FeedEntry.objects.filter(
        player=player, topic=make_topic(Game.TOPIC_FAMILY, code), kind=GameNoticeKind.ORDERS
    ).order_by("-pk")
    return [
        OrderLogLine(
            event=OrderLogEvent(data["event"]),
            at=at,
            actions=tuple(data.get("actions", ())),
            reason=data.get("reason", ""),
            draw=data.get("draw", False),
            only=data.get("only", False),
        )
        for data, at in entries.values_list("data", "at")[:limit]
    ]
