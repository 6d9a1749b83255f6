"""Diagrams for the rules page: small boards, played by the engine and drawn as SVG."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from . import picture_svg
from .engine import State, build_view, legal_actions
from .engine.read_models import PositionData
from .engine.text import GameTranslator
from .picture_lines import BOARD_EXTENT, FRAME_MARGIN, HALF_CELL, cell_centre
from .positions import play_placements, set_up_turn

CROP_PADDING = 30  # around a crop; at the frame it shows the whole frame, and less on the other side


@dataclass(frozen=True)
class Diagram:
    """The placements of a diagram in order of play, and what its picture shows."""

    placements: tuple[str, ...] = ()
    outlines_last_tile: bool = False  # outline the tile that was placed last
    fitting_tile: str = ""  # outline the cells where this tile may go
    crop_cells: tuple[str, str] | None = None  # lower left and upper right cell of the crop


# A whole match: both sides have circles, squares and small circles.
MATCH_PLACEMENTS = (
    *("E-c4-0", "G-d4-0", "E-c5-0", "F-d5-180", "D-d3-0", "C-b5-0", "C-a5-90", "I-c2-0"),
    *("A-a4-0", "H-d2-0", "A-d1-0", "H-e2-0", "B-e1-270", "B-e5-180", "C-e4-0"),
)
THREE_QUARTER_CIRCLE = ("E-c4-0", "B-d3-180")  # with the centre tile, three quarters of a circle
DIAGRAMS = {
    "match": Diagram(MATCH_PLACEMENTS),
    "start": Diagram(),
    "places": Diagram(("B-c4-180", "H-d4-0", "A-c2-0"), fitting_tile="E"),
    "circle": Diagram((*THREE_QUARTER_CIRCLE, "C-d4-0"), outlines_last_tile=True, crop_cells=("c3", "d4")),
    "small-circle": Diagram(
        ("H-c4-0", "B-d3-90", "F-d4-90"), outlines_last_tile=True, crop_cells=("c3", "d4")
    ),
    "square": Diagram(
        ("F-c4-0", "A-d4-0", "B-d5-0", "A-e5-0"), outlines_last_tile=True, crop_cells=("d4", "e5")
    ),
    "eight": Diagram(
        (*THREE_QUARTER_CIRCLE, "C-d4-0", "D-c5-0", "H-b5-0", "H-d5-0"), crop_cells=("b3", "d5")
    ),
    "corner": Diagram(
        ("B-d3-0", "A-d2-0", "I-e2-0", "E-e1-0"), outlines_last_tile=True, crop_cells=("d1", "e2")
    ),
    "two": Diagram(
        ("B-d3-0", "A-d2-0", "A-e2-0", "C-e1-90"), outlines_last_tile=True, crop_cells=("d1", "e2")
    ),
    "mixed": Diagram((*THREE_QUARTER_CIRCLE, "A-d4-0"), outlines_last_tile=True, crop_cells=("c3", "d4")),
}
_CELL_OR_LABEL = re.compile(r'<use href="#otto-(?:cell|[a-e]|[1-5])" x="([\d.]+)" y="([\d.]+)"/>')


@cache
def build_diagram_position(name: str) -> State:
    """The state of a diagram after all its placements."""
    return play_placements(*DIAGRAMS[name].placements)


def build_diagram_view(name: str) -> PositionData:
    """The view of a diagram for spectators."""
    return build_view(build_diagram_position(name))


def list_outlined_cells(name: str) -> set[str]:
    """The cells that are outlined in the picture."""
    diagram, state = DIAGRAMS[name], build_diagram_position(name)
    actions = diagram.placements[-1:] if diagram.outlines_last_tile else ()
    if diagram.fitting_tile:
        actions = legal_actions(set_up_turn(state, drawn_tile=diagram.fitting_tile), state.turn)
    return {action.split("-")[1] for action in actions}


def draw_diagram(name: str, title: str, translator: GameTranslator, size: int = 320) -> str:
    """A diagram as SVG."""
    svg = picture_svg.draw_board_svg(
        build_diagram_view(name),
        size=size,
        title=title,
        highlight=list_outlined_cells(name),
        translator=translator,
    )
    crop_cells = DIAGRAMS[name].crop_cells
    return crop_svg(svg, *crop_cells) if crop_cells else svg


def crop_svg(svg: str, low: str, high: str) -> str:
    """The SVG cropped to the rectangle between two cells, without free cells and labels outside it."""
    left, right = _find_crop_range(cell_centre(low).real, cell_centre(high).real)
    top, bottom = _find_crop_range(cell_centre(high).imag, cell_centre(low).imag)

    def keep_if_near(match: re.Match[str]) -> str:
        x, y = float(match[1]), float(match[2])
        is_near = left - HALF_CELL < x < right + HALF_CELL and top - HALF_CELL < y < bottom + HALF_CELL
        return match[0] if is_near else ""

    view_box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    return _CELL_OR_LABEL.sub(keep_if_near, svg).replace(
        f'viewBox="0 0 {BOARD_EXTENT} {BOARD_EXTENT}"', f'viewBox="{view_box}"'
    )


def _find_crop_range(first: float, last: float) -> tuple[float, float]:
    """Start and end of a crop along one axis, from the centres of its outermost cells."""
    start, end = first - HALF_CELL, last + HALF_CELL
    before = (
        FRAME_MARGIN
        if start == FRAME_MARGIN
        else 2 * CROP_PADDING - FRAME_MARGIN
        if end == BOARD_EXTENT - FRAME_MARGIN
        else CROP_PADDING
    )
    return start - before, end + 2 * CROP_PADDING - before
