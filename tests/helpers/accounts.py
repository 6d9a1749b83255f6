"""Sign up, sign in and confirm addresses through the pages."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import Player

PASSWORD = "a long walk by the canal"
EMAIL = "elsa@example.org"


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the rate limits and use a fast password hasher."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def sign_up(client: Client, *, email: str = EMAIL, name: str = "Elsa Vermeer", **more: str) -> Any:
    fields = {"email": email, "username": name, "password1": PASSWORD, **more}
    return client.post("/accounts/signup/", fields)


def find_link(message: Any) -> str:
    match = re.search(r"https?://testserver(/\S+)", message.body)
    assert match
    return match[1]


def sign_up_and_confirm(client: Client, **more: str) -> Player:
    """Sign up and open the mailed link; return the new player."""
    sign_up(client, **more)
    client.post(find_link(mail.outbox[-1]))
    mail.outbox.clear()
    cache.clear()
    return Player.objects.latest("pk")


def is_signed_in(client: Client) -> bool:
    return client.get("/me/profile/").status_code == 200


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": EMAIL, "password": password})


def reauthenticate(client: Client) -> Any:
    """Enter the password again, as changes of the account require."""
    return client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def compute_totp(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))
