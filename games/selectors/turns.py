"""One turn of one seat, as identified by a signed link or a reply address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games import clock, signed_links
from games.models import Seat

from .clocks import build_calendar, load_unprocessed_incidents, seat_clock_of
from .deadlines import DeadlineKind, RoundEnd, first_deadline, round_end_if_first
from .game_views import log_page_for
from .read_models import LogLineData

# Events that end a turn; the next one may be the same seat's, after a Time travel or in a new match.
TURN_ENDING_EVENTS = {"placed", "lost turn", "dark tiles left", "match began", "second turn"}
MAX_LOG_LINES = 60  # log lines read to find what happened since: several rounds of four players


def find_seat_for_token(token: str, purpose: str) -> tuple[Seat, int] | None:
    """The seat and turn that a token was signed for; None if it was signed for another player."""
    turn_claim = signed_links.read_turn(token)
    if turn_claim is None:
        return None
    seat = (
        Seat.objects.filter(
            game__code=turn_claim.game_code, seat_no=turn_claim.seat_no, player__is_active=True
        )
        .select_related("game", "player")
        .first()
    )
    if seat is None or seat.player_id is None:
        return None
    if not signed_links.is_valid_turn_token(turn_claim, purpose=purpose, player_id=seat.player_id):
        return None
    return seat, turn_claim.turn_seq


def is_current_turn(seat: Seat, turn_seq: int) -> bool:
    """True if a turn is the seat's current one."""
    assert seat.seat_no
    game, seat_clock = seat.game, seat_clock_of(seat.game, seat.seat_no)
    return game.is_turn_of(seat.seat_no) and seat_clock.is_on_turn and seat_clock.turn_seq == turn_seq


@dataclass(frozen=True)
class TimeLeft:
    """The time a seat has left to act."""

    deadline: datetime | None  # the earliest deadline; None if not known yet
    round_end: RoundEnd | None  # if that is the earliest
    stop_reasons: tuple[clock.StopReason, ...]  # why the clock is stopped now

    @property
    def deadline_kind(self) -> DeadlineKind | None:
        """The kind of the deadline; None without one."""
        if self.deadline is None:
            return None
        return DeadlineKind.ROUND if self.round_end else DeadlineKind.TURN


def time_left_for(seat: Seat, now: datetime) -> TimeLeft:
    """Until when a seat can act, and why its clock is stopped now."""
    assert seat.seat_no
    seat_clock = seat_clock_of(seat.game, seat.seat_no)
    calendar = build_calendar(seat.game, seat.player, load_unprocessed_incidents(), seat_clock)
    turn_deadline = clock.deadline_of(seat_clock, calendar)
    deadline = first_deadline(seat.game, turn_deadline) if seat_clock.is_on_turn else None
    return TimeLeft(
        deadline, round_end_if_first(seat.game, turn_deadline), clock.stop_reasons_at(calendar, now)
    )


def log_since_last_turn(seat: Seat, turn_seq: int) -> list[LogLineData]:
    """The log lines between the seat's previous turn and this one. Raises NoSuchGame."""
    first_seq = max(turn_seq - MAX_LOG_LINES, 0)
    log_lines = (
        log_page_for(seat.player, seat.game.code, after=first_seq, limit=turn_seq - first_seq)["results"]
        if turn_seq
        else []
    )
    own_last_seq = max((line["seq"] for line in log_lines if line["seat"] == seat.seat_no), default=0)
    return [line for line in log_lines if line["seq"] > own_last_seq]


def own_log_of_turn(seat: Seat, turn_seq: int, up_to_seq: int | None = None) -> list[LogLineData]:
    """The seat's own log lines in a turn. Raises NoSuchGame."""
    own_lines = []
    for line in log_page_for(seat.player, seat.game.code, after=turn_seq, limit=MAX_LOG_LINES)["results"]:
        if up_to_seq is not None and line["seq"] > up_to_seq:
            break
        if line["seat"] == seat.seat_no:
            own_lines.append(line)
        if any(event["event"] in TURN_ENDING_EVENTS for event in line["events"]):
            break
    return own_lines


def find_seat_by_mail_token(token: str, code: str) -> Seat | None:
    """The seat in a game of the player with this mail token, or None."""
    seats = Seat.objects.filter(game__code=code, player__mail_token=token, player__is_active=True)
    return seats.select_related("game", "player").first()
