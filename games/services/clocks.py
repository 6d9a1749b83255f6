"""Clocks of stored games: effects of actions, pauses and vacations on seat clocks and deadlines."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.models import Player
from games import clock, engine
from games.clock import SeatClock
from games.engine import State, standing_orders
from games.models import Game, Incident, Seat
from games.selectors import LoadedGame, load_game
from games.selectors.clocks import (
    build_calendar,
    build_quiet_calendar,
    compute_seat_deadline,
    has_clock,
    load_unprocessed_incidents,
    seat_clock_of,
    seat_clocks_of,
    serialize_seat_clock,
    turn_allowance_of,
    turn_hours_of,
)
from games.selectors.turns import TURN_ENDING_EVENTS
from notifications.services import notices

from . import wake_ups

logger = logging.getLogger(__name__)
MAX_AUTOMATIC_ANSWER_DELAY = timedelta(
    hours=1
)  # of an automatic answer, or a tenth of the allowance if that is less
AUTOMATIC_ANSWER_ALLOWANCE_DIVISOR = 10
MAX_RECOMPUTE_ATTEMPTS = 5

__all__ = [
    "build_calendar",
    "build_quiet_calendar",
    "load_unprocessed_incidents",
    "seat_clock_of",
    "seat_clocks_of",
    "turn_allowance_of",
    "turn_hours_of",
]


# ------------------------------------------------------------ after an action


def advance_clocks(
    loaded_game: LoadedGame,
    state: State,
    *,
    now: datetime,
    game_events: Sequence[dict[str, Any]],
    acting_seat_no: int = 0,
    player_acted: bool = False,
    turn_missed: bool = False,
    clock_incidents: Sequence[Incident] | None = None,
) -> dict[str, Any]:
    """Return the time columns of a game after an action, or the first deal, that led to `state`.

    `player_acted`: the seat's own player acted, which ends its side's series of missed turns;
    `turn_missed`: the server acted after a timeout. `clock_incidents` are the incidents, if the caller has
    read them already.
    """
    game = loaded_game.game
    new_turn = any(game_event["event"] in TURN_ENDING_EVENTS for game_event in game_events)
    side = state.setup.sides[acting_seat_no] if acting_seat_no else 0
    clocks_stopped = state.is_over or opens_blind_match(game_events)
    seats_to_act = () if clocks_stopped else state.seats_to_act
    turn_allowance = turn_allowance_of(game, state.match_kind)
    seat_clocks: dict[int, SeatClock] = {}
    for seat in loaded_game.seats:
        seat_no = seat.seat_no
        if seat_no is None or not has_clock(game, seat) or state.setup.sides[seat_no] in state.resigned_sides:
            continue
        seat_clock = seat_clock_of(game, seat_no)
        if seat_clock.is_on_turn and (new_turn or seat_no not in seats_to_act):
            is_within_allowance = clock.is_within_allowance(seat_clock, now)
            known_incidents = (
                clock_incidents
                if is_within_allowance or clock_incidents is not None
                else load_unprocessed_incidents()
            )
            clock_calendar = (
                clock.ALWAYS_RUNNING
                if is_within_allowance
                else build_calendar(game, seat.player, known_incidents or (), seat_clock)
            )
            seat_clock = clock.stop_turn(seat_clock, now, clock_calendar)
        if seat_no in seats_to_act and not seat_clock.is_on_turn:
            seat_clock = clock.start_turn(
                seat_clock,
                now=now,
                allowance=turn_allowance,
                turn_seq=state.seq,
                quiet_calendar=build_quiet_calendar(seat.player),
                hours=turn_hours_of(game, seat.player),
            )
        if acting_seat_no and state.setup.sides[seat_no] == side and (player_acted or turn_missed):
            seat_clock = replace(
                seat_clock,
                missed_turns=0 if player_acted else seat_clock.missed_turns + (seat_no == acting_seat_no),
            )
        seat_clocks[seat_no] = seat_clock
    return build_clock_columns(loaded_game, state, seat_clocks, now=now, clocks_stopped=clocks_stopped)


def opens_blind_match(game_events: Sequence[dict[str, Any]]) -> bool:
    """Return whether the events begin a blind match, which then waits to be opened."""
    return any(
        game_event["event"] == "match began" and game_event["kind"] == "blind" for game_event in game_events
    )


def build_clock_columns(
    loaded_game: LoadedGame,
    state: State,
    seat_clocks: dict[int, SeatClock],
    *,
    now: datetime,
    clocks_stopped: bool,
) -> dict[str, Any]:
    """Return the columns: seat clocks as JSON, the public deadline, and the time of the next sweep."""
    game = loaded_game.game
    deadline = clock.earliest_time(
        [
            compute_seat_deadline(game, loaded_game.seat_by_no(seat_no).player, seat_clock)
            for seat_no, seat_clock in seat_clocks.items()
        ]
    )
    if clocks_stopped:
        next_sweep_at = None if state.is_over and not has_unannounced_rounds(game, state) else now
    else:
        next_sweep_at = clock.earliest_time(
            [
                deadline,
                *(
                    compute_automatic_answer_time(loaded_game, state, running_seat_no, running_clock, now)
                    for running_seat_no, running_clock in seat_clocks.items()
                    if running_clock.is_on_turn
                ),
            ]
        )
    return {
        "seat_clocks": {
            str(seat_no): serialize_seat_clock(seat_clock) for seat_no, seat_clock in seat_clocks.items()
        },
        "deadline": deadline,
        "next_sweep_at": next_sweep_at,
    }


def has_unannounced_rounds(game: Game, state: State) -> bool:
    """Return whether rounds of a shoot-out are still to be announced."""
    return len(state.shootout_rounds) > game.announced_rounds


def compute_automatic_answer_time(
    loaded_game: LoadedGame, state: State, seat_no: int, seat_clock: SeatClock, now: datetime
) -> datetime | None:
    """Return when the server acts for a seat; None if its player must decide.

    It acts at once in a blind match with one action to choose from, and for a standing order: all can see it;
    an answer to an 8 comes later, at a time that does not tell whether there was a choice.
    """
    has_hints = loaded_game.game.hints
    if (
        state.match_kind == "blind"
        and len(engine.list_offered_actions(state, seat_no, has_hints=has_hints)) == 1
    ):
        return now
    if find_ordered_action(state, loaded_game.seat_by_no(seat_no)) is not None:
        return now
    if find_automatic_answer(state, loaded_game.seat_by_no(seat_no)) is None:
        return None
    assert seat_clock.turn_began_at
    max_delay = compute_max_answer_delay(loaded_game.game.allowance)
    # Derived from the game key: unpredictable, and the same every time it is computed.
    random_bytes = hmac.digest(
        state.setup.key, f"answer/{seat_clock.turn_seq}/{seat_no}".encode(), hashlib.sha256
    )
    return seat_clock.turn_began_at + max_delay * (int.from_bytes(random_bytes[:4], "big") / 2**32)


def compute_max_answer_delay(allowance: int) -> timedelta:
    """Return the maximum delay of an automatic answer."""
    return min(MAX_AUTOMATIC_ANSWER_DELAY, timedelta(seconds=allowance) / AUTOMATIC_ANSWER_ALLOWANCE_DIVISOR)


def find_automatic_answer(state: State, seat: Seat) -> str | None:
    """Return the answer to an 8 that needs no decision: the only legal one, or the seat's eight policy."""
    assert seat.seat_no
    if state.phase != "react" or seat.seat_no not in state.seats_to_act or seat.bot_policy:
        return None
    legal_actions = engine.legal_actions(state, seat.seat_no)
    if legal_actions == ("pass",) or seat.eight_policy == Seat.EightPolicy.KEEP:
        return "pass"
    if seat.eight_policy == Seat.EightPolicy.USE:
        return next(action for action in ("8", "CV=8") if action in legal_actions)
    return None


