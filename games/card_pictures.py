"""The drawings of the secret cards: SVG files for pages, PNG for mails, and a description of each."""

from __future__ import annotations

from functools import cache

import resvg_py
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CARD_PICTURE_RATIO = 4 / 3  # height by width
CARD_PICTURE_DESCRIPTIONS: dict[str, Promise] = {
    "TT": _("A clock with an arrow running backwards round its rim"),
    "MI": _("A magnet with its two poles changing places"),
    "RC": _("Three tiles moving clockwise in a circle"),
    "RA": _("Three tiles moving anti-clockwise in a circle"),
    "RV": _("Three tiles moving in a circle, either way"),
    "QL": _("A tile leaping from one cell to another"),
    "ME": _("A meteorite falling to the ground"),
    "AK": _("A flying saucer drawing up a card in its beam"),
    "OO": _("A glowing 8 lying on its side"),
    "CV": _("An empty ring in space, with stars around it"),
}


def card_picture_path(card: str) -> str:
    """The static file with the drawing of a card."""
    return f"cards/{card}.svg"


@cache
def load_card_svg(card: str) -> str:
    """The drawing of a card as SVG. Cached for ever: it changes only with a release."""
    path = settings.BASE_DIR / "static" / card_picture_path(card)
    return str(path.read_text(encoding="utf-8"))


@cache  # a card has one drawing, and mails show it in one size
def draw_card_png(card: str, width: int) -> bytes:
    """The drawing of a card as PNG, for mails, whose readers show no SVG."""
    return bytes(resvg_py.svg_to_bytes(svg_string=load_card_svg(card), width=width))
