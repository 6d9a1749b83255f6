"""Browser-only apps find the OAuth endpoints and may call them from any origin."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.scopes import APP_SCOPES
from tests.factories.cast import player
from tests.helpers.oauth import allow_app, exchange_code
from tests.helpers.oauth import app as app

pytestmark = pytest.mark.django_db

ORIGIN = "https://board.example"
METADATA = "/.well-known/oauth-authorization-server"


def ask_beforehand(path: str, method: str = "POST", headers: str = "content-type") -> Any:
    """Send the preflight request of a browser."""
    return Client().options(
        path,
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": headers,
        },
    )


@pytest.mark.parametrize(
    "path", ["/oauth/token/", "/oauth/token", "/oauth/revoke/", "/api/v1/me/", "/data/", METADATA]
)
def test_a_preflight_from_any_origin_is_allowed_without_cookies(path: str) -> None:
    answer = ask_beforehand(path, headers="authorization,content-type")
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "POST" in answer["Access-Control-Allow-Methods"]
    assert {"authorization", "content-type"} <= set(answer["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize("path", ["/oauth/authorize/", "/accounts/login/", "/me/tokens/", "/oauth/token/x/"])
def test_pages_of_people_are_closed_to_other_origins(path: str) -> None:
    assert "Access-Control-Allow-Origin" not in ask_beforehand(path)


def test_an_app_without_a_server_gets_and_gives_back_a_token(client: Client, app: Any) -> None:
    metadata = Client().get(METADATA, headers={"Origin": ORIGIN})
    assert metadata["Access-Control-Allow-Origin"] == "*"
    endpoints = metadata.json()
    client.force_login(player("ada"))
    back = allow_app(client, app, scope="read")
    assert back["iss"] == endpoints["issuer"], "or an app would take the answer for another server's"
    token_path = endpoints["token_endpoint"].removeprefix(settings.SITE_URL)
    fields = {
        "grant_type": "authorization_code",
        "code": back["code"],
        "redirect_uri": "https://board.example/back",
        "client_id": app.client_id,
        "code_verifier": "v" * 64,
    }
    answer = Client().post(token_path, fields, headers={"Origin": ORIGIN})
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, "*")
    token = answer.json()["access_token"]
    profile = Client().get("/api/v1/me/", headers={"Origin": ORIGIN, "Authorization": f"Bearer {token}"})
    assert profile.json()["name"] == "ada"
    revoke_path = endpoints["revocation_endpoint"].removeprefix(settings.SITE_URL)
    revoked = Client().post(
        revoke_path, {"token": token, "client_id": app.client_id}, headers={"Origin": ORIGIN}
    )
    assert (revoked.status_code, revoked["Access-Control-Allow-Origin"]) == (200, "*")
    refused = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {token}"})
    assert refused.status_code == 401


def test_a_refusal_can_be_read_from_another_origin(app: Any) -> None:
    answer = Client().post(
        "/oauth/token/", {"grant_type": "authorization_code", "code": "x"}, headers={"Origin": ORIGIN}
    )
    assert answer.status_code >= 400
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_a_code_is_worthless_without_its_verifier(client: Client, app: Any) -> None:
    client.force_login(player("ada"))
    code = allow_app(client, app)["code"]
    assert exchange_code(app, code, code_verifier="w" * 64).status_code == 400


def test_the_metadata_says_what_the_server_does() -> None:
    answer = Client().get(METADATA)
    metadata = answer.json()
    site = settings.SITE_URL
    assert metadata["issuer"] == site
    assert metadata["authorization_endpoint"] == f"{site}/oauth/authorize/"
    assert metadata["token_endpoint"] == f"{site}/oauth/token/"
    assert metadata["revocation_endpoint"] == f"{site}/oauth/revoke/"
    assert metadata["service_documentation"] == f"{site}/api/#token"
    assert metadata["response_types_supported"] == ["code"]
    assert metadata["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert metadata["code_challenge_methods_supported"] == ["S256"]
    assert set(metadata["scopes_supported"]) == set(APP_SCOPES)
    assert "none" in metadata["token_endpoint_auth_methods_supported"]
    assert "registration_endpoint" not in metadata
    assert "max-age" in answer["Cache-Control"]
    assert answer["Content-Type"] == "application/json"


def test_the_guide_names_every_endpoint() -> None:
    page = Client().get("/api/").content.decode()
    section = re.search(r'<dl class="codes" id="oauth">.*?</dl>', page, re.DOTALL)
    assert section
    for path in ("/oauth/authorize/", "/oauth/token/", "/oauth/revoke/", METADATA):
        assert path in section[0]
