"""Pages of leagues and their viewers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories.events import get_host, get_player
from tests.helpers.plain_browser import Page, PlainBrowser
from tournaments.models import League, LeagueMember

EMAIL = "elsa@example.org"


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the rate limits and use a fast password hasher."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


def build_league_path(league: League) -> str:
    return f"/leagues/{league.code}/"


def sign_in_as(name: str) -> Client:
    client = Client()
    client.force_login(get_player(name))
    return client


def organiser() -> Client:
    get_host()
    return sign_in_as("host")


def press(client: Client, league: League, command: str, at: str = "", **fields: str) -> Page:
    """Press a button on a page of the league and return the page that follows."""
    browser_page = PlainBrowser(client, at or build_league_path(league))
    answer = browser_page.press(
        browser_page.page.form(action=f"{build_league_path(league)}{command}/"), **fields
    )
    assert answer.status_code == 302
    return Page(client.get(answer["Location"]).content.decode())


def status(league: League, name: str) -> str | None:
    league_member = LeagueMember.objects.filter(league=league, player__name=name).first()
    return league_member.status if league_member else None


def ask_to_join(client: Client, league: League, email: str = EMAIL, name: str = "Elsa") -> Any:
    browser_page = PlainBrowser(client, build_league_path(league))
    form = browser_page.page.form(action=f"{build_league_path(league)}ask/")
    return client.post(form.action, form.fields | {"email": email, "name": name})


def find_join_link(message: Any) -> str:
    match = re.search(r"https?://testserver(/leagues/join/\S+)", message.body)
    assert match, message.body
    return match[1]
