"""What is other people's: every address of the site, by every method, for those who have no business there.

What each says stands in routes.txt; an address without a line there fails. CSRF is walked in
tests/games/test_csrf.py, what a player at the table may see in tests/privacy/test_two_worlds_of_doors.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse

from tests.games.cast import player

from .request_bodies import actions_of, body_for
from .walking import METHODS, Walker, all_routes, changed, filled, tables_of, taken_back
from .world import VIEWERS, Rows, World, everything

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).with_name("routes.txt")
SHUT = {"401", "403", "404", "405", "in"}  # what a method says that an address does not know
THEIRS = ("accounts/", "oauth/", "api/errors/")  # views that take other methods for one of the two they know
GARBAGE = ("%00", "9" * 30)


@dataclass(frozen=True)
class Line:
    """What an address says to each viewer."""

    said: dict[str, str]

    def of(self, name: str) -> tuple[str, bool]:
        """The status for a viewer, and whether something may change."""
        return self.said[name].removesuffix("*"), self.said[name].endswith("*")


@cache
def table() -> dict[tuple[str, str, str], Line]:
    """By route, method and deed; a line without a deed is for all of them."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, *said, route, deed = [*line.split(), "", ""][:6]
            found[route, method, deed] = Line(dict(zip(VIEWERS, said, strict=True)))
    return found


def line_for(route: str, method: str, deed: str) -> Line | None:
    return table().get((route, method, deed)) or table().get((route, method, ""))


def status_of(answer: HttpResponse) -> str:
    """A status, or that somebody is sent to sign in."""
    to = answer.get("Location", "")
    if answer.status_code == 302 and ("/login/" in to or "/signup/" in to):
        return "in"
    return str(answer.status_code)


ROUTES = [one for one in all_routes() if not one[0].startswith("admin/")]


def test_every_address_has_a_line_and_every_line_an_address() -> None:
    told = {route for route, _method, _deed in table()}
    assert {route for route, _address, _names in ROUTES} == told


@pytest.mark.parametrize("name", VIEWERS)
def test_what_is_adas_stays_hers(name: str, world: World) -> None:
    walker, before, wrong = Walker(world, name), everything(), []
    hidden = world.secrets if name == "bob" else (*world.secrets, *world.at_table)
    for route, address, names in ROUTES:
        deeds = actions_of(route) if "deed" in names else ("",)
        for deed in deeds:
            for method in METHODS:
                line = line_for(route, method, deed)
                if line is None and (name != "eve" or route.startswith(THEIRS) or deed not in deeds[:1]):
                    continue  # that a method is unknown is seen by one of them, with one deed
                body = body_for(world, method, route)
                with taken_back() as written:
                    answer = walker.ask(method, filled(address, names, world, deed=deed), body)
                    expected, may_change = line.of(name) if line else ("", False)
                    said = status_of(answer)
                    if said not in (expected.split("|") if line else SHUT):
                        wrong.append((method, route, deed, f"{said} instead of {expected or 'shut'}"))
                    if tables_of(written) and (other := harm(before, written, name, may_change)):
                        wrong.append((method, route, deed, f"changes {other}"))
                leaked = [word for word in hidden if word in text_of(answer)]
                if leaked and not (name == "bob" and may_change):  # who ends a game may see its seed
                    wrong.append((method, route, deed, f"tells {leaked}"))
    assert not wrong, "\n".join(map(str, wrong))


def harm(before: Rows, written: set[str], name: str, may_change: bool) -> dict[str, Any]:
    """What a request has changed that it may not: nothing of others, or nothing at all."""
    if not may_change:
        return changed(before, written)
    return {} if name == "bob" else changed(before, written, besides=player(name).pk if name == "eve" else 0)


def text_of(answer: HttpResponse) -> str:
    return "" if answer.streaming else answer.content.decode("utf-8", "replace")


@pytest.mark.parametrize("name", VIEWERS)
def test_a_tournament_in_preparation_is_there_for_nobody_else(name: str, world: World) -> None:
    walker, before, wrong = Walker(world, name), everything(), []
    for route, address, names in ROUTES:
        if "tournaments/<slug:code>/" not in route:
            continue
        for deed in actions_of(route) if "deed" in names else ("",):
            for method in METHODS:
                if line_for(route, method, deed) is None:
                    continue
                path = filled(address, names, world, deed=deed, code=world.draft.code)
                with taken_back() as written:
                    answer = walker.ask(method, path, body_for(world, method, route))
                    if status_of(answer) not in ("404", "401", "in"):
                        wrong.append((method, route, deed, status_of(answer)))
                    if tables_of(written) and changed(before, written):
                        wrong.append((method, route, deed, "changes something"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("name", VIEWERS)
def test_the_pages_of_operators_are_for_operators(name: str, world: World) -> None:
    walker, wrong = Walker(world, name), []
    for route, address, names in all_routes():
        if not route.startswith("admin/"):
            continue
        for method in ("GET", "POST"):
            with taken_back() as written:
                answer = walker.ask(method, filled(address, names, world))
                signed_in = name != "nobody"
                fine = ("in", "302", "403", "404") if signed_in else ("in", "302", "404")
                if status_of(answer) not in fine or tables_of(written):
                    wrong.append((method, route, status_of(answer)))
    assert not wrong, "\n".join(map(str, wrong))


def test_nothing_that_stands_in_an_address_breaks_anything(world: World) -> None:
    walker, wrong = Walker(world, "eve"), []
    query = "?page=%00&at=%00&name=%00&mode=%00&older=9999999999999999-1&after=-1&show=%ED%A0%80&next=%00"
    for route, address, names in ROUTES:
        asked = [("GET", garbage) for garbage in (GARBAGE if names else ("",))]
        for method, garbage in [*asked, ("POST", GARBAGE[0])]:
            at = "/" + address % dict.fromkeys(names, garbage) + (query if method == "GET" else "")
            with taken_back():
                answer = walker.ask(method, at, {"name": "\0", "text": "\0", "email": "\0@x"})
            if answer.status_code >= 500 and route != "readyz":
                wrong.append((method, at, answer.status_code))
    assert not wrong, "\n".join(map(str, wrong))
