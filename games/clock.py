"""The clocks of a game: pure arithmetic over times that are given to it.

A seat has a watch: what is left of this turn's allowance, and a bank for the whole game. A watch runs when
nothing makes it rest; a calendar says when something does, each rest with its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MINUTE, HOUR, DAY = 60, 3600, 86_400
NONE = timedelta()


def gettext_noop(message: str) -> str:
    """Mark a string that is translated later."""
    return message


class Unfit(ValueError):
    """A clock that no game can have. The message is in English; `said` says it through a translator."""

    def __init__(self, sentence: str, **facts: object) -> None:
        self.sentence, self.facts = sentence, facts
        super().__init__(self.said(str))

    def said(self, gettext: Callable[[str], str]) -> str:
        return gettext(self.sentence).format(**self.facts)


@dataclass(frozen=True)
class Clock:
    """Seconds for each turn, and seconds in reserve for the whole game."""

    allowance: int
    bank: int


PRESETS = {
    "12h": Clock(12 * HOUR, 3 * DAY),
    "2d": Clock(2 * DAY, 7 * DAY),
    "3d": Clock(3 * DAY, 14 * DAY),
    "7d": Clock(7 * DAY, 30 * DAY),
    "live": Clock(3 * MINUTE, 15 * MINUTE),
}
DEFAULT = "2d"
SHORTEST = Clock(MINUTE, 0)
LONGEST = Clock(30 * DAY, 120 * DAY)
SHORTEST_WAIT, LONGEST_WAIT = timedelta(minutes=30), timedelta(days=30)
TURNS_TO_WAIT = 7  # an open game, and an invitation to it, waits for so many turns' time
LIVE = 6 * HOUR  # with less for a turn people sit at the board: nothing waits for the morning

MOMENT = timedelta(minutes=1)  # a notice waits so long at most: the turn may pass on before it goes out
BLIND_SHARE = 2  # a turn of a blind match has one of so many parts of the usual time, unless the game says so
AUTOPLAYS = 2  # turns in a row that the server plays for a side; at the next timeout the side resigns

VACATION_EARNED = 12  # so many days of membership earn one of vacation
VACATION_CAP = timedelta(days=30)
VACATION_LEAST = timedelta(days=1)
VACATION_FLOAT = timedelta(hours=1)  # what is taken when a deadline falls
NIGHT = (time(23), time(7))  # night hours of whoever has not said otherwise
LONGEST_QUIET = timedelta(hours=12)
LONGEST_NIGHT = timedelta(hours=12)  # in real time, also when clocks are put back in it
SHORTEST_DAY = timedelta(hours=12)  # that a clock runs between two nights: at least 12 of any 24 hours
LONGEST_PAUSE = timedelta(days=60)
LONGEST_PAUSE_OF_GAME = timedelta(days=180)  # all agreed pauses of one game together


def clock(preset: str, allowance: int | None = None, bank: int | None = None) -> Clock:
    """The clock of a preset, or a custom one. Raises Unfit on an unknown or unreasonable one."""
    if preset in PRESETS:
        if allowance is not None or bank is not None:
            raise Unfit(gettext_noop("allowance and bank go with the clock `custom` only"))
        return PRESETS[preset]
    if preset != "custom":
        raise Unfit(gettext_noop("clock is one of {names}, custom"), names=", ".join(PRESETS))
    if allowance is None or bank is None:
        raise Unfit(gettext_noop("a custom clock needs allowance and bank, in seconds"))
    least, most = SHORTEST, LONGEST
    if not least.allowance <= allowance <= most.allowance:
        said = gettext_noop("allowance is from {least} to {most} seconds")
        raise Unfit(said, least=least.allowance, most=most.allowance)
    if not least.bank <= bank <= most.bank:
        raise Unfit(gettext_noop("bank is from {least} to {most} seconds"), least=least.bank, most=most.bank)
    return Clock(allowance, bank)


def open_until(now: datetime, allowance: int) -> datetime:
    """How long an open game waits for players."""
    wait = timedelta(seconds=TURNS_TO_WAIT * allowance)
    return now + min(max(wait, SHORTEST_WAIT), LONGEST_WAIT)


# ----------------------------------------------------------------------------------------- when a clock rests


@dataclass(frozen=True)
class Rest:
    """From when to when clocks stand still, and why; without an end until somebody says so."""

    why: str  # vacation, weekend, night, agreed, incident
    start: datetime
    end: datetime | None


@dataclass(frozen=True)
class Hours:
    """A player's zone and night hours when a turn begins; a change counts from the next turn on."""

    zone: str = "UTC"
    night: tuple[time, time] | None = None


