"""Other people's objects: every route with every method for viewers without rights.

routes.txt lists the expected statuses; a route without a line there fails. tests/otto_site/test_csrf.py
covers CSRF, tests/privacy/test_two_worlds_of_endpoints.py the view of a player at the table.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from tests.factories.cast import player
from tests.helpers.sampling import sample_items

from .cache_rules import is_cache_rule_kept
from .request_bodies import build_body
from .route_table import ROUTES, find_line, read_table, read_text
from .route_walker import (
    METHODS,
    Walker,
    fill_address,
    find_changed_rows,
    list_routes,
    list_tables,
    roll_back_afterwards,
)
from .world import VIEWERS, Rows, World, dump_rows

pytestmark = pytest.mark.django_db

SHUT = {"401", "403", "404", "405", "in"}  # statuses of a method that an address does not support
THEIRS = ("accounts/", "oauth/", "api/errors/")  # views that treat other methods as GET or POST
GARBAGE = ("%00", "9" * 30)


def get_status(answer: HttpResponse) -> str:
    """Return the status, or "in" for a redirect to sign in."""
    to = answer.get("Location", "")
    if answer.status_code == 302 and ("/login/" in to or "/signup/" in to):
        return "in"
    return str(answer.status_code)


def test_every_address_has_a_line_and_every_line_an_address() -> None:
    listed_routes = {route for route, _method in read_table()}
    assert {route for route, _address, _names in ROUTES} == listed_routes


def list_shut_methods(name: str) -> set[tuple[str, str]]:
    """List routes with methods that they do not support: all for eve, a sample for the other viewers."""
    shut = [
        (route, method)
        for route, _address, _names in ROUTES
        for method in METHODS
        if find_line(route, method) is None and not route.startswith(THEIRS)
    ]
    return set(shut if name == "eve" else sample_items(f"shut methods for {name}", shut, 60))


@pytest.mark.parametrize("name", VIEWERS)
def test_what_is_adas_stays_hers(name: str, world: World) -> None:
    walker, before, wrong = Walker(world, name), dump_rows(), []
    shut = list_shut_methods(name)
    hidden = world.secrets if name == "bob" else (*world.secrets, *world.at_table)
    for route, address, names in ROUTES:
        for method in METHODS:
            line = find_line(route, method)
            if line is None and (route, method) not in shut:
                continue
            body = build_body(world, method, route)
            with roll_back_afterwards() as written:
                answer = walker.ask(method, fill_address(address, names, world), body)
                expected, may_change = line.expected_for(name) if line else ("", False)
                status = get_status(answer)
                if status not in (expected.split("|") if line else SHUT):
                    wrong.append((method, route, f"{status} instead of {expected or 'shut'}"))
                if list_tables(written) and (other := find_harm(before, written, name, may_change)):
                    wrong.append((method, route, f"changes {other}"))
            leaked = [word for word in hidden if word in read_text(answer)]
            if leaked and not (name == "bob" and may_change):  # the player who ends a game may see its seed
                wrong.append((method, route, f"tells {leaked}"))
            # Caches store responses to GET and POST only.
            if (
                name != "nobody"
                and method in ("GET", "POST")
                and not is_cache_rule_kept(route, method, answer)
            ):
                wrong.append((method, route, f"may be kept: {answer.get('Cache-Control')}"))
    assert not wrong, "\n".join(map(str, wrong))


def find_harm(before: Rows, written: set[str], name: str, may_change: bool) -> dict[str, Any]:
    """Return rows that the request changed without a right to."""
    if not may_change:
        return find_changed_rows(before, written)
    return (
        {}
        if name == "bob"
        else find_changed_rows(before, written, besides=player(name).pk if name == "eve" else 0)
    )


@pytest.mark.parametrize("name", VIEWERS)
def test_a_tournament_in_preparation_is_there_for_nobody_else(name: str, world: World) -> None:
    walker, before, wrong = Walker(world, name), dump_rows(), []
    for route, address, names in ROUTES:
        if "tournaments/<slug:code>/" not in route:
            continue
        for method in METHODS:
            if find_line(route, method) is None:
                continue
            path = fill_address(address, names, world, code=world.draft.code)
            with roll_back_afterwards() as written:
                answer = walker.ask(method, path, build_body(world, method, route))
                if get_status(answer) not in ("404", "401", "in"):
                    wrong.append((method, route, get_status(answer)))
                if list_tables(written) and find_changed_rows(before, written):
                    wrong.append((method, route, "changes something"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("name", VIEWERS)
def test_the_pages_of_operators_are_for_operators(name: str, world: World) -> None:
    walker, wrong = Walker(world, name), []
    for route, address, names in list_routes():
        if not route.startswith("admin/"):
            continue
        for method in ("GET", "POST"):
            with roll_back_afterwards() as written:
                answer = walker.ask(method, fill_address(address, names, world))
                signed_in = name != "nobody"
                fine = ("in", "302", "403", "404") if signed_in else ("in", "302", "404")
                if get_status(answer) not in fine or list_tables(written):
                    wrong.append((method, route, get_status(answer)))
    assert not wrong, "\n".join(map(str, wrong))


def test_nothing_that_stands_in_an_address_breaks_anything(world: World) -> None:
    walker, wrong = Walker(world, "eve"), []
    query = "?page=%00&at=%00&name=%00&mode=%00&older=9999999999999999-1&after=-1&show=%ED%A0%80&next=%00"
    for route, address, names in ROUTES:
        requests = [("GET", garbage) for garbage in (GARBAGE if names else ("",))]
        for method, garbage in [*requests, ("POST", GARBAGE[0])]:
            at = "/" + address % dict.fromkeys(names, garbage) + (query if method == "GET" else "")
            with roll_back_afterwards(is_immediate=True):
                answer = walker.ask(method, at, {"name": "\0", "text": "\0", "email": "\0@x"})
            if answer.status_code >= 500 and route != "readyz":
                wrong.append((method, at, answer.status_code))
    assert not wrong, "\n".join(map(str, wrong))
