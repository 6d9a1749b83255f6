"""Third-party apps: OAuth 2, authorization code with PKCE, end to end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from tests.factories.cast import player
from tests.helpers.oauth import BACK, allow_app, build_authorize_params, exchange_code
from tests.helpers.oauth import app as app
from tests.helpers.tokens import ask_api, check_problem

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_cache() -> None:
    cache.clear()


def test_an_app_is_allowed_and_plays_in_the_players_name(client: Client, app: Any) -> None:
    params = build_authorize_params(app, scope="read play")
    stranger = client.get("/oauth/authorize/", query_params=params)
    assert stranger.status_code == 302
    assert stranger["Location"].startswith("/accounts/login/?next=")

    client.force_login(player("ada"))
    page = client.get("/oauth/authorize/", query_params=params).content.decode()
    assert "Allow Pocket board?" in page
    assert "You are signed in as ada." in page
    assert "Join games, tournaments and leagues, play, chat and keep notes in your name" in page
    assert "Organise" not in page
    assert "otto.css" in page

    back = allow_app(client, app, scope="read play")
    assert back["state"] == "xyz"
    response = exchange_code(app, back["code"])
    assert response.status_code == 200, response.content
    token = response.json()
    assert (token["token_type"], set(token["scope"].split())) == ("Bearer", {"read", "play"})
    assert ask_api(token["access_token"]).json()["name"] == "ada"
    assert ask_api(token["access_token"], "games/", "POST", {"seats": 2}).status_code == 201
    changed = ask_api(token["access_token"], "me/", "PATCH", {"mail_frequency": "none"})
    check_problem(changed, 403, "not-for-apps")
    assert player("ada").mail_frequency == "each"

    refreshed = (
        Client()
        .post(
            "/oauth/token/",
            {
                "grant_type": "refresh_token",
                "refresh_token": token["refresh_token"],
                "client_id": app.client_id,
            },
        )
        .json()
    )
    assert ask_api(refreshed["access_token"]).status_code == 200
    check_problem(ask_api(token["access_token"]), 401, "unknown-token")

    revocation = Client().post(
        "/oauth/revoke/", {"token": refreshed["access_token"], "client_id": app.client_id}
    )
    assert revocation.status_code == 200
    check_problem(ask_api(refreshed["access_token"]), 401, "unknown-token")


def test_a_token_is_had_and_given_back_without_the_last_slash(client: Client, app: Any) -> None:
    """A client would follow a redirect with a GET and lose the code."""
    client.force_login(player("ada"))
    response = exchange_code(app, allow_app(client, app)["code"], "/oauth/token")
    assert response.status_code == 200, response.content
    token = response.json()["access_token"]
    assert ask_api(token).status_code == 200
    revocation = Client().post("/oauth/revoke", {"token": token, "client_id": app.client_id})
    assert revocation.status_code == 200
    check_problem(ask_api(token), 401, "unknown-token")


def test_a_scope_that_was_not_allowed_is_named(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    token = exchange_code(app, allow_app(client, app)["code"]).json()["access_token"]
    problem = check_problem(ask_api(token, "games/", "POST", {"seats": 2}), 403, "missing-scope")
    assert problem["scope"] == "play"


def test_no_app_makes_tokens_or_takes_everything(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    token = exchange_code(app, allow_app(client, app, scope="read play")["code"]).json()["access_token"]
    body = {"name": "mine now", "scopes": ["read"]}
    check_problem(ask_api(token, "me/tokens/", "POST", body), 403, "not-for-apps")
    check_problem(ask_api(token, "me/export/"), 403, "not-for-apps")


def test_an_access_token_ends(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    token = exchange_code(app, allow_app(client, app)["code"]).json()["access_token"]
    AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    check_problem(ask_api(token), 401, "token-expired")


def test_not_allowing_gives_nothing(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    params = build_authorize_params(app)
    answer = client.post("/oauth/authorize/", params, query_params=params)
    assert parse_qs(urlsplit(answer["Location"]).query)["error"] == ["access_denied"]
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "changes", [{"code_challenge": None, "code_challenge_method": None}, {"scope": "admin"}]
)
def test_without_pkce_or_with_an_unknown_scope_the_app_hears_no(
    client: Client, app: Any, changes: dict[str, Any]
) -> None:
    client.force_login(player("ada"))
    answer = client.get("/oauth/authorize/", query_params=build_authorize_params(app, **changes))
    assert answer.status_code == 302
    assert "error=invalid_" in answer["Location"]


@pytest.mark.parametrize(
    "changes", [{"redirect_uri": "https://evil.example/"}, {"client_id": "nobody"}, {"client_id": "a\x00b"}]
)
def test_nobody_is_sent_to_an_address_that_was_not_registered(
    client: Client, app: Any, changes: dict[str, Any]
) -> None:
    client.force_login(player("ada"))
    answer = client.get("/oauth/authorize/", query_params=build_authorize_params(app, **changes))
    assert answer.status_code == 400
    assert "Location" not in answer


def test_a_stolen_code_is_worth_nothing(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    code = allow_app(client, app)["code"]
    assert exchange_code(app, code, code_verifier="w" * 64).status_code == 400
    code = allow_app(client, app)["code"]
    assert exchange_code(app, code).status_code == 200
    assert exchange_code(app, code).status_code == 400, "and it works once"


def test_only_the_authorization_code_is_offered(client: Client, app: Any) -> None:
    ada = player("ada")
    ada.set_password("a long walk by the canal")
    ada.save()
    for fields in (
        {"grant_type": "password", "username": ada.email, "password": "a long walk by the canal"},
        {"grant_type": "client_credentials"},
    ):
        answer = Client().post("/oauth/token/", {**fields, "client_id": app.client_id})
        assert answer.status_code in {400, 401}
    assert not AccessToken.objects.exists()


# ---------------------------------------------------------------------------------------------- the page


def test_an_app_with_a_secret_shows_it_once(client: Client) -> None:
    client.force_login(player("bob"))
    fields = {"name": "Server board", "addresses": f"{BACK}\nhttp://localhost:9000/back", "secret": "on"}
    answer = client.post("/me/apps/", fields)
    plain = answer.context["plain_secret"]
    assert plain.encode() in answer.content
    app = Application.objects.get()
    assert plain not in app.client_secret
    assert app.client_id.encode() in client.get("/me/apps/").content
    assert plain.encode() not in client.get("/me/apps/").content

    ada = Client()
    ada.force_login(player("ada"))
    code = allow_app(ada, app)["code"]
    assert exchange_code(app, code, client_secret="wrong").status_code == 401
    assert exchange_code(app, code, client_secret=plain).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "http://board.example/", "javascript:alert(1)", "ftp://x.example/", "https://", "https://x.example/#f",
        "nothing", "https://[", "https://x.example:port/",
    ],
)  # fmt: skip
def test_an_app_returns_to_a_safe_address_only(client: Client, address: str) -> None:
    client.force_login(player("bob"))
    answer = client.post("/me/apps/", {"name": "Board", "addresses": address})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not Application.objects.exists()


def test_a_player_takes_back_what_an_app_was_allowed(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    token = exchange_code(app, allow_app(client, app)["code"]).json()["access_token"]
    assert b"Pocket board" in client.get("/me/apps/").content
    other = Client()
    other.force_login(player("cleo"))
    other.post(f"/me/apps/{app.pk}/disallow/")
    assert ask_api(token).status_code == 200, "cleo takes back only what is hers"
    client.post(f"/me/apps/{app.pk}/disallow/")
    check_problem(ask_api(token), 401, "unknown-token")
    assert not RefreshToken.objects.exists()
    assert b"Pocket board" not in client.get("/me/apps/").content


def test_only_its_author_deletes_an_app(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    client.post(f"/me/apps/{app.pk}/delete/")
    assert Application.objects.exists()
    client.force_login(player("bob"))
    client.post(f"/me/apps/{app.pk}/delete/")
    assert not Application.objects.exists()
