"""Quiet hours: a part of the day in which a player gets no notices."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from common.duration_format import format_duration

MAX_QUIET_HOURS = timedelta(hours=12)


def measure_quiet_hours(start: time, end: time) -> timedelta:
    """Return the length of quiet hours by local time."""
    day = date(2001, 1, 1)
    length = datetime.combine(day, end) - datetime.combine(day, start)
    return length if length > timedelta() else length + timedelta(days=1)


def describe_longest_quiet_hours() -> str:
    """The maximum length of quiet hours."""
    return _("Quiet hours can last up to %(span)s.") % {"span": format_duration(MAX_QUIET_HOURS)}


lazy_longest_quiet_hours = lazy(describe_longest_quiet_hours, str)


def check_quiet_hours(start: time | None, end: time | None) -> None:
    """Raise ValidationError unless quiet hours have a start and an end and are not too long."""
    if (start is None) != (end is None):
        missing = "quiet_from" if start is None else "quiet_until"
        raise ValidationError({missing: _("Enter both times, or leave both empty.")})
    if start is not None and end is not None and measure_quiet_hours(start, end) > MAX_QUIET_HOURS:
        raise ValidationError({"quiet_until": describe_longest_quiet_hours()})
