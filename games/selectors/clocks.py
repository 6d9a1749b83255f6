"""Reads the seat clocks and calendars of stored games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Annotated, Any, TypedDict

from accounts.models import Player
from common.instants import Instant, format_instant
from common.read_models import Url
from common.site_urls import build_absolute_url
from games import clock
from games.clock import Calendar, ClockStop, PlayerHours, SeatClock, StopReason
from games.models import Game, Incident, Pause, Seat

from .deadlines import first_deadline, round_end_of


def seat_clocks_of(game: Game) -> dict[int, SeatClock]:
    """The stored clocks of a game by seat number; a seat without one still has its whole bank."""
    return {int(seat_no): parse_seat_clock(data) for seat_no, data in game.seat_clocks.items()}


def seat_clock_of(game: Game, seat_no: int) -> SeatClock:
    """The clock of a seat."""
    data = game.seat_clocks.get(str(seat_no))
    return parse_seat_clock(data) if data else SeatClock(bank=timedelta(seconds=game.bank))


def parse_seat_clock(data: dict[str, Any]) -> SeatClock:
    """Parse a seat clock from its JSON form."""
    at, since = data.get("at"), data.get("since")
    return SeatClock(
        bank=timedelta(seconds=data["bank"]),
        allowance_left=timedelta(seconds=data.get("left", 0)),
        runs_from=datetime.fromisoformat(at) if at else None,
        turn_began_at=datetime.fromisoformat(since) if since else None,
        turn_seq=data.get("turn", 0),
        missed_turns=data.get("missed", 0),
        hours=parse_hours(data["hours"]) if data.get("hours") else None,
    )


def parse_hours(data: dict[str, Any]) -> PlayerHours:
    """Parse hours from their JSON form."""
    night = data.get("night")
    if not night:
        return PlayerHours(data["zone"])
    return PlayerHours(data["zone"], (time.fromisoformat(night[0]), time.fromisoformat(night[1])))


def serialize_seat_clock(seat_clock: SeatClock) -> dict[str, Any]:
    """The JSON form of a seat clock."""
    data: dict[str, Any] = {"bank": seat_clock.bank.total_seconds(), "turn": seat_clock.turn_seq}
    if seat_clock.missed_turns:
        data["missed"] = seat_clock.missed_turns
    if seat_clock.runs_from:
        data |= {"left": seat_clock.allowance_left.total_seconds(), "at": seat_clock.runs_from.isoformat()}
        data["since"] = (seat_clock.turn_began_at or seat_clock.runs_from).isoformat()
        if seat_clock.hours:
            data["hours"] = serialize_hours(seat_clock.hours)
    return data


def serialize_hours(hours: PlayerHours) -> dict[str, Any]:
    """The JSON form of hours."""
    data: dict[str, Any] = {"zone": hours.zone}
    if hours.night:
        data["night"] = [edge.isoformat() for edge in hours.night]
    return data


def turn_hours_of(game: Game, player: Player | None) -> PlayerHours | None:
    """The time zone and night hours for a turn that starts now; None if neither nights nor weekends count."""
    if not (game.weekends or game.nights):
        return None
    night = None
    if game.nights:
        night = clock.DEFAULT_NIGHT_HOURS
        if player and player.quiet_from is not None and player.quiet_until is not None:
            night = (player.quiet_from, player.quiet_until)
    return PlayerHours(player.time_zone if player else "UTC", night)


def build_calendar(
    game: Game, player: Player | None, incidents: Iterable[Incident] = (), seat_clock: SeatClock | None = None
) -> Calendar:
    """Build the calendar of clock stops for a player's seat.

    With a running `seat_clock`, the hours are those in force when its turn began; otherwise the current ones.
    """
    stops = [ClockStop(StopReason.INCIDENT, incident.started_at, incident.ended_at) for incident in incidents]
    if game.paused_from and game.paused_until:
        stops.append(ClockStop(StopReason.AGREED, game.paused_from, game.paused_until))
    if player and game.vacation:
        stops += vacation_stops_of(player)
    if not (stops or game.weekends or game.nights):
        return clock.ALWAYS_RUNNING
    turn_hours = seat_clock.hours if seat_clock and seat_clock.is_on_turn else None
    hours = turn_hours or turn_hours_of(game, player) or PlayerHours()
    return Calendar(hours.zone, weekends=game.weekends, night=hours.night, stops=tuple(stops))


def compute_seat_deadline(
    game: Game, player: Player | None, seat_clock: SeatClock, incidents: Iterable[Incident] = ()
) -> datetime | None:
    """Compute the deadline of a seat; None if it is not on turn, or its clock stands still for good."""
    if not seat_clock.is_on_turn:
        return None
    return clock.deadline_of(seat_clock, build_calendar(game, player, incidents, seat_clock))


def vacation_stops_of(player: Player) -> list[ClockStop]:
    """A player's current or planned vacation, and past ones not yet charged to a running clock."""
    stops = []
    if player.vacation_start and player.vacation_end:
        stops.append(ClockStop(StopReason.VACATION, player.vacation_start, player.vacation_end))
    for start, end in player.past_vacations or ():
        stops.append(
            ClockStop(StopReason.VACATION, datetime.fromisoformat(start), datetime.fromisoformat(end))
        )
    return stops


