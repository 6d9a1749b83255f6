"""The watch of a seat never gains, never goes below nothing, and does not care how often one looks at it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games import clock
from games.clock import ALWAYS, Calendar, Rest, Watch, deadline, running, settled, started, stopped

from .naive import MICROSECOND, NEVER, calendars, checking, spans, utc

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEKENDS = Calendar("UTC", weekends=True)
moments = st.lists(spans(MICROSECOND, 20 * DAY, -DAY), min_size=1, max_size=8).map(sorted)


def total(watch: Watch) -> timedelta:
    return watch.left + watch.bank


@st.composite
def running_watches(draw: st.DrawFn, *, endless: bool = True) -> tuple[Watch, Calendar]:
    """A watch that runs, and its calendar."""
    calendar, at = draw(calendars(endless=endless))
    left, bank = (draw(st.just(NEVER) | spans(MICROSECOND, 6 * DAY)) for _ in range(2))
    return Watch(bank=bank, left=left, at=at, since=at - HOUR, turn=7, missed=1), calendar


# --------------------------------------------------------------------------------------------------- the laws


@checking(70)
@given(running_watches(), moments)
def test_looking_at_a_watch_changes_neither_its_deadline_nor_what_is_left(
    drawn: tuple[Watch, Calendar], times: list[timedelta]
) -> None:
    watch, calendar = drawn
    assert watch.at
    until = deadline(watch, calendar)
    often = watch
    for shift in times:
        now = watch.at + shift
        often = settled(often, now, calendar)
        once = settled(watch, now, calendar)
        assert (often.left, often.bank) == (once.left, once.bank)
        used = running(calendar, watch.at, now)
        assert total(often) == max(total(watch) - used, NEVER)
        if until is None or now <= until:
            assert deadline(often, calendar) == until
        else:
            assert total(often) == NEVER


@checking(70)
@given(running_watches(), moments)
def test_a_watch_never_gains_and_never_goes_below_nothing(
    drawn: tuple[Watch, Calendar], times: list[timedelta]
) -> None:
    watch, calendar = drawn
    assert watch.at
    start = watch.at
    for shift in times:
        then = settled(watch, start + shift, calendar)
        assert NEVER <= then.left <= watch.left
        assert NEVER <= then.bank <= watch.bank
        assert then.bank == watch.bank or then.left == NEVER  # the allowance goes first
        assert (then.since, then.turn, then.missed, then.on) == (start - HOUR, 7, 1, True)
        watch = then


@checking(50)
@given(running_watches(), spans(MICROSECOND, 10 * DAY), spans(MICROSECOND, 10 * DAY))
def test_a_clock_never_runs_backwards(
    drawn: tuple[Watch, Calendar], one: timedelta, other: timedelta
) -> None:
    """Two servers whose clocks differ: the later look has happened, the earlier one changes nothing."""
    watch, calendar = drawn
    assert watch.at
    later = settled(watch, watch.at + max(one, other), calendar)
    assert settled(later, watch.at + min(one, other), calendar) == later
    assert settled(watch, watch.at - one, calendar) == watch


@checking(70)
@given(running_watches(endless=False), calendars(endless=False), spans(MICROSECOND, 10 * DAY))
def test_a_calendar_that_changes_under_a_running_watch_gives_and_takes_nothing(
    drawn: tuple[Watch, Calendar], others: tuple[Calendar, datetime], shift: timedelta
) -> None:
    """Settled under the old calendar: what ran, and what runs under the new one, is all it had."""
    watch, old = drawn
    new = others[0]
    assert watch.at
    now = watch.at + shift
    until = deadline(watch, old)
    assert until
    assume(now <= until)
    then = deadline(settled(watch, now, old), new)
    assert then
    assert then >= now
    assert running(old, watch.at, now) + running(new, now, then) == total(watch)


@checking(50)
@given(running_watches(endless=False), spans(MICROSECOND, 10 * DAY), spans(MICROSECOND, 10 * DAY))
def test_a_rest_that_is_put_in_moves_a_deadline_by_just_what_would_have_run_in_it(
    drawn: tuple[Watch, Calendar], begin: timedelta, length: timedelta
) -> None:
    watch, calendar = drawn
    assert watch.at
    rest = Rest("incident", watch.at + begin, watch.at + begin + length)
    until = deadline(watch, calendar)
    then = deadline(watch, replace(calendar, rests=(*calendar.rests, rest)))
    assert until
    assert then
    assert then >= until
    if rest.start <= until:
        assert running(calendar, watch.at, then) == total(watch) + running(
            calendar, rest.start, rest.end or then
        )
    else:
        assert then == until


@checking(70)
@given(running_watches(), spans(MICROSECOND, 14 * DAY, -DAY))
def test_a_turn_that_ends_takes_from_the_bank_only_what_ran_beyond_the_allowance(
    drawn: tuple[Watch, Calendar], shift: timedelta
) -> None:
    watch, calendar = drawn
    assert watch.at
    now = watch.at + shift
    end = stopped(watch, now, calendar)
    over = max(running(calendar, watch.at, now) - watch.left, NEVER)
    assert end.bank == max(watch.bank - over, NEVER)
    assert (end.on, end.left, end.at, end.since) == (False, NEVER, None, None)
    assert (end.turn, end.missed) == (7, 1)
    if clock.within_allowance(watch, now):
        assert end.bank == watch.bank  # no calendar was needed to know


@checking(40)
@given(
    calendars(endless=False),
    st.lists(st.tuples(spans(MICROSECOND, 3 * DAY), spans(MICROSECOND, 2 * DAY)), min_size=1, max_size=6),
)
def test_over_a_whole_game_the_bank_pays_for_all_that_ran_beyond_the_allowances(
    drawn: tuple[Calendar, datetime], turns: list[tuple[timedelta, timedelta]]
) -> None:
    calendar, now = drawn
    watch, over = Watch(bank=4 * DAY), NEVER
    for number, (thought, waited) in enumerate(turns):
        watch = started(watch, now=now, allowance=DAY // timedelta(seconds=1), turn=number)
        assert watch.at
        now += thought
        over += max(running(calendar, watch.at, now) - DAY, NEVER)
        watch = stopped(watch, now, calendar)
        assert watch.bank == max(4 * DAY - over, NEVER)
        now += waited


# --------------------------------------------------------------------------------------------- plain examples


def test_a_weekend_neither_refills_the_clock_nor_eats_it() -> None:
    """The bug of another site: after a weekend, a clock stood at its full time again."""
    watch = Watch(bank=DAY, left=2 * DAY, at=utc("2026-06-12T12"))
    assert deadline(watch, WEEKENDS) == utc("2026-06-17T12")
    for look in ("2026-06-12T18", "2026-06-13T00", "2026-06-14T09", "2026-06-15T00"):
        watch = settled(watch, utc(look), WEEKENDS)
        assert deadline(watch, WEEKENDS) == utc("2026-06-17T12")
    assert (watch.left, watch.bank) == (1.5 * DAY, DAY)


def test_a_turn_starts_its_clock_when_its_notice_is_due() -> None:
    now = utc("2026-06-15T22")
    quiet = Calendar("UTC", night=(time(22), time(7)))
    old = Watch(bank=3 * DAY, turn=4, missed=1)
    watch = started(old, now=now, allowance=43_200, turn=9, quiet=quiet)
    assert watch == Watch(bank=3 * DAY, left=12 * HOUR, at=utc("2026-06-16T07"), since=now, turn=9, missed=1)
    assert watch.on
    assert not old.on
    assert deadline(watch, ALWAYS) == utc("2026-06-19T19")
    loud = started(old, now=now, allowance=43_200, turn=9)
    assert loud.at == now + timedelta(minutes=1)


def test_what_was_left_of_an_allowance_is_not_carried_into_the_next_turn() -> None:
    now = utc("2026-06-15T12")
    running_still = Watch(bank=DAY, left=5 * HOUR, at=now - HOUR, since=now - HOUR, turn=4)
    watch = started(running_still, now=now, allowance=43_200, turn=9)
    assert (watch.left, watch.bank) == (12 * HOUR, DAY)


def test_nothing_runs_until_the_notice_is_due() -> None:
    at = utc("2026-06-16T07")
    watch = Watch(bank=DAY, left=DAY, at=at, since=at - 9 * HOUR)
    assert settled(watch, at - HOUR, ALWAYS) == watch
    assert settled(watch, at, ALWAYS) == watch
    assert stopped(watch, at - HOUR, ALWAYS).bank == DAY


def test_the_allowance_goes_first_and_then_the_bank() -> None:
    at = utc("2026-06-15T12")
    watch = Watch(bank=3 * HOUR, left=2 * HOUR, at=at)
    seen = [settled(watch, at + hours * HOUR, ALWAYS) for hours in (1, 2, 4, 5, 9)]
    assert [(w.left / HOUR, w.bank / HOUR) for w in seen] == [(1, 3), (0, 3), (0, 1), (0, 0), (0, 0)]
    assert [w.at for w in seen] == [at + hours * HOUR for hours in (1, 2, 4, 5, 9)]
    assert clock.charged(watch, 3 * HOUR) == (NEVER, 2 * HOUR)


def test_a_watch_that_does_not_run_has_no_deadline_and_does_not_change() -> None:
    watch = Watch(bank=DAY)
    now = utc("2026-06-15T12")
    assert not watch.on
    assert deadline(watch, ALWAYS) is None
    assert settled(watch, now, ALWAYS) == watch
    assert stopped(watch, now, ALWAYS) == watch
    assert clock.within_allowance(watch, now)


def test_a_deadline_in_a_rest_without_an_end_is_not_known() -> None:
    at = utc("2026-06-15T12")
    watch = Watch(bank=DAY, left=DAY, at=at)
    assert deadline(watch, Calendar(rests=(Rest("incident", at + DAY, None),))) is None
    assert deadline(watch, Calendar(rests=(Rest("incident", at + 3 * DAY, None),))) == at + 2 * DAY


@pytest.mark.parametrize(("hours", "within"), [(-1, True), (0, True), (2, True), (2.001, False)])
def test_the_bank_is_untouched_as_long_as_the_allowance_lasts(hours: float, within: bool) -> None:
    at = utc("2026-06-15T12")
    watch = Watch(bank=DAY, left=2 * HOUR, at=at)
    assert clock.within_allowance(watch, at + hours * HOUR) is within


def test_a_turn_that_rested_beyond_its_allowance_by_the_wall_costs_nothing() -> None:
    watch = Watch(bank=DAY, left=DAY, at=utc("2026-06-12T12"))
    monday = utc("2026-06-15T11")
    assert not clock.within_allowance(watch, monday)
    assert stopped(watch, monday, WEEKENDS).bank == DAY
    assert stopped(watch, monday, ALWAYS).bank == NEVER


def test_one_moves_while_the_clock_rests_without_losing_time() -> None:
    watch = Watch(bank=DAY, left=HOUR, at=utc("2026-06-12T22"))
    assert stopped(watch, utc("2026-06-14T12"), WEEKENDS).bank == DAY - HOUR
