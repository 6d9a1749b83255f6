"""Personal tokens, on their page and over REST: shown once, limited, revocable."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Token
from games.services import tokens
from otto_site.errors import ERROR_CODES

from .cast import Api, player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> None:
    cache.clear()


def ask(plain: str, path: str = "me/", method: str = "GET", data: Any = None) -> Any:
    body = {} if data is None else {"data": json.dumps(data), "content_type": "application/json"}
    headers = {"Authorization": f"Bearer {plain}"}
    return Client().generic(method, f"/api/v1/{path}", headers=headers, **body)


def made(
    name: str = "ada", scopes: tuple[str, ...] = ("read", "email", "play", "account"), days: int | None = None
) -> tuple[Token, str]:
    return tokens.create_token(
        player=player(name), name="a bot", scopes=scopes, expires_in_days=days, now=timezone.now()
    )


def check_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """A refusal is problem+json, with the code that was expected and that the page of errors lists."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"/api/errors/#{code}"
    assert problem["title"]
    assert problem["detail"]
    assert code in ERROR_CODES
    return problem


# ------------------------------------------------------------------------------------------- on its page


def test_a_token_is_shown_once_and_stored_as_a_hash(client: Client) -> None:
    client.force_login(player("ada"))
    answer = client.post(
        "/me/tokens/", {"name": "my bot", "scopes": ["play", "read"], "expires_in_days": "30"}
    )
    plain = answer.context["plain"]
    assert plain.startswith("otto_")
    assert len(plain) >= len("otto_") + 43
    assert plain.encode() in answer.content
    assert plain.encode() not in client.get("/me/tokens/").content
    row = Token.objects.get()
    assert row.digest == hashlib.sha256(plain.encode()).hexdigest()
    assert row.scopes == "read play"
    assert row.expires_at == row.created_at + timedelta(days=30)
    assert ask(plain).json()["name"] == "ada"


def test_a_token_is_revoked_on_its_page(client: Client) -> None:
    client.force_login(player("ada"))
    row, plain = made()
    _other, theirs = made("bob")
    client.post(f"/me/tokens/{_other.pk}/revoke/")
    assert ask(theirs).status_code == 200, "it is not ada's"
    client.post(f"/me/tokens/{row.pk}/revoke/")
    check_problem(ask(plain), 401, "token-revoked")

    rest = [made()[1] for _ in range(2)]
    client.post("/me/tokens/revoke-all/")
    assert [ask(plain).status_code for plain in rest] == [401, 401]
    assert ask(theirs).status_code == 200


def test_looking_never_revokes(client: Client) -> None:
    client.force_login(player("ada"))
    row, plain = made()
    assert client.get(f"/me/tokens/{row.pk}/revoke/").status_code == 405
    assert client.get("/me/tokens/revoke-all/").status_code == 405
    assert ask(plain).status_code == 200


# ------------------------------------------------------------------------------------------ who is asking


def test_one_query_finds_the_token_and_its_player() -> None:
    _row, plain = made()
    ask(plain)  # the first use of an hour is noted
    with CaptureQueriesContext(connection) as queries:
        assert ask(plain, "me/").status_code == 200
    assert len(queries) == 1


def test_a_token_ends_when_it_said() -> None:
    row, plain = made(days=1)
    assert ask(plain).status_code == 200
    Token.objects.filter(pk=row.pk).update(expires_at=timezone.now())
    check_problem(ask(plain), 401, "token-expired")


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
    row, plain = made()
    row.player.is_active = False
    row.player.save()
    check_problem(ask(plain), 401, "account-closed")


def test_last_used_is_noted_once_an_hour() -> None:
    row, plain = made()
    ask(plain)
    row.refresh_from_db()
    first = row.last_used
    assert first
    ask(plain)
    row.refresh_from_db()
    assert row.last_used == first
    Token.objects.filter(pk=row.pk).update(last_used=first - timedelta(hours=1))
    ask(plain)
    row.refresh_from_db()
    assert row.last_used >= first


def test_a_missing_scope_is_named() -> None:
    _row, plain = made(scopes=("read",))
    answer = ask(plain, "me/", "PATCH", {"mails": "none"})
    problem = check_problem(answer, 403, "missing-scope")
    assert (problem["detail"], problem["scope"]) == ("this needs the scope account", "account")
    assert 'error="insufficient_scope", scope="account"' in answer["WWW-Authenticate"]

    _row, plain = made(scopes=("account",))
    assert check_problem(ask(plain), 403, "missing-scope")["scope"] == "read"
    assert ask(plain, "me/", "PATCH", {"mails": "none"}).json()["mails"] == "none"


