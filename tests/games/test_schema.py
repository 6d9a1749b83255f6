"""Schemathesis over the whole OpenAPI document: no 500, and no answer that the document does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, settings

from games.scopes import SCOPES
from otto_site.wsgi import application
from tests.effort import SOAK, tries

from .cast import Api, game_of, player

pytestmark = pytest.mark.django_db
# Tournaments and leagues have a scene of their own: tests/tournaments/test_api_schema.py.
ELSEWHERE = r"/api/v1/(tournaments|leagues|ratings|proposals)/|/players/\{name\}/ratings/"
whole = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
schema = whole.exclude(path_regex=ELSEWHERE)
ASKERS = {"player": "ada", "stranger": "cleo", "nobody": None}
few = settings(max_examples=tries(3, 8), suppress_health_check=list(HealthCheck))
Scene = tuple[str, dict[str, dict[str, str]]]


def keep_open() -> None:
    """No request closes the connection from here on; the test client lets them again."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """A request must not close the connection that holds the test's transaction."""
    keep_open()
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def scene() -> Scene:
    """A running game, and the headers of everybody who may ask about it."""
    game = game_of("ada", "bob")
    return game.code, {who: Api(name, scopes=SCOPES).headers for who, name in ASKERS.items()}


def browser_headers(name: str | None) -> dict[str, str]:
    """What the browser of somebody sends, for what no token may do."""
    client = Client()
    if name:
        client.force_login(player(name))
    csrf = "c" * 32
    cookies = [f"{key}={morsel.value}" for key, morsel in client.cookies.items()]
    return {"Cookie": "; ".join([*cookies, f"csrftoken={csrf}"]), "X-CSRFToken": csrf}


@schema.parametrize()
@few
def test_every_answer_is_in_the_document(case: Any, scene: Scene) -> None:
    """For somebody at a table, with every edge of every value that may be sent."""
    check(case, "player", scene)


@pytest.mark.parametrize("who", [who for who in ASKERS if who != "player"])
@schema.parametrize()
@settings(few, phases=few.phases if SOAK else [Phase.generate])
def test_whoever_asks(case: Any, who: str, scene: Scene) -> None:
    """For somebody else, and somebody without an account: most of it is refused before it is read."""
    check(case, who, scene)


def check(case: Any, who: str, scene: Scene) -> None:
    code, headers = scene
    if "code" in case.path_parameters:
        case.path_parameters["code"] = code
    if [list(way) for way in case.operation.definition.raw["security"]] == [["session"]]:
        headers = headers | {who: browser_headers(ASKERS[who])}
    # The rules refuse much that is well formed, which is why that one check is left out.
    case.call_and_validate(
        headers=headers[who], excluded_checks=[schemathesis.checks.positive_data_acceptance]
    )
