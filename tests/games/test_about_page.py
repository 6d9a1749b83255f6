"""The page about the game names its makers, says that this site is independent, and has a link everywhere."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.web.about import CREDITED_SITES

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_it_names_authors_publishers_and_their_sites_as_text(client: Client, language: str) -> None:
    html = client.get("/about/", HTTP_ACCEPT_LANGUAGE=language).content.decode()
    for name in ("Franco Caniatti", "Arcastudio", "Bannan", "Marino Carpignano"):
        assert name in html
    for site in CREDITED_SITES.values():
        assert site in html
        assert f'href="http://{site}' not in html
        assert f'href="https://{site}' not in html


def test_pages_without_a_menu_lead_to_it_too(client: Client) -> None:
    for path in (reverse("offline"), reverse("status")):
        footer = client.get(path).content.decode().partition('<footer class="foot">')[2]
        assert 'href="/about/"' in footer, path
        assert "Franco Caniatti" in footer


@pytest.mark.parametrize("name", ["turn.html", "turn_played.html"])
def test_pages_of_turn_links_have_the_same_footer(name: str) -> None:
    source = (settings.BASE_DIR / "templates/games" / name).read_text()
    assert '{% block foot %}{% include "credits.html" %}{% endblock %}' in source


@pytest.mark.parametrize("path", ["/", "/lobby/", "/rules/", "/ratings/", "/accounts/login/", "/nowhere/"])
def test_the_footer_of_every_page_leads_to_it(client: Client, path: str) -> None:
    footer = client.get(path).content.decode().partition('<footer class="foot">')[2]
    assert 'href="/about/"' in footer
    assert "Franco Caniatti" in footer
