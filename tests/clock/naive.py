"""A naive second implementation of the clock arithmetic: it walks through time in steps of 15 minutes.

Local times are looked up in a table of all steps; nothing is computed from an offset, and no intervals are
compared. Hypothesis draws the calendars, mostly around days on which the clocks of a zone are changed.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from games.clock import Calendar, ClockStop

STEP = timedelta(minutes=15)
NEVER = timedelta()
SPAN = 12  # days that a walk covers; stops without an end last longer
MICROSECOND = timedelta(microseconds=1)
HALF = timedelta(hours=12)  # the longest night, and the shortest day between two nights

# Zones with moments worth a walk: most are within a day of a clock change.
SPOTS = [
    ("UTC", "2026-06-15T00"),
    ("UTC", "2028-02-28T12"),
    ("UTC", "2022-12-31T00"),
    ("Europe/Rome", "2026-03-29T01"),
    ("Europe/Rome", "2026-10-25T01"),
    ("America/New_York", "2026-03-08T07"),
    ("America/New_York", "2026-11-01T06"),
    ("Australia/Lord_Howe", "2026-04-04T15"),  # by half an hour
    ("Australia/Lord_Howe", "2026-10-03T15"),
    ("Africa/Casablanca", "2025-02-23T02"),  # back for Ramadan, and forward after it
    ("Africa/Casablanca", "2025-04-06T02"),
    ("Asia/Kathmandu", "2026-01-01T00"),
    ("America/Sao_Paulo", "2018-11-04T03"),  # a day without midnight
    ("America/Sao_Paulo", "2018-02-18T02"),
    ("America/St_Johns", "2010-11-07T02"),  # from 00:01 back into the previous day
    ("America/St_Johns", "2010-03-14T03"),
    ("Pacific/Apia", "2011-12-30T10"),  # a skipped Friday
    ("Pacific/Kwajalein", "1993-08-21T12"),  # a skipped Saturday
    ("Mars/Olympus_Mons", "2026-03-29T01"),
]


def utc(text: str) -> datetime:
    """Parse a point in time, written in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# ------------------------------------------------------------------------------------------------- strategies


def time_spans(unit: timedelta, most: timedelta, least: timedelta = NEVER) -> st.SearchStrategy[timedelta]:
    """Draw lengths of time in whole units."""
    return st.integers(least // unit, most // unit).map(lambda number: number * unit)


def day_hours(unit: timedelta) -> st.SearchStrategy[time]:
    """Draw times of a day; round times in the small hours more often, because clocks are changed then."""
    least = max(unit, timedelta(seconds=1))
    anywhen = st.integers(0, timedelta(days=1) // least - 1).map(
        lambda number: (datetime.min + number * least).time()
    )
    return anywhen | st.sampled_from([time(h, m) for h in (0, 1, 2, 3, 7, 22, 23) for m in (0, 15, 30)])


@st.composite
def calendars(
    draw: st.DrawFn, unit: timedelta = MICROSECOND, *, endless: bool = True
) -> tuple[Calendar, datetime]:
    """Draw a calendar, and a time from which to walk through it. All its edges are whole units."""
    zone, spot = draw(st.sampled_from(SPOTS))
    start = utc(spot) + draw(time_spans(unit, timedelta(days=3), timedelta(days=-6)))
    stops = []
    for _ in range(draw(st.integers(0, 3))):
        begin = start + draw(time_spans(unit, timedelta(days=SPAN), timedelta(days=-4)))
        length = draw(time_spans(unit, timedelta(days=6)))
        open_end = endless and not draw(st.integers(0, 3))
        reason = draw(st.sampled_from(["vacation", "agreed", "incident"]))
        stops.append(ClockStop(reason, begin, None if open_end else begin + length))
    night = draw(st.none() | st.tuples(day_hours(unit), day_hours(unit)).filter(is_short_night))
    return Calendar(zone, draw(st.booleans()), night, tuple(stops)), start


def is_short_night(night: tuple[time, time]) -> bool:
    """True if a night leaves enough of the day; otherwise a week of running time would take years."""
    night_start, night_end = (datetime.combine(datetime.min, hour) for hour in night)
    return NEVER < (night_end - night_start) % timedelta(days=1) <= timedelta(hours=16)


# --------------------------------------------------------------------------------------------------- the walk


class Walk:
    """The stop reasons of a calendar, step by step, from four days before a walk to three days after it."""

    def __init__(self, calendar: Calendar, start: datetime, days: int = SPAN) -> None:
        zone = ZoneInfo("UTC") if calendar.zone.startswith("Mars/") else ZoneInfo(calendar.zone)
        before, behind = timedelta(days=4), timedelta(days=days + 3)
        steps = range((before + behind) // STEP)
        self.start = start
        self.times = [start - before + n * STEP for n in steps]
        # Each local time with the instant at which it occurs first.
        self.local_times: dict[datetime, datetime] = {}
        for at in self.times:
            self.local_times.setdefault(at.astimezone(zone).replace(tzinfo=None), at)
        self.stop_reasons: list[set[str]] = [set() for _ in steps]
        for rest in calendar.stops:
            self.mark(rest.reason, rest.start, rest.end)
        first, last = min(self.local_times).date(), max(self.local_times).date()
        awake: datetime | None = None  # the end of the previous night
        for number in range((last - first).days + 1):  # a day that the zone skips has edges as well
            day = first + timedelta(days=number)
            midnight = datetime.combine(day, time())
            if calendar.weekends and day.isoweekday() == 6:
                self.mark("weekend", self.to_instant(midnight), self.to_instant(midnight + timedelta(days=2)))
            if calendar.night:
                night_start, night_end = (datetime.combine(day, hour) for hour in calendar.night)
                begin, end = (
                    self.to_instant(night_start),
                    self.to_instant(night_end + timedelta(days=night_end < night_start)),
                )
                end = min(end, begin + HALF)
                if awake is not None and begin < awake + HALF:  # half a day runs between two nights
                    begin = awake + HALF
                awake = end
                self.mark("night", begin, end)

    def to_instant(self, wall: datetime) -> datetime:
        """Return the first instant with a local time; a skipped time counts from the last existing one."""
        if wall in self.local_times:
            return self.local_times[wall]
        if wall < min(self.local_times):
            return self.times[0]
        last = max(local_time for local_time in self.local_times if local_time < wall)
        return self.local_times[last] + (wall - last)

    def step(self, at: datetime) -> int:
        """Return the number of the step that begins at a time, or of the nearest step."""
        return min(max((at - self.times[0]) // STEP, 0), len(self.times))

    def mark(self, reason: str, begin: datetime, end: datetime | None) -> None:
        for n in range(self.step(begin), self.step(end) if end else len(self.times)):
            self.stop_reasons[n].add(reason)

    def running(self, begin: datetime, end: datetime) -> timedelta:
        return STEP * sum(not reasons for reasons in self.stop_reasons[self.step(begin) : self.step(end)])

    def after(self, length: timedelta) -> datetime | None:
        """Return the running moment at which so much time has run; None if the walk ends earlier."""
        ran = NEVER
        for n in range(self.step(self.start), len(self.times)):
            if not self.stop_reasons[n]:
                if ran == length:
                    return self.times[n]
                ran += STEP
        return None
