"""Numbers, names, rounds and matches in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Names = Mapping[Any, str]
Said = Mapping[str, Any]
FRACTIONS = {0.25: "¼", 0.5: "½", 0.75: "¾"}
_MATCH = re.compile(r"^([RWL])(\d+)\.(\d+)$")


def amount(value: float | None) -> str:
    """A number of points: there are halves, and products of them."""
    if value is None:
        return "–"
    whole, rest = divmod(value, 1)
    if rest not in FRACTIONS:
        return f"{value:g}"
    return f"{whole:g}{FRACTIONS[rest]}" if whole else FRACTIONS[rest]


def points(value: float) -> str:
    """So many points."""
    return ngettext("%(n)s point", "%(n)s points", 1 if value == 1 else 2) % {"n": amount(value)}


def call(names: Names, who: Any) -> str:
    """An entrant, or several of them, by name."""
    if not isinstance(who, list | tuple):
        return names.get(who, "–")
    found = [names.get(one, "–") for one in who]
    return _(" and ").join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def round_name(bracket: str, round: int, rounds: int | None = None) -> str:
    """A round; of a knock-out `rounds` is how many its bracket has, so that the last ones have names."""
    if bracket == "third":
        return _("Third place")
    if bracket == "final":
        return _("Final") if round == 1 else _("Second final")
    if bracket == "losers":
        return _("Losers’ round %(n)s") % {"n": round}
    if bracket == "winners":
        return _("Winners’ round %(n)s") % {"n": round}
    if rounds and rounds - round in (0, 1, 2):
        return [_("Final"), _("Semi-final"), _("Quarter-final")][rounds - round]
    return _("Round %(n)s") % {"n": round}


def match_name(match: str, rounds: int | None = None) -> str:
    """A match: its round and its table, from the name that the pairing room gave it."""
    if match == "third":
        return round_name("third", 1)
    if match in ("F1", "F2"):
        return round_name("final", int(match[1]))
    found = _MATCH.match(match)
    if found is None:
        return match
    bracket = {"R": "main", "W": "winners", "L": "losers"}[found[1]]
    name = round_name(bracket, int(found[2]), rounds)
    if bracket == "main" and rounds == int(found[2]):
        return name
    return _("%(round)s, table %(n)s") % {"round": name, "n": found[3]}


def table_name(match: str) -> str:
    """The same where the round is known."""
    found = _MATCH.match(match)
    return _("Table %(n)s") % {"n": found[3]} if found else match_name(match)


def source(told: Said, rounds: int | None = None) -> str:
    """Where a seat of a bracket is filled from, while nobody sits there."""
    if told.get("match"):
        facts = {"match": match_name(str(told["match"]), rounds)}
        if told["place"] == 1:
            return _("winner of %(match)s") % facts
        return _("second of %(match)s") % facts
    return _("number %(seed)s of the draw") % {"seed": told["seed"]} if told.get("seed") else _("bye")


def source_in_short(told: Said) -> str:
    """The same for a picture, where the round is plain to see."""
    found = _MATCH.match(str(told.get("match") or ""))
    if found is None:
        return ""
    facts = {"n": found[3]}
    return _("winner, table %(n)s") % facts if told["place"] == 1 else _("second, table %(n)s") % facts


def state(code: str) -> str:
    """How far a match of a bracket has come."""
    return {
        "waiting": lambda: _("to come"),
        "ready": lambda: _("to come"),
        "open": lambda: _("being played"),
        "pending": lambda: _("pending: an earlier result was corrected"),
        "decided": lambda: _("over"),
        "bye": lambda: _("bye"),
        "walkover": lambda: _("won without a game"),
        "nobody": lambda: _("nobody plays"),
        "not-needed": lambda: _("not needed"),
    }.get(code, lambda: code)()
