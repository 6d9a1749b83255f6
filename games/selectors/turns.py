"""One turn of one seat, as a signed link or a reply address names it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import clock, links
from games.models import Game, Player, Seat

from .clocks import calendar, incidents, watch_of
from .deadlines import RoundEnd, first_deadline, round_ending_first
from .tables import log_for

# What ends a turn, whoever's is next: the same seat's, too, after a Time travel or in a new match.
TURN_BEGAN = {"placed", "lost turn", "dark tiles left", "match began", "second turn"}
ROUNDS = 60  # lines of the log that are looked at for what happened since: several rounds of four


def seat_of(token: str, purpose: str) -> tuple[Seat, int] | None:
    """The seat that a token acts for, and the turn; None if it was not made for whoever sits there now."""
    claimed = links.read_turn(token)
    if claimed is None:
        return None
    seat = (
        Seat.objects.filter(game__code=claimed.code, number=claimed.seat, player__is_active=True)
        .select_related("game", "player")
        .first()
    )
    if seat is None or seat.player_id is None:
        return None
    if not links.holds(claimed, purpose=purpose, player_id=seat.player_id):
        return None
    return seat, claimed.turn


def lasts(seat: Seat, turn: int) -> bool:
    """Whether that turn is the one that the seat is at."""
    assert seat.number
    game, watch = seat.game, watch_of(seat.game, seat.number)
    to_act = game.status == Game.Status.RUNNING and bool(game.to_act >> seat.number & 1)
    return to_act and watch.on and watch.turn == turn


@dataclass(frozen=True)
class TimeLeft:
    """How long a seat can still act."""

    until: datetime | None  # the deadline that comes first; None if that is not known yet
    round_end: RoundEnd | None  # if that is the end of the round
    resting: tuple[str, ...]  # why the clock rests now


def time_left(seat: Seat, now: datetime) -> TimeLeft:
    """Until when the seat can act, and why its clock rests now."""
    assert seat.number
    watch = watch_of(seat.game, seat.number)
    rests = calendar(seat.game, seat.player, incidents(), watch)
    turn_ends = clock.deadline(watch, rests)
    until = first_deadline(seat.game, turn_ends) if watch.on else None
    return TimeLeft(until, round_ending_first(seat.game, turn_ends), clock.reasons(rests, now))


def since_last(seat: Seat, turn: int) -> list[dict[str, Any]]:
    """The lines of the log between the seat's turn before and this one. Raises NoSuchGame."""
    first = max(turn - ROUNDS, 0)
    lines = log_for(seat.player, seat.game.code, after=first, limit=turn - first)["results"] if turn else []
    own = max((line["seq"] for line in lines if line["seat"] == seat.number), default=0)
    return [line for line in lines if line["seq"] > own]


def of_turn(seat: Seat, turn: int, upto: int | None = None) -> list[dict[str, Any]]:
    """The seat's own lines of the log in a turn. Raises NoSuchGame."""
    found = []
    for line in log_for(seat.player, seat.game.code, after=turn, limit=ROUNDS)["results"]:
        if upto is not None and line["seq"] > upto:
            break
        if line["seat"] == seat.number:
            found.append(line)
        if any(event["event"] in TURN_BEGAN for event in line["events"]):
            break
    return found


def player_by_key(key: str) -> Player | None:
    """The player whose mails have this key in their links."""
    return Player.objects.filter(mail_key=key, is_active=True).first() if key else None


def seat_by_key(key: str, code: str) -> Seat | None:
    """The seat in a game of the player with this key."""
    seats = Seat.objects.filter(game__code=code, player__mail_key=key, player__is_active=True)
    return seats.select_related("game", "player").first()
