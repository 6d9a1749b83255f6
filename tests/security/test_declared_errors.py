"""Every operation refuses requests with the statuses that the OpenAPI document declares, and no others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from accounts.services import tokens
from common import rate_limits
from common.api import openapi
from tests.factories.cast import NOW, player

from .route_table import ROUTES
from .route_walker import fill_address, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db
BODY_METHODS = ("post", "put", "patch")


def list_addresses(world: World) -> list[tuple[str, str, dict[str, Any]]]:
    """List every operation of the document with an existing address: method, address, operation."""
    paths = openapi.read_document()["paths"]
    by_pattern = {strip_names(path): operations for path, operations in paths.items()}
    addressed_operations = []
    for route, address, names in ROUTES:
        operations = by_pattern.get(strip_names("/" + route.replace("<", "{").replace(">", "}")), {})
        for method, operation in operations.items():
            addressed_operations.append((method, fill_address(address, names, world), operation))
    assert len(addressed_operations) == sum(map(len, paths.values()))
    return addressed_operations


def strip_names(path: str) -> str:
    """Return the path without the names of its parameters."""
    return "/".join("{}" if part.startswith("{") else part for part in path.split("/"))


def send(method: str, address: str, body: str = "{}", kind: str = "application/json", **headers: str) -> Any:
    has_body = method in BODY_METHODS
    rate_limits.reset_counts()
    return Client().generic(
        method.upper(),
        address,
        body if has_body else "",
        content_type=kind if has_body else "",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def make_token(*scopes: str) -> str:
    _, plain = tokens.create_token(player=player("bob"), name="test", scopes=scopes, now=NOW)
    return f"Bearer {plain}"


@pytest.mark.parametrize(
    ("status", "options"),
    [
        (401, {"Authorization": "Bearer otto_nobody"}),
        (403, {"scopes": ("email",)}),
        (406, {"scopes": ("read", "play", "account", "organise", "email"), "Accept": "text/html"}),
        (415, {"scopes": ("read", "play", "account", "organise", "email"), "kind": "text/plain"}),
        (400, {"scopes": ("read", "play", "account", "organise", "email"), "body": "{"}),
        (413, {"scopes": ("read", "play", "account", "organise", "email"), "body": '"' + "x" * 1_000_001}),
    ],
)
def test_a_bad_request_is_refused_as_declared(status: int, options: dict[str, Any], world: World) -> None:
    wrong, count = [], 0
    members = openapi.read_document()["components"]["schemas"]["Problem"]["properties"]
    headers = dict(options)
    if scopes := headers.pop("scopes", None):
        headers["Authorization"] = make_token(*scopes)
    for method, address, operation in list_addresses(world):
        if status in (400, 413, 415) and method not in BODY_METHODS:
            continue
        with roll_back_afterwards():
            answer = send(method, address, **headers)
        declared = set(operation["responses"])
        session_only = [list(option) for option in operation["security"]] == [["session"]]
        expected = {403} if session_only and status not in (401, 406) else {status}
        if str(answer.status_code) not in declared or (
            answer.status_code not in expected and status in (401, 403)
        ):
            wrong.append((operation["operationId"], answer.status_code))
        count += answer.status_code == status
        if answer.status_code >= 400:
            problem = json.loads(answer.content)
            assert set(problem) <= set(members), operation["operationId"]
    assert not wrong
    assert count > 40, "most are refused for this reason"