def test_a_browser_has_all_scopes_and_needs_its_csrf_token() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(player("ada"))
    assert browser.get("/api/v1/me/").status_code == 200
    change = {"data": '{"mails": "none"}', "content_type": "application/json"}
    check_problem(browser.patch("/api/v1/me/", **change), 403, "csrf")
    browser.get("/me/tokens/")
    headers = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.patch("/api/v1/me/", headers=headers, **change).status_code == 200


# ---------------------------------------------------------------------------------------------- over REST


def test_tokens_are_made_listed_and_revoked_over_rest() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    answer = api.post("me/tokens/", {"name": "second", "scopes": ["read", "email"], "expires_in_days": 7})
    assert answer.status_code == 201, answer.content
    second = answer.json()
    assert second["scopes"] == ["read", "email"]
    assert ask(second["token"]).json()["email"] == "ada@example.org"
    made("bob")
    listed = api.get("me/tokens/").json()
    assert [token["name"] for token in listed] == ["second", "test"]
    assert not any("token" in token or "digest" in token for token in listed)

    plain = api.headers["Authorization"].removeprefix("Bearer ")
    assert ask(plain, f"me/tokens/{second['id']}/", "DELETE").status_code == 204
    check_problem(ask(second["token"]), 401, "token-revoked")
    assert ask(plain, f"me/tokens/{second['id']}/", "DELETE").status_code == 204, "it stays revoked"


def test_nobody_revokes_anothers_token() -> None:
    row, theirs = made("bob")
    _row, plain = made()
    check_problem(ask(plain, f"me/tokens/{row.pk}/", "DELETE"), 404, "not-found")
    check_problem(ask(plain, f"me/tokens/{2**70}/", "DELETE"), 404, "not-found")
    assert ask(theirs).status_code == 200


def test_a_token_gives_no_more_than_it_has_and_for_no_longer() -> None:
    row, plain = made(scopes=("play", "account"), days=3)
    answer = ask(plain, "me/tokens/", "POST", {"name": "more", "scopes": ["play", "organise"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "organise"
    assert Token.objects.count() == 1
    for days in (None, 365):
        asked = {"name": "as much", "scopes": ["play"], "expires_in_days": days}
        answer = ask(plain, "me/tokens/", "POST", asked)
        assert answer.status_code == 201
        assert Token.objects.latest("pk").expires_at == row.expires_at


def test_one_player_has_only_so_many_tokens(monkeypatch: Any) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS_PER_PLAYER", 2)
    _row, plain = made()
    asked = {"name": "x", "scopes": ["play"]}
    assert ask(plain, "me/tokens/", "POST", asked).status_code == 201
    check_problem(ask(plain, "me/tokens/", "POST", asked), 409, "too-many")


def test_a_profile_over_rest() -> None:
    _row, plain = made()
    change = {"language": "nl", "time_zone": "Europe/Amsterdam", "mails": "once"}
    answer = ask(plain, "me/", "PATCH", change)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in change} == change
    fixed = {"name": "mallory", "email": "m@example.org"}
    problem = check_problem(ask(plain, "me/", "PATCH", fixed), 400, "invalid")
    assert problem["errors"].keys() == fixed.keys()
    assert ask(plain, "me/").json()["name"] == "ada"
    for wrong in ({"language": "xx"}, {"time_zone": "Mars/Olympus"}, {"time_zone": "\x00"}, {"mails": 1}):
        problem = check_problem(ask(plain, "me/", "PATCH", wrong), 400, "invalid")
        assert problem["errors"].keys() == wrong.keys()


def test_everybody_may_see_a_name_and_since_when(client: Client) -> None:
    player("ada")
    answer = client.get("/api/v1/players/ADA/")
    assert answer.status_code == 200
    assert answer.json().keys() == {"name", "since", "lookalike"}
    assert answer.json()["lookalike"] is False
    for name in ("nobody", "%00", "%ED%A0%80", "a%2Fb", "x" * 500, "%20", "..%5C"):
        check_problem(client.get(f"/api/v1/players/{name}/"), 404, "not-found")