@dataclass(frozen=True)
class Calendar:
    """When the clock of a seat rests: fixed times, and those that come again in the player's zone."""

    zone: str = "UTC"
    weekends: bool = False
    night: tuple[time, time] | None = None
    rests: tuple[Rest, ...] = ()

    @property
    def never(self) -> bool:
        """Whether the clock always runs."""
        return not (self.weekends or self.night or self.rests)

    @property
    def endless(self) -> datetime | None:
        """From when on it rests without a known end."""
        return min((rest.start for rest in self.rests if rest.end is None), default=None)


ALWAYS = Calendar()


@lru_cache(maxsize=1000)
def zone_named(name: str) -> ZoneInfo:
    """A zone; UTC, should a later database of zones not know it any more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


@lru_cache(maxsize=10_000)  # all games of a player ask for the same days
def instant(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """A local time as a point in time: the first of two; a skipped one as late as it would have been."""
    return datetime.combine(day, hour, tzinfo=zone).astimezone(UTC)


def rests_between(calendar: Calendar, start: datetime, end: datetime) -> Iterator[Rest]:
    """Every rest that touches the time between, and some near it, in no order; they may overlap."""
    for rest in calendar.rests:
        if rest.start < end and (rest.end is None or rest.end > start):
            yield rest
    dusk, dawn = calendar.night or (time(), time())
    if not calendar.weekends and dusk == dawn:
        return
    zone = zone_named(calendar.zone)
    # A day more at each end: clocks were put back across midnight, and a zone has left out a whole day.
    day, last = (at.astimezone(zone).date() for at in (start - timedelta(days=3), end + timedelta(days=1)))
    while day <= last:
        if calendar.weekends and day.weekday() == 5:
            monday = instant(day + timedelta(days=2), time(), zone)
            yield Rest("weekend", instant(day, time(), zone), monday)
        if dusk != dawn:
            _evening, before = night_of(day - timedelta(days=1), dusk, dawn, zone)
            evening, morning = night_of(day, dusk, dawn, zone)
            evening = max(evening, before + SHORTEST_DAY)
            if evening < morning:  # not so only where a clock is put forward across it
                yield Rest("night", evening, morning)
        day += timedelta(days=1)


@lru_cache(maxsize=10_000)
def night_of(day: date, dusk: time, dawn: time, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The night that begins on a day, cut to the longest; its end comes first where it is skipped."""
    evening = instant(day, dusk, zone)
    morning = instant(day if dusk < dawn else day + timedelta(days=1), dawn, zone)
    return evening, min(morning, evening + LONGEST_NIGHT)


def reasons(calendar: Calendar, at: datetime) -> tuple[str, ...]:
    """Why a clock rests at a time; empty if it runs."""
    found = rests_between(calendar, at, at + timedelta(microseconds=1))
    return tuple(sorted({rest.why for rest in found if rest.start <= at and (not rest.end or at < rest.end)}))


