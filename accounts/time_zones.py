"""Names of time zones that this server knows."""

from __future__ import annotations

import zoneinfo
from functools import cache

DEFAULT_TIME_ZONE = "UTC"


@cache
def load_time_zone_names() -> frozenset[str]:
    """All time zone names. Cached: listing them reads hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


def time_zone_or_default(name: str) -> str:
    """The zone that a browser names, or the default if it is unknown."""
    return name if name in load_time_zone_names() else DEFAULT_TIME_ZONE
