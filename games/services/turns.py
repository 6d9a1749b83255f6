"""Playing an action as a player, exactly once even if the request is repeated."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import datetime

from django.db import IntegrityError
from django.utils.translation import gettext as _

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import Conflict
from games import engine, permissions
from games.engine import ActionError, ActionSource, IllegalAction, NotYourTurn, State, UnreadableAction
from games.engine.action_errors import hide_placements
from games.models import Action, Seat
from games.permissions import PermissionContext
from games.refusals import Refusal
from games.selectors import LoadedGame, NoSuchGame, load_game_for, view_for
from notifications.models import FeedEntry

from . import action_log

MAX_PLAY_ATTEMPTS = 5  # when the game moves on concurrently


def load_visible_game(player: Player, code: str) -> LoadedGame:
    """Return a game that the player may see. Raises NotFound."""
    try:
        return load_game_for(player, code)
    except NoSuchGame:
        raise Refusal.NO_SUCH_GAME.build_error() from None


def load_game_and_seat(player: Player, code: str) -> tuple[LoadedGame, Seat]:
    """Return a game and the player's seat in it. Raises NotFound or Denied."""
    loaded_game = load_visible_game(player, code)
    seat = loaded_game.seat_of(player)
    if seat is None:
        raise Refusal.NOT_SEATED.build_error()
    return loaded_game, seat


def play_action(*, player: Player, code: str, text: str, seq: int | None, key: str, now: datetime) -> str:
    """Play an action given as text, and return the view after it as JSON, as the first request got it.

    `seq` is the game as the player saw it; only `resign` may omit it.

    With a key, a repeated request gets the first response and changes nothing. Retries when the game
    changed concurrently and the action may still be valid. Raises the engine's ActionError, Conflict,
    Denied or NotFound.
    """
    request_hash = compute_request_hash(code, text, seq)
    for attempt in range(1, MAX_PLAY_ATTEMPTS + 1):
        loaded_game, seat = load_game_and_seat(player, code)
        try:
            return _try_play_action(
                loaded_game=loaded_game,
                seat=seat,
                player=player,
                text=text,
                seq=seq,
                key=key,
                request_hash=request_hash,
                now=now,
            )
        except (Conflict, ActionError, IntegrityError) as failure:
            error = (
                hide_placements(failure)
                if isinstance(failure, IllegalAction) and not loaded_game.game.hints
                else failure
            )
            # Check for a repeated request only after a failure: the common case needs no query.
            response_body = find_repeated_response(player, key, request_hash)
            if response_body is not None:
                return response_body
            # A stale action may still be valid: a resignation, an answer to an 8, a seat whose player left.
            if attempt == MAX_PLAY_ATTEMPTS or not isinstance(error, action_log.StaleWrite | IntegrityError):
                raise_if_timed_out(loaded_game, seat, seq, error)
                raise error from None
    raise AssertionError("unreachable")


def compute_request_hash(code: str, text: str, seq: int | None) -> str:
    """Return the hash that identifies a request."""
    return hashlib.sha256(json.dumps([code, text, seq]).encode()).hexdigest()


def find_first_response(*, player: Player, code: str, text: str, seq: int | None, key: str) -> str | None:
    """Return the response that this request got the first time, or None."""
    first_entry = FeedEntry.objects.filter(
        player=player, idempotency_key=key, request_hash=compute_request_hash(code, text, seq)
    ).first()
    return first_entry.response_body if first_entry and key else None


def raise_if_timed_out(loaded_game: LoadedGame, seat: Seat, seq: int | None, error: Exception) -> None:
    """Raise Conflict that names the timeout, if the clock acted for the seat since the player looked."""
    if seq is None or seat.seat_no is None or not isinstance(error, Conflict | NotYourTurn):
        return
    clock_action = Action.objects.filter(
        game=loaded_game.game, seq__gt=seq, seat=seat.seat_no, by=ActionSource.CLOCK
    ).first()
    if clock_action is None:
        return
    clock_outcome = _("your side has resigned") if clock_action.action == "resign" else _("we played for you")
    code = error.code if isinstance(error, Conflict) else "stale"
    raise Conflict(_("your time ran out, and %(what)s") % {"what": clock_outcome}, code=code) from None


def find_repeated_response(player: Player, key: str, request_hash: str) -> str | None:
    """Return the first response, or None. Raises Conflict if the key belongs to another request."""
    if not key:
        return None
    first_entry = FeedEntry.objects.filter(player=player, idempotency_key=key).first()
    if first_entry is None:
        return None
    if first_entry.request_hash != request_hash:
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return first_entry.response_body


def _try_play_action(
    *,
    loaded_game: LoadedGame,
    seat: Seat,
    player: Player,
    text: str,
    seq: int | None,
    key: str,
    request_hash: str,
    now: datetime,
) -> str:
    """Make one attempt to play an action. Raises Conflict, StaleWrite, Denied or the engine's ActionError."""
    state, seat_no, context = loaded_game.state, seat.seat_no, PermissionContext(loaded_game, player)
    check_allowed(permissions.find_act_refusal(context))  # before parsing, which depends on the hand
    assert state is not None
    assert seat_no is not None
    try:
        action = engine.parse_action(state, seat_no, text, has_hints=loaded_game.game.hints)
    except UnreadableAction:
        check_turn(context, state, seq)  # a text that was clear at its own seq is late, not unreadable
        raise
    if action != "resign":
        check_turn(context, state, seq)

    response_bodies: list[str] = []

    def make_own_entry(game_after: LoadedGame, new_action: action_log.NewAction) -> action_log.NewFeedEntry:
        response_bodies.append(json.dumps(view_for(game_after, player).view))
        entry = action_log.build_feed_entry(game_after, new_action, seat, now, is_own=True)
        if not key:
            return entry
        return replace(
            entry, idempotency_key=key, request_hash=request_hash, response_body=response_bodies[0]
        )

    action_log.commit_action(
        loaded_game=loaded_game,
        seat_no=seat_no,
        action=action,
        by=ActionSource.PLAYER,
        now=now,
        player_acted=True,
        make_own_entry=make_own_entry,
    )
    return response_bodies[0]


def check_turn(context: PermissionContext, state: State, seq: int | None) -> None:
    """Raise Conflict unless `seq` is current and the player has something to decide."""
    check_seq(state, seq)
    check_allowed(permissions.find_play_refusal(context))


def check_seq(state: State, seq: int | None) -> None:
    """Raise Conflict unless `seq` is current. In the `react` phase any seq since the 8 is accepted."""
    if seq is None or not state.decision_seq <= seq <= state.seq:
        message = _("the game is at seq %(seq)s, you saw %(seen)s")
        raise Conflict(message % {"seq": state.seq, "seen": seq}, code="stale")
