"""Schemathesis over the whole OpenAPI document: no 500, and no undocumented response."""

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
    """A running game, and request headers for every kind of client."""
    game = start_cast_game("ada", "bob")
    return game.code, {who: Api(name, scopes=SCOPES).headers for who, name in ASKERS.items()}


def build_browser_headers(name: str | None) -> dict[str, str]:
    """Return the headers of a browser session, for operations that no token may use."""
    client = Client()
    if name:
        client.force_login(player(name))
    csrf = "c" * 32
    cookies = [f"{key}={morsel.value}" for key, morsel in client.cookies.items()]
    return {"Cookie": "; ".join([*cookies, f"csrftoken={csrf}"]), "X-CSRFToken": csrf}


@schema.parametrize()
@few
def test_every_answer_is_in_the_document(case: Any, game_and_headers: GameAndHeaders) -> None:
    """As a player at the table, with boundary values of all parameters."""
    check_case(case, "player", game_and_headers)


@pytest.mark.parametrize("who", [who for who in ASKERS if who != "player"])
@schema.parametrize()
@settings(few, max_examples=pick_example_count(2, 8), phases=few.phases if SOAK else [Phase.generate])
def test_whoever_asks(case: Any, who: str, game_and_headers: GameAndHeaders) -> None:
    """As another player and without an account; most requests are refused before they are read."""
    check_case(case, who, game_and_headers)


def check_case(case: Any, who: str, setting: GameAndHeaders) -> None:
    code, headers = setting
    if "id" in case.path_parameters and case.path.startswith("/api/v1/games/"):
        case.path_parameters["id"] = code
    if [list(option) for option in case.operation.definition.raw["security"]] == [["session"]]:
        headers = headers | {who: build_browser_headers(ASKERS[who])}
    # This check is left out because the rules refuse many well-formed requests.
    response = case.call_and_validate(
        headers=headers[who], excluded_checks=[schemathesis.checks.positive_data_acceptance]
    )
    check_error_code(case, response)
