"""The words of a game in the reader's language, with the names of those who play it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext

from .engine import Refused, text
from .engine.text import Words


def words_for(view: Mapping[str, Any]) -> Words:
    """How to speak of a view's game; the language is the one that is active when something is said."""
    names: dict[int, str] = {}
    sides: dict[int, tuple[int, ...]] = {}
    for seat in view["seats"]:
        if seat["seat"] is not None:  # a game that waits for players has given out no numbers
            names[seat["seat"]] = seat["name"]
            if "side" in seat:
                sides[seat["side"]] = (*sides.get(seat["side"], ()), seat["seat"])
    return Words(gettext=gettext, ngettext=ngettext, names=names, sides=sides)


def why(error: Exception, view: Mapping[str, Any]) -> str:
    """Why something was refused: the engine's refusals in the reader's language, others as they say it."""
    return text.why(error, words_for(view)) if isinstance(error, Refused) else str(error)