def build_quiet_calendar(player: Player | None) -> Calendar:
    """Build the calendar of a player's quiet hours."""
    if player is None or player.quiet_from is None:
        return clock.ALWAYS_RUNNING
    return clock.build_quiet_calendar(player.time_zone, player.quiet_from, player.quiet_until)


def load_unprocessed_incidents() -> list[Incident]:
    """Incidents not yet taken into account by all running clocks: the open one, and one that just ended."""
    return list(Incident.objects.filter(deadlines_recomputed=False).order_by("started_at"))


def turn_allowance_of(game: Game, match_kind: str) -> int:
    """Seconds for a turn; a blind match has its own allowance."""
    return (
        game.allowance
        if match_kind != "blind"
        else blind_turn_allowance(game.allowance, game.blind_allowance)
    )


def blind_turn_allowance(usual_seconds: int, chosen_seconds: int | None) -> int:
    """Seconds for a turn of a blind match: the chosen value, or a fraction of the usual time."""
    return chosen_seconds or max(
        usual_seconds // clock.BLIND_ALLOWANCE_DIVISOR, clock.MIN_TIME_CONTROL.allowance
    )


def has_clock(game: Game, seat: Seat) -> bool:
    """True if a seat has a clock: not a bot's, and not in a solo game."""
    return not seat.bot_policy and game.mode != Game.Mode.SOLO


def find_pause_proposal(game: Game) -> Pause | None:
    """The pause of a game that still waits for agreement, or None."""
    return Pause.objects.filter(game=game, started_at=None, ended_at=None).first()


class SeatTimeData(TypedDict):
    """The clock of a seat: the bank, and when the turn or the round ends."""

    bank_seconds: Annotated[int | None, "The reserve that is left; null without a clock."]
    deadline: Annotated[
        Instant | None,
        "Until when the seat can act: the end of the turn, or of the tournament's round if that comes first."
        " Null if it is not on turn.",
    ]


def build_seat_time_data(game: Game, seat: Seat) -> SeatTimeData:
    """The public view of a seat's clock."""
    if (
        seat.seat_no is None or str(seat.seat_no) not in game.seat_clocks
    ):  # a bot, or a player who has resigned
        return {"bank_seconds": None, "deadline": None}
    seat_clock = seat_clock_of(game, seat.seat_no)
    deadline = (
        first_deadline(game, compute_seat_deadline(game, seat.player, seat_clock))
        if seat_clock.is_on_turn
        else None
    )
    return {"bank_seconds": int(seat_clock.bank.total_seconds()), "deadline": format_instant(deadline)}


class RoundEndData(TypedDict):
    """The end of a tournament round, at which points decide an unfinished game."""

    at: Annotated[Instant, "When the round ends."]
    name: Annotated[str, "The name of the tournament."]
    round: Annotated[int | None, "The number of the round; null where rounds have no numbers."]
    url: Annotated[Url, "The page of the tournament."]


def find_round_end_data(game: Game) -> RoundEndData | None:
    """The end of a game's round as the API shows it, or None."""
    round_end = round_end_of(game)
    if round_end is None:
        return None
    return {
        "at": format_instant(round_end.ends_at),
        "name": round_end.tournament_name,
        "round": round_end.round_no or None,
        "url": Url(build_absolute_url(round_end.page_path)),
    }


@dataclass(frozen=True)
class PauseData:
    """The agreed and the proposed pause of a game."""

    paused_until: Annotated[datetime | None, "When the agreed pause ends; null if there is none."]
    proposed_until: Annotated[datetime | None, "When the proposed pause would end; null if none is proposed."]
    proposed_by: Annotated[str | None, "The name of the player who proposes it."]


def load_pause_data(game: Game, now: datetime) -> PauseData:
    """The agreed pause of a game, if it lasts, and the proposed one."""
    proposal = find_pause_proposal(game)
    return PauseData(
        paused_until=game.paused_until if game.paused_until and game.paused_until > now else None,
        proposed_until=proposal.until if proposal else None,
        proposed_by=proposal.proposer.name if proposal and proposal.proposer else None,
    )
