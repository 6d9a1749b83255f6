"""A seat clock never gains time, never goes below zero, and does not depend on how often it is charged."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games import clock
from games.clock import (
    ALWAYS_RUNNING,
    Calendar,
    ClockStop,
    SeatClock,
    charge_elapsed_time,
    deadline_of,
    measure_running_time,
    start_turn,
    stop_turn,
)
from tests.example_counts import make_settings

from .naive import (
    MICROSECOND,
    NEVER,
    calendars,
    time_spans,
    utc,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEKENDS = Calendar("UTC", weekends=True)
moments = st.lists(time_spans(MICROSECOND, 20 * DAY, -DAY), min_size=1, max_size=8).map(sorted)


def total_time(seat_clock: SeatClock) -> timedelta:
    return seat_clock.allowance_left + seat_clock.bank


@st.composite
def running_seat_clocks(draw: st.DrawFn, *, endless: bool = True) -> tuple[SeatClock, Calendar]:
    """Draw a running seat clock and its calendar."""
    calendar, at = draw(calendars(endless=endless))
    left, bank = (draw(st.just(NEVER) | time_spans(MICROSECOND, 6 * DAY)) for _ in range(2))
    return SeatClock(
        bank=bank, allowance_left=left, runs_from=at, turn_began_at=at - HOUR, turn_seq=7, missed_turns=1
    ), calendar


# ------------------------------------------------------------------------------------------------------- laws


@make_settings(70)
@given(running_seat_clocks(), moments)
def test_looking_at_a_watch_changes_neither_its_deadline_nor_what_is_left(
    drawn: tuple[SeatClock, Calendar], times: list[timedelta]
) -> None:
    seat_clock, calendar = drawn
    assert seat_clock.runs_from
    until = deadline_of(seat_clock, calendar)
    often = seat_clock
    for shift in times:
        now = seat_clock.runs_from + shift
        often = charge_elapsed_time(often, now, calendar)
        once = charge_elapsed_time(seat_clock, now, calendar)
        assert (often.allowance_left, often.bank) == (once.allowance_left, once.bank)
        used = measure_running_time(calendar, seat_clock.runs_from, now)
        assert total_time(often) == max(total_time(seat_clock) - used, NEVER)
        if until is None or now <= until:
            assert deadline_of(often, calendar) == until
        else:
            assert total_time(often) == NEVER


@make_settings(70)
@given(running_seat_clocks(), moments)
def test_a_watch_never_gains_and_never_goes_below_nothing(
    drawn: tuple[SeatClock, Calendar], times: list[timedelta]
) -> None:
    seat_clock, calendar = drawn
    assert seat_clock.runs_from
    start = seat_clock.runs_from
    for shift in times:
        then = charge_elapsed_time(seat_clock, start + shift, calendar)
        assert NEVER <= then.allowance_left <= seat_clock.allowance_left
        assert NEVER <= then.bank <= seat_clock.bank
        assert then.bank == seat_clock.bank or then.allowance_left == NEVER  # the allowance is used up first
        assert (then.turn_began_at, then.turn_seq, then.missed_turns, then.is_on_turn) == (
            start - HOUR,
            7,
            1,
            True,
        )
        seat_clock = then


@make_settings(50)
@given(running_seat_clocks(), time_spans(MICROSECOND, 10 * DAY), time_spans(MICROSECOND, 10 * DAY))
def test_a_clock_never_runs_backwards(
    drawn: tuple[SeatClock, Calendar], first: timedelta, other: timedelta
) -> None:
    """Two servers whose clocks differ: a charge at an earlier time than the last one changes nothing."""
    seat_clock, calendar = drawn
    assert seat_clock.runs_from
    later = charge_elapsed_time(seat_clock, seat_clock.runs_from + max(first, other), calendar)
    assert charge_elapsed_time(later, seat_clock.runs_from + min(first, other), calendar) == later
    assert charge_elapsed_time(seat_clock, seat_clock.runs_from - first, calendar) == seat_clock


@make_settings(70)
@given(running_seat_clocks(endless=False), calendars(endless=False), time_spans(MICROSECOND, 10 * DAY))
def test_a_calendar_that_changes_under_a_running_watch_gives_and_takes_nothing(
    drawn: tuple[SeatClock, Calendar], new_calendar: tuple[Calendar, datetime], shift: timedelta
) -> None:
    """The time charged under the old calendar and the time left under the new one add up to the whole."""
    seat_clock, old = drawn
    new = new_calendar[0]
    assert seat_clock.runs_from
    now = seat_clock.runs_from + shift
    until = deadline_of(seat_clock, old)
    assert until
    assume(now <= until)
    then = deadline_of(charge_elapsed_time(seat_clock, now, old), new)
    assert then
    assert then >= now
    assert measure_running_time(old, seat_clock.runs_from, now) + measure_running_time(
        new, now, then
    ) == total_time(seat_clock)


@make_settings(50)
@given(
    running_seat_clocks(endless=False), time_spans(MICROSECOND, 10 * DAY), time_spans(MICROSECOND, 10 * DAY)
)
def test_a_rest_that_is_put_in_moves_a_deadline_by_just_what_would_have_run_in_it(
    drawn: tuple[SeatClock, Calendar], begin: timedelta, length: timedelta
) -> None:
    seat_clock, calendar = drawn
    assert seat_clock.runs_from
    rest = ClockStop("incident", seat_clock.runs_from + begin, seat_clock.runs_from + begin + length)
    until = deadline_of(seat_clock, calendar)
    then = deadline_of(seat_clock, replace(calendar, stops=(*calendar.stops, rest)))
    assert until
    assert then
    assert then >= until
    if rest.start <= until:
        assert measure_running_time(calendar, seat_clock.runs_from, then) == total_time(
            seat_clock
        ) + measure_running_time(calendar, rest.start, rest.end or then)
    else:
        assert then == until


@make_settings(70)
@given(running_seat_clocks(), time_spans(MICROSECOND, 14 * DAY, -DAY))
def test_a_turn_that_ends_takes_from_the_bank_only_what_ran_beyond_the_allowance(
    drawn: tuple[SeatClock, Calendar], shift: timedelta
) -> None:
    seat_clock, calendar = drawn
    assert seat_clock.runs_from
    now = seat_clock.runs_from + shift
    end = stop_turn(seat_clock, now, calendar)
    over = max(measure_running_time(calendar, seat_clock.runs_from, now) - seat_clock.allowance_left, NEVER)
    assert end.bank == max(seat_clock.bank - over, NEVER)
    assert (end.is_on_turn, end.allowance_left, end.runs_from, end.turn_began_at) == (
        False,
        NEVER,
        None,
        None,
    )
    assert (end.turn_seq, end.missed_turns) == (7, 1)
    if clock.is_within_allowance(seat_clock, now):
        assert end.bank == seat_clock.bank  # the result does not depend on the calendar


@make_settings(40)
@given(
    calendars(endless=False),
    st.lists(
        st.tuples(time_spans(MICROSECOND, 3 * DAY), time_spans(MICROSECOND, 2 * DAY)), min_size=1, max_size=6
    ),
)
def test_over_a_whole_game_the_bank_pays_for_all_that_ran_beyond_the_allowances(
    drawn: tuple[Calendar, datetime], turns: list[tuple[timedelta, timedelta]]
) -> None:
    calendar, now = drawn
    seat_clock, over = SeatClock(bank=4 * DAY), NEVER
    for number, (thought, waited) in enumerate(turns):
        seat_clock = start_turn(seat_clock, now=now, allowance=DAY // timedelta(seconds=1), turn_seq=number)
        assert seat_clock.runs_from
        now += thought
        over += max(measure_running_time(calendar, seat_clock.runs_from, now) - DAY, NEVER)
        seat_clock = stop_turn(seat_clock, now, calendar)
        assert seat_clock.bank == max(4 * DAY - over, NEVER)
        now += waited


# --------------------------------------------------------------------------------------------- plain examples


def test_a_weekend_neither_refills_the_clock_nor_eats_it() -> None:
    """A known bug of another site: after a weekend, a clock had its full time again."""
    seat_clock = SeatClock(bank=DAY, allowance_left=2 * DAY, runs_from=utc("2026-06-12T12"))
    assert deadline_of(seat_clock, WEEKENDS) == utc("2026-06-17T12")
    for look in ("2026-06-12T18", "2026-06-13T00", "2026-06-14T09", "2026-06-15T00"):
        seat_clock = charge_elapsed_time(seat_clock, utc(look), WEEKENDS)
        assert deadline_of(seat_clock, WEEKENDS) == utc("2026-06-17T12")
    assert (seat_clock.allowance_left, seat_clock.bank) == (1.5 * DAY, DAY)


def test_a_turn_starts_its_clock_when_its_notice_is_due() -> None:
    now = utc("2026-06-15T22")
    quiet = Calendar("UTC", night=(time(22), time(7)))
    old = SeatClock(bank=3 * DAY, turn_seq=4, missed_turns=1)
    seat_clock = start_turn(old, now=now, allowance=43_200, turn_seq=9, quiet_calendar=quiet)
    assert seat_clock == SeatClock(
        bank=3 * DAY,
        allowance_left=12 * HOUR,
        runs_from=utc("2026-06-16T07"),
        turn_began_at=now,
        turn_seq=9,
        missed_turns=1,
    )
    assert seat_clock.is_on_turn
    assert not old.is_on_turn
    assert deadline_of(seat_clock, ALWAYS_RUNNING) == utc("2026-06-19T19")
    loud = start_turn(old, now=now, allowance=43_200, turn_seq=9)
    assert loud.runs_from == now + timedelta(minutes=1)


def test_what_was_left_of_an_allowance_is_not_carried_into_the_next_turn() -> None:
    now = utc("2026-06-15T12")
    running_still = SeatClock(
        bank=DAY, allowance_left=5 * HOUR, runs_from=now - HOUR, turn_began_at=now - HOUR, turn_seq=4
    )
    seat_clock = start_turn(running_still, now=now, allowance=43_200, turn_seq=9)
    assert (seat_clock.allowance_left, seat_clock.bank) == (12 * HOUR, DAY)


def test_nothing_runs_until_the_notice_is_due() -> None:
    at = utc("2026-06-16T07")
    seat_clock = SeatClock(bank=DAY, allowance_left=DAY, runs_from=at, turn_began_at=at - 9 * HOUR)
    assert charge_elapsed_time(seat_clock, at - HOUR, ALWAYS_RUNNING) == seat_clock
    assert charge_elapsed_time(seat_clock, at, ALWAYS_RUNNING) == seat_clock
    assert stop_turn(seat_clock, at - HOUR, ALWAYS_RUNNING).bank == DAY


def test_the_allowance_goes_first_and_then_the_bank() -> None:
    at = utc("2026-06-15T12")
    seat_clock = SeatClock(bank=3 * HOUR, allowance_left=2 * HOUR, runs_from=at)
    charged_clocks = [
        charge_elapsed_time(seat_clock, at + hours * HOUR, ALWAYS_RUNNING) for hours in (1, 2, 4, 5, 9)
    ]
    assert [(w.allowance_left / HOUR, w.bank / HOUR) for w in charged_clocks] == [
        (1, 3),
        (0, 3),
        (0, 1),
        (0, 0),
        (0, 0),
    ]
    assert [w.runs_from for w in charged_clocks] == [at + hours * HOUR for hours in (1, 2, 4, 5, 9)]
    assert clock.deduct_time(seat_clock, 3 * HOUR) == (NEVER, 2 * HOUR)


def test_a_watch_that_does_not_run_has_no_deadline_and_does_not_change() -> None:
    seat_clock = SeatClock(bank=DAY)
    now = utc("2026-06-15T12")
    assert not seat_clock.is_on_turn
    assert deadline_of(seat_clock, ALWAYS_RUNNING) is None
    assert charge_elapsed_time(seat_clock, now, ALWAYS_RUNNING) == seat_clock
    assert stop_turn(seat_clock, now, ALWAYS_RUNNING) == seat_clock
    assert clock.is_within_allowance(seat_clock, now)


def test_a_deadline_in_a_rest_without_an_end_is_not_known() -> None:
    at = utc("2026-06-15T12")
    seat_clock = SeatClock(bank=DAY, allowance_left=DAY, runs_from=at)
    assert deadline_of(seat_clock, Calendar(stops=(ClockStop("incident", at + DAY, None),))) is None
    assert (
        deadline_of(seat_clock, Calendar(stops=(ClockStop("incident", at + 3 * DAY, None),))) == at + 2 * DAY
    )


@pytest.mark.parametrize(("hours", "within"), [(-1, True), (0, True), (2, True), (2.001, False)])
def test_the_bank_is_untouched_as_long_as_the_allowance_lasts(hours: float, within: bool) -> None:
    at = utc("2026-06-15T12")
    seat_clock = SeatClock(bank=DAY, allowance_left=2 * HOUR, runs_from=at)
    assert clock.is_within_allowance(seat_clock, at + hours * HOUR) is within


def test_a_turn_that_rested_beyond_its_allowance_by_the_wall_costs_nothing() -> None:
    seat_clock = SeatClock(bank=DAY, allowance_left=DAY, runs_from=utc("2026-06-12T12"))
    monday = utc("2026-06-15T11")
    assert not clock.is_within_allowance(seat_clock, monday)
    assert stop_turn(seat_clock, monday, WEEKENDS).bank == DAY
    assert stop_turn(seat_clock, monday, ALWAYS_RUNNING).bank == NEVER


def test_one_moves_while_the_clock_rests_without_losing_time() -> None:
    seat_clock = SeatClock(bank=DAY, allowance_left=HOUR, runs_from=utc("2026-06-12T22"))
    assert stop_turn(seat_clock, utc("2026-06-14T12"), WEEKENDS).bank == DAY - HOUR
