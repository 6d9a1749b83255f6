"""Durations as translated text."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def format_duration(length: timedelta) -> str:
    """A duration as days, hours and minutes, the two largest units only."""
    minutes = max(int(length.total_seconds()) // 60, 0)
    days, hours, minutes_left = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = []
    if days:
        parts.append(ngettext("%(n)s day", "%(n)s days", days) % {"n": days})
    if hours:
        parts.append(ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours})
    if minutes_left or not parts:
        parts.append(ngettext("%(n)s minute", "%(n)s minutes", minutes_left) % {"n": minutes_left})
    return _(" and ").join(parts[:2])
