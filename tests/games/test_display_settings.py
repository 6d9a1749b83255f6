"""Display settings live in a cookie that every page reads; a forged cookie cannot insert markup."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.web.display_settings import DisplaySettings, parse_display_cookie
from tests.factories.cast import player

pytestmark = pytest.mark.django_db
CHANGED = DisplaySettings(theme="dark", high_contrast=True, coordinates=False, sound=True)


def read_root(client: Client, path: str = "/rules/") -> str:
    """Return the opening html tag of a page."""
    match = re.search(r"<html[^>]*>", client.get(path).text)
    assert match
    return match[0]


@pytest.mark.parametrize("chosen", [DisplaySettings(), CHANGED, DisplaySettings(theme="light", sound=True)])
def test_a_cookie_says_what_was_chosen(chosen: DisplaySettings) -> None:
    assert parse_display_cookie(chosen.format_cookie()) == chosen


@pytest.mark.parametrize("cookie", ["", "purple", '"><script>', "system", "DARK"])
def test_what_a_cookie_should_not_say_is_ignored(cookie: str) -> None:
    assert parse_display_cookie(cookie) == DisplaySettings()


@pytest.mark.parametrize("signed_in", [True, False])
def test_settings_are_saved_for_this_browser(signed_in: bool) -> None:
    client = Client()
    if signed_in:
        client.force_login(player("ada"))
    assert "data-" not in read_root(client)
    answer = client.post("/display/", {"theme": "dark", "high_contrast": "on", "sound": "on"})
    assert (answer.status_code, answer["Location"]) == (302, "/display/")
    cookie = answer.cookies["display"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    root = read_root(client)
    for attribute in ('theme="dark"', 'contrast="high"', 'coordinates="off"', 'sound="on"'):
        assert f"data-{attribute}" in root
    assert "/static/display.css" in client.get("/rules/").text
    page = client.get("/display/").text
    assert re.search(r'value="dark"[^>]*checked', page)
    assert re.search(r'name="sound"[^>]*checked', page)
    assert not re.search(r'name="coordinates"[^>]*checked', page)
    client.post("/display/", {"theme": "system", "coordinates": "on"})
    assert "data-" not in read_root(client)
    assert "display.css" not in client.get("/rules/").text


def test_an_unknown_theme_is_refused_and_changes_nothing() -> None:
    client = Client()
    answer = client.post("/display/", {"theme": "purple", "sound": "on"})
    assert "display" not in answer.cookies
    assert "errorlist" in answer.text
    assert "data-" not in read_root(client)
