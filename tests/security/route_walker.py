"""A walk over every address of the site: filled in with what is ada's, asked by every method."""

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
# What a request may write of its own: a session, and when somebody was last here.
OWN = {Session._meta.db_table, Player._meta.db_table}
WRONG = {"key": "wrong", "token": "wrong", "uidb36": "1", "url": "nothing", "app_label": "games"}
WRONG |= {"object_id": "1", "content_type_id": "1"}

Route = tuple[str, str, list[str]]


def iter_routes(resolver: URLResolver, prefix: str = "", filling: str = "") -> Iterator[Route]:
    """Every route as it is written, the address that it makes, and what is to be filled in."""
    for entry in resolver.url_patterns:
        [(form, names)] = normalize(entry.pattern.regex.pattern)[:1]
        route, address = prefix + str(entry.pattern), filling + form.removesuffix("%")
        if isinstance(entry, URLResolver):
            yield from iter_routes(entry, route, address)
        elif isinstance(entry, URLPattern):
            yield route, address, names


def list_routes() -> list[Route]:
    """Of the site as it is."""
    return list(iter_routes(get_resolver()))


@dataclass
class Walker:
    """Somebody who asks for everything, in the browser or by a program."""

    world: World
    name: str
    client: Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.world.browser(self.name)
        self.cookies = deepcopy(self.client.cookies)
        self.program = Client(raise_request_exception=False)
        self.headers = self.world.program(self.name)

    def ask(self, method: str, path: str, body: Any = None) -> HttpResponse:
        """One request; pages get a form, the API gets JSON."""
        if path.startswith("/api/v1/"):
            data = json.dumps({} if body is None else body) if method != "GET" else ""
            self.program.cookies.clear()  # as if nothing had been asked before
            answer: HttpResponse = self.program.generic(
                method, path, data, "application/json", headers=self.headers
            )
            if answer.status_code != 403 or json.loads(answer.content)["code"] != "session-only":
                return answer
            self.client.cookies = deepcopy(self.cookies)
            return self.client.generic(method, path, data, "application/json")
        self.client.cookies = deepcopy(self.cookies)  # as if nothing had been asked before
        if path.startswith("/accounts/"):
            cache.clear()  # nor counted
        if method == "POST":
            return self.client.post(path, body or {})
        return self.client.generic(method, path)


def fill_address(address: str, names: list[str], world: World, **more: Any) -> str:
    """An address with what is ada's in it."""
    parts = WRONG | world.parts | {"code": find_code(address, world)} | more
    if "season" in address:
        parts["number"] = 1
    return "/" + address % {name: quote(str(parts[name]), safe="") for name in names}


def find_code(address: str, world: World) -> str:
    """Whose code it asks for."""
    if "tournaments/" in address:
        return world.tournament.code
    return world.league.code if "leagues/" in address else world.game.code


@contextmanager
def roll_back_afterwards(*, is_immediate: bool = False) -> Iterator[set[str]]:
    """What is written here is told by its table, and then as if it had never been.

    Most requests only read: the savepoint is set before the first statement that does anything else, or
    `is_immediate` where a statement that only reads may fail as well.
    """
    written: set[str] = set()
    savepoints: list[str] = []
    failed_reads: list[str] = []
    callbacks = list(connection.run_on_commit)

    def note_statement(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql).strip()
        if not savepoints and not text.upper().startswith("SELECT"):
            savepoints.append("")  # the statement that sets it comes by here as well
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
        transaction.set_rollback(False)  # what failed here is taken back here
        for savepoint in savepoints:
            transaction.savepoint_rollback(savepoint)
            transaction.savepoint_commit(savepoint)
        connection.run_on_commit = callbacks


def list_tables(written: set[str]) -> set[str]:
    """The tables that statements write to, but for what every request writes of its own."""
    tables = set()
    for text in written:
        words = text.replace('"', "").split()
        tables.add(words[1] if words[0].upper() == "UPDATE" else words[2])
    return tables - OWN


def find_changed_rows(before: Rows, written: set[str], *, besides: int | None = None) -> dict[str, Any]:
    """Rows that statements have changed, new ones too; `besides` those of a player, and new ones."""
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
