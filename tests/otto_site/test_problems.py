"""Problem responses of the API to any kind of request."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import Token
from otto_site.errors import list_declared_errors, load_error_codes, load_mappings
from tests.factories.cast import player
from tests.helpers.api_schema import map_error_codes
from tests.helpers.tokens import ask_api, check_problem, create_token
from tests.source_tree import ROOT, SOURCE_ROOMS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_cache() -> None:
    cache.clear()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "x"},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["all"]},
        {"name": "x", "scopes": "read"},
        {"name": "x", "scopes": {"read": True}},
        {"name": "x", "scopes": [["read"]]},
        {"name": "x", "scopes": ["\ud800"]},
        {"name": "", "scopes": ["read"]},
        {"name": "x" * 51, "scopes": ["read"]},
        {"name": "a\x00b", "scopes": ["read"]},
        {"name": "a\ud800b", "scopes": ["read"]},
        {"name": 7, "scopes": ["read"]},
        {"name": None, "scopes": ["read"]},
        {"name": "x", "scopes": ["read"], "expires_in_days": 0},
        {"name": "x", "scopes": ["read"], "expires_in_days": -1},
        {"name": "x", "scopes": ["read"], "expires_in_days": 10**30},
        {"name": "x", "scopes": ["read"], "expires_in_days": "7"},
        {"name": "x", "scopes": ["read"], "expires_in_days": 1.5},
        [],
        "text",
        None,
        7,
    ],
)
def test_a_wrong_request_is_a_400_that_names_the_field(body: Any) -> None:
    _row, plain = create_token()
    answer = Client().post(
        "/api/v1/me/tokens/",
        json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {plain}"},
    )
    assert check_problem(answer, 400, "invalid")["errors"]
    assert Token.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "malformed"),
        (b"\xff\xfe", "application/json", 400, "malformed"),
        (b"[" * 100_000, "application/json", 400, "malformed"),
        (b"NaN", "application/json", 400, "malformed"),
        (b"1" * 5000, "application/json", 400, "malformed"),
        (b"{}", "application/json; charset=bz2_codec", 400, "malformed"),
        (b"{}", "text/plain", 415, "unsupported-media-type"),
        (b"a=b", "application/x-www-form-urlencoded", 415, "unsupported-media-type"),
        (b"--x", "multipart/form-data; boundary=x", 415, "unsupported-media-type"),
        (b" " * 10_000_000, "application/json", 413, "too-large"),
    ],
)
def test_what_cannot_be_read_is_a_4xx(body: bytes, kind: str, status: int, code: str) -> None:
    _row, plain = create_token()
    headers = {"Authorization": f"Bearer {plain}"}
    answer = Client().generic("POST", "/api/v1/me/tokens/", body, content_type=kind, headers=headers)
    check_problem(answer, status, code)


def test_other_refusals_are_problems_too(client: Client) -> None:
    check_problem(client.get("/api/v1/nothing/here/"), 404, "not-found")
    answer = ask_api(create_token()[1], "players/ada/", "PUT")
    check_problem(answer, 405, "method-not-allowed")
    assert "GET" in answer["Allow"]
    check_problem(client.get("/api/v1/players/ada/", headers={"Accept": "text/html"}), 406, "not-acceptable")


def test_the_page_of_errors_lists_every_code_that_a_door_can_answer(client: Client) -> None:
    rooms = [ROOT / app / room for app in SOURCE_ROOMS for room in ("services", "api")]
    sources = [file for room in rooms for file in room.glob("*.py")]
    written = re.compile(r'code="([a-z-]+)"(?: if [^"]+ else "([a-z-]+)")?')
    used = {code for file in sources for codes in written.findall(file.read_text()) for code in codes if code}
    used |= {mapping.code for mapping in load_mappings().values() if mapping.code}
    page = client.get("/api/errors/").content.decode()
    assert not [code for code in sorted(used) if f'id="{code}"' not in page]


def test_every_code_that_the_document_says_of_an_operation_is_declared_and_fits_its_status() -> None:
    known_codes = load_error_codes()
    for operation_id, codes_by_status in map_error_codes().items():
        for status, codes in codes_by_status.items():
            assert codes, (operation_id, status)
            assert not set(codes) - known_codes.keys(), (operation_id, status)
    codes = map_error_codes()
    assert "bots-unconfirmed" in codes["games_join"]["409"]
    assert "stale" not in codes["me_tokens_create"]["409"]
    assert codes["games_play"]["422"] == ["illegal", "invalid-value"]


def test_each_code_and_each_exception_is_declared_by_one_app() -> None:
    declared = list_declared_errors()
    codes = [code for errors in declared for code in errors.codes]
    assert len(codes) == len(load_error_codes()) > 90
    exceptions = [mapping.exception for errors in declared for mapping in errors.mappings]
    assert len(exceptions) == len(load_mappings())


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer otto_nobody"}], ids=["none", "wrong"])
def test_who_has_no_right_token_is_counted_by_address(
    client: Client, settings: Any, headers: dict[str, str]
) -> None:
    settings.API_RATE_ANONYMOUS = 2
    for _ in range(2):
        assert client.post("/api/v1/games/", headers=headers).status_code == 401
    check_problem(client.post("/api/v1/games/", headers=headers), 429, "throttled")


def test_too_many_requests_say_how_long_to_wait(client: Client, settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = 2
    player("ada")
    for _ in range(2):
        assert client.get("/api/v1/players/ada/").status_code == 200
    answer = client.get("/api/v1/players/ada/")
    problem = check_problem(answer, 429, "throttled")
    assert 0 < int(answer["Retry-After"]) == problem["retry_after"] <= 60
