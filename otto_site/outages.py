"""Outages of the database and of Redis: which errors count as one, and how they are logged.

During an outage every request and task fails alike. Each process logs one line per kind of outage and minute
instead of a traceback for each failure.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from enum import StrEnum

import psycopg
from celery.beat import SchedulingError
from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

RETRY_AFTER_SECONDS = 10  # Retry-After of a 503
LOG_EVERY_SECONDS = 60.0  # between two lines about one kind of outage
# SQLSTATE prefixes: connection errors, shutdown and start-up (57014, query cancelled, is below).
AWAY_STATES = ("08", "57P")
# Resources, deadlock or serialization failure, lock not available, query cancelled: a retry may work.
BUSY_STATES = ("53", "40", "55", "57014")
SQLITE_AWAY = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
SQLITE_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Outage(StrEnum):
    """The kinds of outage, with their log texts."""

    DATABASE_AWAY = "the database does not answer"
    DATABASE_BUSY = "the database cannot do this now"
    REDIS_AWAY = (
        "Redis does not answer; people can play, but bots, clocks, mails and tournaments wait until it does"
    )


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage behind an error, or None if it is a bug or a bad request."""
    if isinstance(error, SchedulingError):  # raised by beat in place of the broker's error
        return outage_of(error.__context__)
    if isinstance(error, InterfaceError):
        return Outage.DATABASE_AWAY
    if isinstance(error, OperationalError):
        cause = error.__cause__
        if isinstance(cause, psycopg.Error):
            state = cause.sqlstate or "08"  # a failed connection has no SQLSTATE
            if state.startswith(AWAY_STATES):
                return Outage.DATABASE_AWAY
            return Outage.DATABASE_BUSY if state.startswith(BUSY_STATES) else None
        if isinstance(cause, sqlite3.Error):
            code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in SQLITE_AWAY:
                return Outage.DATABASE_AWAY
            return Outage.DATABASE_BUSY if code in SQLITE_BUSY else None
        return None
    if isinstance(error, BrokerError | RedisConnectionError | RedisTimeoutError):
        return Outage.REDIS_AWAY
    return None


def is_database_outage(error: BaseException | None) -> bool:
    """Return whether the client should retry in a moment."""
    return outage_of(error) in (Outage.DATABASE_AWAY, Outage.DATABASE_BUSY)


class OutageFilter(logging.Filter):
    """Log filter for handlers: one line a minute per kind of outage, without traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.logged_at: dict[Outage, float] = {}
        self.suppressed_counts: dict[Outage, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record; rewrites records about an outage."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        outage = outage_of(error)
        if outage is None:
            # Django logs every 503 response again; the outage itself has its own line.
            return not (record.name == "django.request" and getattr(record, "status_code", 0) == 503)
        now = time.monotonic()
        with self.lock:
            if now - self.logged_at.get(outage, -LOG_EVERY_SECONDS) < LOG_EVERY_SECONDS:
                self.suppressed_counts[outage] = self.suppressed_counts.get(outage, 0) + 1
                return False
            self.logged_at[outage] = now
            suppressed_count = self.suppressed_counts.pop(outage, 0)
        first_line = (str(error).strip().splitlines() or [""])[0]
        suffix = f"; {suppressed_count} more lines about it were left out" if suppressed_count else ""
        record.msg, record.args = f"{outage}: {first_line}{suffix}", None
        if outage is not Outage.DATABASE_BUSY:  # the traceback helps to find a long lock
            record.exc_info = record.exc_text = None
        return True
