"""Pages of tournaments and their viewers."""

from __future__ import annotations

import re

from django.test import Client

from tests.factories.events import (
    get_player,
)
from tournaments.models import Tournament


def browser(name: str = "") -> Client:
    """Return a test client, signed in if a name is given."""
    client = Client()
    if name:
        client.force_login(get_player(name))
    return client


def build_tournament_path(tournament: Tournament, rest: str = "") -> str:
    return f"/tournaments/{tournament.code}/{rest}"


def text_of_page(client: Client, path: str, status: int = 200) -> str:
    """Return the text of a page's main part, without tags."""
    answer = client.get(path)
    assert answer.status_code == status, answer.status_code
    text = re.sub(r"<[^>]+>", " ", answer.content.decode().partition("<main")[2].partition("</main>")[0])
    return " ".join(text.split())
