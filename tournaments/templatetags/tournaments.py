"""Which tournament a game belongs to, for the game's own page."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments import words
from tournaments.models import Table, limits
from tournaments.selectors import dates

register = template.Library()


register.filter("has_dates", dates.has_dates)


@register.simple_tag
def longest(name: str) -> int:
    """How many characters a text may have, for the field that it is written in."""
    return limits.LONGEST_TEXTS[name]


@register.inclusion_tag("tournaments/of_game.html")
def tournament_of(code: str) -> dict[str, Any]:
    """The tournament and the table of a game, in one query; nothing if there is none."""
    found = Table.objects.filter(game__code=code, void=False).select_related("event").first()
    return {"table": found, "match": words.match_name(found.match)} if found else {}
