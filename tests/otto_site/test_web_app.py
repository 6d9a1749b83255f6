"""The site as a web app: manifest, icons, service worker and offline page."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.factories.cast import open_browser

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_of_their_sizes() -> None:
    answer = Client().get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["display"], manifest["scope"]) == ("OTTO online", "standalone", "/")
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in manifest["icons"]:
        name = icon["src"].rpartition("/")[2].split(".")[0]
        data = Path(str(finders.find(f"icons/{name}.png"))).read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert icon["sizes"] == f"{width}x{height}"
        assert len(data) < 20_000


def test_every_page_names_the_manifest() -> None:
    page = Client().get("/rules/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert '<meta name="theme-color"' in page


def test_pages_may_run_a_worker_of_this_site_and_no_other() -> None:
    policy = Client().get("/rules/")["Content-Security-Policy"]
    assert "worker-src 'self'" in policy
    assert "manifest-src 'self'" in policy


def test_the_worker_is_the_same_for_everybody() -> None:
    answer, own = Client().get("/service-worker.js"), open_browser("ada").get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer.content == own.content, "else a browser would install it at every visit"
    assert b'"/accounts/logout/"' in answer.content


def test_the_page_for_lost_connections_is_nobodys_own() -> None:
    page = Client().get("/offline/").content.decode()
    own = open_browser("ada").get("/offline/").content.decode()
    assert "No connection" in page
    assert "ada" not in own.replace("data", "")
    assert "csrf" not in page


def test_the_page_of_games_has_the_sentence_that_the_worker_shows() -> None:
    page = open_browser("ada").get("/games/").content.decode()
    assert page.count("data-offline hidden") == 1
