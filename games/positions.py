"""Positions for teaching, reached by legal placements that the engine checks."""

from __future__ import annotations

from .engine import Setup, State, apply_action, start_game
from .engine.turns import replace_at

FILLER_TOWER = "I" * 24  # tiles that are never drawn


def play_placements(*placements: str) -> State:
    """The state after placements, made by each seat in turn with just the tile that it places.

    Every seat holds a card that can only answer an 8, so that a match with an 8 is not scored at once.
    Raises IllegalAction if a placement is not legal.
    """
    state, _ = start_game(Setup())
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
