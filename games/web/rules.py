"""The rules for people who have never seen the game, one text for each language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from games.engine import DEFAULT_EDITION, edition
from games.engine.edition import POINTS, Tile

LANGUAGES = dict(settings.LANGUAGES)
_SECTION = re.compile(r'<section id="([a-z-]+)">\s*<h2>(.+?)</h2>')


@dataclass(frozen=True)
class Text:
    """The rules in one language, and what its sections are called."""

    body: SafeString
    contents: tuple[tuple[str, SafeString], ...]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules, in the reader's language or the one that is asked for."""
    language = request.GET.get("language") or translation.get_language() or ""
    if language not in LANGUAGES:
        language = settings.LANGUAGE_CODE
    with translation.override(language):
        page = {"text": text(language), "language": language, "languages": LANGUAGES.items()}
        answer = render(request, "games/rules.html", page)
    answer["Content-Language"] = language
    return answer


@cache
def text(language: str) -> Text:
    """The rules in a language; they change only with a release."""
    with translation.override(language):
        body = render_to_string(f"games/rules/{language}.html", {"tiles": tiles()})
    contents = tuple((name, mark_safe(title)) for name, title in _SECTION.findall(body))
    return Text(mark_safe(body), contents)


def tiles() -> list[tuple[Tile, str]]:
    """The tiles of the box, each with what it could close, as a sum."""
    found = []
    for tile in edition(DEFAULT_EDITION).tiles.values():
        marks = [*tile.corners, *tile.sides, *(["crossing"] if tile.crossing else [])]
        points = sorted((POINTS[mark] for mark in marks if mark in POINTS), reverse=True)
        found.append((tile, " + ".join(map(str, points))))
    return found