def find_ordered_action(state: State, seat: Seat) -> str | None:
    """Return the action that the standing orders of a seat are about to play, or None."""
    if seat.seat_no is None or seat.player_id is None or seat.hand_hidden:
        return None
    if not (seat.draws_automatically or seat.plays_only_action) or state.match_kind == "blind":
        return None
    return standing_orders.find_ordered_action(
        state,
        seat.seat_no,
        draws_automatically=seat.draws_automatically,
        plays_only_action=seat.plays_only_action,
        has_hints=seat.game.hints,
    )


# ------------------------------------------------------------ when a calendar changes


def log_broken_game(game: Game) -> None:
    """Log a game that cannot be loaded: it must not stop the others."""
    logger.exception("clocks of game %s could not be recomputed", game.code)


def recompute_deadline(
    *,
    code: str,
    now: datetime,
    charge_until: datetime | None = None,
    clock_incidents: Iterable[Incident] = (),
) -> None:
    """Recompute the deadline of a running game; retries when the game changes concurrently.

    With `charge_until`, first charge the elapsed time up to then under the current calendars.
    """
    for _ in range(MAX_RECOMPUTE_ATTEMPTS):
        try:
            loaded_game = load_game(code)
        except (ValueError, TypeError, LookupError):  # a broken game must not stop the player's other games
            logger.exception("clocks of game %s could not be recomputed", code)
            return
        if not loaded_game.game.is_running or try_recompute_deadline(
            loaded_game, now, charge_until, clock_incidents
        ):
            return


