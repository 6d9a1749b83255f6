"""The rules of the game for newcomers, one text per language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine import DEFAULT_EDITION, list_edition_names, load_edition
from games.engine.edition import FEATURE_POINTS, Edition, Tile, find_edition_of_language
from games.engine.solo_progress import HIGHEST_SOLO_SCORE
from games.rule_pictures import draw_rule_picture, list_picture_names

LANGUAGE_NAMES = dict(settings.LANGUAGES)
_SECTION_PATTERN = re.compile(r'<section id="([a-z-]+)">\s*<h2>(.+?)</h2>')


@dataclass(frozen=True)
class RulesText:
    """The rules in one language, with the titles of its sections."""

    body: SafeString
    contents: tuple[tuple[str, SafeString], ...]


@require_safe
def show_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in the reader's language, or in the one of `?language=`.

    They are those of `?edition=`; without it, of the edition that readers of the language get first.
    """
    language = request.GET.get("language") or translation.get_language() or ""
    if language not in LANGUAGE_NAMES:
        language = settings.LANGUAGE_CODE
    asked_edition = read_edition(request)
    with translation.override(language):
        context = {
            "text": load_rules_text(language, asked_edition or find_edition_of_language(language)),
            "language": language,
            "languages": LANGUAGE_NAMES.items(),
            "asked_edition": asked_edition,
        }
        response = render(request, "games/rules.html", context)
    response["Content-Language"] = language
    return response


@require_safe
def show_picture(request: HttpRequest, name: str) -> HttpResponse:
    """Return a diagram, or the board of a worked example in the edition of `?edition=`, as SVG."""
    if name not in list_picture_names():
        raise Http404(_("There is no such picture."))
    response = HttpResponse(
        draw_rule_picture(name, read_edition(request) or DEFAULT_EDITION), content_type="image/svg+xml"
    )
    response["Cache-Control"] = "public, max-age=86400"
    return response


def read_edition(request: HttpRequest) -> str:
    """The edition of `?edition=`; "" if there is none of that name."""
    asked_edition = request.GET.get("edition", "")
    return asked_edition if asked_edition in list_edition_names() else ""


@cache
def load_rules_text(language: str, edition_name: str) -> RulesText:
    """Return the rules of an edition in a language. Cached for ever: they change only with a release."""
    edition = load_edition(edition_name)
    with translation.override(language):
        body = render_to_string(
            f"games/rules/{language}.html",
            {
                "tiles": list_tiles(edition),
                "edition": edition,
                "highest_solo_score": HIGHEST_SOLO_SCORE,
            },
        )
    text = "\n".join(filter(None, map(str.strip, body.splitlines())))  # indentation is of no use to readers
    contents = tuple((name, mark_safe(title)) for name, title in _SECTION_PATTERN.findall(text))
    return RulesText(mark_safe(text), contents)


def list_tiles(edition: Edition) -> list[tuple[Tile, str]]:
    """List the tiles of an edition, each with the points of the figures it could close."""
    tiles_with_points = []
    for tile in edition.tiles.values():
        marks = [*tile.corners, *tile.sides, *(["crossing"] if tile.crossing else [])]
        points = sorted((FEATURE_POINTS[mark] for mark in marks if mark in FEATURE_POINTS), reverse=True)
        tiles_with_points.append((tile, " + ".join(map(str, points))))
    return tiles_with_points
