"""Dates and times for people: in the active time zone, which is always named."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString


def format_datetime(at: datetime) -> str:
    """A time with its time zone, which every language's DATETIME_FORMAT includes."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


def format_datetime_html(at: datetime | None) -> SafeString:
    """A time in a <time> element; empty for None."""
    if at is None:
        return SafeString()
    return format_html(
        '<time datetime="{}">{}</time>', timezone.localtime(at).isoformat(), format_datetime(at)
    )
