"""Personal tokens, on their page and over REST: shown once, limited, revocable."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Token
from accounts.services import tokens
from tests.factories.cast import Api, player
from tests.helpers.tokens import ask_api, check_problem, create_token

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_cache() -> None:
    cache.clear()


# ------------------------------------------------------------------------------------ the page of tokens


def test_a_token_is_shown_once_and_stored_as_a_hash(client: Client) -> None:
    client.force_login(player("ada"))
    answer = client.post(
        "/me/tokens/", {"name": "my bot", "scopes": ["play", "read"], "expires_in_days": "30"}
    )
    plain = answer.context["plain_token"]
    assert plain.startswith("otto_")
    assert len(plain) >= len("otto_") + 43
    assert plain.encode() in answer.content
    assert plain.encode() not in client.get("/me/tokens/").content
    row = Token.objects.get()
    assert row.digest == hashlib.sha256(plain.encode()).hexdigest()
    assert row.scopes == "read play"
    assert row.expires_at == row.created_at + timedelta(days=30)
    assert ask_api(plain).json()["name"] == "ada"


def test_a_token_is_revoked_on_its_page(client: Client) -> None:
    client.force_login(player("ada"))
    row, plain = create_token()
    _other, other_token = create_token("bob")
    client.post(f"/me/tokens/{_other.pk}/revoke/")
    assert ask_api(other_token).status_code == 200, "it is not ada's"
    client.post(f"/me/tokens/{row.pk}/revoke/")
    check_problem(ask_api(plain), 401, "token-revoked")

    rest = [create_token()[1] for _ in range(2)]
    client.post("/me/tokens/revoke-all/")
    assert [ask_api(plain).status_code for plain in rest] == [401, 401]
    assert ask_api(other_token).status_code == 200


def test_looking_never_revokes(client: Client) -> None:
    client.force_login(player("ada"))
    row, plain = create_token()
    assert client.get(f"/me/tokens/{row.pk}/revoke/").status_code == 405
    assert client.get("/me/tokens/revoke-all/").status_code == 405
    assert ask_api(plain).status_code == 200


# ----------------------------------------------------------------------------------------- authentication


def test_one_query_finds_the_token_and_its_player() -> None:
    _row, plain = create_token()
    ask_api(plain)  # the first use in an hour is recorded
    with CaptureQueriesContext(connection) as queries:
        assert ask_api(plain, "me/").status_code == 200
    assert len(queries) == 1


def test_a_token_ends_when_it_said() -> None:
    row, plain = create_token(days=1)
    assert ask_api(plain).status_code == 200
    Token.objects.filter(pk=row.pk).update(expires_at=timezone.now())
    check_problem(ask_api(plain), 401, "token-expired")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer otto_nobody", "unknown-token"),
        ("Bearer otto_é", "unknown-token"),
        ("Bearer abc", "unknown-token"),
        ("Bearer", "bad-token"),
        ("Bearer otto_a otto_b", "bad-token"),
        ("Basic YWRhOmFkYQ==", "not-authenticated"),
        ("", "not-authenticated"),
    ],
)
def test_what_is_no_token_is_a_401_that_says_so(client: Client, header: str, code: str) -> None:
    answer = client.get("/api/v1/me/", headers={"Authorization": header})
    check_problem(answer, 401, code)
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_closed_account_has_no_token() -> None:
    row, plain = create_token()
    row.player.is_active = False
    row.player.save()
    check_problem(ask_api(plain), 401, "account-closed")


def test_last_used_is_noted_once_an_hour() -> None:
    row, plain = create_token()
    ask_api(plain)
    row.refresh_from_db()
    first = row.last_used_at
    assert first
    ask_api(plain)
    row.refresh_from_db()
    assert row.last_used_at == first
    Token.objects.filter(pk=row.pk).update(last_used_at=first - timedelta(hours=1))
    ask_api(plain)
    row.refresh_from_db()
    assert row.last_used_at >= first


def test_a_missing_scope_is_named() -> None:
    _row, plain = create_token(scopes=("read",))
    answer = ask_api(plain, "me/", "PATCH", {"mail_frequency": "none"})
    problem = check_problem(answer, 403, "missing-scope")
    assert (problem["detail"], problem["scope"]) == ("This needs a token with the scope account.", "account")
    assert 'error="insufficient_scope", scope="account"' in answer["WWW-Authenticate"]

    _row, plain = create_token(scopes=("account",))
    assert check_problem(ask_api(plain), 403, "missing-scope")["scope"] == "read"
    assert ask_api(plain, "me/", "PATCH", {"mail_frequency": "none"}).json()["mail_frequency"] == "none"


def test_a_browser_has_all_scopes_and_needs_its_csrf_token() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(player("ada"))
    assert browser.get("/api/v1/me/").status_code == 200
    change = {"data": '{"mail_frequency": "none"}', "content_type": "application/json"}
    check_problem(browser.patch("/api/v1/me/", **change), 403, "csrf")
    browser.get("/me/tokens/")
    headers = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.patch("/api/v1/me/", headers=headers, **change).status_code == 200


# --------------------------------------------------------------------------------------------------- REST


def test_tokens_are_made_listed_and_revoked_over_rest() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    answer = api.post("me/tokens/", {"name": "second", "scopes": ["read", "email"], "expires_in_days": 7})
    assert answer.status_code == 201, answer.content
    second = answer.json()
    assert second["scopes"] == ["read", "email"]
    assert ask_api(second["token"]).json()["email"] == "ada@example.org"
    create_token("bob")
    listed = api.get("me/tokens/").json()
    assert [token["name"] for token in listed] == ["second", "test"]
    assert not any("token" in token or "digest" in token for token in listed)

    plain = api.headers["Authorization"].removeprefix("Bearer ")
    assert ask_api(plain, f"me/tokens/{second['id']}/", "DELETE").status_code == 204
    check_problem(ask_api(second["token"]), 401, "token-revoked")
    assert ask_api(plain, f"me/tokens/{second['id']}/", "DELETE").status_code == 204, "it stays revoked"


def test_nobody_revokes_anothers_token() -> None:
    row, other_token = create_token("bob")
    _row, plain = create_token()
    check_problem(ask_api(plain, f"me/tokens/{row.pk}/", "DELETE"), 404, "not-found")
    check_problem(ask_api(plain, f"me/tokens/{2**70}/", "DELETE"), 404, "not-found")
    assert ask_api(other_token).status_code == 200


def test_a_token_gives_no_more_than_it_has_and_for_no_longer() -> None:
    row, plain = create_token(scopes=("play", "account"), days=3)
    answer = ask_api(plain, "me/tokens/", "POST", {"name": "more", "scopes": ["play", "organise"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "organise"
    assert Token.objects.count() == 1
    for days in (None, 365):
        body = {"name": "as much", "scopes": ["play"], "expires_in_days": days}
        answer = ask_api(plain, "me/tokens/", "POST", body)
        assert answer.status_code == 201
        assert Token.objects.latest("pk").expires_at == row.expires_at


def test_one_player_has_only_so_many_tokens(monkeypatch: Any) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS_PER_PLAYER", 2)
    _row, plain = create_token()
    body = {"name": "x", "scopes": ["play"]}
    assert ask_api(plain, "me/tokens/", "POST", body).status_code == 201
    check_problem(ask_api(plain, "me/tokens/", "POST", body), 409, "too-many")


def test_a_profile_over_rest() -> None:
    _row, plain = create_token()
    change = {"language": "nl", "time_zone": "Europe/Amsterdam", "mail_frequency": "once"}
    answer = ask_api(plain, "me/", "PATCH", change)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in change} == change
    fixed = {"name": "mallory", "email": "m@example.org"}
    problem = check_problem(ask_api(plain, "me/", "PATCH", fixed), 400, "invalid")
    assert problem["errors"].keys() == fixed.keys()
    assert ask_api(plain, "me/").json()["name"] == "ada"
    for wrong in (
        {"language": "xx"},
        {"time_zone": "Mars/Olympus"},
        {"time_zone": "\x00"},
        {"mail_frequency": 1},
    ):
        problem = check_problem(ask_api(plain, "me/", "PATCH", wrong), 400, "invalid")
        assert problem["errors"].keys() == wrong.keys()


def test_everybody_may_see_a_name_and_since_when(client: Client) -> None:
    player("ada")
    answer = client.get("/api/v1/players/ADA/")
    assert answer.status_code == 200
    assert answer.json().keys() == {"name", "joined_at", "lookalike", "is_bot", "owner", "bots"}
    assert answer.json()["lookalike"] is False
    for name in ("nobody", "%00", "%ED%A0%80", "a%2Fb", "x" * 500, "%20", "..%5C"):
        check_problem(client.get(f"/api/v1/players/{name}/"), 404, "not-found")
