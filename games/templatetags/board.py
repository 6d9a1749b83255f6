"""Tiles, boards and cards for templates: drawn by the renderer, named as the game names them."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from games import diagrams, picture
from games.engine import DEFAULT_EDITION
from games.engine.text import Words
from games.words import tile_name

register = template.Library()


@register.simple_tag
def tile(kind: str, rotation: int = 0, size: int = 60) -> SafeString:
    """One tile as SVG."""
    drawn = picture.tile_svg(DEFAULT_EDITION, kind, rotation, size, tile_name(kind, rotation))
    return mark_safe(drawn)  # the renderer escapes


@register.simple_tag
def diagram(name: str, title: str) -> SafeString:
    """A board of games/diagrams.py as SVG, under a title in the reader's language."""
    words = Words(gettext=gettext, ngettext=ngettext)
    return mark_safe(diagrams.drawing(name, title, words))  # the renderer escapes


@register.simple_tag
def card(code: str) -> str:
    """The name of a secret card, with a capital."""
    return capfirst(Words(gettext=gettext).card(code))
