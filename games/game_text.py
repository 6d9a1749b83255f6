"""Text about a game in the reader's language: names of bots, seats and tiles, error messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from django.utils.translation import gettext, gettext_noop, ngettext

from .engine import ActionError, text
from .engine.standing_orders import OrderEnd
from .engine.text import GameTranslator

# The English text equals the names in the API and in records.
BOT_NAMES = {
    "random": gettext_noop("random bot"),
    "greedy": gettext_noop("greedy bot"),
    "planner": gettext_noop("planner bot"),
}
BOT_DESCRIPTIONS = {
    "random": gettext_noop("plays at random"),
    "greedy": gettext_noop("closes what it can"),
    "planner": gettext_noop("thinks ahead"),
}


def format_bot_name(policy: str) -> str:
    """The translated name of a bot."""
    return gettext(BOT_NAMES[policy]) if policy in BOT_NAMES else f"{policy} bot"


def describe_bot(policy: str) -> str:
    """Describe a bot's way of playing in a few words."""
    return gettext(BOT_DESCRIPTIONS[policy]) if policy in BOT_DESCRIPTIONS else ""


def seat_display_name(seat: Mapping[str, Any]) -> str:
    """The name on a seat of a view or a list: a player's own, or a bot's with what it is in brackets."""
    if not seat.get("bot"):
        name = str(seat["name"])
        return gettext("%(name)s (bot)") % {"name": name} if seat.get("is_bot") else name
    bot_text = format_bot_name(seat["bot"])
    return f"{seat['bot_name']} ({bot_text})" if seat.get("bot_name") else bot_text


def describe_order_end(order_end: OrderEnd) -> str:
    """Describe the end of standing orders that ended by themselves, as a sentence to their player."""
    match order_end:
        case OrderEnd.CARD_PLAYED:
            return gettext("Your standing orders have ended: somebody played a card that affects you.")
        case OrderEnd.EIGHT_POSSIBLE:
            return gettext("Your standing orders have ended: an 8 is possible.")
        case _:
            assert_never(order_end)


def format_tile_name(kind: str, rotation: int = 0) -> str:
    """The text alternative for a picture of a tile."""
    sentence = gettext("Tile {tile}, turned by {degrees} degrees") if rotation else gettext("Tile {tile}")
    return sentence.format(tile=kind, degrees=rotation)


def build_translator(view: Mapping[str, Any]) -> GameTranslator:
    """A translator with the names and sides of a view's game, in the language active when it is used."""
    names: dict[int, str] = {}
    sides: dict[int, tuple[int, ...]] = {}
    for seat in view["seats"]:
        if seat["seat"] is not None:  # an open game has no seat numbers yet
            names[seat["seat"]] = seat_display_name(seat)
            if "side" in seat:
                sides[seat["side"]] = (*sides.get(seat["side"], ()), seat["seat"])
    return GameTranslator(gettext=gettext, ngettext=ngettext, seat_names=names, side_seats=sides)


def explain_error(error: Exception, view: Mapping[str, Any]) -> str:
    """An error's message: an ActionError in the reader's language, others as they are."""
    return text.explain_error(error, build_translator(view)) if isinstance(error, ActionError) else str(error)
