"""Actions taken apart, and cells put into words, as pages need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine import edition
from games.engine.board import CELLS, CENTRE, SIZE

View = Mapping[str, Any]
# Cells as one looks at the board: the top row first.
GRID = tuple(f"{column}{row}" for row in range(SIZE, 0, -1) for column in "abcde")
AT_ONCE = ("draw", "8", "CV=8", "pass")  # actions that need no choosing: a button each


def leap(action: str) -> tuple[str, ...]:
    """From, to and rotation of a quantum leap; an empty tuple for any other action."""
    way = action.removeprefix("CV=")
    if not way.startswith("QL-"):
        return ()
    _, start, end, rotation = way.split("-")
    return start, end, rotation


def power(action: str) -> str:
    """The card that an action plays, with what the wildcard stands for."""
    return action.split("-")[0]


def holds(view: View, name: str) -> str:
    """A cell and what lies on it."""
    tile = view["board"]["cells"].get(name)
    if tile is None and name != CELLS[CENTRE]:
        return _("%(cell)s: free") % {"cell": name}
    kind = tile["tile"] if tile else edition(view["edition"]).centre
    if tile and tile["rotation"]:
        facts = {"cell": name, "tile": kind, "degrees": tile["rotation"]}
        return _("%(cell)s: tile %(tile)s, turned by %(degrees)s degrees") % facts
    return _("%(cell)s: tile %(tile)s") % {"cell": name, "tile": kind}
