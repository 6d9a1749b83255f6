"""Standing orders: given by a player for one game, carried out by the sweep, ended when something happens.

Only the player may know of them. Whether and when they act follows from what everybody sees, so nothing is
hidden by delaying them: the sweep acts at once, through the action log, like a move.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.crypto import get_random_string

from accounts.models import Player
from common.refusals import check_allowed
from games import engine, permissions
from games.engine import ActionSource, standing_orders
from games.engine.standing_orders import OrderEnd
from games.game_notice_kinds import GameNoticeKind
from games.models import Action, Game, Seat
from games.permissions import PermissionContext
from games.refusals import Refusal
from games.selectors import LoadedGame
from games.selectors.orders import OrderLogEvent
from notifications.models import FeedEntry
from notifications.services import notices

from . import action_log, clocks, turns

MAX_ACTIONS_SINCE_LAST_TURN = 60  # read to find a card that was played: several rounds of four players
ANSWERS_TO_EIGHT = ("pass", "8", "CV=8")  # may come without the player having looked
LOG_KEY_LENGTH = 12


@transaction.atomic
def set_standing_orders(
    *,
    player: Player,
    code: str,
    now: datetime,
    draw: bool | None = None,
    only: bool | None = None,
    key: str = "",
    text: str = "",
) -> Seat:
    """Give or end the standing orders of a player's own seat; None leaves an order as it is.

    With a key, a repeated request changes nothing, even if the orders have ended meanwhile; `text` is the
    line of a mail that the answer repeats. Raises NotFound, Denied, Conflict or the engine's IllegalAction.

    Steps:
    1. Lock the game, then check that the player may.
    2. Write the orders, and count the change: a move that read the seat before it is retried.
    3. Write a line of the player's own log.
    4. If the seat is to act, recompute when the sweep looks at the game.
    """
    Game.objects.select_for_update().filter(code=code).values_list("pk").first()
    loaded_game, seat = turns.load_game_and_seat(player, code)
    if key and FeedEntry.objects.filter(player=player, idempotency_key=key).exists():
        return seat
    check_allowed(permissions.find_orders_refusal(PermissionContext(loaded_game, player)))
    orders = {
        "draws_automatically": seat.draws_automatically if draw is None else draw,
        "plays_only_action": seat.plays_only_action if only is None else only,
    }
    game = loaded_game.game
    own_seat = Seat.objects.filter(pk=seat.pk, player=player)  # only while the seat is theirs
    if not own_seat.update(**orders, orders_seq=game.seq):
        raise Refusal.NOT_SEATED.build_error()
    is_changed = any(getattr(seat, name) != value for name, value in orders.items())
    seat.draws_automatically, seat.plays_only_action = (
        orders["draws_automatically"],
        orders["plays_only_action"],
    )
    seat.orders_seq = game.seq
    if is_changed or key:
        FeedEntry.objects.create(
            player=player,
            topic=game.topic,
            kind=GameNoticeKind.ORDERS,
            dedup_key=f"{game.code}:orders:{get_random_string(LOG_KEY_LENGTH)}",
            data=build_log_data(game, OrderLogEvent.CHANGED, seat=seat) | ({"action": text} if text else {}),
            at=now,
            idempotency_key=key,
        )
    if is_changed:
        clocks.increment_seat_changes([code])
        if seat.seat_no and game.is_turn_of(seat.seat_no):
            clocks.recompute_deadline(code=code, now=now)
    return seat


def build_log_data(
    game: Game,
    event: OrderLogEvent,
    *,
    seat: Seat | None = None,
    reason: str = "",
    actions: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return the data of a line of the player's own log."""
    data: dict[str, Any] = {"game": game.code, "seq": game.seq, "event": event}
    if seat:
        data |= {"draw": seat.draws_automatically, "only": seat.plays_only_action}
    if reason:
        data["reason"] = reason
    if actions:
        data["actions"] = list(actions)
    return data


# -------------------------------------------------------------------------------------------- in the sweep


def find_order_end(loaded_game: LoadedGame, seat: Seat) -> OrderEnd | None:
    """Return why the orders of a seat end instead of acting, or None.

    Orders given during the turn act in it whatever has happened: the player has just seen the game.
    """
    state, seat_no = loaded_game.state, seat.seat_no
    assert state is not None
    assert seat_no is not None
    if seat.orders_seq >= loaded_game.clock_of(seat_no).turn_seq:
        return None
    return standing_orders.find_order_end(state, seat_no, list_recent_events(loaded_game.game, seat))


