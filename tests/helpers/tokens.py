"""API requests with a token, and checks of problem responses."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import Token
from accounts.services import tokens
from otto_site.errors import load_error_codes
from tests.factories.cast import player


def ask_api(plain: str, path: str = "me/", method: str = "GET", data: Any = None) -> Any:
    body = {} if data is None else {"data": json.dumps(data), "content_type": "application/json"}
    headers = {"Authorization": f"Bearer {plain}"}
    return Client().generic(method, f"/api/v1/{path}", headers=headers, **body)


def create_token(
    name: str = "ada", scopes: tuple[str, ...] = ("read", "email", "play", "account"), days: int | None = None
) -> tuple[Token, str]:
    return tokens.create_token(
        player=player(name), name="a bot", scopes=scopes, expires_in_days=days, now=timezone.now()
    )


def check_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Check that a refusal is problem+json with the expected code, which the page of errors lists."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"/api/errors/#{code}"
    assert problem["title"]
    assert problem["detail"]
    assert code in load_error_codes()
    return problem
