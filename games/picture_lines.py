"""The lines of the board as SVG paths, drawn from an edition's data.

A cell is 90 wide and its middle is 0; y grows downwards, so that a clockwise quarter turn is a factor of 1j.
A tile has two line ends on each side, 15 from its middle. End (i, 0) of side i lies next to corner i, end
(i, 1) next to corner i + 1, clockwise; so (i, 0) lies opposite (i + 2, 1).
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from .engine import edition
from .engine.board import CELL, CELLS, EDGES, PLACE_NAME, SIZE, VERTICES
from .engine.edition import Tile

SIDE = 90
EDGE = SIDE / 2
END = SIDE / 6
RADIUS = SIDE / 3  # of a circle; a square is as wide
MARGIN = 45  # the frame around the cells: half a cell, so that cells are whole pixels at any width of 12 n
EXTENT = 2 * MARGIN + SIZE * SIDE
OVER = EDGE + 0.5  # lines reach over the tile's edge a little, lest a seam shows where two of them meet

Piece = tuple[str, *tuple[complex, ...]]  # an SVG command and its points

# What lies at the corner NW and on the side N; the rest are turns of it.
_CORNER: dict[str, list[Piece]] = {
    "c": [
        ("M", complex(-END, -OVER)),
        ("L", complex(-END, -EDGE)),
        (f"A{RADIUS:g} {RADIUS:g} 0 0 1 ", complex(-EDGE, -END)),
        ("L", complex(-OVER, -END)),
    ],
    "s": [("M", complex(-END, -OVER)), ("L", complex(-END, -END)), ("L", complex(-OVER, -END))],
    "-": [],
}
_HALF: list[Piece] = [
    ("M", complex(-END, -OVER)),
    ("L", complex(-END, -EDGE)),
    (f"A{END:g} {END:g} 0 0 0 ", complex(END, -EDGE)),
    ("L", complex(END, -OVER)),
]
_CROSSING: list[Piece] = [
    piece
    for end in (-END, END)
    for piece in (
        ("M", complex(end, -OVER)),
        ("L", complex(end, -EDGE)),
        ("C", complex(end, 0), complex(-end, 0), complex(-end, EDGE)),
        ("L", complex(-end, OVER)),
    )
]
# Where the vertex at a cell's corner lies as seen from the cell, and the cell as seen from the vertex.
_CORNERS = [complex(-EDGE, -EDGE) * 1j**i for i in range(4)]

# Letters and digits of our own, 14 high, drawn with a round pen: a picture must not hang on a font.
GLYPHS = {
    "1": "M-2.6-4.5L1.4-7V7",
    "2": "M-4-3A4 4 0 1 1 2.9-.3L-4.2 7H4.4",
    "3": "M-3.8-7H3.6L-.6-1.4A4.2 4.2 0 1 1-4 4.3",
    "4": "M1.8 7V-7L-4.6 3.2H4.8",
    "5": "M3.8-7H-3L-3.5-.9A4.3 4.3 0 1 1-4.1 4.8",
    "a": "M4 2.5A4 4.5 0 1 0 4 2.6M4-2V7",
    "b": "M-4 2.5A4 4.5 0 1 0-4 2.4M-4-7V7",
    "c": "M3.4-.2A4.1 4.5 0 1 0 3.4 5.2",
    "d": "M4 2.5A4 4.5 0 1 0 4 2.6M4-7V7",
    "e": "M-4 2.5H4A4 4.5 0 1 0 2.9 5.6",
}


def _path(pieces: list[Piece], turns: int = 0, at: complex = 0) -> str:
    """A path after so many clockwise quarter turns, in the cell whose middle lies there."""
    words = []
    for command, *points in pieces:
        moved = [at + point * 1j ** (turns % 4) for point in points]
        words.append(command + " ".join(f"{point.real:g} {point.imag:g}" for point in moved))
    return "".join(words)


def lines(corners: str, sides: str, crossing: str) -> str:
    """The lines of a tile with these features: what Tile.turned gives."""
    paths = [_path(_CORNER[mark], i) for i, mark in enumerate(corners)]
    paths += [_path(_HALF, i) for i, mark in enumerate(sides) if mark == "u"]
    paths += [_path(_CROSSING, ("NS", "WE").index(crossing))] if crossing else []
    joined = {"NS": {0, 2}, "WE": {1, 3}}.get(crossing, set()) | {i for i in range(4) if sides[i] == "u"}
    free = {(i, end) for i in range(4) for end in (0, 1)}
    free -= {(i, end) for i in joined for end in (0, 1)}
    free -= {at for i in range(4) if corners[i] != "-" for at in ((i, 0), ((i - 1) % 4, 1))}
    for i, end in ((0, 0), (0, 1), (1, 0), (1, 1)):
        if {(i, end), (i + 2, 1 - end)} <= free:
            x = END if end else -END
            paths.append(_path([("M", complex(x, -OVER)), ("L", complex(x, OVER))], i))
    return "".join(paths)


def tile_lines(tile: Tile) -> str:
    """The lines of a tile as it lies at rotation 0; a dark tile has none."""
    return "" if tile.special == "dark" else lines(*tile.turned(0))


@cache
def frame_lines(name: str) -> tuple[str, str]:
    """The outer parts of the frame's circles and squares: what cells around the board would carry.

    Left and below, right and above: cells are drawn column by column, from below, so tiles come in between.
    """
    kinds = edition(name).frame
    first: list[str] = []
    last: list[str] = []
    for v in range(VERTICES):
        column, row = divmod(v, SIZE + 1)
        if row in (0, SIZE) or column in (0, SIZE):
            kind = kinds[column] if row in (0, SIZE) else kinds[row]
            for i, corner in enumerate(_CORNERS):
                middle = vertex_at(v) - corner
                if not all(MARGIN < part < EXTENT - MARGIN for part in (middle.real, middle.imag)):
                    before = middle.real < MARGIN or middle.imag > EXTENT - MARGIN
                    (first if before else last).append(_path(_CORNER[kind], i, middle))
    return "".join(first), "".join(last)


def eight_path() -> str:
    """The 8 that lies along W and E, around the middle of its crossing: two loops in one line."""
    arc = f"A{END:g} {END:g} 0 0 "
    return (
        _path([("M", complex(-EDGE, -END)), (f"{arc}0 ", complex(-EDGE, END))])
        + _path([("C", complex(0, END), complex(0, -END), complex(EDGE, -END))])
        + _path(
            [(f"{arc}1 ", complex(EDGE, END)), ("C", complex(0, END), complex(0, -END), complex(-EDGE, -END))]
        )
        + "Z"
    )


def hatching(value: int, reach: float) -> str:
    """Slanting lines inside a circle or square, by its value, that reaches so far from its middle."""
    step = min(reach / 2, 9)
    paths = []
    for k in range(-3, 4):
        away = k * step  # of the line from the middle
        half = sqrt(2) * reach - abs(away) if value == 4 else sqrt(max(reach**2 - away**2, 0))
        if half > 1:
            slant, aside = complex(half, -half) / sqrt(2), complex(away, away) / sqrt(2)
            paths.append(_path([("M", aside - slant), ("L", aside + slant)]))
    return "".join(paths)


def cell_at(name: str) -> complex:
    """The middle of a cell."""
    column, row = divmod(CELL[name], SIZE)
    return vertex_at(column * (SIZE + 1) + row) + complex(EDGE, -EDGE)


def vertex_at(v: int) -> complex:
    """Where four cells meet, or cells and the frame."""
    column, row = divmod(v, SIZE + 1)
    return complex(MARGIN + column * SIDE, MARGIN + (SIZE - row) * SIDE)


def place_at(name: str) -> complex:
    """The middle of a circle or square, by the name of its place."""
    place = PLACE_NAME.index(name)
    if place < VERTICES:
        return vertex_at(place)
    one, other = EDGES[place - VERTICES]
    return (cell_at(CELLS[one]) + cell_at(CELLS[other])) / 2
