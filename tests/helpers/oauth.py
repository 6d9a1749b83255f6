"""An OAuth app that asks for access, and a player who allows it."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services import oauth_apps
from tests.factories.cast import player

BACK = "https://board.example/back"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def app() -> Any:
    """Register a public app of bob, without a client secret."""
    return oauth_apps.register_app(
        player=player("bob"), name="Pocket board", addresses=[BACK], secret=False, now=timezone.now()
    )[0]


def build_authorize_params(app: Any, **changes: str | None) -> dict[str, str]:
    params: dict[str, str | None] = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "scope": "read",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **changes,
    }
    return {name: value for name, value in params.items() if value is not None}


def allow_app(client: Client, app: Any, **changes: str | None) -> dict[str, str]:
    """Press Allow as the player; return the parameters that the app receives."""
    params = build_authorize_params(app, **changes)
    answer = client.post("/oauth/authorize/", {**params, "allow": "allow"}, query_params=params)
    assert answer.status_code == 302, answer.content
    assert answer["Location"].startswith(BACK + "?")
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


def exchange_code(app: Any, code: str, path: str = "/oauth/token/", **changes: str) -> Any:
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": app.client_id,
        "code_verifier": VERIFIER,
        **changes,
    }
    return Client().post(path, fields)
