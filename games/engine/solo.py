"""Solo: one seat against the board."""

from __future__ import annotations

from .board import FULL
from .state import Draft

EIGHT = 8
FREE_CELL = 2
GRADES = ((41, "master"), (37, "great"), (32, "good"), (1, "narrow"))


def after_placement(d: Draft) -> None:
    """Won as soon as all markers lie and there is an 8; lost when the board is full before that."""
    if d.eights and not any(d.markers[1]):
        d.phase = "won"
    elif d.filled == FULL:
        d.phase = "full"
    else:
        d.phase = "finish"


def score(d: Draft) -> int:
    """The points of a solo match that has just ended."""
    if d.phase != "won":
        return 0
    free = (FULL & ~d.filled).bit_count()
    return d.setup.box.all_points + EIGHT + FREE_CELL * free - len(d.unmarked)


def grade(points: int) -> str | None:
    """The word for a score, None for a lost match."""
    return next((word for least, word in GRADES if points >= least), None)
