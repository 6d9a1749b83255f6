"""Schemathesis over the whole OpenAPI document: no 500, and no answer that the document does not know."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, settings

from accounts.scopes import SCOPES
from tests.example_counts import SOAK, pick_example_count
from tests.factories.cast import Api, player, start_cast_game
from tests.helpers.api_schema import OTHER_SCENES, check_error_code, whole
from tests.helpers.api_schema import one_connection as one_connection

pytestmark = pytest.mark.django_db
schema = whole.exclude(path_regex=OTHER_SCENES)
ASKERS = {"player": "ada", "stranger": "cleo", "nobody": None}
few = settings(max_examples=pick_example_count(3, 8), suppress_health_check=list(HealthCheck))
GameAndHeaders = tuple[str, dict[str, dict[str, str]]]


@pytest.fixture
def game_and_headers() -> GameAndHeaders:
    """A running game, and the headers of everybody who may ask about it."""
    game = start_cast_game("ada", "bob")
    return game.code, {who: Api(name, scopes=SCOPES).headers for who, name in ASKERS.items()}


def build_browser_headers(name: str | None) -> dict[str, str]:
    """What the browser of somebody sends, for what no token may do."""
    client = Client()
    if name:
        client.force_login(player(name))
    csrf = "c" * 32
    cookies = [f"{key}={morsel.value}" for key, morsel in client.cookies.items()]
    return {"Cookie": "; ".join([*cookies, f"csrftoken={csrf}"]), "X-CSRFToken": csrf}


@schema.parametrize()
@few
def test_every_answer_is_in_the_document(case: Any, game_and_headers: GameAndHeaders) -> None:
    """For somebody at a table, with every edge of every value that may be sent."""
    check_case(case, "player", game_and_headers)


@pytest.mark.parametrize("who", [who for who in ASKERS if who != "player"])
@schema.parametrize()
@settings(few, max_examples=pick_example_count(2, 8), phases=few.phases if SOAK else [Phase.generate])
def test_whoever_asks(case: Any, who: str, game_and_headers: GameAndHeaders) -> None:
    """For somebody else, and somebody without an account: most of it is refused before it is read."""
    check_case(case, who, game_and_headers)


def check_case(case: Any, who: str, setting: GameAndHeaders) -> None:
    code, headers = setting
    if "id" in case.path_parameters and case.path.startswith("/api/v1/games/"):
        case.path_parameters["id"] = code
    if [list(option) for option in case.operation.definition.raw["security"]] == [["session"]]:
        headers = headers | {who: build_browser_headers(ASKERS[who])}
    # The rules refuse much that is well formed, which is why that one check is left out.
    response = case.call_and_validate(
        headers=headers[who], excluded_checks=[schemathesis.checks.positive_data_acceptance]
    )
    check_error_code(case, response)
