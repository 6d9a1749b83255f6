"""Lists of games on pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Game
from games.services import turns
from tests.factories.cast import open_browser, player, start_cast_game
from tests.markup import normalise_html


def read_page(path: str, name: str | None = None) -> str:
    answer = open_browser(name).get(path)
    assert answer.status_code == 200
    return normalise_html(answer.content.decode())


def cut_section(text: str, heading: str) -> str:
    """Return the section of a page with this heading."""
    match = re.search(rf'<h2 id="{heading}".*?</section>', text, re.DOTALL)
    return match[0] if match else ""


def list_codes(text: str) -> list[str]:
    """List the games of a section, in order."""
    return list(dict.fromkeys(re.findall(r'href="/games/([a-z0-9]{12})/"', text)))


def start_game(*names: str, bots: tuple[str, ...] = (), ago: timedelta = timedelta(), **terms: Any) -> Game:
    """Start a game so long ago in real time."""
    if terms.get("mode") in ("pairs", "solo"):
        terms["seat_count"] = None
    return start_cast_game(*names, bots=bots, now=timezone.now() - ago, **terms)


def resign_game(game: Game, name: str) -> None:
    turns.play_action(
        player=player(name), code=game.code, text="resign", seq=None, key="", now=timezone.now()
    )
