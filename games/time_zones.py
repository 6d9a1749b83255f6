"""Which names of time zones are known here."""

from __future__ import annotations

import zoneinfo
from functools import cache

DEFAULT_TIME_ZONE = "UTC"


@cache
def known_time_zones() -> frozenset[str]:
    """All names; to look for them reads a folder of hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


def time_zone_or_default(name: str) -> str:
    """The zone that a browser names, or the site's own if there is none of that name."""
    return name if name in known_time_zones() else DEFAULT_TIME_ZONE
