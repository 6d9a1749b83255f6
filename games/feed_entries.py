"""Details of feed entries about games, as types of their JSON."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from common.instants import Instant
from games.clock import TimeoutOutcome
from games.engine import ActionSource
from games.engine.game_result import EndReason
from games.engine.standing_orders import OrderEnd
from games.game_notice_kinds import GameNoticeKind
from games.selectors.orders import OrderLogEvent
from notifications.feed_entry_types import FeedEntryType


class GameDetailsData(TypedDict):
    """The common details of entries about a game."""

    game: Annotated[str, "The `id` of the game."]


class PositionDetailsData(GameDetailsData):
    """The common details of entries about a state of a game."""

    seq: Annotated[int, "The number of the last action of the game at that time, 0 before any."]
    deadline: Annotated[Instant | None, "When the seat on turn runs out of time; null if no clock runs."]
    round_ends_at: NotRequired[
        Annotated[Instant | None, "In a tournament: when points decide the game; null otherwise."]
    ]
    seat: NotRequired[Annotated[int, "The seat that acted; null at the start."]]
    action: NotRequired[Annotated[str, "The action that was played; null at the start."]]
    by: NotRequired[
        Annotated[ActionSource, "The source of the action: a player, the clock or a bot; null at the start."]
    ]


class TurnEntryDetailsData(PositionDetailsData):
    """It is your turn, or you are asked to answer an 8."""

    ordered_actions: NotRequired[
        Annotated[
            list[str], "The actions that your standing orders played in this turn; null if they played none."
        ]
    ]
    order_end: NotRequired[
        Annotated[OrderEnd, "Why your standing orders ended in this turn; null if they did not."]
    ]


class PositionEntryDetailsData(PositionDetailsData):
    """The game started, somebody moved, or a blind match decides a tie."""


class OverEntryDetailsData(PositionDetailsData):
    """The game is over."""

    winner: Annotated[int | None, "The side that won; null for a draw and for a lost solo game."]
    totals: Annotated[dict[str, int], "The points of each side, by side."]
    reason: Annotated[EndReason, "What decided the game, or why only one side was left."]
    finished_at: Annotated[Instant, "When the game ended."]


class TimeoutEntryDetailsData(GameDetailsData):
    """A seat ran out of time."""

    seq: Annotated[int, "The number of the last action of the game at that time."]
    seat: Annotated[int, "The seat that ran out of time."]
    outcome: Annotated[TimeoutOutcome, "What the server did: it took vacation, played the turn, or resigned."]
    actions: Annotated[list[str], "The actions that we played."]
    deadline: Annotated[Instant | None, "When the seat on turn runs out of time; null if no clock runs."]


class VacationEntryDetailsData(TypedDict):
    """Your time ran out, so we used an hour of your vacation."""

    left_seconds: Annotated[int, "The vacation that you have left."]


class ShootOutEntryDetailsData(GameDetailsData):
    """A round of a shoot-out was drawn."""

    seq: Annotated[int, "The number of the last action of the game at that time."]
    round: Annotated[int, "The number of the round; the first is 1."]
    tiles: Annotated[dict[str, str], "The letter of the tile that each side drew, by side."]


class CancelledEntryDetailsData(GameDetailsData):
    """An open game that you had joined was cancelled."""


class PauseEntryDetailsData(GameDetailsData):
    """Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`)."""

    until: Annotated[Instant, "When the pause ends."]
    stops_clocks: Annotated[bool, "Whether the clocks stop; false to end the pause at once."]
    by: NotRequired[Annotated[str, "With `pause`: the name of the player who proposes it; otherwise null."]]


class PauseDeclinedEntryDetailsData(GameDetailsData):
    """A proposed pause was declined."""

    by: Annotated[str, "The name of the player who declined."]


class InvitedEntryDetailsData(GameDetailsData):
    """Somebody invites you to a game."""

    by: Annotated[str, "The name of the player who invites you."]
    partner: Annotated[bool, "In pairs: whether you are invited as partner."]


class NamedEntryDetailsData(GameDetailsData):
    """Somebody declined your invitation (`declined`), or wrote at the table (`chat`)."""

    name: Annotated[str, "The name of that player."]


class OrdersEntryDetailsData(GameDetailsData):
    """You changed your standing orders, or they played or ended. Only your own feed has it."""

    seq: Annotated[int, "The number of the last action of the game at that time."]
    event: Annotated[OrderLogEvent, "What happened to the orders."]
    draw: NotRequired[Annotated[bool, "With `changed`: whether tiles are drawn for you; otherwise null."]]
    only: NotRequired[
        Annotated[bool, "With `changed`: whether the only legal action is played for you; otherwise null."]
    ]
    reason: NotRequired[Annotated[OrderEnd, "With `ended`: why; otherwise null."]]
    actions: NotRequired[Annotated[list[str], "With `played`: the actions; otherwise null."]]


FEED_ENTRY_TYPES = (
    FeedEntryType(TurnEntryDetailsData, (GameNoticeKind.TURN,)),
    FeedEntryType(
        PositionEntryDetailsData,
        (GameNoticeKind.STARTED, GameNoticeKind.MOVED, GameNoticeKind.BLIND),
    ),
    FeedEntryType(OverEntryDetailsData, (GameNoticeKind.OVER,)),
    FeedEntryType(TimeoutEntryDetailsData, (GameNoticeKind.TIMEOUT,)),
    FeedEntryType(VacationEntryDetailsData, (GameNoticeKind.VACATION,)),
    FeedEntryType(ShootOutEntryDetailsData, (GameNoticeKind.SHOOT_OUT,)),
    FeedEntryType(CancelledEntryDetailsData, (GameNoticeKind.CANCELLED,)),
    FeedEntryType(PauseEntryDetailsData, (GameNoticeKind.PAUSE, GameNoticeKind.PAUSED)),
    FeedEntryType(PauseDeclinedEntryDetailsData, (GameNoticeKind.PAUSE_DECLINED,)),
    FeedEntryType(InvitedEntryDetailsData, (GameNoticeKind.INVITED,)),
    FeedEntryType(NamedEntryDetailsData, (GameNoticeKind.DECLINED, GameNoticeKind.CHAT)),
    FeedEntryType(OrdersEntryDetailsData, (GameNoticeKind.ORDERS,)),
)
