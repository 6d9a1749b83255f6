"""The rules on one page and the secret cards as a player aid: HTML to read and PDF to print."""

from __future__ import annotations

import logging
from collections import Counter
from functools import cache
from types import ModuleType
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine import Setup, list_edition_names, load_edition
from games.engine.edition import find_edition_of_language
from games.engine.solo_progress import HIGHEST_SOLO_SCORE
from games.engine.text import GameTranslator

from .rules import LANGUAGE_NAMES

PAPER_SIZES = {"a4": "A4", "letter": "letter"}  # by the name in the URL, as CSS calls them
SHEETS = {"summary": "games/summary.html", "cards": "games/player_aid.html"}
PDF_URLS = {"summary": "rules-summary-pdf", "cards": "player-aid-pdf"}
PRINT_STYLE_SHEET = settings.BASE_DIR / "static" / "print.css"


class PDFUnavailable(Exception):
    """The system library that sets text in PDFs is missing on this machine."""


@require_safe
def show_summary(request: HttpRequest) -> HttpResponse:
    """Show the rules on one page."""
    return _render_sheet(request, "summary")


@require_safe
def show_player_aid(request: HttpRequest) -> HttpResponse:
    """Show what each secret card does."""
    return _render_sheet(request, "cards")


@require_safe
def download_summary(request: HttpRequest) -> HttpResponse:
    """Answer with the rules on one page as PDF."""
    return _render_pdf(request, "summary")


@require_safe
def download_player_aid(request: HttpRequest) -> HttpResponse:
    """Answer with what each secret card does as PDF."""
    return _render_pdf(request, "cards")


def _render_pdf(request: HttpRequest, sheet: str) -> HttpResponse:
    """A sheet as PDF, by `?paper=` and `?language=`; 503 with a hint to print the page where none is made."""
    language = request.GET.get("language") or translation.get_language() or settings.LANGUAGE_CODE
    paper = request.GET.get("paper") or next(iter(PAPER_SIZES))
    if language not in LANGUAGE_NAMES or paper not in PAPER_SIZES:
        raise Http404
    try:
        pdf = draw_sheet_pdf(sheet, language, paper, _read_edition(request, language))
    except PDFUnavailable:
        message = _("This site cannot make PDF files at present. Print the page from your browser instead.")
        return HttpResponse(message, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="otto-{sheet}-{language}-{paper}.pdf"'
    if request.GET.get("language"):  # without it the sheet is in the reader's language
        response["Cache-Control"] = "public, max-age=86400"
    return response


@cache  # three languages, two sizes of paper, two sheets, a few editions
def draw_sheet_pdf(sheet: str, language: str, paper: str, edition_name: str) -> bytes:
    """A sheet as PDF. Raises PDFUnavailable."""
    return bytes(layout_sheet(sheet, language, paper, edition_name).write_pdf())


def layout_sheet(sheet: str, language: str, paper: str, edition_name: str) -> Any:
    """A sheet as a WeasyPrint document, divided into pages. Raises PDFUnavailable."""
    weasyprint = load_weasyprint()
    with translation.override(language):
        context = build_sheet_context(language, edition_name) | {
            "base": "games/print_page.html",
        }
        html = render_to_string(SHEETS[sheet], context)
    page_size = f"@page {{ size: {PAPER_SIZES[paper]}; margin: 11mm; }}"
    styles = [weasyprint.CSS(string=page_size), weasyprint.CSS(filename=PRINT_STYLE_SHEET)]
    return weasyprint.HTML(string=html).render(stylesheets=styles)  # drawings are in it: nothing is fetched


def build_sheet_context(language: str, edition_name: str) -> dict[str, Any]:
    """Build the common part of both sheets: numbers and cards of an edition, in the active language."""
    edition, translator = load_edition(edition_name), GameTranslator(gettext=gettext, ngettext=ngettext)
    copies = Counter(edition.deck)
    return {
        "language": language,
        "body": f"games/summary/{language}.html",
        "edition": edition,
        "target": Setup().target,
        "tiles": list(edition.tiles.values()),
        "tile_count": sum(tile.copies for tile in edition.tiles.values()),
        "highest_solo_score": HIGHEST_SOLO_SCORE,
        "cards": [
            {
                "code": card,
                "name": translator.format_card(card),
                "does": translator.describe_card(card),
                "limits": describe_card_limits(card),
                "copies": copies[card],
            }
            for card in edition.cards
        ],
    }


def describe_card_limits(card: str) -> str:
    """Describe the limits of a card beyond its effect, for the player aid; empty if there are none."""
    match card:
        case "MI":
            return _("You must both have one.")
        case "QL":
            return _("The centre tile and tiles of figures with a marker stay. Something must change.")
        case "AK":
            return _("If the card can do nothing now, it is lost.")
        case "CV":
            return _("You can also answer an 8 with it.")
        case _:
            return ""


def _render_sheet(request: HttpRequest, sheet: str) -> HttpResponse:
    """The page of a sheet in the reader's language, with links to its PDFs."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    edition_name = _read_edition(request, language)
    context = build_sheet_context(language, edition_name) | {
        "base": "base.html",
        "sheet": sheet,
        "papers": PAPER_SIZES,
        "pdf_url": PDF_URLS[sheet],
        "has_pdf": has_pdf_library(),
    }
    return render(request, SHEETS[sheet], context)


def _read_edition(request: HttpRequest, language: str) -> str:
    """The edition of `?edition=`, or the one that readers of the language get first. Raises Http404."""
    name = request.GET.get("edition") or find_edition_of_language(language)
    if name not in list_edition_names():
        raise Http404
    return name


@cache  # a machine has the library or it does not
def has_pdf_library() -> bool:
    """True if this machine can make PDFs: WeasyPrint needs the system library Pango."""
    try:
        load_weasyprint()
    except PDFUnavailable:
        return False
    return True


def load_weasyprint() -> ModuleType:
    """WeasyPrint, which tells of every step in the log unless told not to. Raises PDFUnavailable."""
    for name in ("weasyprint", "weasyprint.progress", "fontTools"):
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        import weasyprint
    except OSError as error:  # without Pango
        raise PDFUnavailable(str(error)) from error
    return weasyprint
