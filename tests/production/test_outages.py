"""Outages are recognised, and logged once a minute instead of once a request."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import DatabaseError, DataError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from kombu.exceptions import OperationalError as BrokerError

from otto_site import outages
from otto_site.error_pages import BadInputMiddleware, show_server_error
from otto_site.errors import handle_api_error
from otto_site.outages import LOG_EVERY_SECONDS, Outage, OutageFilter, outage_of


def wrap_error(error: Exception) -> OperationalError:
    """Wrap a database error as Django does."""
    wrapped = OperationalError(*error.args)
    wrapped.__cause__ = error
    return wrapped


def raise_sqlite_error(folder: Path, fault: str) -> sqlite3.Error:
    """Provoke a real SQLite error."""
    file = folder / "a.sqlite3"
    with sqlite3.connect(file, timeout=0) as own_connection, sqlite3.connect(file, timeout=0) as two:
        try:
            if fault == "locked":
                own_connection.execute("BEGIN IMMEDIATE")
                two.execute("BEGIN IMMEDIATE")
            elif fault == "no folder":
                sqlite3.connect(folder / "nowhere" / "b.sqlite3").execute("SELECT 1")
            else:
                own_connection.execute("SELECT * FROM nothing")
        except sqlite3.Error as error:
            return error
        finally:
            own_connection.rollback()
    raise AssertionError(fault)


@pytest.mark.filterwarnings("ignore:unclosed database")
@pytest.mark.parametrize(
    ("fault", "outage"),
    [("locked", Outage.DATABASE_BUSY), ("no folder", Outage.DATABASE_AWAY), ("a mistake of ours", None)],
)
def test_what_sqlite_says_is_an_outage_or_our_mistake(
    tmp_path: Path, fault: str, outage: Outage | None
) -> None:
    assert outage_of(wrap_error(raise_sqlite_error(tmp_path, fault))) is outage


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("statement", "outage"),
    [
        ("SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(5)", Outage.DATABASE_BUSY),
        ("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)", Outage.DATABASE_AWAY),
        ("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$", Outage.DATABASE_BUSY),
        ("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '53100'; END $$", Outage.DATABASE_BUSY),
        ("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '57P03'; END $$", Outage.DATABASE_AWAY),
        ("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '22003'; END $$", None),
        ("SELECT no_such_column", None),
    ],
)
def test_what_postgresql_says_is_an_outage_or_our_mistake(statement: str, outage: Outage | None) -> None:
    other = connection.copy("outage")
    try:
        with other.cursor() as cursor, pytest.raises(DatabaseError) as raised:
            cursor.execute(statement)
        assert outage_of(raised.value) is outage
    finally:
        other.close()


def test_other_errors_are_distinguished() -> None:
    assert outage_of(InterfaceError("connection already closed")) is Outage.DATABASE_AWAY
    assert outage_of(BrokerError("refused")) is Outage.REDIS_AWAY
    for error in (None, ValueError(), DataError(), OperationalError("odd")):
        assert outage_of(error) is None


# -------------------------------------------------------------------------------------------------- logging


class LogLines(logging.Handler):
    """Collects the log lines that pass its filters."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def log_lines() -> Iterator[LogLines]:
    handler = LogLines()
    handler.addFilter(OutageFilter())
    logger = logging.getLogger("tests.outages")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def log_error(error: Exception) -> None:
    try:
        raise error
    except Exception:
        logging.getLogger("tests.outages").exception("a request failed")


def test_an_outage_is_one_line_a_minute_without_a_traceback(
    log_lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: clock[0])
    for _ in range(100):
        log_error(InterfaceError("connection refused\nIs the server running?"))
    assert log_lines.lines == ["the database does not answer: connection refused"]
    log_error(BrokerError("refused"))  # each kind of outage has its own line
    assert log_lines.lines[1:] == [f"{Outage.REDIS_AWAY}: refused"]
    clock[0] += LOG_EVERY_SECONDS + 1
    log_error(InterfaceError("connection refused"))
    assert log_lines.lines[2:] == [
        "the database does not answer: connection refused; 99 more lines about it were left out"
    ]


def test_our_own_mistakes_are_logged_each_time_and_in_full(log_lines: LogLines) -> None:
    for _ in range(3):
        log_error(ValueError("ours"))
    assert len(log_lines.lines) == 3
    assert all("Traceback" in line and "ValueError: ours" in line for line in log_lines.lines)


# ------------------------------------------------------------------------------------------------- responses


def build_busy_error() -> OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return wrap_error(error)


def iter_responses(path: str, error: Exception) -> Iterator[HttpResponse | None]:
    """Yield the responses to an error in a view, in an API view and in a middleware."""
    request: HttpRequest = RequestFactory().get(path)
    yield BadInputMiddleware(lambda request: HttpResponse()).process_exception(request, error)
    try:
        raise error
    except Exception:
        yield show_server_error(request)
    if path.startswith("/api/v1/"):
        yield handle_api_error(error, {})


@pytest.mark.parametrize("path", ["/games/", "/api/v1/games/"])
def test_wherever_an_outage_is_met_the_answer_is_503(path: str) -> None:
    for error in (build_busy_error(), InterfaceError("connection already closed")):
        for answer in iter_responses(path, error):
            assert answer is not None
            assert int(answer["Retry-After"]) > 0
            assert answer.status_code == 503
            if path.startswith("/api/v1/"):
                assert answer["Content-Type"] == "application/problem+json"
                assert json.loads(answer.content)["code"] == "unavailable"
            else:
                assert "We cannot answer right now." in answer.text


def test_our_own_mistake_is_still_called_so() -> None:
    view, middleware, api = iter_responses("/api/v1/games/", ValueError("ours"))
    assert (view, api) == (None, None)
    assert middleware is not None
    assert (middleware.status_code, json.loads(middleware.content)["code"]) == (500, "internal")


def test_the_page_that_lists_the_codes_knows_it(client: Client) -> None:
    assert 'id="unavailable"' in client.get("/api/errors/").text
