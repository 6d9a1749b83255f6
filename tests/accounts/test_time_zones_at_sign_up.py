"""A new account gets the time zone that its browser names, or the default without an error."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import Player
from accounts.time_zones import load_time_zone_names, time_zone_or_default
from tests.factories.guesting import play_now
from tests.factories.leagues import league_of
from tests.helpers.accounts import find_link
from tests.helpers.league_pages import ask_to_join
from tests.helpers.league_pages import find_join_link as league_link_in

pytestmark = pytest.mark.django_db
EMAIL, PASSWORD = "elsa@example.org", "a long walk by the canal"
WRONG = (
    "",
    "Nowhere/Here",
    "europe/rome",
    "../../etc/passwd",
    "Europe/Rome\0",
    "x" * 5000,
    "+02:00",
    "🕑",
    " UTC",
)


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


def sign_up(client: Client, **more: str) -> Player:
    fields = {"email": EMAIL, "username": "Elsa", "password1": PASSWORD} | more
    assert client.post("/accounts/signup/", fields).status_code == 302
    return Player.objects.get(name="Elsa")


@pytest.mark.parametrize("zone", ["Europe/Rome", "America/Argentina/Buenos_Aires", "Asia/Calcutta", "UTC"])
def test_a_new_account_has_the_zone_of_its_browser(zone: str) -> None:
    client = Client()
    assert sign_up(client, time_zone=zone).time_zone == zone
    client.post(find_link(mail.outbox[-1]))
    assert zone.replace("_", " ") in client.get("/me/time/").content.decode()


@pytest.mark.parametrize("zone", WRONG)
def test_what_is_no_zone_is_the_sites_own_and_nobody_is_troubled(zone: str) -> None:
    account = sign_up(Client(), time_zone=zone)
    assert account.time_zone == time_zone_or_default(zone) == "UTC"


def test_without_a_script_it_is_the_sites_own_and_can_be_chosen() -> None:
    client = Client()
    assert sign_up(client).time_zone == "UTC"
    client.post(find_link(mail.outbox[-1]))
    assert 'href="/me/profile/"' in client.get("/me/time/").content.decode()
    client.post("/me/profile/", {"language": "en", "time_zone": "Europe/Rome"})
    assert Player.objects.get().time_zone == "Europe/Rome"


def test_a_guest_who_signs_up_has_it_too() -> None:
    client = Client()
    _guest, game = play_now(client)
    sign_up(client, time_zone="Europe/Rome")
    client.post(find_link(mail.outbox[-1]))
    assert game.seats.get(bot_policy="").player.time_zone == "Europe/Rome"


@pytest.mark.parametrize(("zone", "stored"), [("Europe/Rome", "Europe/Rome"), ("Nowhere/Here", "UTC")])
def test_who_joins_a_league_has_it_too(zone: str, stored: str) -> None:
    client, league = Client(), league_of(0)
    ask_to_join(client, league)
    client.post(league_link_in(mail.outbox[-1]), {"name": "Elsa", "time_zone": zone})
    assert Player.objects.get(name="Elsa").time_zone == stored


@pytest.mark.parametrize("path", ["/accounts/signup/"])
def test_the_form_asks_the_script_for_it(path: str) -> None:
    assert "data-time-zone" in Client().get(path).content.decode()
    assert len(load_time_zone_names()) > 400
