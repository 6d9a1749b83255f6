"""Lengths of time in words."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def lasting(length: timedelta) -> str:
    """Days and hours, or hours and minutes, or minutes; the two that matter."""
    minutes = max(int(length.total_seconds()) // 60, 0)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = []
    if days:
        parts.append(ngettext("%(n)s day", "%(n)s days", days) % {"n": days})
    if hours:
        parts.append(ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours})
    if rest or not parts:
        parts.append(ngettext("%(n)s minute", "%(n)s minutes", rest) % {"n": rest})
    return _(" and ").join(parts[:2])
