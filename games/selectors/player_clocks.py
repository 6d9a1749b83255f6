"""A player's running clocks, why some are stopped, and which game would be lost first."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated

from accounts.models import Player
from games import clock, loss_forecast
from games.engine import load_state
from games.models import Game, Incident, Seat
from games.models.games import PLAYING_STATUSES

from .clocks import (
    RoundEndData,
    build_calendar,
    build_quiet_calendar,
    find_round_end_data,
    load_unprocessed_incidents,
    seat_clock_of,
    turn_allowance_of,
)
from .deadlines import (
    DEADLINE_HELP_TEXT,
    DEADLINE_KIND_HELP_TEXT,
    Deadline,
    DeadlineKind,
    RoundEnd,
    find_first_deadline,
    round_end_if_first,
)


@dataclass(frozen=True)
class RunningClock:
    """The clock of one of a player's running games."""

    seat: Seat
    on_turn: bool
    deadline: Deadline | None  # of this turn, or of the round if that is earlier
    bank: timedelta
    stop_reasons: tuple[clock.StopReason, ...]  # why the clock is stopped now
    loses_at: datetime | None  # if they never come back and others answer at once; includes vacation
    round_end: RoundEnd | None = None  # if earlier: then the points decide

    @property
    def ends_at(self) -> datetime | None:
        """The end of the game, by time or by points, if the player never comes back."""
        return self.round_end.ends_at if self.round_end else self.loses_at


def list_running_clocks(player: Player, now: datetime) -> list[RunningClock]:
    """The clocks of all running games of a player, the first to be lost first."""
    seats = list(
        Seat.objects.filter(player=player, game__status__in=PLAYING_STATUSES, seat_no__isnull=False)
        .exclude(game__mode=Game.Mode.SOLO)
        .select_related("game__secrets")
        .defer("game__initial_events", "game__result", "game__secrets__server_seed")
        .order_by("game_id")
    )
    # A seat without a clock has resigned while the others play on.
    seats = [seat for seat in seats if str(seat.seat_no) in seat.game.seat_clocks]
    partnered_game_ids = find_games_with_partner(seats)
    incidents = load_unprocessed_incidents()
    stakes = [build_stake(seat, player, incidents, seat.game_id in partnered_game_ids) for seat in seats]
    vacation_balance = clock.compute_vacation_balance(
        player.vacation_balance, player.vacation_accrued_at or player.joined_at, now
    )
    loss_times = loss_forecast.forecast_losses(
        stakes, now=now, quiet_calendar=build_quiet_calendar(player), saved_balance=vacation_balance
    )
    running_clocks = [
        RunningClock(
            seat=seat,
            on_turn=stake.seat_clock.is_on_turn,
            deadline=find_first_deadline(seat.game, clock.deadline_of(stake.seat_clock, stake.calendar))
            if stake.seat_clock.is_on_turn
            else None,
            bank=stake.seat_clock.bank,
            stop_reasons=clock.stop_reasons_at(stake.calendar, now),
            loses_at=None if (round_end := round_end_if_first(seat.game, lost_at)) else lost_at,
            round_end=round_end,
        )
        for seat, stake, lost_at in zip(seats, stakes, loss_times, strict=True)
    ]
    far_future = datetime.max.replace(tzinfo=now.tzinfo)
    return sorted(
        running_clocks,
        key=lambda running_clock: (running_clock.ends_at or far_future, running_clock.seat.game_id),
    )


def find_games_with_partner(seats: list[Seat]) -> set[int]:
    """The ids of games in which another person plays on the same side; that side is not lost by absence."""
    own_seat_by_game = {
        seat.game_id: seat.seat_no or 0 for seat in seats if seat.game.mode == Game.Mode.PAIRS
    }
    human_seats = Seat.objects.filter(game__in=list(own_seat_by_game), player__isnull=False).values_list(
        "game_id", "seat_no"
    )
    return {
        game_id
        for game_id, seat_no in human_seats
        if seat_no and seat_no == (own_seat_by_game[game_id] + 1) % 4 + 1
    }


def build_stake(
    seat: Seat, player: Player, incidents: list[Incident], has_partner: bool
) -> loss_forecast.GameAtStake:
    """Build the forecast of one game for a player who stays away."""
    game, own_seat_no = seat.game, seat.seat_no
    assert own_seat_no is not None
    side_seat_nos = (
        [own_seat_no] if game.mode != Game.Mode.PAIRS else [own_seat_no, (own_seat_no + 1) % 4 + 1]
    )
    missed_turns = sum(seat_clock_of(game, seat_no).missed_turns for seat_no in side_seat_nos)
    is_forfeit = game.timeout_policy == Game.TimeoutPolicy.FORFEIT
    autoplays_left = (
        0 if is_forfeit else None if has_partner else max(clock.MAX_AUTOPLAYED_TURNS - missed_turns, 0)
    )
    seat_clock = seat_clock_of(game, own_seat_no)
    return loss_forecast.GameAtStake(
        seat_clock=seat_clock,
        allowance=turn_allowance_of(game, load_state(game.secrets.state).match_kind),
        calendar=build_calendar(game, player, incidents, seat_clock),
        later_calendar=build_calendar(game, player, incidents),
        uses_floating_vacation=game.vacation,
        autoplays_left=autoplays_left,
    )


