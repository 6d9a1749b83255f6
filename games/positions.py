"""Positions for teaching: reached by legal placements that the engine checks, or made by hand."""

from __future__ import annotations

from typing import Any

from .engine import DEFAULT_EDITION, Setup, State, apply_action, start_game
from .engine.board import CELL_INDEX, PLACE_NAMES, VERTEX_COUNT, build_filled_mask
from .engine.choices import MatchKind, Phase
from .engine.turns import MARKER_SLOT_OF_VALUE, replace_at

PLACE_OF_NAME = {name: place for place, name in enumerate(PLACE_NAMES)}
FILLER_TOWER = "I" * 24  # tiles that are never drawn


def play_placements(*placements: str, edition: str = DEFAULT_EDITION) -> State:
    """The state after placements, made by each seat in turn with just the tile that it places.

    Every seat holds a card that can only answer an 8, so that a match with an 8 is not scored at once.
    Raises IllegalAction if a placement is not legal.
    """
    state, _ = start_game(Setup(edition=edition))
    new_state = state.mutable_copy()
    new_state.turn, new_state.phase = 1, "start"
    state = new_state.freeze()
    for placement in placements:
        state, _ = apply_action(set_up_turn(state, drawn_tile=placement[0]), state.turn, placement)
    return state


def set_up_turn(
    state: State,
    *,
    drawn_tile: str = "",
    table_tile: str = "",
    hand: tuple[str, ...] = ("OO",),
    tower: str = FILLER_TOWER,
) -> State:
    """The position with these tiles and cards for the seat on turn; without a drawn tile its turn begins."""
    new_state = state.mutable_copy()
    new_state.phase = "place" if drawn_tile else "start"
    new_state.drawn_tile, new_state.tower, new_state.removed_tiles = drawn_tile, tower, ""
    new_state.table_tiles = replace_at(new_state.table_tiles, new_state.turn, table_tile)
    new_state.hands = replace_at(new_state.hands, new_state.turn, hand)
    return new_state.freeze()


def build_position(
    cells: dict[str, str] | None = None,
    *,
    phase: Phase = "place",
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
    kind: MatchKind = "normal",
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
    codes = list(board.initial_position.cells)
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
        (_find_place(name, value), value, side) for (name, value), side in (marked or {}).items()
    )
    d.unmarked_figures = tuple(
        sorted((_find_place(name, value), value) for name, value in (unmarked or {}).items())
    )
    left = {side: [count for _, count in setup.edition_data.markers] for side in setup.side_numbers}
    for _, value, side in d.marked_figures:
        left[side][MARKER_SLOT_OF_VALUE[value]] -= 1
    left |= {side: list(counts) for side, counts in (markers or {}).items()}
    d.markers_left = ((), *(tuple(left[side]) for side in setup.side_numbers))
    d.totals = (0, *((totals or {}).get(side, 0) for side in setup.side_numbers))
    return d.freeze()


def _find_place(name: str, value: int) -> int:
    """The number of a place. Raises ValueError if a figure of this value cannot lie there."""
    place = PLACE_OF_NAME[name]
    if (place >= VERTEX_COUNT) != (value == 1):
        raise ValueError(f"{name} cannot hold a figure of value {value}")
    return place
