"""Calendar files (RFC 5545). Imported late: few processes ever write one, and icalendar is slow to load."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from icalendar import TRANSP, Calendar, Event, Timezone, vDuration, vText

from .feeds import CalendarEntry

REFRESH_INTERVAL = timedelta(minutes=15)  # how often a calendar program should ask


def build_calendar(name: str, entries: Iterable[CalendarEntry], *, empty_text: str) -> bytes:
    """Return a calendar as a file; `empty_text` describes it when there are no entries."""
    calendar = Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", "-//OTTO online//deadlines//EN")
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    calendar.add("X-WR-CALNAME", vText(name))  # without vText, values of X- properties are not escaped
    calendar.add("REFRESH-INTERVAL", REFRESH_INTERVAL, {"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(REFRESH_INTERVAL))
    calendar.subcomponents = [build_event(entry) for entry in entries]
    if not calendar.subcomponents:
        calendar.add("X-WR-CALDESC", vText(empty_text))
        # A calendar must have a component (RFC 5545, 3.6): here it is the time zone.
        calendar.add_component(Timezone.from_tzid("UTC"))
    return calendar.to_ical(sorted=False)


def build_event(entry: CalendarEntry) -> Event:
    """Return an entry as a component of a calendar; it does not block the time."""
    return Event.new(
        uid=f"{entry.uid}@{urlsplit(settings.SITE_URL).hostname}",
        stamp=entry.created_at,
        sequence=entry.version,
        start=entry.starts_at.astimezone(UTC),
        summary=entry.title,
        description=f"{entry.text} {entry.url}",
        url=entry.url,
        transparency=TRANSP.TRANSPARENT,
    )