@dataclass(frozen=True)
class AbsenceForecast:
    """A forecast for a player who stops playing now."""

    vacation_left: timedelta  # balance; taken by the hour when a deadline falls
    vacation_start: datetime | None
    vacation_end: datetime | None
    clocks: list[RunningClock]

    @property
    def first_loss(self) -> RunningClock | None:
        """The game that would be lost first, or None."""
        return next((running_clock for running_clock in self.clocks if running_clock.loses_at), None)

    @property
    def first_to_end(self) -> RunningClock | None:
        """The game that would end first, lost or decided by points, or None."""
        return next((running_clock for running_clock in self.clocks if running_clock.ends_at), None)


def forecast_absence(player: Player, now: datetime) -> AbsenceForecast:
    """Forecast what happens if a player stops now: "the first game you lose is … on …"."""
    vacation_left = clock.compute_vacation_balance(
        player.vacation_balance, player.vacation_accrued_at or player.joined_at, now
    )
    vacation_left -= vacation_left % clock.FLOATING_VACATION_STEP  # vacation is taken in whole hours
    vacation_end = player.vacation_end if player.vacation_end and player.vacation_end > now else None
    return AbsenceForecast(
        vacation_left,
        player.vacation_start if vacation_end else None,
        vacation_end,
        list_running_clocks(player, now),
    )


@dataclass(frozen=True)
class FirstLossData:
    """The first game you would lose on time."""

    game: Annotated[str, "The `id` of the game."]
    at: Annotated[datetime, "When you would lose it."]


@dataclass(frozen=True)
class VacationData:
    """Your vacation."""

    left_seconds: Annotated[int, "The vacation that you have saved up."]
    until: Annotated[datetime | None, "When your current or planned vacation ends; null if there is none."]
    start: Annotated[datetime | None, "When it began or begins; null if there is none."] = field(
        metadata={"key": "from"}
    )


@dataclass(frozen=True)
class SeatClockData:
    """Your clock in one game."""

    game: Annotated[str, "The `id` of the game."]
    seat: Annotated[int, "Your seat."]
    on_turn: Annotated[bool, "Whether it is your turn."]
    deadline: Annotated[datetime | None, DEADLINE_HELP_TEXT]
    deadline_kind: Annotated[DeadlineKind | None, DEADLINE_KIND_HELP_TEXT]
    bank_seconds: Annotated[int, "The reserve that is left."]
    stop_reasons: Annotated[list[str], "Why the clock is stopped now; empty if it runs."]
    lost_at: Annotated[
        datetime | None, "When you lose the game if you never come back; null if points decide it before."
    ]
    round_end: Annotated[RoundEndData | None, "In a tournament: when points decide the game. Null otherwise."]


@dataclass(frozen=True)
class TimeOverviewData:
    """Your clocks and vacation."""

    first_loss: Annotated[
        FirstLossData | None,
        "The game that you would lose first if you stopped playing now; null if there is none.",
    ]
    vacation: Annotated[VacationData, "Your vacation, planned and saved up."]
    clocks: Annotated[list[SeatClockData], "Your clocks in all running games, the first to be lost first."]


def load_time_overview(player: Player, now: datetime) -> TimeOverviewData:
    """A player's clocks and vacation as the API shows them."""
    forecast = forecast_absence(player, now)
    first_loss = forecast.first_loss
    return TimeOverviewData(
        first_loss=FirstLossData(first_loss.seat.game.code, first_loss.loses_at)
        if first_loss and first_loss.loses_at
        else None,
        vacation=VacationData(
            left_seconds=int(forecast.vacation_left.total_seconds()),
            start=forecast.vacation_start,
            until=forecast.vacation_end,
        ),
        clocks=[
            SeatClockData(
                game=running_clock.seat.game.code,
                seat=running_clock.seat.seat_no or 0,
                on_turn=running_clock.on_turn,
                deadline=running_clock.deadline.at if running_clock.deadline else None,
                deadline_kind=running_clock.deadline.kind if running_clock.deadline else None,
                bank_seconds=int(running_clock.bank.total_seconds()),
                stop_reasons=list(running_clock.stop_reasons),
                lost_at=running_clock.loses_at,
                round_end=find_round_end_data(running_clock.seat.game),
            )
            for running_clock in forecast.clocks
        ],
    )
