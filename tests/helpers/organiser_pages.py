"""Pages of organisers and their forms."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from tests.factories.events import get_host
from tests.helpers.plain_browser import Page
from tournaments.models import Tournament
from tournaments.services import sweep

MOST_QUERIES, MOST_BYTES = 12, 100_000


def sign_in_as(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def browser() -> Client:
    client = sign_in_as(get_host())
    client.get("/tournaments/new/")  # the first request also records that the player was seen
    return client


def look(client: Client, path: str, status: int = 200) -> Page:
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return Page(answer.content.decode())


def send(client: Client, path: str, sentence: str = "", **fields: Any) -> str:
    """Open a page, submit its first form with these fields, and return the page that follows."""
    page = look(client, path)
    form = next(form for form in page.forms if form.method == "post" and form.action != "/language/")
    answer = client.post(form.action or path, read_form_fields(page.html, form.fields) | fields, follow=True)
    html = answer.content.decode()
    notices = re.findall(r'class="(?:errorlist|notice)[^>]*>.*?</', html)
    assert (answer.status_code, sentence in html) == (200, True), notices
    return html


def read_form_fields(html: str, fields: dict[str, str]) -> dict[str, str]:
    """Return the fields of a form with its lists and text areas, which the plain browser leaves out."""
    form_fields = dict(fields)
    for name, inside in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', html, re.DOTALL):
        picked = re.search(r'<option value="([^"]*)" selected', inside)
        form_fields[name] = picked[1] if picked else ""
    for name, inside in re.findall(r'<textarea name="([^"]+)".*?>\s*(.*?)</textarea>', html, re.DOTALL):
        form_fields[name] = unescape(inside)
    return form_fields


def action_path(tournament: Tournament, name: str, **about: Any) -> str:
    query = "&".join(f"{key}={value}" for key, value in about.items())
    return f"/tournaments/{tournament.code}/organise/{name}/" + (f"?{query}" if query else "")


def dashboard_path(tournament: Tournament, part: str = "") -> str:
    return f"/tournaments/{tournament.code}/organise/" + (f"{part}/" if part else "")


def settle(tournament: Tournament) -> None:
    sweep.sweep_tournaments(now=timezone.now() + timedelta(seconds=1))
    tournament.refresh_from_db()
