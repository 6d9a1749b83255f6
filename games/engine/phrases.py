"""How the text of a game speaks: in which language, and of whom.

The translator comes as an argument, so that this stays pure. Its strings stand as literals in calls named
gettext, ngettext and gettext_noop, which is where the tools of the catalogues look for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NAMED_AT_MOST = 6  # actions in a sentence


def gettext_noop(message: str) -> str:
    """Mark a string that is translated later."""
    return message


def _english(one: str, many: str, n: int) -> str:
    return one if n == 1 else many


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
    "MI": gettext_noop("Swap your table tile with somebody else's."),
    "RC": gettext_noop("Everybody passes the table tile on, clockwise."),
    "RA": gettext_noop("Everybody passes the table tile on, anti-clockwise."),
    "RV": gettext_noop("Everybody passes the table tile on; you choose which way."),
    "QL": gettext_noop("Move a tile on the board to any free cell, or turn it where it lies."),
    "ME": gettext_noop("All table tiles leave the match; everybody takes a new one, you first."),
    "AK": gettext_noop("Take a card unseen from an opponent. It is shown, and you play it at once."),
    "OO": gettext_noop("When an 8 has just been made: you keep the points that you marked in this match."),
    "CV": gettext_noop("Plays as any other card that you name."),
}
_FIGURES = {
    "small circle": gettext_noop("a small circle between {cells}"),
    "circle": gettext_noop("a circle between {cells}"),
    "square": gettext_noop("a square between {cells}"),
    "infinity": gettext_noop("an 8 on {cells}"),
}


@dataclass(frozen=True)
class Words:
    """A translator, the names on the seats, and the seats of each side; without any, English and numbers."""

    gettext: Callable[[str], str] = str
    ngettext: Callable[[str, str, int], str] = _english
    names: Mapping[int, str] = field(default_factory=dict)
    sides: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def who(self, seat: int) -> str:
        """Whoever sits there."""
        return self.names.get(seat) or self.gettext("seat {n}").format(n=seat)

    def side(self, side: int) -> str:
        """Everybody of a side."""
        seats = self.sides.get(side)
        return self.everyone(seats) if seats else self.gettext("side {n}").format(n=side)

    def heads(self, side: int) -> int:
        """How many a side is named as: verbs agree with it."""
        return len(self.sides.get(side, ())) or 1

    def everyone(self, seats: Sequence[int]) -> str:
        """Whoever sits at these seats."""
        return self.listed([self.who(seat) for seat in seats])

    def listed(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext("{some} and {last}").format(some=", ".join(items[:-1]), last=items[-1])

    def either(self, items: Sequence[str]) -> str:
        """`a, b or c`."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext("{some} or {last}").format(some=", ".join(items[:-1]), last=items[-1])

    def card(self, card: str) -> str:
        """The name of a card."""
        return self.gettext(CARD_NAMES[card])

    def does(self, card: str) -> str:
        """What a card does."""
        return self.gettext(CARD_POWERS[card])

    def coded(self, cards: Sequence[str]) -> str:
        """Cards with what one types for them."""
        return ", ".join(f"{self.card(card)} ({card})" for card in cards)

    def power(self, action: str) -> str:
        """The card that an action plays, and what it stands for."""
        power = self.card(action.removeprefix("CV=")[:2].replace("8", "OO"))
        if not action.startswith("CV="):
            return power
        return self.gettext("{card} as {power}").format(card=self.card("CV"), power=power)

    def figure(self, kind: str, place: str) -> str:
        """A figure and the cells that it joins."""
        cells = [self.gettext("the frame") if cell == "frame" else cell for cell in place.split("+")]
        return self.gettext(_FIGURES[kind]).format(cells=self.listed(cells))

    def points(self, n: int) -> str:
        """So many points."""
        return self.ngettext("{n} point", "{n} points", n).format(n=n)

    def cards(self, n: int) -> str:
        """So many cards."""
        return self.ngettext("{n} card", "{n} cards", n).format(n=n)

    def worded(self, sentence: str, facts: Mapping[str, object]) -> str:
        """A sentence with its facts in it."""
        return self.gettext(sentence).format(**{name: self._fact(name, fact) for name, fact in facts.items()})

    def _fact(self, name: str, fact: Any) -> str:
        if name == "seat":
            return self.who(fact)
        if name == "seats":
            return self.everyone(fact)
        if name == "tiles":
            return self.listed(fact)
        if name == "one_of":
            return self.either([self.who(seat) for seat in fact])
        if name == "choices":
            return self.either([str(choice) for choice in fact])
        if name == "actions":
            more, shown = len(fact) - NAMED_AT_MOST, ", ".join(fact[:NAMED_AT_MOST])
            return self.gettext("{some} and {n} more").format(some=shown, n=more) if more > 0 else shown
        return str(fact)

    def said(self, sentence: str) -> str:
        """A sentence with a capital, except where it begins with a name: names are as people write them."""
        if any(sentence.startswith(name) for name in self.names.values()):
            return sentence
        return sentence[:1].upper() + sentence[1:]


ENGLISH = Words()
