"""Clock stops of any kind neither add nor lose time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from games import clock
from games.clock import (
    ALWAYS_RUNNING,
    Calendar,
    ClockStop,
    add_running_time,
    iter_stops,
    measure_running_time,
    merge_stops,
    stop_reasons_at,
)
from tests.example_counts import make_settings

from .naive import (
    MICROSECOND,
    NEVER,
    SPAN,
    STEP,
    Walk,
    calendars,
    time_spans,
    utc,
)

DAYS = timedelta(days=SPAN)
NIGHTS = Calendar("UTC", night=(time(23), time(7)))
lengths = time_spans(MICROSECOND, DAYS)
BACKWARDS = (Calendar("America/St_Johns", night=(time(0), time(6))), utc("2010-11-07T00"))


def measure_rest(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """Measure stopped time by asking for the stop reasons between each two edges."""
    edges = {start, end}
    for rest in iter_stops(calendar, start, end):
        edges |= {edge for edge in (rest.start, rest.end) if edge and start < edge < end}
    times = sorted(edges)
    return sum((b - a for a, b in pairwise(times) if stop_reasons_at(calendar, a)), NEVER)


# --------------------------------------------------------------------------------------------- the naive walk


@make_settings(70)
@given(calendars(STEP), time_spans(STEP, DAYS), time_spans(STEP, DAYS))
@example(BACKWARDS, timedelta(hours=3), timedelta(hours=10))
def test_a_clock_runs_as_long_as_a_walk_through_every_quarter_of_an_hour_says(
    drawn: tuple[Calendar, datetime], first: timedelta, other: timedelta
) -> None:
    calendar, start = drawn
    walk = Walk(calendar, start)
    a, b = start + min(first, other), start + max(first, other)
    assert measure_running_time(calendar, a, b) == walk.running(a, b)
    assert set(stop_reasons_at(calendar, a)) == walk.stop_reasons[walk.step(a)]
    assert set(stop_reasons_at(calendar, b)) == walk.stop_reasons[walk.step(b)]


@make_settings(70)
@given(calendars(STEP), time_spans(STEP, DAYS))
def test_a_length_of_time_ends_where_the_walk_ends(
    drawn: tuple[Calendar, datetime], length: timedelta
) -> None:
    calendar, start = drawn
    walk = Walk(calendar, start, days=2 * SPAN)
    naive, quick = walk.after(length), add_running_time(calendar, start, length)
    if naive:
        assert quick == naive
    else:
        assert quick is None or quick > walk.times[-1]
    if calendar.open_ended_from and measure_running_time(calendar, start, calendar.open_ended_from) <= length:
        assert quick is None
    else:
        assert quick


# ------------------------------------------------------------------------------------------------------- laws


@make_settings(70)
@given(calendars(), lengths, lengths)
@example(BACKWARDS, timedelta(hours=3), timedelta(hours=7))
def test_time_cut_in_two_is_as_long_as_whole(
    drawn: tuple[Calendar, datetime], first: timedelta, other: timedelta
) -> None:
    calendar, start = drawn
    middle, end = start + first, start + first + other
    whole = measure_running_time(calendar, start, end)
    assert (
        measure_running_time(calendar, start, middle) + measure_running_time(calendar, middle, end) == whole
    )
    assert NEVER <= whole <= end - start


@make_settings(70)
@given(calendars(), lengths)
def test_running_and_resting_make_up_all_the_time_there_is(
    drawn: tuple[Calendar, datetime], length: timedelta
) -> None:
    calendar, start = drawn
    end = start + length
    assert measure_running_time(calendar, start, end) + measure_rest(calendar, start, end) == length
    assert measure_running_time(calendar, end, start) == NEVER


@make_settings(70)
@given(calendars(), lengths)
def test_rests_in_order_neither_overlap_nor_touch_and_lie_between(
    drawn: tuple[Calendar, datetime], length: timedelta
) -> None:
    calendar, start = drawn
    stops = merge_stops(calendar, start, start + length)
    edges = [start, *(edge for piece in stops for edge in piece), start + length]
    assert edges == sorted(edges)
    inner = edges[2:-2]
    assert len(set(inner)) == len(inner)
    assert all(a < b for a, b in stops)


@make_settings(90)
@given(calendars(), lengths, st.fractions(0, 1))
def test_a_length_of_time_ends_at_the_first_running_moment_that_will_do(
    drawn: tuple[Calendar, datetime], length: timedelta, part: float
) -> None:
    calendar, start = drawn
    end = add_running_time(calendar, start, length)
    assume(end is not None)
    assert end is not None
    assert end >= start + length
    assert measure_running_time(calendar, start, end) == length
    assert not stop_reasons_at(calendar, end)
    # Just before the end, at the edges of stops, and anywhere: any earlier running moment is too early.
    edges = [edge for piece in merge_stops(calendar, start, end) for edge in piece]
    for earlier in [end - MICROSECOND, start + (end - start) * float(part), *edges]:
        if start <= earlier < end and not stop_reasons_at(calendar, earlier):
            assert measure_running_time(calendar, start, earlier) < length


@make_settings(70)
@given(calendars(), lengths, lengths)
def test_two_lengths_one_after_the_other_end_where_their_sum_ends(
    drawn: tuple[Calendar, datetime], first: timedelta, other: timedelta
) -> None:
    calendar, start = drawn
    middle, end = add_running_time(calendar, start, first), add_running_time(calendar, start, first + other)
    if middle is None:
        assert end is None
    else:
        assert add_running_time(calendar, middle, other) == end


@make_settings(70)
@given(calendars(), lengths, calendars(), lengths)
def test_more_rests_never_end_a_length_of_time_earlier(
    drawn: tuple[Calendar, datetime],
    length: timedelta,
    more_calendar: tuple[Calendar, datetime],
    shift: timedelta,
) -> None:
    calendar, start = drawn
    more, from_there = more_calendar
    moved = [
        ClockStop(
            rest.reason, rest.start + (start - from_there), rest.end and rest.end + (start - from_there)
        )
        for rest in more.stops
    ]
    fuller = replace(
        calendar,
        weekends=calendar.weekends or more.weekends,
        night=calendar.night or more.night,
        stops=(*calendar.stops, *moved),
    )
    before, then = add_running_time(calendar, start, length), add_running_time(fuller, start, length)
    assert then is None or (before is not None and before <= then)
    assert measure_running_time(fuller, start, start + shift) <= measure_running_time(
        calendar, start, start + shift
    )


@make_settings(50)
@given(calendars(), lengths, lengths)
def test_a_later_start_never_ends_earlier(
    drawn: tuple[Calendar, datetime], length: timedelta, later: timedelta
) -> None:
    calendar, start = drawn
    first, other = (
        add_running_time(calendar, start, length),
        add_running_time(calendar, start + later, length),
    )
    assert other is None or (first is not None and first <= other)


# --------------------------------------------------------------------------------------------- plain examples


def test_a_clock_without_rests_runs_all_the_time() -> None:
    start = utc("2026-03-28T12")
    assert ALWAYS_RUNNING.always_runs
    assert ALWAYS_RUNNING.open_ended_from is None
    assert stop_reasons_at(ALWAYS_RUNNING, start) == ()
    assert measure_running_time(ALWAYS_RUNNING, start, start + timedelta(days=3)) == timedelta(days=3)
    assert add_running_time(ALWAYS_RUNNING, start, timedelta(days=3)) == start + timedelta(days=3)


@pytest.mark.parametrize(
    "calendar",
    [Calendar(weekends=True), NIGHTS, Calendar(stops=(ClockStop("agreed", utc("2026-03-01"), None),))],
)
def test_a_calendar_with_any_rest_does_not_let_a_clock_run_always(calendar: Calendar) -> None:
    assert not calendar.always_runs


def test_rests_that_overlap_count_once_and_each_is_named() -> None:
    calendar = Calendar(
        "UTC",
        weekends=True,
        night=(time(23), time(7)),
        stops=(
            ClockStop("vacation", utc("2026-06-12T20"), utc("2026-06-14T12")),
            ClockStop("incident", utc("2026-06-14T06"), utc("2026-06-15T01")),
        ),
    )
    friday, monday = utc("2026-06-12T12"), utc("2026-06-15T12")
    assert merge_stops(calendar, friday, monday) == [(utc("2026-06-12T20"), utc("2026-06-15T07"))]
    assert measure_running_time(calendar, friday, monday) == timedelta(hours=13)
    assert stop_reasons_at(calendar, utc("2026-06-14T06:30")) == ("incident", "night", "vacation", "weekend")
    assert stop_reasons_at(calendar, utc("2026-06-12T19:59")) == ()


def test_a_rest_that_begins_as_another_ends_is_one_with_it() -> None:
    noon, two = utc("2026-06-15T12"), utc("2026-06-15T14")
    stops = (ClockStop("vacation", noon, two), ClockStop("agreed", two, utc("2026-06-15T15")))
    merged = merge_stops(Calendar(stops=stops), utc("2026-06-15T00"), utc("2026-06-16T00"))
    assert merged == [(noon, utc("2026-06-15T15"))]


def test_a_rest_holds_from_its_first_moment_and_not_at_its_last() -> None:
    calendar = Calendar(stops=(ClockStop("agreed", utc("2026-06-15T10"), utc("2026-06-15T11")),))
    assert stop_reasons_at(calendar, utc("2026-06-15T10") - MICROSECOND) == ()
    assert stop_reasons_at(calendar, utc("2026-06-15T10")) == ("agreed",)
    assert stop_reasons_at(calendar, utc("2026-06-15T11") - MICROSECOND) == ("agreed",)
    assert stop_reasons_at(calendar, utc("2026-06-15T11")) == ()


def test_time_that_runs_out_as_a_rest_begins_lasts_until_the_rest_is_over() -> None:
    start = utc("2026-06-15T20")
    assert add_running_time(NIGHTS, start, timedelta(hours=3)) == utc("2026-06-16T07")
    assert (
        add_running_time(NIGHTS, start, timedelta(hours=3) - MICROSECOND)
        == utc("2026-06-15T23") - MICROSECOND
    )
    assert (
        add_running_time(NIGHTS, start, timedelta(hours=3) + MICROSECOND)
        == utc("2026-06-16T07") + MICROSECOND
    )


def test_no_time_at_all_ends_at_once_or_with_the_rest() -> None:
    assert add_running_time(NIGHTS, utc("2026-06-15T12"), NEVER) == utc("2026-06-15T12")
    assert add_running_time(NIGHTS, utc("2026-06-15T23"), NEVER) == utc("2026-06-16T07")
    assert add_running_time(NIGHTS, utc("2026-06-16T07"), NEVER) == utc("2026-06-16T07")


def test_a_rest_without_an_end_leaves_open_when_time_runs_out() -> None:
    pause = ClockStop("incident", utc("2026-06-15T12"), None)
    calendar = Calendar(stops=(ClockStop("agreed", utc("2026-06-20T00"), None), pause))
    start = utc("2026-06-15T10")
    assert calendar.open_ended_from == pause.start
    assert add_running_time(calendar, start, timedelta(hours=2) - MICROSECOND) == pause.start - MICROSECOND
    assert add_running_time(calendar, start, timedelta(hours=2)) is None
    assert add_running_time(calendar, utc("2026-06-16T00"), NEVER) is None
    assert measure_running_time(calendar, start, utc("2026-08-01T00")) == timedelta(hours=2)
    assert stop_reasons_at(calendar, utc("2036-01-01T00")) == ("agreed", "incident")


def test_a_rest_of_no_length_or_less_is_none() -> None:
    start = utc("2026-06-15T10")
    empty = ClockStop("agreed", start, start)
    inverted = ClockStop("agreed", start + timedelta(hours=2), start + timedelta(hours=1))
    calendar = Calendar(stops=(empty, inverted))
    assert stop_reasons_at(calendar, start) == ()
    assert stop_reasons_at(calendar, start + timedelta(hours=2)) == ()
    assert measure_running_time(calendar, start, start + timedelta(days=1)) == timedelta(days=1)
    assert add_running_time(calendar, start, NEVER) == start


def test_night_hours_that_end_when_they_begin_are_none() -> None:
    """Otherwise the clock would never run, and the search for its deadline would go on to the year 9999."""
    calendar = Calendar("Europe/Rome", night=(time(7), time(7)))
    start = utc("2026-06-15T03")
    assert stop_reasons_at(calendar, start) == ()
    assert add_running_time(calendar, start, timedelta(days=2)) == start + timedelta(days=2)


def test_a_deadline_behind_many_rests_in_a_row_is_found() -> None:
    """Two months of an agreed pause, then a month of vacation: longer than the first search window."""
    start = utc("2026-06-15T12")
    stops = (
        ClockStop("agreed", start, start + timedelta(days=60)),
        ClockStop("vacation", start + timedelta(days=60), start + timedelta(days=90)),
    )
    end = add_running_time(
        Calendar("UTC", weekends=True, night=(time(1), time(0)), stops=stops), start, timedelta(hours=2)
    )
    # The 13th of September is a Sunday. On Monday the clock runs for an hour, then for another after a night
    # of 23 hours that is cut to 12.
    assert end == utc("2026-09-14T14")


@pytest.mark.parametrize("days", range(1, 13))
def test_time_that_runs_out_as_a_second_rest_begins_lasts_until_that_is_over(days: int) -> None:
    """At any distance: the first search window ends after four days."""
    start, day = utc("2026-06-15T12"), timedelta(days=1)
    stops = (
        ClockStop("agreed", start, start + days * day),
        ClockStop("vacation", start + (days + 1) * day, start + (days + 2) * day),
    )
    assert add_running_time(Calendar(stops=stops), start, day) == start + (days + 2) * day


def test_the_rests_of_a_whole_year_and_more_are_counted() -> None:
    start, end = utc("2026-01-01T00"), utc("2028-01-01T00")
    assert measure_running_time(NIGHTS, start, end) == timedelta(days=730) * 16 / 24
    assert measure_running_time(Calendar(weekends=True), start, end) == timedelta(days=730 - 2 * 104)
    assert add_running_time(NIGHTS, utc("2026-01-01T07"), timedelta(hours=16 * 365)) == utc("2027-01-01T07")


def test_the_earliest_of_some_times_is_the_first_that_is_known() -> None:
    a, b = utc("2026-06-15T10"), utc("2026-06-15T11")
    assert clock.earliest_time([None, b, a, None]) == a
    assert clock.earliest_time([None, None]) is None
    assert clock.earliest_time([]) is None
