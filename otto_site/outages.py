"""Outages of the database and of Redis: what counts as one, and how little of it is logged.

While one lasts every request and every task fails in the same way: a line for each of them, with its
traceback, would bury everything else. Every process logs one line for each kind, and the next a minute later.
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

RETRY_AFTER_SECONDS = 10  # what clients are asked to wait
LOG_EVERY_SECONDS = 60.0  # between two lines about one kind of outage
# Classes of SQLSTATE: connection, shutdown and start (without 57014, a statement that was cancelled).
AWAY_STATES = ("08", "57P")
# Out of resources, deadlock or serialization failure, lock not available, cancelled: tried again it may work.
BUSY_STATES = ("53", "40", "55", "57014")
SQLITE_AWAY = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
SQLITE_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Outage(StrEnum):
    """The kinds, as the log names them."""

    DATABASE_AWAY = "the database does not answer"
    DATABASE_BUSY = "the database cannot do this now"
    REDIS_AWAY = (
        "Redis does not answer; people can play, but bots, clocks, mails and tournaments wait until it does"
    )


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage that an error tells of; None if it is a mistake of ours or of a request."""
    if isinstance(error, SchedulingError):  # of beat, in place of what its broker said
        return outage_of(error.__context__)
    if isinstance(error, InterfaceError):
        return Outage.DATABASE_AWAY
    if isinstance(error, OperationalError):
        cause = error.__cause__
        if isinstance(cause, psycopg.Error):
            state = cause.sqlstate or "08"  # whoever cannot connect is told no state
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
    """Whether whoever asks should be told to come again in a moment."""
    return outage_of(error) in (Outage.DATABASE_AWAY, Outage.DATABASE_BUSY)


class OutageFilter(logging.Filter):
    """Lets one line a minute through for each kind of outage, without a traceback; for handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.logged_at: dict[Outage, float] = {}
        self.left_out: dict[Outage, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        outage = outage_of(error)
        if outage is None:
            # Django logs every answer of 503 once more; what was the matter has a line of its own.
            return not (record.name == "django.request" and getattr(record, "status_code", 0) == 503)
        now = time.monotonic()
        with self.lock:
            if now - self.logged_at.get(outage, -LOG_EVERY_SECONDS) < LOG_EVERY_SECONDS:
                self.left_out[outage] = self.left_out.get(outage, 0) + 1
                return False
            self.logged_at[outage] = now
            left_out = self.left_out.pop(outage, 0)
        first_line = (str(error).strip().splitlines() or [""])[0]
        more = f"; {left_out} more lines about it were left out" if left_out else ""
        record.msg, record.args = f"{outage}: {first_line}{more}", None
        if outage is not Outage.DATABASE_BUSY:  # who held a lock for so long is worth a look
            record.exc_info = record.exc_text = None
        return True
