"""The times at which an absent player loses games."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games import clock
from games.clock import ALWAYS_RUNNING, MAX_AUTOPLAYED_TURNS, Calendar, ClockStop, SeatClock
from games.loss_forecast import GameAtStake, forecast_losses
from tests.example_counts import make_settings

from .naive import (
    NEVER,
    calendars,
    time_spans,
    utc,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOON = utc("2026-06-15T12")  # a Monday


def compute_loss(
    seat_clock: SeatClock, *, chances: int = MAX_AUTOPLAYED_TURNS, calendar: Calendar = ALWAYS_RUNNING
) -> timedelta | None:
    """Return how long after noon a seat is lost in a game with an allowance of one day."""
    (at,) = forecast_losses([GameAtStake(seat_clock, 86_400, calendar, autoplays_left=chances)], now=NOON)
    return at - NOON if at else None


def test_a_seat_is_lost_at_the_third_timeout_in_a_row_or_at_the_first() -> None:
    on = SeatClock(bank=3 * DAY, allowance_left=DAY / 2, runs_from=NOON)
    assert MAX_AUTOPLAYED_TURNS == 2
    # Each new turn starts when its notice is due, a minute after the previous action.
    assert compute_loss(on) == 5.5 * DAY + 2 * MINUTE
    assert compute_loss(on, chances=1) == 4.5 * DAY + MINUTE
    assert compute_loss(on, chances=0) == 3.5 * DAY


def test_a_seat_that_waits_is_lost_as_if_its_turn_came_at_once() -> None:
    waiting = SeatClock(bank=3 * DAY)
    assert compute_loss(waiting, chances=0) == 4 * DAY + MINUTE
    assert compute_loss(waiting) == 6 * DAY + 3 * MINUTE


def test_a_seat_is_not_lost_while_its_clock_rests() -> None:
    waiting, weekends = SeatClock(bank=3 * DAY), Calendar("UTC", weekends=True)
    # Four days until Friday noon; two more, excluding the weekend.
    assert compute_loss(waiting, chances=0, calendar=weekends) == 4 * DAY + MINUTE
    assert compute_loss(waiting, calendar=weekends) == 8 * DAY + 3 * MINUTE
    pause = Calendar(stops=(ClockStop("incident", NOON + 5 * DAY, None),))
    assert compute_loss(waiting, chances=0, calendar=pause) == 4 * DAY + MINUTE
    assert compute_loss(waiting, calendar=pause) is None
    assert compute_loss(SeatClock(bank=10 * DAY, allowance_left=DAY, runs_from=NOON), calendar=pause) is None


def test_nothing_is_lost_while_a_partner_plays_on() -> None:
    assert forecast_losses(
        [GameAtStake(SeatClock(bank=NEVER), 60, ALWAYS_RUNNING, autoplays_left=None)], now=NOON
    ) == [None]


def test_quiet_hours_put_off_every_turn_to_come() -> None:
    (at,) = forecast_losses(
        [
            GameAtStake(
                SeatClock(bank=NEVER, allowance_left=DAY, runs_from=NOON),
                86_400,
                ALWAYS_RUNNING,
                autoplays_left=1,
            )
        ],
        now=NOON,
        quiet_calendar=clock.build_quiet_calendar("UTC", (NOON - 2 * HOUR).time(), (NOON + 3 * HOUR).time()),
    )
    assert at == NOON + 2 * DAY + 3 * HOUR


def test_vacation_goes_by_the_hour_and_earns_a_little_of_itself() -> None:
    on = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=DAY, runs_from=NOON),
        86_400,
        ALWAYS_RUNNING,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    # The day itself earns two hours: one is taken, and the rest is less than an hour.
    assert forecast_losses([on], now=NOON) == [NOON + DAY + 2 * HOUR]
    # 24 hours and these two: every hour taken earns five minutes.
    hours = 1 + (26 * 60 - 60) // 55
    assert forecast_losses([on], now=NOON, saved_balance=DAY) == [NOON + DAY + hours * HOUR]
    assert forecast_losses([replace(on, uses_floating_vacation=False)], now=NOON, saved_balance=DAY) == [
        NOON + DAY
    ]


def test_vacation_of_just_an_hour_is_taken_and_of_less_is_not() -> None:
    on = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=12 * HOUR, runs_from=NOON),
        86_400,
        ALWAYS_RUNNING,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    # Half a day earns one hour exactly.
    assert forecast_losses([on], now=NOON) == [NOON + 13 * HOUR]
    shorter = replace(on, seat_clock=replace(on.seat_clock, allowance_left=12 * HOUR - MINUTE))
    assert forecast_losses([shorter], now=NOON) == [NOON + 12 * HOUR - MINUTE]


def test_an_hour_that_one_game_takes_rests_every_other_that_allows_it() -> None:
    first = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=DAY, runs_from=NOON),
        86_400,
        ALWAYS_RUNNING,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    second = replace(first, seat_clock=SeatClock(bank=NEVER, allowance_left=DAY + HOUR, runs_from=NOON))
    third = replace(second, uses_floating_vacation=False)
    saved = 10 * HOUR
    times = forecast_losses([third, second, first], now=NOON, saved_balance=saved)
    assert times[0] == NOON + DAY + HOUR
    assert times[2] == NOON + DAY + 13 * HOUR  # 12 hours saved by then, and one more earned on the way
    # The clock was stopped all the time; at its own deadline, an hour later, the balance is below an hour.
    assert times[1] == NOON + DAY + 14 * HOUR


def test_an_hour_is_not_spent_on_a_night_in_which_the_clock_rests_anyway() -> None:
    nights = Calendar("UTC", night=(utc("2026-06-15T14:30").time(), utc("2026-06-15T22").time()))
    on = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=HOUR, runs_from=NOON),
        3600,
        nights,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    # At one and at two; then quiet hours until ten in the evening, when no balance is left.
    assert forecast_losses([on], now=NOON, saved_balance=2 * HOUR) == [utc("2026-06-15T22")]
    # One more from ten to eleven; the earned minutes are not enough for a fourth.
    assert forecast_losses([on], now=NOON, saved_balance=3 * HOUR) == [utc("2026-06-15T23")]


def test_a_game_that_rested_twice_for_another_got_back_all_of_both() -> None:
    nights = Calendar("UTC", night=(utc("2026-06-15T14").time(), utc("2026-06-15T22").time()))
    taker = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=HOUR, runs_from=NOON - HOUR),
        86_400,
        nights,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    other = GameAtStake(
        SeatClock(bank=NEVER, allowance_left=9 * HOUR, runs_from=NOON),
        86_400,
        ALWAYS_RUNNING,
        uses_floating_vacation=True,
        autoplays_left=0,
    )
    # Two hours are taken from noon on; the balance at ten, with the minutes earned at night, covers three
    # more. The other game runs in between, for eight of its nine hours.
    assert forecast_losses([taker, other], now=NOON, saved_balance=4 * HOUR) == [
        NOON + 13 * HOUR,
        NOON + 14 * HOUR,
    ]


# ------------------------------------------------------------------------------------------------- simulation


def compute_losses_hourly(
    stakes: list[GameAtStake], *, now: datetime, quiet: Calendar, saved: timedelta, most: int = 3000
) -> list[datetime | None]:
    """Simulate the losses hour by hour, with a calendar that keeps every vacation hour taken."""
    lost: list[datetime | None] = [None] * len(stakes)
    taken_stops: list[ClockStop] = []
    watches = [
        stake.seat_clock
        if stake.seat_clock.is_on_turn
        else clock.start_turn(
            stake.seat_clock, now=now, allowance=stake.allowance, turn_seq=0, quiet_calendar=quiet
        )
        for stake in stakes
    ]
    chances = [stake.autoplays_left or 0 for stake in stakes]
    playing = set(range(len(stakes)))
    since = now
    for _ in range(most):
        calendars = [replace(stake.calendar, stops=(*stake.calendar.stops, *taken_stops)) for stake in stakes]
        calendars_ = [
            rest if stake.uses_floating_vacation else stake.calendar
            for stake, rest in zip(stakes, calendars, strict=True)
        ]
        falls = {n: clock.deadline_of(watches[n], calendars_[n]) for n in playing}
        known_falls = [(at, n) for n, at in falls.items() if at]
        if not known_falls:
            return lost
        at, n = min(known_falls)
        left = clock.compute_vacation_balance(saved, since, at)
        if stakes[n].uses_floating_vacation and left >= HOUR:
            saved, since = left - HOUR, at
            taken_stops.append(ClockStop("vacation", at, at + HOUR))
        elif chances[n]:
            chances[n] -= 1
            turn = SeatClock(bank=NEVER)
            watches[n] = clock.start_turn(
                turn, now=at, allowance=stakes[n].allowance, turn_seq=0, quiet_calendar=quiet
            )
        else:
            lost[n] = at
            playing.discard(n)
    raise AssertionError("it never ends")


@st.composite
def stakes(draw: st.DrawFn) -> tuple[list[GameAtStake], datetime]:
    calendar, now = draw(calendars(MINUTE))  # a twelfth of a minute is 5 seconds: nothing is rounded
    losses = []
    for _ in range(draw(st.integers(1, 3))):
        allowance = draw(st.sampled_from([600, 3600, 43_200, 172_800]))
        seat_clock = SeatClock(bank=draw(time_spans(HOUR, DAY)))
        if draw(st.booleans()):
            at = now + draw(time_spans(MINUTE, HOUR, -HOUR))
            seat_clock = replace(
                seat_clock,
                allowance_left=draw(time_spans(MINUTE, timedelta(seconds=allowance))),
                runs_from=at,
            )
        losses.append(
            GameAtStake(
                seat_clock,
                allowance,
                draw(st.sampled_from([calendar, ALWAYS_RUNNING, replace(calendar, weekends=False)])),
                uses_floating_vacation=draw(st.booleans()),
                autoplays_left=draw(st.integers(0, 2)),
            )
        )
    return losses, now


@make_settings(60)
@given(stakes(), time_spans(MINUTE, 4 * DAY))
def test_games_are_lost_when_hour_after_hour_and_turn_after_turn_has_run_out(
    drawn: tuple[list[GameAtStake], datetime], saved: timedelta
) -> None:
    stakes, now = drawn
    quiet = clock.build_quiet_calendar("UTC", utc("2026-06-15T22").time(), utc("2026-06-15T06:30").time())
    losses = forecast_losses(stakes, now=now, quiet_calendar=quiet, saved_balance=saved)
    assert losses == compute_losses_hourly(stakes, now=now, quiet=quiet, saved=saved)
