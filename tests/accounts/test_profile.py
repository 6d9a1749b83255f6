"""The account pages: the profile, the address, and the common layout of all of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.helpers.accounts import EMAIL, find_link, reauthenticate, sign_up_and_confirm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def use_fast_hashers(settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def test_the_profile_can_be_changed(client: Client) -> None:
    player = sign_up_and_confirm(client)
    answer = client.post("/me/profile/", {"language": "it", "time_zone": "Europe/Rome"})
    assert answer.status_code == 302
    player.refresh_from_db()
    assert (player.language, player.time_zone) == ("it", "Europe/Rome")
    page = client.get("/me/profile/", headers={"Accept-Language": "nl"})
    assert page["Content-Language"] == "it", "the player's choice counts, not the browser's"
    assert page.text.count(" selected>") == 2
    assert '<option value="Europe/Rome" selected>Europe/Rome</option>' in page.text
    assert '<option value="America/New_York">America/New York</option>' in page.text


@pytest.mark.parametrize("wrong", [{"language": "xx"}, {"time_zone": "Mars/Olympus"}, {"time_zone": "\x00"}])
def test_a_profile_that_cannot_be_is_refused(client: Client, wrong: dict[str, str]) -> None:
    player = sign_up_and_confirm(client)
    fields = {"language": "it", "time_zone": "Europe/Rome", **wrong}
    answer = client.post("/me/profile/", fields)
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == wrong.keys()
    player.refresh_from_db()
    assert player.language == "en"


def test_the_address_changes_only_once_the_new_one_is_verified(client: Client) -> None:
    player = sign_up_and_confirm(client)
    client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    player.refresh_from_db()
    assert player.email == EMAIL
    [message] = [message for message in mail.outbox if message.to == ["new@example.org"]]
    client.post(find_link(message))
    player.refresh_from_db()
    assert player.email == "new@example.org"


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/login/", "/accounts/signup/", "/accounts/confirm-email/", "/accounts/login/code/",
        "/accounts/password/reset/", "/accounts/confirm-email/too-old/", "/api/errors/",
    ],
)  # fmt: skip
def test_every_page_before_the_door_is_ours(client: Client, address: str) -> None:
    page = client.get(address, follow=True)
    assert page.status_code == 200
    assert b"otto.css" in page.content
    assert b'class="account"' in page.content


@pytest.mark.parametrize(
    "address",
    [
        "/me/profile/", "/me/notices/", "/me/delivery/", "/me/webhooks/",
        "/me/tokens/", "/me/apps/", "/me/delete/", "/accounts/email/", "/accounts/2fa/",
        "/accounts/password/change/", "/accounts/logout/", "/accounts/2fa/totp/activate/",
    ],
)  # fmt: skip
def test_every_page_of_an_account_is_ours_and_only_for_its_player(client: Client, address: str) -> None:
    stranger = client.get(address)
    assert stranger.status_code == 302
    sign_up_and_confirm(client)
    reauthenticate(client)
    page = client.get(address)
    assert page.status_code == 200
    assert b"account-menu" in page.content
