"""The lines of tiles and board as SVG paths, drawn from an edition's data.

A cell is 90 wide with its centre at 0; y grows downwards, so that a clockwise quarter turn is a factor of 1j.
A tile has two line ends on each side, 15 from its middle. End (i, 0) of side i lies next to corner i, end
(i, 1) next to corner i + 1, clockwise; so (i, 0) lies opposite (i + 2, 1).
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from .engine import load_edition
from .engine.board import BOARD_SIZE, CELL_INDEX, CELL_NAMES, EDGE_CELLS, PLACE_NAMES, VERTEX_COUNT
from .engine.edition import Tile

CELL_SIZE = 90
HALF_CELL = CELL_SIZE / 2
LINE_END_OFFSET = CELL_SIZE / 6
CIRCLE_RADIUS = CELL_SIZE / 3  # a square has the same width
FRAME_MARGIN = 45  # half a cell, so that cells are whole pixels at any width of 12 n
BOARD_EXTENT = 2 * FRAME_MARGIN + BOARD_SIZE * CELL_SIZE
LINE_OVERLAP = HALF_CELL + 0.5  # lines overlap the tile's edge slightly, so that no seam shows

PathSegment = tuple[str, *tuple[complex, ...]]  # an SVG command and its points

# At corner NW and side N; the others are rotations of these.
_CORNER_PATHS: dict[str, list[PathSegment]] = {
    "c": [
        ("M", complex(-LINE_END_OFFSET, -LINE_OVERLAP)),
        ("L", complex(-LINE_END_OFFSET, -HALF_CELL)),
        (f"A{CIRCLE_RADIUS:g} {CIRCLE_RADIUS:g} 0 0 1 ", complex(-HALF_CELL, -LINE_END_OFFSET)),
        ("L", complex(-LINE_OVERLAP, -LINE_END_OFFSET)),
    ],
    "s": [
        ("M", complex(-LINE_END_OFFSET, -LINE_OVERLAP)),
        ("L", complex(-LINE_END_OFFSET, -LINE_END_OFFSET)),
        ("L", complex(-LINE_OVERLAP, -LINE_END_OFFSET)),
    ],
    "-": [],
}
_HALF_CIRCLE_PATH: list[PathSegment] = [
    ("M", complex(-LINE_END_OFFSET, -LINE_OVERLAP)),
    ("L", complex(-LINE_END_OFFSET, -HALF_CELL)),
    (f"A{LINE_END_OFFSET:g} {LINE_END_OFFSET:g} 0 0 0 ", complex(LINE_END_OFFSET, -HALF_CELL)),
    ("L", complex(LINE_END_OFFSET, -LINE_OVERLAP)),
]
_CROSSING_PATH: list[PathSegment] = [
    piece
    for end in (-LINE_END_OFFSET, LINE_END_OFFSET)
    for piece in (
        ("M", complex(end, -LINE_OVERLAP)),
        ("L", complex(end, -HALF_CELL)),
        ("C", complex(end, 0), complex(-end, 0), complex(-end, HALF_CELL)),
        ("L", complex(-end, LINE_OVERLAP)),
    )
]
# From a cell's centre to the vertex at each corner.
_CORNER_OFFSETS = [complex(-HALF_CELL, -HALF_CELL) * 1j**i for i in range(4)]

# Letters and digits as strokes, 14 high, so that pictures need no font.
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


def _build_path(segments: list[PathSegment], turns: int = 0, at: complex = 0) -> str:
    """A path after some clockwise quarter turns, around the given point."""
    parts = []
    for command, *points in segments:
        moved = [at + point * 1j ** (turns % 4) for point in points]
        parts.append(command + " ".join(f"{point.real:g} {point.imag:g}" for point in moved))
    return "".join(parts)


def draw_feature_lines(corners: str, sides: str, crossing: str) -> str:
    """The lines of a tile with these features, as Tile.rotate_features returns them."""
    paths = [_build_path(_CORNER_PATHS[mark], i) for i, mark in enumerate(corners)]
    paths += [_build_path(_HALF_CIRCLE_PATH, i) for i, mark in enumerate(sides) if mark == "u"]
    paths += [_build_path(_CROSSING_PATH, ("NS", "WE").index(crossing))] if crossing else []
    joined_sides = {"NS": {0, 2}, "WE": {1, 3}}.get(crossing, set()) | {
        i for i in range(4) if sides[i] == "u"
    }
    free_ends = {(i, end) for i in range(4) for end in (0, 1)}
    free_ends -= {(i, end) for i in joined_sides for end in (0, 1)}
    free_ends -= {at for i in range(4) if corners[i] != "-" for at in ((i, 0), ((i - 1) % 4, 1))}
    for i, end in ((0, 0), (0, 1), (1, 0), (1, 1)):
        if {(i, end), (i + 2, 1 - end)} <= free_ends:
            x = LINE_END_OFFSET if end else -LINE_END_OFFSET
            paths.append(_build_path([("M", complex(x, -LINE_OVERLAP)), ("L", complex(x, LINE_OVERLAP))], i))
    return "".join(paths)


def draw_tile_lines(tile: Tile) -> str:
    """The lines of a tile at rotation 0; a dark tile has none."""
    return "" if tile.special == "dark" else draw_feature_lines(*tile.rotate_features(0))


@cache
def draw_frame_lines(name: str) -> tuple[str, str]:
    """The outer parts of the frame's circles and squares: what cells around the board would carry.

    Returned in two paths, left and below, then right and above: tiles are drawn in between, in column order.
    """
    kinds = load_edition(name).frame
    first: list[str] = []
    last: list[str] = []
    for v in range(VERTEX_COUNT):
        column, row = divmod(v, BOARD_SIZE + 1)
        if row in (0, BOARD_SIZE) or column in (0, BOARD_SIZE):
            kind = kinds[column] if row in (0, BOARD_SIZE) else kinds[row]
            for i, corner in enumerate(_CORNER_OFFSETS):
                middle = vertex_position(v) - corner
                if not all(
                    FRAME_MARGIN < part < BOARD_EXTENT - FRAME_MARGIN for part in (middle.real, middle.imag)
                ):
                    before = middle.real < FRAME_MARGIN or middle.imag > BOARD_EXTENT - FRAME_MARGIN
                    (first if before else last).append(_build_path(_CORNER_PATHS[kind], i, middle))
    return "".join(first), "".join(last)


def draw_eight_path() -> str:
    """The closed path of a horizontal 8 around the centre of its crossing."""
    arc = f"A{LINE_END_OFFSET:g} {LINE_END_OFFSET:g} 0 0 "
    return (
        _build_path(
            [("M", complex(-HALF_CELL, -LINE_END_OFFSET)), (f"{arc}0 ", complex(-HALF_CELL, LINE_END_OFFSET))]
        )
        + _build_path(
            [
                (
                    "C",
                    complex(0, LINE_END_OFFSET),
                    complex(0, -LINE_END_OFFSET),
                    complex(HALF_CELL, -LINE_END_OFFSET),
                )
            ]
        )
        + _build_path(
            [
                (f"{arc}1 ", complex(HALF_CELL, LINE_END_OFFSET)),
                (
                    "C",
                    complex(0, LINE_END_OFFSET),
                    complex(0, -LINE_END_OFFSET),
                    complex(-HALF_CELL, -LINE_END_OFFSET),
                ),
            ]
        )
        + "Z"
    )


def draw_unmarked_figure(value: int, reach: float) -> str:
    """Diagonal lines inside a circle or square of this value and radius."""
    step = min(reach / 2, 9)
    paths = []
    for k in range(-3, 4):
        distance = k * step  # of the line from the centre
        half = sqrt(2) * reach - abs(distance) if value == 4 else sqrt(max(reach**2 - distance**2, 0))
        if half > 1:
            slant, offset = complex(half, -half) / sqrt(2), complex(distance, distance) / sqrt(2)
            paths.append(_build_path([("M", offset - slant), ("L", offset + slant)]))
    return "".join(paths)


def draw_cross(value: int, reach: float) -> str:
    """Two crossed diagonals from edge to edge of a circle or square of this value and radius."""
    half = reach if value == 4 else reach / sqrt(2)
    ends = [complex(half, -half), complex(half, half)]
    return "".join(_build_path([("M", -end), ("L", end)]) for end in ends)


def cell_centre(name: str) -> complex:
    """The centre of a cell."""
    column, row = divmod(CELL_INDEX[name], BOARD_SIZE)
    return vertex_position(column * (BOARD_SIZE + 1) + row) + complex(HALF_CELL, -HALF_CELL)


def vertex_position(v: int) -> complex:
    """The position of a vertex, where four cells meet, or cells and the frame."""
    column, row = divmod(v, BOARD_SIZE + 1)
    return complex(FRAME_MARGIN + column * CELL_SIZE, FRAME_MARGIN + (BOARD_SIZE - row) * CELL_SIZE)


def place_centre(name: str) -> complex:
    """The centre of a figure, by the name of its place."""
    place = PLACE_NAMES.index(name)
    if place < VERTEX_COUNT:
        return vertex_position(place)
    first_cell, second_cell = EDGE_CELLS[place - VERTEX_COUNT]
    return (cell_centre(CELL_NAMES[first_cell]) + cell_centre(CELL_NAMES[second_cell])) / 2
