"""No clock stops for ever: it runs for at least half of any day, so that every turn has a bound."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import clock
from games.clock import (
    MAX_NOTICE_DELAY,
    Calendar,
    PlayerHours,
    SeatClock,
    build_quiet_calendar,
    measure_running_time,
    start_turn,
)
from tests.clock.naive import (
    MICROSECOND,
    SPOTS,
    day_hours,
    time_spans,
    utc,
)
from tests.example_counts import make_settings

DAY, HALF = timedelta(days=1), timedelta(hours=12)
SECOND = timedelta(seconds=1)

nights = st.tuples(
    day_hours(SECOND), day_hours(SECOND)
)  # of any length: the limits of profiles are checked elsewhere
spots = st.sampled_from(SPOTS)
near = time_spans(MICROSECOND, timedelta(days=5), timedelta(days=-5))


@make_settings(200)
@given(spots, nights, near)
def test_a_clock_runs_for_half_of_any_24_hours_wherever_the_night_is(
    spot: tuple[str, str], night: tuple[time, time], shift: timedelta
) -> None:
    zone, middle = spot
    at = utc(middle) + shift
    assert measure_running_time(Calendar(zone, night=night), at, at + DAY) >= HALF


@pytest.mark.parametrize(
    ("night", "start"),
    [
        # Rome, October 2026: the hour from 2 to 3 occurs twice, in the night or between two nights.
        ((time(20), time(8)), "2026-10-24T18"),
        ((time(2, 30), time(14, 30)), "2026-10-24T12"),
        # Rome, March 2026: the day between two nights is an hour shorter.
        ((time(8), time(20)), "2026-03-28T07"),
        ((time(8), time(20)), "2026-03-28T18"),
    ],
)
def test_nights_of_twelve_hours_leave_twelve_where_clocks_are_changed(
    night: tuple[time, time], start: str
) -> None:
    calendar = Calendar("Europe/Rome", night=night)
    for minutes in range(0, 2 * 24 * 60, 15):
        at = utc(start) - DAY + timedelta(minutes=minutes)
        assert measure_running_time(calendar, at, at + DAY) >= HALF


@make_settings(100)
@given(spots, nights, near)
def test_with_weekends_too_a_clock_runs_for_47_hours_of_any_week(
    spot: tuple[str, str], night: tuple[time, time], shift: timedelta
) -> None:
    zone, middle = spot
    at = utc(middle) + shift
    assert measure_running_time(Calendar(zone, weekends=True, night=night), at, at + 7 * DAY) >= timedelta(
        hours=47
    )


@make_settings(150)
@given(
    st.lists(st.tuples(spots, nights, nights), min_size=1, max_size=6),
    spots,
    near,
    time_spans(SECOND, timedelta(days=3), timedelta(hours=6)),
    time_spans(SECOND, timedelta(days=3)),
)
def test_whatever_hours_and_zones_are_chosen_turn_after_turn_each_turn_is_bounded(
    choices: list[tuple[tuple[str, str], tuple[time, time], tuple[time, time]]],
    spot: tuple[str, str],
    shift: timedelta,
    allowance: timedelta,
    bank: timedelta,
) -> None:
    """The bound is twice the clock's time, a night before the notice, and a night without timeouts."""
    now: datetime = utc(spot[1]) + shift
    seat_clock = SeatClock(bank=bank)
    for (zone, _middle), night, silence in choices:
        length = allowance // SECOND
        chosen = PlayerHours(zone, night if night[0] != night[1] else None)
        seat_clock = start_turn(
            seat_clock,
            now=now,
            allowance=length,
            turn_seq=0,
            quiet_calendar=build_quiet_calendar(zone, *silence),
            hours=chosen,
        )
        assert seat_clock.hours == chosen
        until = clock.deadline_of(seat_clock, Calendar(chosen.zone, night=chosen.night))
        assert until
        assert until - now <= 2 * (timedelta(seconds=length) + seat_clock.bank) + 2 * HALF + MAX_NOTICE_DELAY
        now = until - MICROSECOND
        seat_clock = clock.stop_turn(seat_clock, now, Calendar(chosen.zone, night=chosen.night))
        assert seat_clock.hours is None
