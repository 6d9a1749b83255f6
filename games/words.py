"""The words of a game in the reader's language, with the names of those who play it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from .engine import Refused, text
from .engine.text import Words

# In English as the API and the records have them, so that only other languages read something else.
BOT_NAMES = {
    "random": gettext_noop("random bot"),
    "greedy": gettext_noop("greedy bot"),
    "planner": gettext_noop("planner bot"),
}
BOT_HABITS = {
    "random": gettext_noop("plays at random"),
    "greedy": gettext_noop("takes what it can"),
    "planner": gettext_noop("thinks ahead"),
}


def bot_name(policy: str) -> str:
    """What a bot is called."""
    return gettext(BOT_NAMES[policy]) if policy in BOT_NAMES else f"{policy} bot"


def bot_habit(policy: str) -> str:
    """How a bot plays."""
    return gettext(BOT_HABITS[policy]) if policy in BOT_HABITS else ""


def name_on(seat: Mapping[str, Any]) -> str:
    """The name on a seat of a view or of a list: a person's own, a bot's in the reader's language."""
    return bot_name(seat["bot"]) if seat.get("bot") else str(seat["name"])


def tile_name(kind: str, rotation: int = 0) -> str:
    """What a picture of a tile is called."""
    said = gettext("Tile {tile}, turned by {degrees} degrees") if rotation else gettext("Tile {tile}")
    return said.format(tile=kind, degrees=rotation)


def words_for(view: Mapping[str, Any]) -> Words:
    """How to speak of a view's game; the language is the one that is active when something is said."""
    names: dict[int, str] = {}
    sides: dict[int, tuple[int, ...]] = {}
    for seat in view["seats"]:
        if seat["seat"] is not None:  # a game that waits for players has given out no numbers
            names[seat["seat"]] = name_on(seat)
            if "side" in seat:
                sides[seat["side"]] = (*sides.get(seat["side"], ()), seat["seat"])
    return Words(gettext=gettext, ngettext=ngettext, names=names, sides=sides)


def why(error: Exception, view: Mapping[str, Any]) -> str:
    """Why something was refused: the engine's refusals in the reader's language, others as they say it."""
    return text.why(error, words_for(view)) if isinstance(error, Refused) else str(error)
