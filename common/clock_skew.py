"""The skew of this machine's clock against the database's, which all machines share."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

log = logging.getLogger(__name__)
MAX_CLOCK_SKEW = timedelta(minutes=1)  # allowed between the clocks of two machines


def measure_clock_skew(now: datetime) -> timedelta:
    """Measure how far this machine's clock is from the database's, which all machines share."""
    if connection.vendor != "postgresql":
        return timedelta(0)  # SQLite is a file on this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return abs(now - cursor.fetchone()[0])


def is_clock_accurate() -> bool:
    """True if this machine's clock agrees with the database's; a wrong one would cost players their time."""
    skew = measure_clock_skew(timezone.now())
    if skew > MAX_CLOCK_SKEW:
        log.error(
            "this machine's clock differs from the database's by %s; no tasks run on this machine", skew
        )
    return skew <= MAX_CLOCK_SKEW