def merged(calendar: Calendar, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """The times between in which a clock rests, in order and without overlap."""
    found: list[tuple[datetime, datetime]] = []
    pieces = (
        (max(rest.start, start), min(rest.end or end, end)) for rest in rests_between(calendar, start, end)
    )
    for first, last in sorted(piece for piece in pieces if piece[0] < piece[1]):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def running(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """How long a clock runs between two times."""
    if end <= start:
        return NONE
    if calendar.never:
        return end - start
    return end - start - sum((last - first for first, last in merged(calendar, start, end)), NONE)


def after(calendar: Calendar, start: datetime, length: timedelta) -> datetime | None:
    """When a clock that starts now has run so long and runs still; None if that is not known yet."""
    if calendar.never:
        return start + length
    endless = calendar.endless
    if endless and running(calendar, start, endless) <= length:
        return None
    window = length + timedelta(days=4)
    while True:
        at = start
        left = length
        for first, last in merged(calendar, start, start + window):
            if first - at > left:
                return at + left
            left -= first - at
            at = last
        if at + left < start + window:
            return at + left
        window *= 2


# ---------------------------------------------------------------------------------------- the watch of a seat


@dataclass(frozen=True)
class Watch:
    """What a seat has in the bank and, on turn, what is left of the allowance; it runs from `at` on."""

    bank: timedelta
    left: timedelta = NONE
    at: datetime | None = None
    since: datetime | None = None  # when the turn came; `at` is when its notice is due
    turn: int = 0  # the seq at which the turn came: what a turn's link is bound to
    missed: int = 0  # turns in a row that the server played
    hours: Hours | None = None  # by which this turn's clock rests, where the game lets clocks rest by hours

    @property
    def on(self) -> bool:
        """Whether the seat is to act."""
        return self.at is not None


def started(
    watch: Watch,
    *,
    now: datetime,
    allowance: int,
    turn: int,
    quiet: Calendar = ALWAYS,
    hours: Hours | None = None,
) -> Watch:
    """A turn comes: its clock starts when its notice is due, and rests by the hours of this moment."""
    at = notice_due(now, allowance, quiet)
    return replace(watch, left=timedelta(seconds=allowance), at=at, since=now, turn=turn, hours=hours)


def settled(watch: Watch, now: datetime, calendar: Calendar) -> Watch:
    """The same watch, with what it ran until now taken off."""
    if watch.at is None or now <= watch.at:
        return watch
    used = running(calendar, watch.at, now)
    left, bank = charged(watch, used)
    return replace(watch, left=left, bank=bank, at=now)


def charged(watch: Watch, used: timedelta) -> tuple[timedelta, timedelta]:
    """Allowance and bank after so much time: the allowance goes first."""
    over = max(used - watch.left, NONE)
    return max(watch.left - used, NONE), max(watch.bank - over, NONE)


def within_allowance(watch: Watch, now: datetime) -> bool:
    """Whether the bank is untouched, however little the clock rested."""
    return watch.at is None or now - watch.at <= watch.left


def stopped(watch: Watch, now: datetime, calendar: Calendar) -> Watch:
    """The turn is over: what it took beyond the allowance is gone from the bank."""
    if not within_allowance(watch, now):
        watch = settled(watch, now, calendar)
    return replace(watch, left=NONE, at=None, since=None, hours=None)


def deadline(watch: Watch, calendar: Calendar) -> datetime | None:
    """When a running watch is out of time; None if it does not run, or rests without a known end."""
    if watch.at is None:
        return None
    return after(calendar, watch.at, watch.left + watch.bank)


# ----------------------------------------------------------------------------------------- notices, reminders


def quiet_hours(zone: str, start: time | None, end: time | None) -> Calendar:
    """When a player wants to hear nothing."""
    return (
        Calendar(zone, night=(start, end))
        if start is not None and end is not None and start != end
        else ALWAYS
    )


def quiet_length(start: time, end: time) -> timedelta:
    """How long quiet hours last, by the clock on the wall."""
    day = date(2001, 1, 1)
    length = datetime.combine(day, end) - datetime.combine(day, start)
    return length if length > NONE else length + timedelta(days=1)


def loud(at: datetime, quiet: Calendar) -> datetime:
    """The first time from then on that is not quiet."""
    return after(quiet, at, NONE) or at


def notice_due(now: datetime, allowance: int, quiet: Calendar) -> datetime:
    """When a notice may go out: a moment later, and not in quiet hours unless the game is a live one."""
    at = now + min(MOMENT, timedelta(seconds=allowance) / 20)
    return at if allowance < LIVE else loud(at, quiet)


def reminders(
    watch: Watch,
    *,
    allowance: int,
    calendar: Calendar,
    used: int | None,
    left: int | None,
    round_ends: datetime | None = None,
) -> list[datetime]:
    """When to remind: after so many percent of the allowance, and when so many of all time are left.

    Where the round of a tournament ends before the turn does, all time is that until then.
    """
    if watch.at is None:
        return []
    end = deadline(watch, calendar)
    if round_ends and (end is None or round_ends < end):
        return reminders_before(round_ends, watch, allowance, calendar, used, left)
    turn = timedelta(seconds=allowance)
    lengths = []  # from `at`, before which some of the allowance may have run already
    if used is not None:
        lengths.append(watch.left - turn * (100 - used) / 100)
    if left is not None:
        lengths.append(watch.left + watch.bank - (turn + watch.bank) * left / 100)
    found = (after(calendar, watch.at, length) for length in lengths if length >= NONE)
    return sorted({at for at in found if at})


def reminders_before(
    end: datetime, watch: Watch, allowance: int, calendar: Calendar, used: int | None, left: int | None
) -> list[datetime]:
    """The same where something ends the game that no clock's rest puts off."""
    since = watch.since or watch.at
    if since is None or end <= since:
        return []
    times: list[datetime | None] = []
    if used is not None:
        times.append(since + (end - since) * used / 100)
        times += reminders(watch, allowance=allowance, calendar=calendar, used=used, left=None)
        times = [first(times)]
    if left is not None:
        times.append(end - (end - since) * left / 100)
    return sorted({at for at in times if at})


# -------------------------------------------------------------------------------------- vacation, and leaving


def vacation_left(saved: timedelta, since: datetime, now: datetime) -> timedelta:
    """What a player has: a day for every twelve, 30 at most."""
    earned = max(now - since, NONE) / VACATION_EARNED
    return min(saved + earned, VACATION_CAP)


@dataclass(frozen=True)
class Stake:
    """A game that a player can lose by staying away."""

    watch: Watch
    allowance: int
    calendar: Calendar
    later: Calendar | None = None  # of turns to come, if their hours differ from those of this turn
    floats: bool = False  # vacation is taken by the hour when its deadline falls
    chances: int | None = AUTOPLAYS  # turns that the server plays yet; None: a partner plays on


def losses(
    stakes: Sequence[Stake], *, now: datetime, quiet: Calendar = ALWAYS, saved: timedelta = NONE
) -> list[datetime | None]:
    """When each game is lost if its player never comes back and the others answer at once; None: not known.

    As the sweep does it: a deadline that falls takes an hour of vacation, of what is saved up now or earned
    meanwhile, for all games that allow it; then the server plays some turns; then the game is lost.
    """
    lost: list[datetime | None] = [None] * len(stakes)
    left = {i: begun(stake, now, quiet) for i, stake in enumerate(stakes) if stake.chances is not None}
    falls = {i: deadline(stake.watch, stake.calendar) for i, stake in left.items()}
    taken: list[Rest] = []  # the hours of vacation
    known = dict.fromkeys(left, 0)  # how many of them are counted in the time at which each falls
    since = now
    while at := first(list(falls.values())):
        i = next(i for i, fall in falls.items() if fall == at)
        stake = left[i]
        if stake.floats and known[i] < len(taken):  # it rested since, and falls later
            hours = taken[max(known[i] - 1, 0) :]
            rests = replace(stake.calendar, rests=(*stake.calendar.rests, *hours))
            left[i] = replace(stake, watch=settled(stake.watch, hours[-1].start, rests))
            falls[i], known[i] = deadline(left[i].watch, rests), len(taken)
        elif stake.floats and (enough := vacation_left(saved, since, at)) >= VACATION_FLOAT:
            length = hours_taken(stake.calendar, at, enough)
            taken.append(Rest("vacation", at, at + length))
            saved, since = enough - length, at
        elif stake.chances:
            rests = stake.later or stake.calendar
            stake = replace(stake, watch=Watch(bank=NONE), calendar=rests, chances=stake.chances - 1)
            left[i] = begun(stake, at, quiet)
            falls[i] = deadline(left[i].watch, rests)
            known[i] = len(taken)  # they are over: its clock starts now
        else:
            lost[i] = at
            del falls[i]
    return lost


def begun(stake: Stake, now: datetime, quiet: Calendar) -> Stake:
    """The others answer at once: it is the player's turn."""
    if stake.watch.on:
        return stake
    return replace(stake, watch=started(stake.watch, now=now, allowance=stake.allowance, turn=0, quiet=quiet))


def hours_taken(calendar: Calendar, at: datetime, saved: timedelta) -> timedelta:
    """The vacation that a deadline takes hour after hour, until it is used up or the clock rests anyway."""
    hour = VACATION_FLOAT
    most = 1 + (saved - hour) // (hour - hour / VACATION_EARNED)  # each hour earns a little of the next one
    rest = next(iter(merged(calendar, at, at + most * hour)), None)
    return hour * (min(most, -((at - rest[0]) // hour)) if rest else most)


def first(times: Sequence[datetime | None]) -> datetime | None:
    """The earliest of those that are known."""
    return min((at for at in times if at is not None), default=None)