def list_recent_events(game: Game, seat: Seat) -> list[engine.GameEvent]:
    """Return the events since a seat last acted by itself or was given its orders, whichever is later."""
    actions = Action.objects.filter(game=game, seq__gt=seat.orders_seq).order_by("-seq")
    events: list[engine.GameEvent] = []
    for action in actions[:MAX_ACTIONS_SINCE_LAST_TURN]:
        if action.seat == seat.seat_no and action.action not in ANSWERS_TO_EIGHT:
            break
        events += action.events
    return events


def prepare_ordered_actions(loaded_game: LoadedGame, seat: Seat, now: datetime) -> action_log.PendingWrite:
    """Prepare what the orders of a seat play in this turn; its notice says so if the turn goes on."""
    seat_no = seat.seat_no
    assert seat_no is not None
    turn = loaded_game.clock_of(seat_no).turn_seq
    pending_write: action_log.PendingWrite | None = None
    played_actions: list[str] = []
    while is_same_turn(loaded_game, seat_no, turn):
        assert loaded_game.state is not None
        action = clocks.find_ordered_action(loaded_game.state, seat)
        if action is None:
            break
        pending_write = action_log.prepare_action(
            loaded_game=loaded_game,
            seat_no=seat_no,
            action=action,
            by=ActionSource.PLAYER,
            now=now,
            previous_write=pending_write,
        )
        loaded_game = pending_write.loaded_game
        played_actions.append(action)
    assert pending_write is not None
    assert seat.player_id is not None
    if is_same_turn(loaded_game, seat_no, turn):
        add_to_turn_entry(loaded_game, seat, {"ordered_actions": played_actions})
    game = loaded_game.game
    log_entry = action_log.NewFeedEntry(
        game_id=game.pk,
        topic=game.topic,
        player_id=seat.player_id,
        kind=GameNoticeKind.ORDERS,
        dedup_key=f"{game.code}:{game.seq}:orders",
        data=build_log_data(game, OrderLogEvent.PLAYED, actions=tuple(played_actions)),
        at=now,
    )
    return action_log.add_feed_entries(pending_write, log_entry)


def is_same_turn(loaded_game: LoadedGame, seat_no: int, turn: int) -> bool:
    """Return whether a seat is still at a turn of a running game."""
    seat_clock = loaded_game.clock_of(seat_no)
    return loaded_game.is_turn_of(seat_no) and seat_clock.is_on_turn and seat_clock.turn_seq == turn


def end_orders(loaded_game: LoadedGame, seat: Seat, order_end: OrderEnd, now: datetime) -> None:
    """End the orders of a seat; a line of the player's own log and the notice of the turn say why.

    The caller holds the game's row, so no move and no other sweep comes between.
    """
    game = loaded_game.game
    assert seat.player_id is not None
    same_orders = Seat.objects.filter(pk=seat.pk, player=seat.player_id, orders_seq=seat.orders_seq)
    if not same_orders.update(draws_automatically=False, plays_only_action=False):
        return  # the player has just changed them: a later sweep looks again
    seat.draws_automatically = seat.plays_only_action = False
    notices.write_feed_entries(
        [
            FeedEntry(
                player_id=seat.player_id,
                topic=game.topic,
                kind=GameNoticeKind.ORDERS,
                dedup_key=f"{game.code}:{game.seq}:orders-ended",
                data=build_log_data(game, OrderLogEvent.ENDED, reason=order_end),
                at=now,
            )
        ]
    )
    add_to_turn_entry(loaded_game, seat, {"order_end": order_end})
    clocks.try_recompute_deadline(loaded_game, now)


def add_to_turn_entry(loaded_game: LoadedGame, seat: Seat, data: dict[str, Any]) -> None:
    """Add to a seat's feed entry of this turn what became of its orders; the mail about the turn says it.

    Whether and when the notice is due stays as it is without orders: a notice that an order held back would
    change the numbers of later mails, which others see.
    """
    turn_entry = FeedEntry.objects.filter(
        player=seat.player_id,
        topic=loaded_game.game.topic,
        dedup_key=f"{loaded_game.game.code}:{loaded_game.clock_of(seat.seat_no or 0).turn_seq}",
        kind=GameNoticeKind.TURN,
    ).first()
    if turn_entry:
        turn_entry.data = turn_entry.data | data
        turn_entry.save(update_fields=["data"])
