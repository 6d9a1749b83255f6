"""Playing an action as a player, exactly once even if the request is repeated."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from games import engine
from games.engine import ActionError, NotYourTurn, State
from games.models import Action, FeedEntry, Game, Player, Seat
from games.selectors import LoadedGame, NoSuchGame, load_game_for, view_for

from . import action_log
from .errors import Conflict, Denied, NotFound

MAX_PLAY_ATTEMPTS = 5  # when the game moves on concurrently


@dataclass(frozen=True)
class PlayResult:
    """The result of an action, as the first request got it."""

    response_body: str  # the view, as JSON
    bot_to_act: bool


def load_visible_game(player: Player, code: str) -> LoadedGame:
    """Return a game that the player may see. Raises NotFound."""
    try:
        return load_game_for(player, code)
    except NoSuchGame:
        raise NotFound(_("there is no such game")) from None


def load_game_and_seat(player: Player, code: str) -> tuple[LoadedGame, Seat]:
    """Return a game and the player's seat in it. Raises NotFound or Denied."""
    loaded_game = load_visible_game(player, code)
    seat = loaded_game.seat_of(player)
    if seat is None:
        raise build_not_seated_error()
    return loaded_game, seat


def build_not_seated_error() -> Denied:
    """Build the error for a player without a seat in the game."""
    return Denied(_("you do not sit at this game"), code="not-seated")


def build_hand_hidden_error() -> Denied:
    """Build the error for a player who has not yet committed to a handed-over seat."""
    return Denied(_("first take the seat: then you see its hand, and play it to the end"), code="hand-hidden")


def play_action(
    *, player: Player, code: str, text: str, seq: int | None, key: str, now: datetime
) -> PlayResult:
    """Play an action given as text. `seq` is the game as the player saw it; only `resign` may omit it.

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
        except (Conflict, ActionError, IntegrityError) as error:
            # Check for a repeated request only after a failure: the common case needs no query.
            response_body = find_repeated_response(player, key, request_hash)
            if response_body is not None:
                return PlayResult(response_body, bot_to_act=False)
            # A stale action may still be valid: a resignation, an answer to an 8, a seat whose player left.
            if attempt == MAX_PLAY_ATTEMPTS or not isinstance(error, action_log.StaleWrite | IntegrityError):
                raise_if_timed_out(loaded_game, seat, seq, error)
                raise
    raise AssertionError("unreachable")


def compute_request_hash(code: str, text: str, seq: int | None) -> str:
    """Return the hash that identifies a request."""
    return hashlib.sha256(json.dumps([code, text, seq]).encode()).hexdigest()


def find_first_response(*, player: Player, code: str, text: str, seq: int | None, key: str) -> str | None:
    """Return the response that this request got the first time, or None."""
    first_entry = FeedEntry.objects.filter(
        player=player, key=key, asked=compute_request_hash(code, text, seq)
    ).first()
    return first_entry.answer if first_entry and key else None


def raise_if_timed_out(loaded_game: LoadedGame, seat: Seat, seq: int | None, error: Exception) -> None:
    """Raise Conflict that names the timeout, if the clock acted for the seat since the player looked."""
    if seq is None or seat.number is None or not isinstance(error, Conflict | NotYourTurn):
        return
    clock_action = Action.objects.filter(
        game=loaded_game.game, seq__gt=seq, seat=seat.number, by="clock"
    ).first()
    if clock_action is None:
        return
    clock_outcome = (
        _("the clock resigned for you") if clock_action.action == "resign" else _("the clock played for you")
    )
    code = error.code if isinstance(error, Conflict) else "stale"
    raise Conflict(_("your time ran out, and %(what)s") % {"what": clock_outcome}, code=code) from None


def find_repeated_response(player: Player, key: str, request_hash: str) -> str | None:
    """Return the first response, or None. Raises Conflict if the key belongs to another request."""
    if not key:
        return None
    first_entry = FeedEntry.objects.filter(player=player, key=key).first()
    if first_entry is None:
        return None
    if first_entry.asked != request_hash:
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return first_entry.answer


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
) -> PlayResult:
    """Make one attempt to play an action. Raises Conflict, StaleWrite, Denied or the engine's ActionError."""
    state, seat_no = loaded_game.state, seat.number
    if loaded_game.game.status == Game.Status.OVER:
        raise Conflict(_("the game is over"), code="over")
    if loaded_game.game.status == Game.Status.CANCELLED:
        raise Conflict(_("the game is cancelled"), code="cancelled")
    if state is None or seat_no is None:
        raise Conflict(_("the game has not started"), code="not-started")
    if seat.hand_hidden:  # before parsing, which depends on the hand
        raise build_hand_hidden_error()
    action = engine.parse_action(state, seat_no, text)
    if action != "resign":
        check_seq(state, seat_no, seq)

    response_bodies: list[str] = []

    def make_own_entry(game_after: LoadedGame, new_action: action_log.NewAction) -> action_log.NewFeedEntry:
        response_bodies.append(json.dumps(view_for(game_after, player).view))
        entry = action_log.build_feed_entry(game_after, new_action, seat, now, is_own=True)
        if key:
            entry.key, entry.asked = key, request_hash
            entry.answer = response_bodies[0]
        return entry

    game_after = action_log.commit_action(
        loaded_game=loaded_game,
        seat_no=seat_no,
        action=action,
        by="player",
        now=now,
        player_acted=True,
        make_own_entry=make_own_entry,
    )
    return PlayResult(response_bodies[0], game_after.game.bot_turn)


def check_seq(state: State, seat_no: int, seq: int | None) -> None:
    """Raise unless `seq` is current and the seat is to act: Conflict or NotYourTurn.

    In the `react` phase any seq since the 8 is accepted.
    """
    if seq is None or not state.decision_seq <= seq <= state.seq:
        message = _("the game is at seq %(seq)s, you saw %(seen)s")
        raise Conflict(message % {"seq": state.seq, "seen": seq}, code="stale")
    if seat_no not in state.seats_to_act:
        raise NotYourTurn(noop("it is not your turn"))
