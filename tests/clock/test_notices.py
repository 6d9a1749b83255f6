"""Presets, notices, reminders, vacations."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.quiet_hours import measure_quiet_hours
from games import clock
from games.clock import (
    ALWAYS_RUNNING,
    Calendar,
    ClockStop,
    SeatClock,
    TimeControl,
    add_running_time,
    reminder_times,
    stop_reasons_at,
)
from tests.example_counts import make_settings

from .naive import (
    MICROSECOND,
    NEVER,
    calendars,
    day_hours,
    time_spans,
    utc,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)
NOON = utc("2026-06-15T12")  # a Monday
NIGHTS = Calendar("UTC", night=(time(23), time(7)))
allowances = st.integers(60, 30 * 86_400)
percents = st.none() | st.integers(1, 99)


# ------------------------------------------------------------------------------------- presets, custom clocks


@pytest.mark.parametrize(
    ("name", "turn", "bank"),
    [
        ("12h", 12 * HOUR, 3 * DAY),
        ("2d", 2 * DAY, 7 * DAY),
        ("3d", 3 * DAY, 14 * DAY),
        ("7d", 7 * DAY, 30 * DAY),
        ("live", 3 * MINUTE, 15 * MINUTE),
        ("fast", 1 * MINUTE, 10 * MINUTE),
    ],
)
def test_a_preset_has_its_time_for_a_turn_and_its_bank(name: str, turn: timedelta, bank: timedelta) -> None:
    assert clock.build_time_control(name) == TimeControl(turn // SECOND, bank // SECOND)
    assert clock.DEFAULT_PRESET == "2d"
    assert set(clock.TIME_CONTROL_PRESETS) == {"12h", "2d", "3d", "7d", "live", "fast"}


@pytest.mark.parametrize(("allowance", "bank"), [(60, 0), (30 * 86_400, 120 * 86_400), (61, 1)])
def test_a_custom_clock_lies_between_the_shortest_and_the_longest(allowance: int, bank: int) -> None:
    assert clock.build_time_control("custom", allowance, bank) == TimeControl(allowance, bank)


@pytest.mark.parametrize(
    ("args", "pattern"),
    [
        (("slow",), "Choose one of these clocks: 12h, 2d, 3d, 7d, fast, live, custom."),
        (("",), "Choose one of these clocks"),
        (("slow", 600, 0), "Choose one of these clocks"),
        (("2d", 600), "with the clock `custom`"),
        (("2d", None, 0), "with the clock `custom`"),
        (("custom",), "send `allowance_seconds` and `bank_seconds`"),
        (("custom", 600), "send `allowance_seconds` and `bank_seconds`"),
        (("custom", None, 0), "send `allowance_seconds` and `bank_seconds`"),
        (("custom", 59, 0), "The time per turn is from 60 to 2592000 seconds."),
        (("custom", 2_592_001, 0), "The time per turn is from"),
        (("custom", -60, 0), "The time per turn is from"),
        (("custom", 60, -1), "The reserve is from 0 to 10368000 seconds."),
        (("custom", 60, 10_368_001), "The reserve is from"),
    ],
)
def test_an_unreasonable_clock_is_refused_and_gives_the_reason(
    args: tuple[str, int, int], pattern: str
) -> None:
    with pytest.raises(ValueError, match=pattern):
        clock.build_time_control(*args)


@pytest.mark.parametrize(
    ("allowance", "wait"),
    [
        (60, 30 * MINUTE),
        (257, 30 * MINUTE),  # seven times 257 seconds are a second short of half an hour
        (258, 1806 * SECOND),
        (43_200, 3.5 * DAY),
        (172_800, 14 * DAY),
        (604_800, 30 * DAY),
    ],
)
def test_an_open_game_waits_for_seven_turns_within_reason(allowance: int, wait: timedelta) -> None:
    assert clock.compute_open_until(NOON, allowance) == NOON + wait


# --------------------------------------------------------------------------------------- notices, quiet hours


@pytest.mark.parametrize(
    ("allowance", "wait"),
    [(60, 3 * SECOND), (180, 9 * SECOND), (1200, MINUTE), (1201, MINUTE), (172_800, MINUTE)],
)
def test_a_notice_waits_a_moment_and_less_in_a_live_game(allowance: int, wait: timedelta) -> None:
    assert clock.notice_due_at(NOON, allowance, ALWAYS_RUNNING) == NOON + wait


def test_a_notice_waits_for_the_end_of_quiet_hours_unless_the_game_is_live() -> None:
    night = utc("2026-06-15T23:30")
    assert clock.notice_due_at(night, clock.LIVE_ALLOWANCE_SECONDS, NIGHTS) == utc("2026-06-16T07")
    assert clock.notice_due_at(night, clock.LIVE_ALLOWANCE_SECONDS - 1, NIGHTS) == night + MINUTE
    assert clock.notice_due_at(night, 180, NIGHTS) == night + 9 * SECOND
    assert clock.LIVE_ALLOWANCE_SECONDS == 6 * 3600


def test_a_notice_at_the_edge_of_quiet_hours() -> None:
    just_before = utc("2026-06-15T22:59")
    assert clock.notice_due_at(just_before - SECOND, 86_400, NIGHTS) == utc("2026-06-15T23") - SECOND
    assert clock.notice_due_at(just_before, 86_400, NIGHTS) == utc("2026-06-16T07")
    assert clock.notice_due_at(utc("2026-06-16T06:59"), 86_400, NIGHTS) == utc("2026-06-16T07")


@make_settings(50)
@given(calendars(endless=False), allowances)
def test_a_notice_is_never_early_never_quiet_and_waits_for_nothing_else(
    drawn: tuple[Calendar, datetime], allowance: int
) -> None:
    quiet, now = drawn
    moment = min(MINUTE, allowance * SECOND / 20)
    due = clock.notice_due_at(now, allowance, quiet)
    assert due >= now + moment
    if allowance < 6 * 3600:
        assert due == now + moment
    else:
        assert stop_reasons_at(quiet, due) == ()
        assert due == now + moment or stop_reasons_at(quiet, due - MICROSECOND)


def test_quiet_hours_need_a_start_and_an_end_that_differ() -> None:
    assert clock.build_quiet_calendar("Europe/Rome", time(22), time(7)) == Calendar(
        "Europe/Rome", night=(time(22), time(7))
    )
    # Midnight gets no special treatment.
    assert clock.build_quiet_calendar("UTC", time(0), time(7)).night == (time(0), time(7))
    assert clock.build_quiet_calendar("UTC", time(22), time(0)).night == (time(22), time(0))
    for start, end in ((None, None), (time(22), None), (None, time(7)), (time(7), time(7))):
        assert clock.build_quiet_calendar("Europe/Rome", start, end) is ALWAYS_RUNNING


@pytest.mark.parametrize(
    ("start", "end", "length"),
    [
        (time(22), time(7), 9 * HOUR),
        (time(13), time(15, 30), 2.5 * HOUR),
        (time(0), time(0), DAY),
        (time(7), time(7), DAY),
        (time(7), time(6, 59), DAY - MINUTE),
        (time(23, 59), time(0), MINUTE),
    ],
)
def test_quiet_hours_are_as_long_as_the_clock_on_the_wall_says(
    start: time, end: time, length: timedelta
) -> None:
    assert measure_quiet_hours(start, end) == length


@make_settings(40)
@given(day_hours(SECOND), day_hours(SECOND))
def test_on_an_ordinary_day_quiet_hours_last_as_long_as_they_say(start: time, end: time) -> None:
    quiet = clock.build_quiet_calendar("UTC", start, end)
    rest = 2 * DAY - clock.measure_running_time(quiet, NOON, NOON + 2 * DAY)
    length = min(measure_quiet_hours(start, end), clock.MAX_NIGHT_LENGTH)
    assert rest == (2 * length if start != end else NEVER)


def test_what_is_not_quiet_is_loud_at_once() -> None:
    assert clock.skip_quiet_hours(NOON, NIGHTS) == NOON
    assert clock.skip_quiet_hours(utc("2026-06-16T02"), NIGHTS) == utc("2026-06-16T07")
    endless = Calendar(stops=(ClockStop("agreed", NOON - DAY, None),))
    assert clock.skip_quiet_hours(NOON, endless) == NOON  # a notice at a bad time is better than none


# -------------------------------------------------------------------------------------------------- reminders


def new_seat_clock(allowance: timedelta, bank: timedelta) -> SeatClock:
    return SeatClock(bank=bank, allowance_left=allowance, runs_from=NOON)


def list_reminders(
    seat_clock: SeatClock, calendar: Calendar = ALWAYS_RUNNING, used: int | None = 75, left: int | None = 10
) -> list[timedelta]:
    """List the reminders of a game with an allowance of two days, counted from noon on Monday."""
    times = reminder_times(
        seat_clock, allowance=172_800, calendar=calendar, used_percent=used, left_percent=left
    )
    return [at - NOON for at in times]


def test_reminders_come_at_three_quarters_of_the_allowance_and_at_a_tenth_of_all_time() -> None:
    seat_clock = new_seat_clock(2 * DAY, 7 * DAY)
    assert list_reminders(seat_clock) == [1.5 * DAY, 8.1 * DAY]
    assert list_reminders(seat_clock, left=None) == [1.5 * DAY]
    assert list_reminders(seat_clock, used=None) == [8.1 * DAY]
    assert list_reminders(seat_clock, used=None, left=None) == []
    assert list_reminders(seat_clock, used=1, left=99) == [0.02 * DAY, 0.09 * DAY]


def test_without_a_bank_both_reminders_are_of_the_allowance_and_in_order() -> None:
    seat_clock = new_seat_clock(2 * DAY, NEVER)
    assert list_reminders(seat_clock) == [1.5 * DAY, 1.8 * DAY]
    assert list_reminders(seat_clock, used=80, left=40) == [1.2 * DAY, 1.6 * DAY]


def test_two_reminders_at_the_same_time_are_one() -> None:
    assert list_reminders(new_seat_clock(2 * DAY, NEVER), used=75, left=25) == [1.5 * DAY]


def test_reminders_wait_while_the_clock_rests() -> None:
    seat_clock = new_seat_clock(2 * DAY, 7 * DAY)
    # Thirty-six hours: eleven on Monday, sixteen on Tuesday, nine on Wednesday.
    assert list_reminders(seat_clock, NIGHTS, left=None) == [utc("2026-06-17T16") - NOON]
    # Saturday noon is five days later; with weekends off, three more days follow.
    assert list_reminders(seat_clock, Calendar("UTC", weekends=True)) == [1.5 * DAY, 10.1 * DAY]


def test_a_reminder_that_nobody_can_date_is_left_out() -> None:
    pause = Calendar(stops=(ClockStop("agreed", NOON + 3 * DAY, None),))
    assert list_reminders(new_seat_clock(2 * DAY, 7 * DAY), pause) == [1.5 * DAY]


def test_a_watch_that_does_not_run_reminds_nobody() -> None:
    assert (
        reminder_times(
            SeatClock(bank=DAY), allowance=3600, calendar=ALWAYS_RUNNING, used_percent=75, left_percent=10
        )
        == []
    )


def test_a_watch_that_was_looked_at_reminds_when_it_would_have_and_not_again() -> None:
    seat_clock = new_seat_clock(2 * DAY, 7 * DAY)
    for spent, expected in (
        (DAY, [1.5 * DAY, 8.1 * DAY]),
        (1.5 * DAY, [1.5 * DAY, 8.1 * DAY]),
        (1.75 * DAY, [8.1 * DAY]),
        (2 * DAY, [8.1 * DAY]),
    ):
        assert list_reminders(clock.charge_elapsed_time(seat_clock, NOON + spent, ALWAYS_RUNNING)) == expected
    (late,) = list_reminders(clock.charge_elapsed_time(seat_clock, NOON + 5 * DAY, ALWAYS_RUNNING))
    assert 8.1 * DAY <= late < 9 * DAY
    assert list_reminders(clock.charge_elapsed_time(seat_clock, NOON + 8.9 * DAY, ALWAYS_RUNNING)) == []


@make_settings(70)
@given(
    calendars(),
    allowances,
    time_spans(SECOND, 120 * DAY),
    percents,
    percents,
    time_spans(MICROSECOND, 8 * DAY),
)
def test_reminders_come_before_the_deadline_whenever_the_watch_was_looked_at(
    drawn: tuple[Calendar, datetime],
    allowance: int,
    bank: timedelta,
    used: int | None,
    left: int | None,
    shift: timedelta,
) -> None:
    calendar, at = drawn
    seat_clock = SeatClock(bank=bank, allowance_left=allowance * SECOND, runs_from=at)
    times = reminder_times(
        seat_clock, allowance=allowance, calendar=calendar, used_percent=used, left_percent=left
    )
    until = clock.deadline_of(seat_clock, calendar)
    assert times == sorted(set(times))
    assert all(at <= time_at and (until is None or time_at <= until) for time_at in times)
    if until:
        assert len(times) == len(
            {
                add_running_time(calendar, at, time_at)
                for time_at in list_running_times(seat_clock, used, left)
            }
        )
    then = clock.charge_elapsed_time(seat_clock, at + shift, calendar)
    if then.allowance_left:
        later_times = reminder_times(
            then, allowance=allowance, calendar=calendar, used_percent=used, left_percent=left
        )
        assert [time_at for time_at in times if time_at > at + shift] == [
            time_at for time_at in later_times if time_at > at + shift
        ]


def list_running_times(seat_clock: SeatClock, used: int | None, left: int | None) -> list[timedelta]:
    """List how much of a new turn's time has run at each of its reminders."""
    of_turn = [seat_clock.allowance_left * used / 100] if used is not None else []
    return of_turn + (
        [(seat_clock.allowance_left + seat_clock.bank) * (100 - left) / 100] if left is not None else []
    )


