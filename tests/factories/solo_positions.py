"""Positions of the game for one seat."""

from __future__ import annotations

from typing import Any

from games.engine import State
from tests.factories.positions import build_position

# D0 on c4 makes an 8.
GAP = {"b4": "H", "d4": "H"}
NO_MARKER = (0, 0, 0)


def build_solo_position(
    cells: dict[str, str], *, left: tuple[int, int, int] = (4, 4, 3), **fields: Any
) -> State:
    """Build a position of a solo match; `left` are the remaining markers."""
    return build_position(cells, mode="solo", seats=1, kind="solo", markers={1: left}, **fields)
