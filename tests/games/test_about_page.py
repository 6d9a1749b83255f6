"""The page about the game says who made it and that this service is independent; every page links to it."""

from __future__ import annotations

import pytest
from django.test import Client

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


@pytest.mark.parametrize("path", ["/", "/lobby/", "/rules/", "/ratings/", "/accounts/login/", "/nowhere/"])
def test_the_footer_of_every_page_leads_to_it(client: Client, path: str) -> None:
    footer = client.get(path).content.decode().partition('<footer class="foot">')[2]
    assert 'href="/about/"' in footer
    assert "Franco Caniatti" in footer
