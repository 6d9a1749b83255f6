"""A walk over every route of the site with every method, filled in with ada's objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize

from accounts.models import Player

from .world import Rows, World, dump_rows

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
READING = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SET ", "EXPLAIN")
# Tables that any request may write: sessions, and last_seen_at of players.
OWN = {Session._meta.db_table, Player._meta.db_table}
WRONG = {"key": "wrong", "token": "wrong", "uidb36": "1", "url": "nothing", "app_label": "games"}
WRONG |= {"object_id": "1", "content_type_id": "1"}

Route = tuple[str, str, list[str]]


def iter_routes(resolver: URLResolver, prefix: str = "", filling: str = "") -> Iterator[Route]:
    """Yield every route with its address template and the names to fill in."""
    for entry in resolver.url_patterns:
        [(form, names)] = normalize(entry.pattern.regex.pattern)[:1]
        route, address = prefix + str(entry.pattern), filling + form.removesuffix("%")
        if isinstance(entry, URLResolver):
            yield from iter_routes(entry, route, address)
        elif isinstance(entry, URLPattern):
            yield route, address, names


def list_routes() -> list[Route]:
    """List the routes of the site."""
    return list(iter_routes(get_resolver()))


@dataclass
class Walker:
    """A client of the site that sends requests by browser or with a token."""

    world: World
    name: str
    client: Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.world.browser(self.name)
        self.cookies = deepcopy(self.client.cookies)
        self.program = Client(raise_request_exception=False)
        self.headers = self.world.program(self.name)

    def ask(self, method: str, path: str, body: Any = None) -> HttpResponse:
        """Send one request: form data to pages, JSON to the API."""
        if path.startswith("/api/v1/"):
            data = json.dumps({} if body is None else body) if method != "GET" else ""
            self.program.cookies.clear()  # as on the first request
            answer: HttpResponse = self.program.generic(
                method, path, data, "application/json", headers=self.headers
            )
            if answer.status_code != 403 or json.loads(answer.content)["code"] != "session-only":
                return answer
            self.client.cookies = deepcopy(self.cookies)
            return self.client.generic(method, path, data, "application/json")
        self.client.cookies = deepcopy(self.cookies)  # as on the first request
        if path.startswith("/accounts/"):
            cache.clear()  # resets the request counts
        if method == "POST":
            return self.client.post(path, body or {})
        return self.client.generic(method, path)


def fill_address(address: str, names: list[str], world: World, **more: Any) -> str:
    """Fill in an address with ada's objects."""
    parts = WRONG | world.parts | {"code": find_code(address, world)} | more
    if "season" in address:
        parts["number"] = 1
    return "/" + address % {name: quote(str(parts[name]), safe="") for name in names}


def find_code(address: str, world: World) -> str:
    """Return the code of the object that the address is about."""
    if "tournaments/" in address:
        return world.tournament.code
    return world.league.code if "leagues/" in address else world.game.code


@contextmanager
def roll_back_afterwards(*, is_immediate: bool = False) -> Iterator[set[str]]:
    """Collect the statements that write, and roll them back afterwards.

    Most requests only read: the savepoint is set before the first other statement, or at once with
    `is_immediate`, where a statement that only reads may fail as well.
    """
    written: set[str] = set()
    savepoints: list[str] = []
    failed_reads: list[str] = []
    callbacks = list(connection.run_on_commit)

    def note_statement(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql).strip()
        if not savepoints and not text.upper().startswith("SELECT"):
            savepoints.append("")  # avoids recursion: the SAVEPOINT statement comes through here as well
            savepoints[:] = [transaction.savepoint()]
        if not text.upper().startswith(READING):
            written.add(text)
        try:
            return execute(sql, params, many, context)
        except DatabaseError:
            if not any(savepoints):
                failed_reads.append(text)
            raise

    if is_immediate:
        savepoints.append(transaction.savepoint())
    try:
        with connection.execute_wrapper(note_statement):
            yield written
    finally:
        assert not failed_reads, (
            f"failed before anything was written; no savepoint takes it back: {failed_reads}"
        )
        transaction.set_rollback(False)  # the rollback below undoes a failed statement
        for savepoint in savepoints:
            transaction.savepoint_rollback(savepoint)
            transaction.savepoint_commit(savepoint)
        connection.run_on_commit = callbacks


def list_tables(written: set[str]) -> set[str]:
    """List the tables that the statements write, without those that any request may write."""
    tables = set()
    for text in written:
        words = text.replace('"', "").split()
        tables.add(words[1] if words[0].upper() == "UPDATE" else words[2])
    return tables - OWN


def find_changed_rows(before: Rows, written: set[str], *, besides: int | None = None) -> dict[str, Any]:
    """Return changed and new rows by table; with `besides`, leave out that player's rows and new rows."""
    after, changed_rows = dump_rows(list_tables(written)), {}
    for table, rows in after.items():
        other = {
            pk
            for pk, row in before[table].items()
            if rows.get(pk) != row and (besides is None or row.get("player_id") != besides)
        }
        if besides is None:
            other |= rows.keys() - before[table].keys()
        if other:
            changed_rows[table] = other
    return changed_rows