# -------------------------------------------------------------------------------- vacation, and losing a seat


@pytest.mark.parametrize(
    ("saved", "member", "has"),
    [
        (NEVER, NEVER, NEVER),
        (NEVER, 12 * DAY, DAY),
        (NEVER, 6 * DAY, DAY / 2),
        (5 * DAY, 24 * DAY, 7 * DAY),
        (NEVER, 360 * DAY, 30 * DAY),
        (NEVER, 361 * DAY, 30 * DAY),
        (29 * DAY, 24 * DAY, 30 * DAY),
        (2 * DAY, -12 * DAY, 2 * DAY),
    ],
)
def test_vacation_is_a_day_for_every_twelve_and_thirty_at_most(
    saved: timedelta, member: timedelta, has: timedelta
) -> None:
    assert clock.compute_vacation_balance(saved, NOON, NOON + member) == has


@make_settings(40)
@given(time_spans(SECOND, 30 * DAY), time_spans(SECOND, 800 * DAY), time_spans(SECOND, 800 * DAY))
def test_vacation_grows_the_same_however_often_it_is_written_down(
    saved: timedelta, first: timedelta, other: timedelta
) -> None:
    middle, end = NOON + first, NOON + first + other
    halfway = clock.compute_vacation_balance(saved, NOON, middle)
    twice, once = (
        clock.compute_vacation_balance(halfway, middle, end),
        clock.compute_vacation_balance(saved, NOON, end),
    )
    assert abs(twice - once) <= 2 * MICROSECOND  # a twelfth of a microsecond is rounded
    assert saved <= halfway <= twice <= 30 * DAY
