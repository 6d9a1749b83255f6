"""When games are lost by a player who never comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games import clock
from games.clock import ALWAYS, AUTOPLAYS, Calendar, Rest, Stake, Watch

from .naive import NEVER, calendars, checking, spans, utc

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOON = utc("2026-06-15T12")  # a Monday


def lost(watch: Watch, *, chances: int = AUTOPLAYS, calendar: Calendar = ALWAYS) -> timedelta | None:
    """How long after noon a seat of a game of a day a turn is lost."""
    (at,) = clock.losses([Stake(watch, 86_400, calendar, chances=chances)], now=NOON)
    return at - NOON if at else None


def test_a_seat_is_lost_at_the_third_timeout_in_a_row_or_at_the_first() -> None:
    on = Watch(bank=3 * DAY, left=DAY / 2, at=NOON)
    assert AUTOPLAYS == 2
    # Each new turn begins when its notice is due, a minute after it came.
    assert lost(on) == 5.5 * DAY + 2 * MINUTE
    assert lost(on, chances=1) == 4.5 * DAY + MINUTE
    assert lost(on, chances=0) == 3.5 * DAY


def test_a_seat_that_waits_is_lost_as_if_its_turn_came_at_once() -> None:
    waiting = Watch(bank=3 * DAY)
    assert lost(waiting, chances=0) == 4 * DAY + MINUTE
    assert lost(waiting) == 6 * DAY + 3 * MINUTE


def test_a_seat_is_not_lost_while_its_clock_rests() -> None:
    waiting, weekends = Watch(bank=3 * DAY), Calendar("UTC", weekends=True)
    # Four days until Friday noon; two more, of which the weekend takes none.
    assert lost(waiting, chances=0, calendar=weekends) == 4 * DAY + MINUTE
    assert lost(waiting, calendar=weekends) == 8 * DAY + 3 * MINUTE
    pause = Calendar(rests=(Rest("incident", NOON + 5 * DAY, None),))
    assert lost(waiting, chances=0, calendar=pause) == 4 * DAY + MINUTE
    assert lost(waiting, calendar=pause) is None
    assert lost(Watch(bank=10 * DAY, left=DAY, at=NOON), calendar=pause) is None


def test_nothing_is_lost_while_a_partner_plays_on() -> None:
    assert clock.losses([Stake(Watch(bank=NEVER), 60, ALWAYS, chances=None)], now=NOON) == [None]


def test_quiet_hours_put_off_every_turn_to_come() -> None:
    (at,) = clock.losses(
        [Stake(Watch(bank=NEVER, left=DAY, at=NOON), 86_400, ALWAYS, chances=1)],
        now=NOON,
        quiet=clock.quiet_hours("UTC", (NOON - 2 * HOUR).time(), (NOON + 3 * HOUR).time()),
    )
    assert at == NOON + 2 * DAY + 3 * HOUR


def test_vacation_goes_by_the_hour_and_earns_a_little_of_itself() -> None:
    on = Stake(Watch(bank=NEVER, left=DAY, at=NOON), 86_400, ALWAYS, floats=True, chances=0)
    # The day itself earns two hours: one is taken, and what is left does not make another.
    assert clock.losses([on], now=NOON) == [NOON + DAY + 2 * HOUR]
    # 24 hours and those two: every hour that is taken earns five minutes.
    hours = 1 + (26 * 60 - 60) // 55
    assert clock.losses([on], now=NOON, saved=DAY) == [NOON + DAY + hours * HOUR]
    assert clock.losses([replace(on, floats=False)], now=NOON, saved=DAY) == [NOON + DAY]


def test_vacation_of_just_an_hour_is_taken_and_of_less_is_not() -> None:
    on = Stake(Watch(bank=NEVER, left=12 * HOUR, at=NOON), 86_400, ALWAYS, floats=True, chances=0)
    # Half a day earns one hour exactly.
    assert clock.losses([on], now=NOON) == [NOON + 13 * HOUR]
    shorter = replace(on, watch=replace(on.watch, left=12 * HOUR - MINUTE))
    assert clock.losses([shorter], now=NOON) == [NOON + 12 * HOUR - MINUTE]


def test_an_hour_that_one_game_takes_rests_every_other_that_allows_it() -> None:
    first = Stake(Watch(bank=NEVER, left=DAY, at=NOON), 86_400, ALWAYS, floats=True, chances=0)
    second = replace(first, watch=Watch(bank=NEVER, left=DAY + HOUR, at=NOON))
    third = replace(second, floats=False)
    saved = 10 * HOUR
    times = clock.losses([third, second, first], now=NOON, saved=saved)
    assert times[0] == NOON + DAY + HOUR
    assert times[2] == NOON + DAY + 13 * HOUR  # 12 saved by then; an hour's worth of minutes on the way
    # It rested all the while; at its own deadline, an hour later, there is too little for one more.
    assert times[1] == NOON + DAY + 14 * HOUR


def test_an_hour_is_not_spent_on_a_night_in_which_the_clock_rests_anyway() -> None:
    nights = Calendar("UTC", night=(utc("2026-06-15T14:30").time(), utc("2026-06-15T22").time()))
    on = Stake(Watch(bank=NEVER, left=HOUR, at=NOON), 3600, nights, floats=True, chances=0)
    # At one, two, then asleep until ten in the evening; at that time nothing is left.
    assert clock.losses([on], now=NOON, saved=2 * HOUR) == [utc("2026-06-15T22")]
    # One more: from ten to eleven, and what was earned does not make a fourth.
    assert clock.losses([on], now=NOON, saved=3 * HOUR) == [utc("2026-06-15T23")]


def test_a_game_that_rested_twice_for_another_got_back_all_of_both() -> None:
    nights = Calendar("UTC", night=(utc("2026-06-15T14").time(), utc("2026-06-15T22").time()))
    taker = Stake(Watch(bank=NEVER, left=HOUR, at=NOON - HOUR), 86_400, nights, floats=True, chances=0)
    other = Stake(Watch(bank=NEVER, left=9 * HOUR, at=NOON), 86_400, ALWAYS, floats=True, chances=0)
    # Two hours are taken from noon on; the night until ten leaves enough, with what it earns, for three more.
    # The other game runs in between, eight of its nine hours.
    assert clock.losses([taker, other], now=NOON, saved=4 * HOUR) == [NOON + 13 * HOUR, NOON + 14 * HOUR]


# ------------------------------------------------------------------------------------------ played out slowly


def played_out(
    stakes: list[Stake], *, now: datetime, quiet: Calendar, saved: timedelta, most: int = 3000
) -> list[datetime | None]:
    """The same hour by hour, and with a calendar that keeps every hour ever taken."""
    lost: list[datetime | None] = [None] * len(stakes)
    taken: list[Rest] = []
    watches = [
        one.watch
        if one.watch.on
        else clock.started(one.watch, now=now, allowance=one.allowance, turn=0, quiet=quiet)
        for one in stakes
    ]
    chances = [one.chances or 0 for one in stakes]
    playing = set(range(len(stakes)))
    since = now
    for _ in range(most):
        rests = [replace(one.calendar, rests=(*one.calendar.rests, *taken)) for one in stakes]
        calendars_ = [rest if one.floats else one.calendar for one, rest in zip(stakes, rests, strict=True)]
        falls = {n: clock.deadline(watches[n], calendars_[n]) for n in playing}
        known = [(at, n) for n, at in falls.items() if at]
        if not known:
            return lost
        at, n = min(known)
        left = clock.vacation_left(saved, since, at)
        if stakes[n].floats and left >= HOUR:
            saved, since = left - HOUR, at
            taken.append(Rest("vacation", at, at + HOUR))
        elif chances[n]:
            chances[n] -= 1
            turn = Watch(bank=NEVER)
            watches[n] = clock.started(turn, now=at, allowance=stakes[n].allowance, turn=0, quiet=quiet)
        else:
            lost[n] = at
            playing.discard(n)
    raise AssertionError("it never ends")


@st.composite
def stakes(draw: st.DrawFn) -> tuple[list[Stake], datetime]:
    calendar, now = draw(calendars(MINUTE))  # a twelfth of a minute is whole seconds: nothing is rounded
    found = []
    for _ in range(draw(st.integers(1, 3))):
        allowance = draw(st.sampled_from([600, 3600, 43_200, 172_800]))
        watch = Watch(bank=draw(spans(HOUR, DAY)))
        if draw(st.booleans()):
            at = now + draw(spans(MINUTE, HOUR, -HOUR))
            watch = replace(watch, left=draw(spans(MINUTE, timedelta(seconds=allowance))), at=at)
        found.append(
            Stake(
                watch,
                allowance,
                draw(st.sampled_from([calendar, ALWAYS, replace(calendar, weekends=False)])),
                floats=draw(st.booleans()),
                chances=draw(st.integers(0, 2)),
            )
        )
    return found, now


@checking(60)
@given(stakes(), spans(MINUTE, 4 * DAY))
def test_games_are_lost_when_hour_after_hour_and_turn_after_turn_has_run_out(
    drawn: tuple[list[Stake], datetime], saved: timedelta
) -> None:
    mine, now = drawn
    quiet = clock.quiet_hours("UTC", utc("2026-06-15T22").time(), utc("2026-06-15T06:30").time())
    found = clock.losses(mine, now=now, quiet=quiet, saved=saved)
    assert found == played_out(mine, now=now, quiet=quiet, saved=saved)
