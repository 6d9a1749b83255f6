"""Small hand-made positions for tests, in addition to those of the lesson."""

from __future__ import annotations

from games.engine import State, apply_action
from games.engine.board import CELL_INDEX
from games.positions import PLACE_OF_NAME as PLACE
from games.positions import build_position

__all__ = ["PLACE", "build_position", "build_zero_board", "play_actions"]


def play_actions(state: State, *actions: str) -> State:
    """Return the state after these actions, each by the seat on turn."""
    for action in actions:
        state, _ = apply_action(state, state.turn, action)
    return state


def build_zero_board(*free: str, **cells: str) -> dict[str, str]:
    """Build a board of zero tiles, which close nothing, except for the free cells and the given ones."""
    return {name: "I" for name in CELL_INDEX if name not in free and name != "c3"} | cells
