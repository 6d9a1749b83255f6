"""Weekends and nights in the player's zone, on days with a clock change. Expected times are in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from games.clock import (
    Calendar,
    add_running_time,
    load_zone,
    local_to_utc,
    measure_running_time,
    merge_stops,
    stop_reasons_at,
)

from .naive import utc

DAY = timedelta(days=1)


def find_weekend(zone: str, near: str) -> tuple[datetime, datetime]:
    """Return the only weekend within three days of a time."""
    middle = utc(near)
    (stop,) = merge_stops(Calendar(zone, weekends=True), middle - 3 * DAY, middle + 3 * DAY)
    return stop


def list_nights(
    zone: str, night_start: time, night_end: time, start: str, end: str
) -> list[tuple[datetime, datetime]]:
    return merge_stops(Calendar(zone, night=(night_start, night_end)), utc(start), utc(end))


# --------------------------------------------------------------------------------------------------- weekends


@pytest.mark.parametrize(
    ("zone", "start", "end", "hours"),
    [
        ("UTC", "2026-06-13T00", "2026-06-15T00", 48),
        ("Europe/Rome", "2026-06-12T22", "2026-06-14T22", 48),
        ("Europe/Rome", "2026-03-27T23", "2026-03-29T22", 47),
        ("Europe/Rome", "2026-10-23T22", "2026-10-25T23", 49),
        ("America/New_York", "2026-03-07T05", "2026-03-09T04", 47),
        ("America/New_York", "2026-10-31T04", "2026-11-02T05", 49),
        ("Australia/Lord_Howe", "2026-04-03T13", "2026-04-05T13:30", 48.5),
        ("Australia/Lord_Howe", "2026-10-02T13:30", "2026-10-04T13", 47.5),
        ("Africa/Casablanca", "2025-02-21T23", "2025-02-24T00", 49),
        ("Africa/Casablanca", "2025-04-05T00", "2025-04-06T23", 47),
        ("Asia/Kathmandu", "2026-01-02T18:15", "2026-01-04T18:15", 48),
        ("America/Sao_Paulo", "2018-11-03T03", "2018-11-05T02", 47),
        ("America/Sao_Paulo", "2018-02-17T02", "2018-02-19T03", 49),
        ("Pacific/Apia", "2011-12-30T10", "2012-01-01T10", 48),
        ("Pacific/Kwajalein", "1993-08-21T12", "1993-08-22T12", 24),
        ("America/St_Johns", "2010-11-06T02:30", "2010-11-08T03:30", 49),
    ],
)
def test_a_weekend_is_from_midnight_to_midnight_where_the_player_is(
    zone: str, start: str, end: str, hours: float
) -> None:
    stop = find_weekend(zone, start)
    assert stop == (utc(start), utc(end))
    assert stop[1] - stop[0] == timedelta(hours=hours)


def test_the_last_hour_of_a_sunday_of_25_hours_is_still_weekend() -> None:
    """24 hours earlier it is already Sunday."""
    at = utc("2026-10-25T22:30")
    assert stop_reasons_at(Calendar("Europe/Rome", weekends=True), at) == ("weekend",)
    assert add_running_time(Calendar("Europe/Rome", weekends=True), at, timedelta()) == utc("2026-10-25T23")


def test_a_weekend_may_span_two_years() -> None:
    assert find_weekend("UTC", "2023-01-01T12") == (utc("2022-12-31T00"), utc("2023-01-02T00"))


def test_it_is_still_friday_here_when_it_is_saturday_there() -> None:
    at = utc("2026-06-12T15")
    assert stop_reasons_at(Calendar("Asia/Tokyo", weekends=True), at) == ("weekend",)
    assert stop_reasons_at(Calendar("Europe/Rome", weekends=True), at) == ()
    assert stop_reasons_at(Calendar("America/Los_Angeles", weekends=True), utc("2026-06-15T06:59")) == (
        "weekend",
    )
    assert stop_reasons_at(Calendar("America/Los_Angeles", weekends=True), utc("2026-06-15T07:00")) == ()


# ----------------------------------------------------------------------------------------------------- nights


@pytest.mark.parametrize(
    ("night_start", "night_end", "start", "end"),
    [
        # Rome, 29 March 2026: from 02:00 to 03:00, at 01:00 UTC.
        (time(23), time(7), "2026-03-28T22", "2026-03-29T05"),
        (time(0), time(6), "2026-03-28T23", "2026-03-29T04"),
        (time(23), time(2, 30), "2026-03-28T22", "2026-03-29T01:30"),
        (time(2, 30), time(7), "2026-03-29T01:30", "2026-03-29T05"),
        (time(2, 15), time(2, 45), "2026-03-29T01:15", "2026-03-29T01:45"),
        (time(2), time(3, 30), "2026-03-29T01", "2026-03-29T01:30"),
        # Rome, 25 October 2026: from 03:00 to 02:00, at 01:00 UTC.
        (time(23), time(7), "2026-10-24T21", "2026-10-25T06"),
        (time(22), time(2, 30), "2026-10-24T20", "2026-10-25T00:30"),
        (time(2, 30), time(7), "2026-10-25T00:30", "2026-10-25T06"),
        (time(2, 15), time(2, 45), "2026-10-25T00:15", "2026-10-25T00:45"),
        (time(2), time(3), "2026-10-25T00", "2026-10-25T02"),
    ],
)
def test_a_night_whose_edge_is_skipped_or_comes_twice(
    night_start: time, night_end: time, start: str, end: str
) -> None:
    day = utc(end).replace(hour=0, minute=0)
    stops = merge_stops(Calendar("Europe/Rome", night=(night_start, night_end)), day - DAY / 4, day + DAY / 2)
    assert stops == [(utc(start), utc(end))]


def test_a_night_that_is_skipped_altogether_is_none() -> None:
    half = (time(2, 30), time(3, 15))
    assert list_nights("Europe/Rome", *half, "2026-03-28T12", "2026-03-29T12") == []
    whole = (time(2), time(3))
    assert list_nights("Europe/Rome", *whole, "2026-03-28T12", "2026-03-29T12") == []
    (next_one,) = list_nights("Europe/Rome", *half, "2026-03-29T12", "2026-03-30T12")
    assert next_one == (utc("2026-03-30T00:30"), utc("2026-03-30T01:15"))


def test_a_night_from_a_midnight_that_is_skipped_starts_with_the_day() -> None:
    (stop,) = list_nights("America/Sao_Paulo", time(0), time(6), "2018-11-03T12", "2018-11-04T12")
    assert stop == (utc("2018-11-04T03"), utc("2018-11-04T08"))


def test_half_an_hour_more_or_less_counts_as_half_an_hour() -> None:
    (autumn,) = list_nights("Australia/Lord_Howe", time(23), time(7), "2026-04-04T06", "2026-04-05T06")
    assert autumn == (utc("2026-04-04T12"), utc("2026-04-04T20:30"))
    (spring,) = list_nights("Australia/Lord_Howe", time(23), time(7), "2026-10-03T06", "2026-10-04T06")
    assert spring == (utc("2026-10-03T12:30"), utc("2026-10-03T20"))


def test_the_day_that_was_left_out_has_no_night_of_its_own() -> None:
    assert list_nights("Pacific/Apia", time(23), time(7), "2011-12-29T18", "2012-01-01T00") == [
        (utc("2011-12-30T09"), utc("2011-12-30T17")),
        (utc("2011-12-31T09"), utc("2011-12-31T17")),
    ]


def test_clocks_put_back_across_midnight_neither_make_nor_lose_time() -> None:
    """A night that has begun goes on, although the local time is set back to the evening before."""
    calendar = Calendar("America/St_Johns", night=(time(0), time(6)))
    night_start, night_end = utc("2010-11-07T02:30"), utc("2010-11-07T09:30")
    repeated_hour = utc("2010-11-07T03:00")  # 23:30 on Saturday, for the second time
    assert merge_stops(calendar, night_start - DAY / 4, night_end + DAY / 4) == [(night_start, night_end)]
    assert stop_reasons_at(calendar, repeated_hour) == ("night",)
    assert measure_running_time(calendar, night_start - DAY / 4, repeated_hour) == DAY / 4
    assert add_running_time(calendar, repeated_hour, timedelta()) == night_end


def test_nights_of_one_day_and_into_the_next() -> None:
    assert list_nights("Asia/Kathmandu", time(13), time(15), "2026-01-01T00", "2026-01-02T00") == [
        (utc("2026-01-01T07:15"), utc("2026-01-01T09:15"))
    ]
    assert list_nights("Asia/Kathmandu", time(22), time(6), "2026-12-31T12", "2027-01-01T12") == [
        (utc("2026-12-31T16:15"), utc("2027-01-01T00:15"))
    ]


def test_every_local_minute_far_from_a_change_is_judged_by_the_wall_clock() -> None:
    calendar = Calendar("Europe/Amsterdam", weekends=True, night=(time(22, 30), time(6, 45)))
    zone = load_zone("Europe/Amsterdam")
    for minute in range(0, 9 * 1440, 5):
        at = utc("2026-07-01T00:03") + timedelta(minutes=minute)
        wall = at.astimezone(zone)
        night = wall.time() >= time(22, 30) or wall.time() < time(6, 45)
        expected = ("night",) * night + ("weekend",) * (wall.isoweekday() > 5)
        assert stop_reasons_at(calendar, at) == expected, wall


# --------------------------------------------------------------------------------- days, years, strange zones


def test_a_leap_day_is_a_day_like_any_other() -> None:
    two_days = timedelta(days=2)
    for year, end in ((2027, "2027-03-02T12"), (2028, "2028-03-01T12"), (2100, "2100-03-02T12")):
        assert add_running_time(Calendar(), utc(f"{year}-02-28T12"), two_days) == utc(end)
    nightly = Calendar("Europe/Rome", night=(time(23), time(7)))
    assert measure_running_time(nightly, utc("2028-02-28T23"), utc("2028-02-29T23")) == timedelta(hours=16)
    assert stop_reasons_at(nightly, utc("2028-02-29T22")) == ("night",)
    assert add_running_time(Calendar("UTC", weekends=True), utc("2020-02-28T12"), DAY) == utc("2020-03-02T12")


def test_a_year_ends_in_the_middle_of_a_night() -> None:
    nightly = Calendar("Europe/Rome", night=(time(23), time(7)))
    assert add_running_time(nightly, utc("2026-12-31T21"), timedelta(hours=2)) == utc("2027-01-01T07")


def test_an_allowance_over_a_change_of_the_clocks_is_as_long_as_ever() -> None:
    """Without stops it is counted in UTC; with nights it gains the hour that a night loses, or vice versa."""
    for start in ("2026-03-28T12", "2026-10-24T12"):
        assert add_running_time(Calendar("Europe/Rome"), utc(start), DAY) == utc(start) + DAY
    nightly = Calendar("Europe/Rome", night=(time(23), time(7)))
    # Ten hours until 23:00, six more from 07:00.
    assert add_running_time(nightly, utc("2026-03-28T12"), timedelta(hours=16)) == utc("2026-03-29T11")
    assert add_running_time(nightly, utc("2026-10-24T12"), timedelta(hours=16)) == utc("2026-10-25T13")


@pytest.mark.parametrize(
    "name", ["Mars/Olympus_Mons", "", "../etc/passwd", "/etc/passwd", "Europe/Rome ", "\0"]
)
def test_a_zone_that_nobody_knows_counts_as_utc(name: str) -> None:
    assert load_zone(name).utcoffset(datetime(2026, 7, 1)) == timedelta()
    at = utc("2026-06-13T00")
    assert find_weekend(name, "2026-06-13T00") == (at, at + 2 * DAY)


def test_a_local_time_becomes_a_point_in_time_in_utc() -> None:
    rome = load_zone("Europe/Rome")
    instant = local_to_utc(datetime(2026, 7, 1).date(), time(9, 30), rome)
    assert instant == utc("2026-07-01T07:30")
    assert instant.tzinfo is UTC
