"""Positions for teaching: boards that were really played, each placement judged by the engine."""

from __future__ import annotations

from .engine import Setup, State, apply, start
from .engine.turns import replaced

FILLER = "I" * 24  # a tower that nobody looks at


def played(*placements: str) -> State:
    """The state after placements, by each seat in turn from the first, with just the tile that it places.

    Every seat holds a card that does nothing but answer an 8, so that a board with one is still to be seen.
    Raises Illegal if a placement is not allowed.
    """
    state, _ = start(Setup())
    d = state.draft()
    d.turn, d.phase = 1, "start"
    state = d.freeze()
    for placement in placements:
        state, _ = apply(holding(state, drawn=placement[0]), state.turn, placement)
    return state


def holding(
    state: State, *, drawn: str = "", table: str = "", hand: tuple[str, ...] = ("OO",), tower: str = FILLER
) -> State:
    """The same position with these things before the seat on turn; without a drawn tile its turn begins."""
    d = state.draft()
    d.phase = "place" if drawn else "start"
    d.drawn, d.tower, d.gone = drawn, tower, ""
    d.table = replaced(d.table, d.turn, table)
    d.hands = replaced(d.hands, d.turn, hand)
    return d.freeze()
