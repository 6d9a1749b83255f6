"""What templates say of a game's people, and of time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from games import moments, rule_words
from games.models import limits
from games.words import name_on

register = template.Library()
register.filter("moment", moments.mark_moment)
register.filter("round_end", moments.mark_round_end)


@register.simple_tag
def rule(name: str) -> str:
    """A sentence of games/rule_words.py, made from the rule that it describes."""
    return rule_words.SENTENCES[name]()


@register.simple_tag
def longest(name: str) -> int:
    """How many characters a text may have, for the field that it is written in."""
    return limits.LONGEST_TEXTS[name]


@register.filter
def named(seat: Mapping[str, Any]) -> str:
    """The name on a seat, a bot's in the reader's language."""
    return name_on(seat)
