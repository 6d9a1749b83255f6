"""Small hand-made positions: a state in the middle of a game, from the few facts that matter."""

from __future__ import annotations

from typing import Any

from games.engine import Setup, State, apply_action, start_game
from games.engine.board import CELL_INDEX, PLACE_NAMES, VERTEX_COUNT, build_filled_mask
from games.engine.turns import MARKER_SLOT_OF_VALUE

PLACE = {name: place for place, name in enumerate(PLACE_NAMES)}


def build_position(
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
    state, _ = start_game(setup)
    d = state.mutable_copy()
    board, seats = setup.board, range(1, setup.seats + 1)
    codes = list(board.initial_position[0])
    for name, word in (cells or {}).items():
        codes[CELL_INDEX[name]] = board.code_of_tile[word[0], int(word[1:] or 0)]
    d.cells, d.vertices, d.demands = board.rebuild_position(codes)
    d.filled_mask = build_filled_mask(codes)
    d.phase, d.turn, d.match_kind, d.extra_turn, d.stolen_card, d.match_no = (
        phase,
        turn,
        kind,
        extra,
        stolen,
        match,
    )
    d.drawn_tile, d.tower, d.removed_tiles = drawn, tower, ""
    d.table_tiles = ("", *((table or {}).get(seat, "") for seat in seats))
    d.hands = ((), *(tuple((hands or {}).get(seat, ())) for seat in seats))
    d.deck = tuple(deck or ())
    d.played_cards = d.discarded_cards = ()
    d.marked_figures = tuple(
        (_place(name, value), value, side) for (name, value), side in (marked or {}).items()
    )
    d.unmarked_figures = tuple(
        sorted((_place(name, value), value) for name, value in (unmarked or {}).items())
    )
    left = {side: [count for _, count in setup.edition_data.markers] for side in setup.side_numbers}
    for _, value, side in d.marked_figures:
        left[side][MARKER_SLOT_OF_VALUE[value]] -= 1
    left |= {side: list(counts) for side, counts in (markers or {}).items()}
    d.markers_left = ((), *(tuple(left[side]) for side in setup.side_numbers))
    d.totals = (0, *((totals or {}).get(side, 0) for side in setup.side_numbers))
    return d.freeze()


def _place(name: str, value: int) -> int:
    place = PLACE[name]
    assert (place >= VERTEX_COUNT) == (value == 1), f"{name} cannot hold a figure of value {value}"
    return place


def play_actions(state: State, *actions: str) -> State:
    """The state after actions, each said by the seat whose turn it is."""
    for action in actions:
        state, _ = apply_action(state, state.turn, action)
    return state


def build_zero_board(*free: str, **cells: str) -> dict[str, str]:
    """A board of zero tiles, which close nothing, save for the free cells and the ones given."""
    return {name: "I" for name in CELL_INDEX if name not in free and name != "c3"} | cells
