"""Translated phrases about a game: seats, sides, cards, figures.

The translator is passed in, so that this module stays pure. Strings are literals in calls named gettext,
ngettext and gettext_noop, where makemessages finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_ACTIONS_NAMED = 6  # in one sentence


def gettext_noop(message: str) -> str:
    """Mark a string for translation; it is translated later."""
    return message


def _choose_english_plural(singular: str, plural: str, n: int) -> str:
    """ngettext for English: the singular for 1, else the plural."""
    return singular if n == 1 else plural


CARD_NAMES = {
    "TT": gettext_noop("Time travel"),
    "MI": gettext_noop("Magnetic inversion"),
    "RC": gettext_noop("Revolution clockwise"),
    "RA": gettext_noop("Revolution anti-clockwise"),
    "RV": gettext_noop("Revolution"),
    "QL": gettext_noop("Quantum leap"),
    "ME": gettext_noop("Meteorite"),
    "AK": gettext_noop("Alien kidnapping"),
    "OO": gettext_noop("the 8"),
    "CV": gettext_noop("Cosmic void"),
}
CARD_POWERS = {
    "TT": gettext_noop("Two turns in a row."),
    "MI": gettext_noop("Swap your table tile with that of another player."),
    "RC": gettext_noop("All players pass their table tiles on, clockwise."),
    "RA": gettext_noop("All players pass their table tiles on, anti-clockwise."),
    "RV": gettext_noop("All players pass their table tiles on; you say which way."),
    "QL": gettext_noop("Move a tile on the board to any free cell, or turn it where it lies."),
    "ME": gettext_noop("All table tiles leave the match; everybody takes a new one, you first."),
    "AK": gettext_noop("Take a card, unseen, from an opponent. Show it and play it at once."),
    "OO": gettext_noop(
        "When somebody has just made an 8: your side keeps the points that it marked in this match."
    ),
    "CV": gettext_noop("Plays as any other card that you name."),
}
_FIGURE_PHRASES = {
    "small circle": gettext_noop("a small circle between {cells}"),
    "circle": gettext_noop("a circle between {cells}"),
    "square": gettext_noop("a square between {cells}"),
    "infinity": gettext_noop("an 8 on {cells}"),
}


@dataclass(frozen=True)
class GameTranslator:
    """gettext functions, seat names and the seats of each side; by default English and numbers."""

    gettext: Callable[[str], str] = str
    ngettext: Callable[[str, str, int], str] = _choose_english_plural
    seat_names: Mapping[int, str] = field(default_factory=dict)
    side_seats: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def format_seat(self, seat: int) -> str:
        """The name on a seat, or its number."""
        return self.seat_names.get(seat) or self.gettext("seat {n}").format(n=seat)

    def format_side(self, side: int) -> str:
        """The names of all seats of a side, or its number."""
        seats = self.side_seats.get(side)
        return self.format_seats(seats) if seats else self.gettext("side {n}").format(n=side)

    def count_side_seats(self, side: int) -> int:
        """The number of names that `format_side` lists, for plural forms."""
        return len(self.side_seats.get(side, ())) or 1

    def format_seats(self, seats: Sequence[int]) -> str:
        """The names on several seats, joined with "and"."""
        return self.format_and_list([self.format_seat(seat) for seat in seats])

    def format_and_list(self, items: Sequence[str]) -> str:
        """Join items as `a, b and c`."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext("{some} and {last}").format(some=", ".join(items[:-1]), last=items[-1])

    def format_or_list(self, items: Sequence[str]) -> str:
        """Join items as `a, b or c`."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext("{some} or {last}").format(some=", ".join(items[:-1]), last=items[-1])

    def format_card(self, card: str) -> str:
        """The name of a card."""
        return self.gettext(CARD_NAMES[card])

    def describe_card(self, card: str) -> str:
        """The effect of a card in a sentence."""
        return self.gettext(CARD_POWERS[card])

    def format_cards_with_codes(self, cards: Sequence[str]) -> str:
        """The names of cards, each with the code that a player types."""
        return ", ".join(f"{self.format_card(card)} ({card})" for card in cards)

    def format_card_use(self, action: str) -> str:
        """The card that an action plays; for a wild card, also the card that it stands for."""
        power = self.format_card(action.removeprefix("CV=")[:2].replace("8", "OO"))
        if not action.startswith("CV="):
            return power
        return self.gettext("{card} as {power}").format(card=self.format_card("CV"), power=power)

    def format_figure(self, kind: str, place: str) -> str:
        """A figure and the cells that it joins."""
        cells = [self.gettext("the frame") if cell == "frame" else cell for cell in place.split("+")]
        return self.gettext(_FIGURE_PHRASES[kind]).format(cells=self.format_and_list(cells))

    def format_points(self, n: int) -> str:
        """A number of points."""
        return self.ngettext("{n} point", "{n} points", n).format(n=n)

    def format_card_count(self, n: int) -> str:
        """A number of cards."""
        return self.ngettext("{n} card", "{n} cards", n).format(n=n)

    def format_sentence(self, sentence: str, details: Mapping[str, object]) -> str:
        """A translated sentence with its details filled in."""
        return self.gettext(sentence).format(
            **{name: self._format_detail(name, detail) for name, detail in details.items()}
        )

    def _format_detail(self, name: str, detail: Any) -> str:
        """A detail as text, by the name of its placeholder."""
        if name == "seat":
            return self.format_seat(detail)
        if name == "seats":
            return self.format_seats(detail)
        if name == "tiles":
            return self.format_and_list(detail)
        if name == "one_of":
            return self.format_or_list([self.format_seat(seat) for seat in detail])
        if name == "choices":
            return self.format_or_list([str(choice) for choice in detail])
        if name == "actions":
            hidden_count, shown_actions = (
                len(detail) - MAX_ACTIONS_NAMED,
                ", ".join(detail[:MAX_ACTIONS_NAMED]),
            )
            return (
                self.gettext("{some} and {n} more").format(some=shown_actions, n=hidden_count)
                if hidden_count > 0
                else shown_actions
            )
        return str(detail)

    def capitalize_sentence(self, sentence: str) -> str:
        """A sentence with a capital, unless it begins with a player's name: names keep their spelling."""
        if any(sentence.startswith(name) for name in self.seat_names.values()):
            return sentence
        return sentence[:1].upper() + sentence[1:]


ENGLISH_TRANSLATOR = GameTranslator()
