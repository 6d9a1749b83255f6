"""Clocks of a game: pure arithmetic over times that are passed in.

A seat clock holds what is left of this turn's allowance, and a bank for the whole game. It runs unless a
calendar stops it; every stop has a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

SECONDS_PER_MINUTE, SECONDS_PER_HOUR, SECONDS_PER_DAY = 60, 3600, 86_400
NO_TIME = timedelta()


def gettext_noop(message: str) -> str:
    """Mark a string for translation; it is translated later."""
    return message


class InvalidTimeControl(ValueError):
    """A time control that no game can have; `field` names what is wrong in it.

    The message is English; `translate_message` translates it.
    """

    def __init__(self, sentence: str, *, field: str, **details: object) -> None:
        self.sentence, self.field, self.details = sentence, field, details
        super().__init__(self.translate_message(str))

    def translate_message(self, gettext: Callable[[str], str]) -> str:
        """The message in the language of `gettext`."""
        return gettext(self.sentence).format(**self.details)


@dataclass(frozen=True)
class TimeControl:
    """A time control: seconds per turn, and seconds in reserve for the whole game."""

    allowance: int
    bank: int


TIME_CONTROL_PRESETS = {
    "12h": TimeControl(12 * SECONDS_PER_HOUR, 3 * SECONDS_PER_DAY),
    "2d": TimeControl(2 * SECONDS_PER_DAY, 7 * SECONDS_PER_DAY),
    "3d": TimeControl(3 * SECONDS_PER_DAY, 14 * SECONDS_PER_DAY),
    "7d": TimeControl(7 * SECONDS_PER_DAY, 30 * SECONDS_PER_DAY),
    "fast": TimeControl(1 * SECONDS_PER_MINUTE, 10 * SECONDS_PER_MINUTE),  # a game of about 36 minutes
    "live": TimeControl(3 * SECONDS_PER_MINUTE, 15 * SECONDS_PER_MINUTE),
}
DEFAULT_PRESET = "2d"
MIN_TIME_CONTROL = TimeControl(SECONDS_PER_MINUTE, 0)
MAX_TIME_CONTROL = TimeControl(30 * SECONDS_PER_DAY, 120 * SECONDS_PER_DAY)
MIN_OPEN_TIME, MAX_OPEN_TIME = timedelta(minutes=30), timedelta(days=30)
OPEN_TIME_IN_TURNS = 7  # an open game and its invitations wait for this many allowances
LIVE_ALLOWANCE_SECONDS = 6 * SECONDS_PER_HOUR  # below this a game is live: notices ignore quiet hours

MAX_NOTICE_DELAY = timedelta(minutes=1)  # the turn may end before the notice goes out
BLIND_ALLOWANCE_DIVISOR = 2  # default allowance in a blind match: the usual one divided by this
MAX_AUTOPLAYED_TURNS = 2  # in a row for one side; at the next timeout the side resigns

DAYS_PER_VACATION_DAY = 12  # days of membership that earn one day of vacation
MAX_VACATION_BALANCE = timedelta(days=30)
MIN_VACATION_LENGTH = timedelta(days=1)
FLOATING_VACATION_STEP = timedelta(hours=1)  # taken when a deadline is missed
DEFAULT_NIGHT_HOURS = (time(23), time(7))  # of players without quiet hours
MAX_NIGHT_LENGTH = timedelta(hours=12)  # in real time, also across a DST change
MIN_TIME_BETWEEN_NIGHTS = timedelta(hours=12)  # a clock runs at least 12 of any 24 hours
MAX_PAUSE_LENGTH = timedelta(days=60)
MAX_PAUSE_LENGTH_PER_GAME = timedelta(days=180)  # all agreed pauses together


def build_time_control(preset: str, allowance: int | None = None, bank: int | None = None) -> TimeControl:
    """The time control of a preset, or a custom one. Raises InvalidTimeControl if unknown or out of range."""
    if preset in TIME_CONTROL_PRESETS:
        if allowance is not None or bank is not None:
            raise InvalidTimeControl(
                gettext_noop("You can only choose a time per turn and a reserve with the clock `custom`."),
                field="clock",
            )
        return TIME_CONTROL_PRESETS[preset]
    if preset != "custom":
        raise InvalidTimeControl(
            gettext_noop("Choose one of these clocks: {names}, custom."),
            field="clock",
            names=", ".join(TIME_CONTROL_PRESETS),
        )
    if allowance is None or bank is None:
        raise InvalidTimeControl(
            gettext_noop("With the clock `custom`, send `allowance_seconds` and `bank_seconds`."),
            field="allowance_seconds" if allowance is None else "bank_seconds",
        )
    minimum, maximum = MIN_TIME_CONTROL, MAX_TIME_CONTROL
    if not minimum.allowance <= allowance <= maximum.allowance:
        sentence = gettext_noop("The time per turn is from {least} to {most} seconds.")
        raise InvalidTimeControl(
            sentence, field="allowance_seconds", least=minimum.allowance, most=maximum.allowance
        )
    if not minimum.bank <= bank <= maximum.bank:
        raise InvalidTimeControl(
            gettext_noop("The reserve is from {least} to {most} seconds."),
            field="bank_seconds",
            least=minimum.bank,
            most=maximum.bank,
        )
    return TimeControl(allowance, bank)


def compute_open_until(now: datetime, allowance: int) -> datetime:
    """Until when an open game waits for players."""
    wait = timedelta(seconds=OPEN_TIME_IN_TURNS * allowance)
    return now + min(max(wait, MIN_OPEN_TIME), MAX_OPEN_TIME)


class TimeoutOutcome(StrEnum):
    """The consequences of a timeout."""

    VACATION = "vacation"  # an hour of vacation is taken
    AUTOPLAY = "autoplay"  # the server plays the turn
    RESIGNED = "resigned"  # the side resigns


# ---------------------------------------------------------------------------------------------- clock stops


class StopReason(StrEnum):
    """The reasons for which a clock stands still."""

    VACATION = "vacation"
    WEEKEND = "weekend"
    NIGHT = "night"
    AGREED = "agreed"
    INCIDENT = "incident"


@dataclass(frozen=True)
class ClockStop:
    """A period in which clocks stand still, and its reason; `end` is None while it is open-ended."""

    reason: StopReason
    start: datetime
    end: datetime | None


@dataclass(frozen=True)
class PlayerHours:
    """A player's time zone and night hours when a turn begins; changes take effect with the next turn."""

    zone: str = "UTC"
    night: tuple[time, time] | None = None


