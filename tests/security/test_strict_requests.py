"""Unknown fields are refused by name, and responses follow the Accept header where possible."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.models import Game
from tests.factories.cast import Api, start_cast_game

from .request_bodies import build_body
from .route_table import ROUTES, find_line
from .route_walker import METHODS, Walker, fill_address, list_tables, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db

LISTS = [
    "games/",
    "tournaments/",
    "leagues/",
    "proposals/",
    "players/ada/ratings/",
]


def test_an_unknown_query_parameter_is_refused_by_every_operation(world: World) -> None:
    client, wrong, refused_count = Walker(world, "ada").client, [], 0
    for route, address, names in ROUTES:
        if not route.startswith("api/v1/") or route == "api/v1/schema/":
            continue
        for method in METHODS:
            if find_line(route, method) is None:
                continue
            path = fill_address(address, names, world)
            with roll_back_afterwards() as written:
                data = json.dumps(build_body(world, method, route) or {}) if method != "GET" else ""
                answer = client.generic(method, f"{path}?colour=blue", data, "application/json")
                tables = list_tables(written)
            refused_count += 1
            errors = json.loads(answer.content).get("errors", {}) if not answer.streaming else {}
            if answer.status_code != 400 or [*errors] != ["colour"] or tables:
                wrong.append((method, route, answer.status_code, tables))
    assert not wrong, "\n".join(map(str, wrong))
    assert refused_count > 100


def test_a_query_parameter_that_comes_twice_is_refused() -> None:
    answer = Api(None).get("games/?status=open&status=over")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, ["status"])


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("size", ["abc", "", "0", "-1", "1.5", "100000", "²", "9" * 40])
def test_a_page_size_that_is_none_is_refused(path: str, size: str, world: World) -> None:
    answer = Api("ada").get(f"{path}?page_size={size}")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, ["page_size"])


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("cursor", ["nonsense", "%00", "cD1hYmM=x", "é"])
def test_a_cursor_that_no_page_gave_is_refused(path: str, cursor: str, world: World) -> None:
    answer = Api("ada").get(f"{path}?cursor={cursor}")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, ["cursor"])


def test_the_largest_page_is_given(world: World) -> None:
    assert Api("ada").get("games/?page_size=100").status_code == 200
    assert Api("ada").get("games/?page_size=101").status_code == 400


@pytest.mark.parametrize(
    "accept",
    [
        "application/problem+json",
        "Application/Problem+JSON",
        "application/json, application/problem+json",
        "application/problem+json;q=0.9, text/html",
        "text/html, application/xhtml+xml, */*;q=0.8",
        "application/*",
        "application/json; charset=utf-8",
    ],
)
def test_a_program_may_say_that_it_reads_problems(accept: str) -> None:
    api = Api("ada")
    game: Game = start_cast_game("ada", "bob")
    answers: list[Any] = [api.get(f"games/{game.code}/", Accept=accept), api.get("games/", Accept=accept)]
    assert [(answer.status_code, answer["Content-Type"]) for answer in answers] == [
        (200, "application/json")
    ] * 2
    refused = api.get("games/nothing/", Accept=accept)
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("form", "accept"),
    [
        ("png", "image/png"),
        ("svg", "image/svg+xml"),
        ("txt", "text/plain"),
        ("png", "image/*"),
        ("txt", "text/plain;q=0.5, application/problem+json"),
    ],
)
def test_a_picture_is_given_to_who_accepts_it(form: str, accept: str) -> None:
    game = start_cast_game("ada", "bob")
    assert Api("ada").get(f"games/{game.code}/board.{form}", Accept=accept).status_code == 200
    assert Api("ada").get(f"games/{game.code}/board.{form}", Accept="text/html").status_code == 406
