"""The progress of a solo match: what is still to do, and the score and level that can still be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .board import CELL_NAMES
from .edition import load_edition
from .solo import EIGHT_POINTS, FREE_CELL_POINTS, SOLO_GRADES, grade_solo_score

HIGHEST_SOLO_SCORE = 60  # by exhaustive search: all markers and an 8 with ten tiles placed


@dataclass(frozen=True)
class SoloProgress:
    """A solo match as everybody sees it."""

    markers_placed: int
    marker_count: int
    has_eight: bool
    marker_points: int  # what all markers together give
    free_cells: int
    unmarked_count: int  # closed figures without a marker
    is_over: bool
    score: int  # what it scored; 0 while it runs and if it is lost

    @property
    def best_score(self) -> int:
        """The most that can still be reached: what a win with the next tile would score."""
        free_cells = min(self.free_cells - 1, (HIGHEST_SOLO_SCORE - self.marker_points - EIGHT_POINTS) // 2)
        return self.marker_points + EIGHT_POINTS + FREE_CELL_POINTS * free_cells - self.unmarked_count

    @property
    def best_grade(self) -> str | None:
        """The level of the best score."""
        return grade_solo_score(self.best_score)

    @property
    def grade(self) -> str | None:
        """The level reached, None if the match is lost or still runs."""
        return grade_solo_score(self.score)

    @property
    def next_grade(self) -> tuple[str, int] | None:
        """The next level after the one reached, and the points that it would have taken more."""
        higher = [(name, least - self.score) for least, name in SOLO_GRADES if least > self.score]
        return higher[-1] if higher and self.score else None


def measure_solo_progress(view: Mapping[str, Any]) -> SoloProgress:
    """The progress of the solo match in a view."""
    markers = load_edition(view["edition"]).markers
    marker_count = sum(count for _, count in markers)
    figures = view["board"]["figures"]
    return SoloProgress(
        markers_placed=marker_count - sum(view["markers"]["1"].values()),
        marker_count=marker_count,
        has_eight=any(figure["value"] == 8 for figure in figures),
        marker_points=sum(value * count for value, count in markers),
        free_cells=len(CELL_NAMES) - len(view["board"]["cells"]),
        unmarked_count=sum(figure["side"] is None for figure in figures),
        is_over=view["phase"] == "over",
        score=view["totals"]["1"],
    )