def try_recompute_deadline(
    loaded_game: LoadedGame,
    now: datetime,
    charge_until: datetime | None = None,
    clock_incidents: Iterable[Incident] = (),
) -> LoadedGame | None:
    """Recompute the deadline of a loaded game, and return the game with it.

    Returns None if the game has changed since it was loaded.

    Steps:
    1. Charge elapsed time up to `charge_until`, if given.
    2. Compute the clock columns.
    3. Write them if seq, status, clocks and seat changes are as they were read.
    4. Make waiting reminders due, as their times may have moved.
    """
    game, state = loaded_game.game, loaded_game.state
    assert state is not None
    if charge_until is not None:
        charged_clocks = {
            seat_no: clock.charge_elapsed_time(
                seat_clock,
                charge_until,
                build_calendar(game, loaded_game.seat_by_no(seat_no).player, clock_incidents, seat_clock),
            )
            for seat_no, seat_clock in seat_clocks_of(game).items()
        }
        serialized_clocks = {
            str(seat_no): serialize_seat_clock(seat_clock) for seat_no, seat_clock in charged_clocks.items()
        }
        loaded_game = loaded_game.with_changes({"seat_clocks": serialized_clocks}, state)
    clock_columns = advance_clocks(loaded_game, state, now=now, game_events=())
    game_row = Game.objects.filter(
        pk=game.pk,
        seq=game.seq,
        status=game.status,
        seat_clocks=game.seat_clocks,
        seat_changes=game.seat_changes,
    )
    if not game_row.update(**clock_columns):
        return None
    notices.recheck_reminders([game.topic], now)
    wake_ups.wake_viewers_after_commit(game)
    return loaded_game.with_changes(clock_columns, state)


def change_player_of_games(*, player: Player, now: datetime, change: Callable[[], None]) -> None:
    """Give the running games of a guest, who has only a few, to an account with another calendar.

    In one transaction: charge the running seat clocks under the old calendar, call `change`, which writes
    the new player, and recompute the deadlines. No time is given or taken.
    """
    with transaction.atomic():
        # no_key: a move locks a game and then the keys of its players, in the opposite order.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        codes = list_running_game_codes(player)
        clock_incidents = load_unprocessed_incidents() if codes else []
        for code in codes:
            recompute_deadline(code=code, now=now, charge_until=now, clock_incidents=clock_incidents)
        change()
        increment_seat_changes(codes)
        for code in codes:
            recompute_deadline(code=code, now=now)


def increment_seat_changes(codes: Iterable[str]) -> None:
    """Count a change of players or orders in these games: writes based on an earlier read then fail."""
    Game.objects.filter(code__in=list(codes)).update(seat_changes=F("seat_changes") + 1)


def list_running_game_codes(player: Player) -> list[str]:
    """Return the codes of the games in which a player's clock runs or may run."""
    games = Game.objects.running().filter(seats__player=player).order_by("pk")
    return list(games.values_list("code", flat=True))
