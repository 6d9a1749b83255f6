"""API addresses work without their last slash and without a redirect, which would lose the body of a POST."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from common import rate_limits
from games.models import Game

from .request_bodies import build_body
from .route_table import ROUTES, find_line
from .route_walker import METHODS, Walker, fill_address, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["nobody", "eve", "bob"])
def test_every_method_of_every_address_answers_alike_with_and_without_the_slash(
    name: str, world: World
) -> None:
    walker, wrong, request_count = Walker(world, name), [], 0
    for route, address, names in ROUTES:
        if not route.startswith(("api/v1/", "oauth/")) or not route.endswith("/"):
            continue
        for method in METHODS:
            if find_line(route, method) is None:
                continue
            path, outcomes = fill_address(address, names, world), []
            for spelling in (path, path.removesuffix("/")):
                with roll_back_afterwards() as written:
                    answer = walker.ask(method, spelling, build_body(world, method, route))
                    kind = answer.get("Content-Type")
                    location = answer.get("Location")
                    if answer.status_code == 201 and location:  # each created object has another id
                        location = location.rstrip("/").rpartition("/")[0]
                    outcomes.append((answer.status_code, kind, location, bool(written)))
            request_count += 1
            if outcomes[0] != outcomes[1]:
                wrong.append((method, route, *outcomes))
    assert request_count > 100
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("debug", [True, False])
def test_a_post_without_the_slash_makes_what_it_says(debug: bool, world: World, settings: Any) -> None:
    settings.DEBUG = debug
    before = Game.objects.count()
    answer = Client().post(
        "/api/v1/games", json.dumps({"seats": 2}), "application/json", headers=world.program("eve")
    )
    assert answer.status_code == 201
    assert answer.json()["status"] == "open"
    assert Game.objects.count() == before + 1


def test_both_spellings_count_for_the_same_limit(world: World, settings: Any) -> None:
    settings.API_RATE_ANONYMOUS, settings.API_MILLISECONDS = 2, 0
    rate_limits.reset_counts()
    status_codes = [
        Client().get(path).status_code for path in ("/api/v1/games", "/api/v1/games/", "/api/v1/games")
    ]
    assert status_codes == [200, 200, 429]


def test_lists_lead_on_by_the_address_with_the_slash(world: World) -> None:
    page = Client().get("/api/v1/games?page_size=1", headers=world.program("bob")).json()
    assert page["next"] is not None
    assert "/api/v1/games/?" in page["next"]


def test_what_is_no_address_stays_none(world: World) -> None:
    for path in ("/api/v1/nothing", "/api/v1/nothing/", "/api/v1", "/api/v1/games/x/y/z"):
        assert Client().get(path).status_code == 404
        assert Client().post(path).status_code == 404