@dataclass(frozen=True)
class Calendar:
    """The clock stops of a seat: fixed ones, and weekends and nights in the player's time zone."""

    zone: str = "UTC"
    weekends: bool = False
    night: tuple[time, time] | None = None
    stops: tuple[ClockStop, ...] = ()

    @property
    def always_runs(self) -> bool:
        """True if the clock never stops."""
        return not (self.weekends or self.night or self.stops)

    @property
    def open_ended_from(self) -> datetime | None:
        """The start of the first open-ended stop, None if there is none."""
        return min((stop.start for stop in self.stops if stop.end is None), default=None)


ALWAYS_RUNNING = Calendar()


@lru_cache(maxsize=1000)
def load_zone(name: str) -> ZoneInfo:
    """A time zone; UTC if the zone database does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


@lru_cache(maxsize=10_000)  # all games of a player use the same days
def local_to_utc(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """A local time in UTC.

    An ambiguous time is the first of the two; a skipped one moves by the length of the gap.
    """
    return datetime.combine(day, hour, tzinfo=zone).astimezone(UTC)


def iter_stops(calendar: Calendar, start: datetime, end: datetime) -> Iterator[ClockStop]:
    """Every stop that overlaps the period, and some near it; unordered, may overlap each other."""
    for stop in calendar.stops:
        if stop.start < end and (stop.end is None or stop.end > start):
            yield stop
    night_start, night_end = calendar.night or (time(), time())
    if not calendar.weekends and night_start == night_end:
        return
    zone = load_zone(calendar.zone)
    # One more day at each end: DST changes across midnight, and zones that skipped a whole day.
    day, last = (at.astimezone(zone).date() for at in (start - timedelta(days=3), end + timedelta(days=1)))
    while day <= last:
        if calendar.weekends and day.weekday() == 5:
            monday = local_to_utc(day + timedelta(days=2), time(), zone)
            yield ClockStop(StopReason.WEEKEND, local_to_utc(day, time(), zone), monday)
        if night_start != night_end:
            _previous_evening, previous_morning = night_starting_on(
                day - timedelta(days=1), night_start, night_end, zone
            )
            evening, morning = night_starting_on(day, night_start, night_end, zone)
            evening = max(evening, previous_morning + MIN_TIME_BETWEEN_NIGHTS)
            if evening < morning:  # false only where a DST change skips the night
                yield ClockStop(StopReason.NIGHT, evening, morning)
        day += timedelta(days=1)


@lru_cache(maxsize=10_000)
def night_starting_on(
    day: date, night_start: time, night_end: time, zone: ZoneInfo
) -> tuple[datetime, datetime]:
    """Start and end of the night that begins on a day, cut to MAX_NIGHT_LENGTH; may be inverted by a gap."""
    evening = local_to_utc(day, night_start, zone)
    morning = local_to_utc(day if night_start < night_end else day + timedelta(days=1), night_end, zone)
    return evening, min(morning, evening + MAX_NIGHT_LENGTH)


def stop_reasons_at(calendar: Calendar, at: datetime) -> tuple[StopReason, ...]:
    """The reasons why a clock stands still at a time; empty if it runs."""
    stops = iter_stops(calendar, at, at + timedelta(microseconds=1))
    return tuple(
        sorted({stop.reason for stop in stops if stop.start <= at and (not stop.end or at < stop.end)})
    )


def merge_stops(calendar: Calendar, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """The periods between start and end in which a clock stands still, in order and without overlap."""
    periods: list[tuple[datetime, datetime]] = []
    pieces = (
        (max(stop.start, start), min(stop.end or end, end)) for stop in iter_stops(calendar, start, end)
    )
    for period_start, period_end in sorted(piece for piece in pieces if piece[0] < piece[1]):
        if periods and period_start <= periods[-1][1]:
            periods[-1] = (periods[-1][0], max(periods[-1][1], period_end))
        else:
            periods.append((period_start, period_end))
    return periods


def measure_running_time(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """Return how long a clock runs between two times."""
    if end <= start:
        return NO_TIME
    if calendar.always_runs:
        return end - start
    return (
        end
        - start
        - sum(
            (period_end - period_start for period_start, period_end in merge_stops(calendar, start, end)),
            NO_TIME,
        )
    )


def add_running_time(calendar: Calendar, start: datetime, length: timedelta) -> datetime | None:
    """Return the time at which a clock that starts now has run for a length and still runs.

    None if an open-ended stop comes first.
    """
    if calendar.always_runs:
        return start + length
    open_ended_from = calendar.open_ended_from
    if open_ended_from and measure_running_time(calendar, start, open_ended_from) <= length:
        return None
    window = length + timedelta(days=4)
    while True:
        at = start
        left = length
        for period_start, period_end in merge_stops(calendar, start, start + window):
            if period_start - at > left:
                return at + left
            left -= period_start - at
            at = period_end
        if at + left < start + window:
            return at + left
        window *= 2


def earliest_time(times: Sequence[datetime | None]) -> datetime | None:
    """The earliest of the times that are not None."""
    return min((at for at in times if at is not None), default=None)


# ---------------------------------------------------------------------------------------- the clock of a seat


@dataclass(frozen=True)
class SeatClock:
    """The bank of a seat and, on turn, the allowance left; the clock runs from `runs_from` on."""

    bank: timedelta
    allowance_left: timedelta = NO_TIME
    runs_from: datetime | None = None
    turn_began_at: datetime | None = None  # when the turn began; `runs_from` is when its notice is due
    turn_seq: int = 0  # the seq at which the turn began; turn links are bound to it
    missed_turns: int = 0  # in a row, played by the server
    hours: PlayerHours | None = None  # of this turn, in games with weekends or nights off

    @property
    def is_on_turn(self) -> bool:
        """True if the seat is to act."""
        return self.runs_from is not None


def start_turn(
    seat_clock: SeatClock,
    *,
    now: datetime,
    allowance: int,
    turn_seq: int,
    quiet_calendar: Calendar = ALWAYS_RUNNING,
    hours: PlayerHours | None = None,
) -> SeatClock:
    """Start a turn: its clock runs from when the notice is due, with the hours of this moment."""
    at = notice_due_at(now, allowance, quiet_calendar)
    return replace(
        seat_clock,
        allowance_left=timedelta(seconds=allowance),
        runs_from=at,
        turn_began_at=now,
        turn_seq=turn_seq,
        hours=hours,
    )


def charge_elapsed_time(seat_clock: SeatClock, now: datetime, calendar: Calendar) -> SeatClock:
    """Deduct the time that ran until now."""
    if seat_clock.runs_from is None or now <= seat_clock.runs_from:
        return seat_clock
    used = measure_running_time(calendar, seat_clock.runs_from, now)
    left, bank = deduct_time(seat_clock, used)
    return replace(seat_clock, allowance_left=left, bank=bank, runs_from=now)


def deduct_time(seat_clock: SeatClock, used: timedelta) -> tuple[timedelta, timedelta]:
    """Allowance and bank after deducting a time: the allowance is used first."""
    overrun = max(used - seat_clock.allowance_left, NO_TIME)
    return max(seat_clock.allowance_left - used, NO_TIME), max(seat_clock.bank - overrun, NO_TIME)


def is_within_allowance(seat_clock: SeatClock, now: datetime) -> bool:
    """True if the bank is untouched even if the clock never stopped."""
    return seat_clock.runs_from is None or now - seat_clock.runs_from <= seat_clock.allowance_left


def stop_turn(seat_clock: SeatClock, now: datetime, calendar: Calendar) -> SeatClock:
    """End a turn: time beyond the allowance is deducted from the bank."""
    if not is_within_allowance(seat_clock, now):
        seat_clock = charge_elapsed_time(seat_clock, now, calendar)
    return replace(seat_clock, allowance_left=NO_TIME, runs_from=None, turn_began_at=None, hours=None)


def deadline_of(seat_clock: SeatClock, calendar: Calendar) -> datetime | None:
    """Return the deadline of a running clock; None if it does not run, or is stopped open-endedly."""
    if seat_clock.runs_from is None:
        return None
    return add_running_time(calendar, seat_clock.runs_from, seat_clock.allowance_left + seat_clock.bank)


# ----------------------------------------------------------------------------------------- notices, reminders


def build_quiet_calendar(zone: str, start: time | None, end: time | None) -> Calendar:
    """A calendar of a player's quiet hours, in which no notices go out."""
    return (
        Calendar(zone, night=(start, end))
        if start is not None and end is not None and start != end
        else ALWAYS_RUNNING
    )


