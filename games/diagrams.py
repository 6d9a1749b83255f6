"""The diagrams of the rules: small boards, played by the engine and drawn by the renderer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import picture
from .engine import State, legal_actions, view
from .engine.text import Words
from .picture_lines import EDGE, EXTENT, MARGIN, cell_at
from .positions import holding, played

AIR = 30  # around the cells of a cut-out; at the frame it shows all of the frame, and less on the other side


@dataclass(frozen=True)
class Diagram:
    """Placements in the order of play, and what the picture shows of the board."""

    placements: tuple[str, ...] = ()
    last: bool = False  # the tile that was placed last is outlined
    fits: str = ""  # a tile: the cells where it may go are outlined
    cut: tuple[str, str] | None = None  # the cells at the lower left and the upper right of a cut-out


# Of one match: both sides have circles, squares and small circles.
MATCH = (
    *("E-c4-0", "G-d4-0", "E-c5-0", "F-d5-180", "D-d3-0", "C-b5-0", "C-a5-90", "I-c2-0"),
    *("A-a4-0", "H-d2-0", "A-d1-0", "H-e2-0", "B-e1-270", "B-e5-180", "C-e4-0"),
)
THREE = ("E-c4-0", "B-d3-180")  # with the centre tile, three quarters of a circle
DIAGRAMS = {
    "match": Diagram(MATCH),
    "start": Diagram(),
    "places": Diagram(("B-c4-180", "H-d4-0", "A-c2-0"), fits="E"),
    "circle": Diagram((*THREE, "C-d4-0"), last=True, cut=("c3", "d4")),
    "small-circle": Diagram(("H-c4-0", "B-d3-90", "F-d4-90"), last=True, cut=("c3", "d4")),
    "square": Diagram(("F-c4-0", "A-d4-0", "B-d5-0", "A-e5-0"), last=True, cut=("d4", "e5")),
    "eight": Diagram((*THREE, "C-d4-0", "D-c5-0", "H-b5-0", "H-d5-0"), cut=("b3", "d5")),
    "corner": Diagram(("B-d3-0", "A-d2-0", "I-e2-0", "E-e1-0"), last=True, cut=("d1", "e2")),
    "two": Diagram(("B-d3-0", "A-d2-0", "A-e2-0", "C-e1-90"), last=True, cut=("d1", "e2")),
    "mixed": Diagram((*THREE, "A-d4-0"), last=True, cut=("c3", "d4")),
}
_SPOT = re.compile(r'<use href="#otto-(?:cell|[a-e]|[1-5])" x="([\d.]+)" y="([\d.]+)"/>')


@cache
def position(name: str) -> State:
    """The position of a diagram, played from the first tile."""
    return played(*DIAGRAMS[name].placements)


def seen(name: str) -> dict[str, Any]:
    """What everybody sees of it."""
    return view(position(name))


def outlined(name: str) -> set[str]:
    """The cells that the picture points at."""
    diagram, state = DIAGRAMS[name], position(name)
    actions = diagram.placements[-1:] if diagram.last else ()
    if diagram.fits:
        actions = legal_actions(holding(state, drawn=diagram.fits), state.turn)
    return {action.split("-")[1] for action in actions}


def drawing(name: str, title: str, words: Words, size: int = 320) -> str:
    """A diagram as SVG."""
    drawn = picture.svg(seen(name), size=size, title=title, highlight=outlined(name), words=words)
    cut = DIAGRAMS[name].cut
    return cut_out(drawn, *cut) if cut else drawn


def cut_out(drawn: str, low: str, high: str) -> str:
    """The part of a picture of the board between two cells, without the free cells and names elsewhere."""
    left, right = _span(cell_at(low).real, cell_at(high).real)
    top, bottom = _span(cell_at(high).imag, cell_at(low).imag)

    def kept(spot: re.Match[str]) -> str:
        x, y = float(spot[1]), float(spot[2])
        near = left - EDGE < x < right + EDGE and top - EDGE < y < bottom + EDGE
        return spot[0] if near else ""

    box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    return _SPOT.sub(kept, drawn).replace(f'viewBox="0 0 {EXTENT} {EXTENT}"', f'viewBox="{box}"')


def _span(first: float, last: float) -> tuple[float, float]:
    """From where to where a cut-out reaches, given the middles of its outermost cells."""
    start, end = first - EDGE, last + EDGE
    before = MARGIN if start == MARGIN else 2 * AIR - MARGIN if end == EXTENT - MARGIN else AIR
    return start - before, end + 2 * AIR - before
