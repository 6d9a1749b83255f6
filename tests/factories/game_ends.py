"""Positions before the last tile of a match."""

from __future__ import annotations

from typing import Any

from games.engine import State
from tests.factories.positions import build_position, build_zero_board

LAST = "I-c2-0"
CORNERS = ("a1", "a5", "e1", "e5")  # an E in a corner of the board is a circle: 2 points


def build_last_tile(totals: dict[int, int], *points: int, **more: Any) -> State:
    """Let seat 1 fill the last cell; each side in `points` has marked a corner of 2 points."""
    marked = dict(zip(CORNERS, points, strict=False))
    figures = {(f"frame+{corner}", 2): side for corner, side in marked.items()}
    terms: dict[str, Any] = {"drawn": "I", "marked": figures, "totals": totals} | more
    return build_position(build_zero_board("c2", **dict.fromkeys(marked, "E")), **terms)


def get_winner(state: State) -> int | None:
    """Return the side that has won; the game must be over."""
    assert state.result is not None
    winner_side: int | None = state.result["winner"]
    return winner_side
