"""Solo matches: one seat against the board."""

from __future__ import annotations

from .board import FULL_BOARD_MASK
from .state import MutableState

EIGHT_POINTS = 8
FREE_CELL_POINTS = 2
SOLO_GRADES = ((41, "master"), (37, "great"), (32, "good"), (1, "narrow"))


def set_phase_after_placement(state: MutableState) -> None:
    """Set the phase: won once all markers are placed and there is an 8, lost on a full board before that."""
    if state.eight_cells and not any(state.markers_left[1]):
        state.phase = "won"
    elif state.filled_mask == FULL_BOARD_MASK:
        state.phase = "full"
    else:
        state.phase = "finish"


def score_solo_match(state: MutableState) -> int:
    """The points of a solo match that has just ended."""
    if state.phase != "won":
        return 0
    free_cells = (FULL_BOARD_MASK & ~state.filled_mask).bit_count()
    return (
        state.setup.edition_data.total_marker_points
        + EIGHT_POINTS
        + FREE_CELL_POINTS * free_cells
        - len(state.unmarked_figures)
    )


def grade_solo_score(points: int) -> str | None:
    """The name of the grade for a score, None for a lost match."""
    return next((grade_name for min_points, grade_name in SOLO_GRADES if points >= min_points), None)