def skip_quiet_hours(at: datetime, quiet_calendar: Calendar) -> datetime:
    """Return the first time from `at` on that is outside quiet hours; `at` itself where they never end."""
    return add_running_time(quiet_calendar, at, NO_TIME) or at


def notice_due_at(now: datetime, allowance: int, quiet_calendar: Calendar) -> datetime:
    """Return the time for a notice: after a short delay, and outside quiet hours unless the game is live."""
    at = now + min(MAX_NOTICE_DELAY, timedelta(seconds=allowance) / 20)
    return at if allowance < LIVE_ALLOWANCE_SECONDS else skip_quiet_hours(at, quiet_calendar)


def reminder_times(
    seat_clock: SeatClock,
    *,
    allowance: int,
    calendar: Calendar,
    used_percent: int | None,
    left_percent: int | None,
    round_ends_at: datetime | None = None,
) -> list[datetime]:
    """Return the times for reminders: with a percentage of the allowance used, and with one of all time left.

    If the tournament round ends before the deadline, the percentages refer to the time until then.
    """
    if seat_clock.runs_from is None:
        return []
    end = deadline_of(seat_clock, calendar)
    if round_ends_at and (end is None or round_ends_at < end):
        return reminder_times_before(
            round_ends_at, seat_clock, allowance, calendar, used_percent, left_percent
        )
    full_allowance = timedelta(seconds=allowance)
    lengths = []  # from `runs_from`, before which some allowance may have run
    if used_percent is not None:
        lengths.append(seat_clock.allowance_left - full_allowance * (100 - used_percent) / 100)
    if left_percent is not None:
        lengths.append(
            seat_clock.allowance_left
            + seat_clock.bank
            - (full_allowance + seat_clock.bank) * left_percent / 100
        )
    times = (
        add_running_time(calendar, seat_clock.runs_from, length) for length in lengths if length >= NO_TIME
    )
    return sorted({at for at in times if at})


def reminder_times_before(
    end: datetime,
    seat_clock: SeatClock,
    allowance: int,
    calendar: Calendar,
    used_percent: int | None,
    left_percent: int | None,
) -> list[datetime]:
    """Reminder times for a round end, which no clock stop postpones."""
    turn_began_at = seat_clock.turn_began_at or seat_clock.runs_from
    if turn_began_at is None or end <= turn_began_at:
        return []
    times: list[datetime | None] = []
    if used_percent is not None:
        times.append(turn_began_at + (end - turn_began_at) * used_percent / 100)
        times += reminder_times(
            seat_clock, allowance=allowance, calendar=calendar, used_percent=used_percent, left_percent=None
        )
        times = [earliest_time(times)]
    if left_percent is not None:
        times.append(end - (end - turn_began_at) * left_percent / 100)
    return sorted({at for at in times if at})


# --------------------------------------------------------------------------------------------------- vacation


def compute_vacation_balance(saved_balance: timedelta, since: datetime, now: datetime) -> timedelta:
    """A player's vacation balance: one day per twelve days, at most MAX_VACATION_BALANCE."""
    earned = max(now - since, NO_TIME) / DAYS_PER_VACATION_DAY
    return min(saved_balance + earned, MAX_VACATION_BALANCE)
