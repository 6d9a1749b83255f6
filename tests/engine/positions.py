"""Small hand-made positions: a state in the middle of a game, from the few facts that matter."""

from __future__ import annotations

from typing import Any

from games.engine import Setup, State, apply, start
from games.engine.board import CELL, PLACE_NAME, VERTICES, filled
from games.engine.turns import SLOT

PLACE = {name: place for place, name in enumerate(PLACE_NAME)}


def position(
    cells: dict[str, str] | None = None,
    *,
    phase: str = "place",
    turn: int = 1,
    drawn: str = "",
    table: dict[int, str] | None = None,
    tower: str = "EEEEEEEE",
    hands: dict[int, list[str]] | None = None,
    deck: list[str] | None = None,
    marked: dict[tuple[str, int], int] | None = None,
    unmarked: dict[str, int] | None = None,
    markers: dict[int, tuple[int, int, int]] | None = None,
    totals: dict[int, int] | None = None,
    kind: str = "normal",
    extra: int = 0,
    stolen: str = "",
    match: int = 1,
    setup: Setup | None = None,
    **terms: Any,
) -> State:
    """A state. `cells` maps "b3" to "B90"; `marked` maps (place, value) to a side, `unmarked` a place to its
    value; a place is written as in a view ("b2+b3+c2+c3", "frame+a1", "b2+b3"). `markers` is what a side has
    left of values 1, 2, 4; where it is not given, it follows from `marked`. Other words go to Setup."""
    setup = setup or Setup(**terms)
    state, _ = start(setup)
    d = state.draft()
    board, seats = setup.board, range(1, setup.seats + 1)
    codes = list(board.empty[0])
    for name, word in (cells or {}).items():
        codes[CELL[name]] = board.code[word[0], int(word[1:] or 0)]
    d.cells, d.vertices, d.demand = board.rebuilt(codes)
    d.filled = filled(codes)
    d.phase, d.turn, d.kind, d.extra, d.stolen, d.match = phase, turn, kind, extra, stolen, match
    d.drawn, d.tower, d.gone = drawn, tower, ""
    d.table = ("", *((table or {}).get(seat, "") for seat in seats))
    d.hands = ((), *(tuple((hands or {}).get(seat, ())) for seat in seats))
    d.deck = tuple(deck or ())
    d.spent = d.buried = ()
    d.marked = tuple((_place(name, value), value, side) for (name, value), side in (marked or {}).items())
    d.unmarked = tuple(sorted((_place(name, value), value) for name, value in (unmarked or {}).items()))
    left = {side: [count for _, count in setup.box.markers] for side in setup.side_numbers}
    for _, value, side in d.marked:
        left[side][SLOT[value]] -= 1
    left |= {side: list(counts) for side, counts in (markers or {}).items()}
    d.markers = ((), *(tuple(left[side]) for side in setup.side_numbers))
    d.totals = (0, *((totals or {}).get(side, 0) for side in setup.side_numbers))
    return d.freeze()


def _place(name: str, value: int) -> int:
    place = PLACE[name]
    assert (place >= VERTICES) == (value == 1), f"{name} cannot hold a figure of value {value}"
    return place


def after(state: State, *actions: str) -> State:
    """The state after actions, each said by the seat whose turn it is."""
    for action in actions:
        state, _ = apply(state, state.turn, action)
    return state


def zeros_but(*free: str, **cells: str) -> dict[str, str]:
    """A board of zero tiles, which close nothing, save for the free cells and the ones given."""
    return {name: "I" for name in CELL if name not in free and name != "c3"} | cells
