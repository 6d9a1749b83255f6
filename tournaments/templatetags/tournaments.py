"""Template tags: the tournament of a game, its rules, and whether a tournament has dates."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments import text
from tournaments.models import Pairing, limits
from tournaments.selectors import calendar_dates
from tournaments.text import rules

register = template.Library()


register.filter("has_dates", calendar_dates.has_dates)


@register.simple_tag
def max_length(name: str) -> int:
    """Return the maximal length of a text, for the field that it is written in."""
    return limits.LONGEST_TEXTS[name]


@register.simple_tag
def tournament_rule(name: str) -> str:
    """A sentence of RULE_SENTENCES, built from the rule that it describes."""
    return rules.RULE_SENTENCES[name]()


@register.inclusion_tag("tournaments/tournament_of_game.html")
def tournament_of(code: str) -> dict[str, Any]:
    """Give the template a game's pairing (with its tournament) and the name of the match; one query."""
    pairing = Pairing.objects.filter(game__code=code, is_void=False).select_related("tournament").first()
    return {"pairing": pairing, "match": text.format_match_name(pairing.match)} if pairing else {}
