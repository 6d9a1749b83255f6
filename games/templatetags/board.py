"""Template tags for tiles, diagrams and card names."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from games import diagrams, picture_svg
from games.engine import DEFAULT_EDITION
from games.engine.text import GameTranslator
from games.game_text import format_tile_name

register = template.Library()


@register.simple_tag
def tile(kind: str, rotation: int = 0, size: int = 60) -> SafeString:
    """A tile as SVG."""
    svg = picture_svg.draw_tile_svg(DEFAULT_EDITION, kind, rotation, size, format_tile_name(kind, rotation))
    return mark_safe(svg)  # the renderer escapes


@register.simple_tag
def diagram(name: str, title: str) -> SafeString:
    """A diagram of games/diagrams.py as SVG, with a title in the reader's language."""
    translator = GameTranslator(gettext=gettext, ngettext=ngettext)
    return mark_safe(diagrams.draw_diagram(name, title, translator))  # the renderer escapes


@register.simple_tag
def card(code: str) -> str:
    """The translated name of a secret card, with a capital."""
    return capfirst(GameTranslator(gettext=gettext).format_card(code))
