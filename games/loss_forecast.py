"""Forecasts of when games are lost by a player who stays away: pure arithmetic, like the clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from games.clock import (
    ALWAYS_RUNNING,
    DAYS_PER_VACATION_DAY,
    FLOATING_VACATION_STEP,
    MAX_AUTOPLAYED_TURNS,
    NO_TIME,
    Calendar,
    ClockStop,
    SeatClock,
    StopReason,
    charge_elapsed_time,
    compute_vacation_balance,
    deadline_of,
    earliest_time,
    merge_stops,
    start_turn,
)


@dataclass(frozen=True)
class GameAtStake:
    """A game that a player loses by staying away."""

    seat_clock: SeatClock
    allowance: int
    calendar: Calendar
    later_calendar: Calendar | None = None  # of later turns, if their hours differ from this turn's
    uses_floating_vacation: bool = False  # a missed deadline takes vacation by the hour
    # Turns that the server still plays; None: a partner plays on
    autoplays_left: int | None = MAX_AUTOPLAYED_TURNS


def forecast_losses(
    games_at_stake: Sequence[GameAtStake],
    *,
    now: datetime,
    quiet_calendar: Calendar = ALWAYS_RUNNING,
    saved_balance: timedelta = NO_TIME,
) -> list[datetime | None]:
    """Forecast the loss of each game if its player stays away and opponents answer at once; None if unknown.

    Simulates the sweep, deadline by deadline:
    1. A missed deadline first takes an hour of vacation, saved or earned meanwhile, in games that allow it.
    2. Then the server plays some turns.
    3. Then the game is lost.
    """
    loss_times: list[datetime | None] = [None] * len(games_at_stake)
    pending = {
        i: ensure_turn_started(game_at_stake, now, quiet_calendar)
        for i, game_at_stake in enumerate(games_at_stake)
        if game_at_stake.autoplays_left is not None
    }
    deadlines = {
        i: deadline_of(game_at_stake.seat_clock, game_at_stake.calendar)
        for i, game_at_stake in pending.items()
    }
    vacation_stops: list[ClockStop] = []  # vacation hours taken so far
    counted_stops = dict.fromkeys(pending, 0)  # per game: how many of them its deadline includes
    balance_at = now
    while at := earliest_time(list(deadlines.values())):
        i = next(i for i, deadline in deadlines.items() if deadline == at)
        game_at_stake = pending[i]
        if game_at_stake.uses_floating_vacation and counted_stops[i] < len(vacation_stops):
            # Stopped since then: a later deadline.
            new_stops = vacation_stops[max(counted_stops[i] - 1, 0) :]
            calendar = replace(game_at_stake.calendar, stops=(*game_at_stake.calendar.stops, *new_stops))
            pending[i] = replace(
                game_at_stake,
                seat_clock=charge_elapsed_time(game_at_stake.seat_clock, new_stops[-1].start, calendar),
            )
            deadlines[i], counted_stops[i] = deadline_of(pending[i].seat_clock, calendar), len(vacation_stops)
        elif (
            game_at_stake.uses_floating_vacation
            and (balance := compute_vacation_balance(saved_balance, balance_at, at)) >= FLOATING_VACATION_STEP
        ):
            length = floating_vacation_length(game_at_stake.calendar, at, balance)
            vacation_stops.append(ClockStop(StopReason.VACATION, at, at + length))
            saved_balance, balance_at = balance - length, at
        elif game_at_stake.autoplays_left:
            calendar = game_at_stake.later_calendar or game_at_stake.calendar
            game_at_stake = replace(
                game_at_stake,
                seat_clock=SeatClock(bank=NO_TIME),
                calendar=calendar,
                autoplays_left=game_at_stake.autoplays_left - 1,
            )
            pending[i] = ensure_turn_started(game_at_stake, at, quiet_calendar)
            deadlines[i] = deadline_of(pending[i].seat_clock, calendar)
            counted_stops[i] = len(vacation_stops)  # they are past: its clock starts now
        else:
            loss_times[i] = at
            del deadlines[i]
    return loss_times


def ensure_turn_started(game_at_stake: GameAtStake, now: datetime, quiet_calendar: Calendar) -> GameAtStake:
    """The game with the player's turn started, as opponents answer at once."""
    if game_at_stake.seat_clock.is_on_turn:
        return game_at_stake
    return replace(
        game_at_stake,
        seat_clock=start_turn(
            game_at_stake.seat_clock,
            now=now,
            allowance=game_at_stake.allowance,
            turn_seq=0,
            quiet_calendar=quiet_calendar,
        ),
    )


def floating_vacation_length(calendar: Calendar, at: datetime, balance: timedelta) -> timedelta:
    """The vacation that a deadline takes hour by hour, until it is used up or the clock stops anyway."""
    hour = FLOATING_VACATION_STEP
    # Each hour earns a fraction of the next
    max_hours = 1 + (balance - hour) // (hour - hour / DAYS_PER_VACATION_DAY)
    first_stop = next(iter(merge_stops(calendar, at, at + max_hours * hour)), None)
    return hour * (min(max_hours, -((at - first_stop[0]) // hour)) if first_stop else max_hours)
