"""Parsing actions, and describing cells, for the move picker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine import load_edition
from games.engine.board import BOARD_SIZE, CELL_NAMES, CENTRE_CELL

ViewData = Mapping[str, Any]
# Cells row by row, the top row first.
CELLS_FROM_TOP = tuple(f"{column}{row}" for row in range(BOARD_SIZE, 0, -1) for column in "abcde")
IMMEDIATE_ACTIONS = ("draw", "8", "CV=8", "pass")  # actions without a choice: one button each


def parse_leap(action: str) -> tuple[str, ...]:
    """Return start cell, end cell and rotation of a quantum leap; an empty tuple for another action."""
    leap_action = action.removeprefix("CV=")
    if not leap_action.startswith("QL-"):
        return ()
    _, start, end, rotation = leap_action.split("-")
    return start, end, rotation


def card_of_action(action: str) -> str:
    """Return the card that an action plays, with the card that a wildcard stands for."""
    return action.split("-")[0]


def describe_cell(view: ViewData, cell_name: str, last_move_cell: str = "") -> str:
    """Return a cell, what lies on it, and whether that is the last move, in words."""
    if cell_name == last_move_cell:
        return _("%(cell)s, the last move") % {"cell": describe_cell(view, cell_name)}
    tile = view["board"]["cells"].get(cell_name)
    if tile is None and cell_name != CELL_NAMES[CENTRE_CELL]:
        return _("%(cell)s: free") % {"cell": cell_name}
    tile_kind = tile["tile"] if tile else load_edition(view["edition"]).centre
    if tile and tile["rotation"]:
        values = {"cell": cell_name, "tile": tile_kind, "degrees": tile["rotation"]}
        return _("%(cell)s: tile %(tile)s, turned by %(degrees)s degrees") % values
    return _("%(cell)s: tile %(tile)s") % {"cell": cell_name, "tile": tile_kind}
