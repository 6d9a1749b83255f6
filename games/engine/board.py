"""Board geometry: cells, vertices, edges, and which figures a tile closes on which cell.

Every free cell has one small integer, its *demand*: the shapes that would close a figure at its four corners
and four sides. Bits 2i and 2i+1 belong to corner i (1: a quarter circle closes it, 2: a quarter square), bits
8+2i and 9+2i to side i (1: a half circle closes a small circle, 2: a half circle completes an 8). What a tile
closes is then a look-up by tile, rotation and demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from .choices import FigureKind
from .edition import Edition, TileFeatures

BOARD_SIZE = 5
# By cell index: 5 * column + row
CELL_NAMES = [f"{column}{row}" for column in "abcde" for row in range(1, BOARD_SIZE + 1)]
CELL_INDEX = {name: x for x, name in enumerate(CELL_NAMES)}
CENTRE_CELL = CELL_INDEX["c3"]
FULL_BOARD_MASK = (1 << BOARD_SIZE * BOARD_SIZE) - 1
VERTEX_COUNT = 36

CORNER_STEPS = ((0, 1), (1, 1), (1, 0), (0, 0))  # NW NE SE SW: from a cell to the vertex
SIDE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # N E S W: from a cell to its neighbour
CIRCLE, SQUARE = 1, 2
SHAPE_OF_MARK = {"-": 0, "c": CIRCLE, "s": SQUARE}
SHAPE_POINTS = {CIRCLE: 2, SQUARE: 4}
FIGURE_KIND_OF_VALUE: dict[int, FigureKind] = {1: "small circle", 2: "circle", 4: "square", 8: "infinity"}

Figure = tuple[int, int]  # (place, value); a place is a vertex, or 36 + an edge


def _find_neighbour(x: int, side: int) -> int:
    """The neighbouring cell on a side, or -1 for the frame."""
    column, row = x // BOARD_SIZE + SIDE_STEPS[side][0], x % BOARD_SIZE + SIDE_STEPS[side][1]
    return column * BOARD_SIZE + row if 0 <= column < BOARD_SIZE and 0 <= row < BOARD_SIZE else -1


def _find_vertex(x: int, corner: int) -> int:
    """The vertex at a corner of a cell."""
    return (x // BOARD_SIZE + CORNER_STEPS[corner][0]) * 6 + x % BOARD_SIZE + CORNER_STEPS[corner][1]


CELL_NEIGHBOURS = [[_find_neighbour(x, side) for side in range(4)] for x in range(25)]
CELL_VERTICES = [[_find_vertex(x, corner) for corner in range(4)] for x in range(25)]
# Edges in the order in which markers are assigned: by the left or lower cell, then by the other.
EDGE_CELLS = [(x, y) for x in range(25) for y in range(x + 1, 25) if y in CELL_NEIGHBOURS[x]]
EDGE_PLACE = {pair: VERTEX_COUNT + i for i, pair in enumerate(EDGE_CELLS)}
CELL_SIDE_PLACES = [
    [EDGE_PLACE.get((min(x, y), max(x, y)), -1) for y in CELL_NEIGHBOURS[x]] for x in range(25)
]
# For each place its cells and its name.
PLACE_CELLS: list[tuple[int, ...]] = [
    tuple(x for x in range(25) if v in CELL_VERTICES[x]) for v in range(VERTEX_COUNT)
] + [*EDGE_CELLS]
PLACE_NAMES = [
    "+".join(["frame"] * (place < VERTEX_COUNT and len(cells) < 4) + [CELL_NAMES[x] for x in cells])
    for place, cells in enumerate(PLACE_CELLS)
]
_LOW_MASK_CELLS = [tuple(x for x in range(13) if mask >> x & 1) for mask in range(1 << 13)]
_HIGH_MASK_CELLS = [tuple(x + 13 for x in range(12) if mask >> x & 1) for mask in range(1 << 12)]
_TOP_ROW_MASK = sum(1 << x for x in range(25) if x % BOARD_SIZE == BOARD_SIZE - 1)
_BOTTOM_ROW_MASK = sum(1 << x for x in range(25) if x % BOARD_SIZE == 0)

# A vertex counts down: 3 * free cells + shape so far (0: no tile yet); 0 when closed or mixed.
_NEXT_VERTEX_STATE = [
    [
        0 if kind == 0 or left == 0 or (so_far and so_far != kind) or left == 1 else 3 * (left - 1) + kind
        for left in range(5)
        for so_far in range(3)
    ]
    for kind in range(3)
]
_ONE_CELL_LEFT = 3


def cells_of(mask: int) -> tuple[int, ...]:
    """The cells of a bit mask, in ascending order."""
    return _LOW_MASK_CELLS[mask & 0x1FFF] + _HIGH_MASK_CELLS[mask >> 13]


def list_frontier_cells(filled: int) -> tuple[int, ...]:
    """The free cells next to a tile, from the mask of filled cells."""
    mask = (filled & ~_TOP_ROW_MASK) << 1 | (filled & ~_BOTTOM_ROW_MASK) >> 1 | filled << 5 | filled >> 5
    mask &= ~filled & FULL_BOARD_MASK
    return _LOW_MASK_CELLS[mask & 0x1FFF] + _HIGH_MASK_CELLS[mask >> 13]


def build_filled_mask(cells: Sequence[int]) -> int:
    """The cells with a tile as a bit mask."""
    mask = 0
    for x, t in enumerate(cells):
        if t:
            mask |= 1 << x
    return mask


def rotate_cell(name: str) -> str:
    """The cell that a cell becomes when the whole board is rotated by 90 degrees clockwise."""
    x = CELL_INDEX[name]
    return CELL_NAMES[x % BOARD_SIZE * BOARD_SIZE + BOARD_SIZE - 1 - x // BOARD_SIZE]


def find_frame_mark(edition: Edition, vertex: int) -> str:
    """Find the frame's mark at a vertex: "c", "s", or "-" for none, as at every vertex inside the board."""
    column, row = divmod(vertex, BOARD_SIZE + 1)
    if row in (0, BOARD_SIZE):
        return edition.frame[column]
    return edition.frame[row] if column in (0, BOARD_SIZE) else "-"


class FrameMark(NamedTuple):
    """A shape that the frame has at a vertex: the name of the place, its cells, and "c" or "s"."""

    place: str
    cells: list[str]
    mark: str


def list_frame_marks(edition: Edition) -> list[FrameMark]:
    """The vertices at which the frame has a shape."""
    marks = [(vertex, find_frame_mark(edition, vertex)) for vertex in range(VERTEX_COUNT)]
    return [
        FrameMark(PLACE_NAMES[vertex], [CELL_NAMES[x] for x in PLACE_CELLS[vertex]], mark)
        for vertex, mark in marks
        if mark != "-"
    ]


class BoardPosition(NamedTuple):
    """The tile codes by cell, the states by vertex, and the demands by cell."""

    cells: tuple[int, ...]
    vertices: tuple[int, ...]
    demands: tuple[int, ...]


class Board:
    """Look-up tables for the tiles of one edition; it holds no position.

    A tile in a rotation has a code, numbered from 1; 0 is an empty cell.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.code_of_tile: dict[tuple[str, int], int] = {}
        self.tile_of_code: list[tuple[str, int]] = [("", 0)]
        tile_features = [TileFeatures("----", "----", "")]
        for tile in edition.tiles.values():
            if tile.special == "dark":
                continue
            for rotation in tile.rotations:
                self.code_of_tile[tile.kind, rotation] = len(self.tile_of_code)
                self.tile_of_code.append((tile.kind, rotation))
                tile_features.append(tile.rotate_features(rotation))
        # Labels in dumped states
        self.code_labels = ["..", *(f"{kind}{rotation // 90}" for kind, rotation in self.tile_of_code[1:])]
        self.code_of_label = {label: t for t, label in enumerate(self.code_labels)}
        self.codes_of_kind = {
            kind: tuple(self.code_of_tile[kind, rotation] for rotation in tile.rotations)
            for kind, tile in edition.tiles.items()
            if tile.special != "dark"
        }
        self._corner_kinds = [[SHAPE_OF_MARK[mark] for mark in corners] for corners, _, _ in tile_features]
        self._half_circles = [[mark == "u" for mark in sides] for _, sides, _ in tile_features]
        # the two sides that a crossing joins
        self._crossing_sides = [
            {"": None, "NS": (0, 2), "WE": (1, 3)}[crossing] for _, _, crossing in tile_features
        ]
        self._build_update_tables()
        self._build_closing_tables()
        self._build_placement_strings()
        self.initial_position = self._build_initial_position()

    def _build_update_tables(self) -> None:
        """Build the tables of what placing a tile changes at vertices, sides and crossings."""
        rows, corners, halves = range(len(self.tile_of_code)), self._corner_kinds, self._half_circles
        self._vertex_updates = [
            [
                tuple((CELL_VERTICES[x][i], _NEXT_VERTEX_STATE[corners[t][i]]) for i in range(4))
                for x in range(25)
            ]
            for t in rows
        ]
        self._vertex_cells = [
            tuple((x, 2 * CELL_VERTICES[x].index(v)) for x in PLACE_CELLS[v]) for v in range(VERTEX_COUNT)
        ]
        crosses_side = [
            [ends is not None and side in ends for ends in self._crossing_sides] for side in range(4)
        ]
        self._side_updates = [
            [
                tuple(
                    (
                        y,
                        1 << 8 + 2 * (i + 2 & 3),
                        crosses_side[i],
                        CELL_NEIGHBOURS[y][i],
                        2 << 8 + 2 * (i + 2 & 3),
                    )
                    for i in range(4)
                    if halves[t][i] and (y := CELL_NEIGHBOURS[x][i]) >= 0
                )
                for x in range(25)
            ]
            for t in rows
        ]
        self._crossing_updates = [
            [
                tuple(
                    (1 << 8 + 2 * i, y, 2 << 8 + 2 * i)
                    for i in ends
                    if (y := CELL_NEIGHBOURS[x][i + 2 & 3]) >= 0 and CELL_NEIGHBOURS[x][i] >= 0
                )
                if (ends := self._crossing_sides[t])
                else ()
                for x in range(25)
            ]
            for t in rows
        ]

    def _build_closing_tables(self) -> None:
        """Build the tables of what a tile closes, by its code and the demand of the cell."""
        rows = range(len(self.tile_of_code))
        kinds = [(0, CIRCLE, SQUARE)] * 4
        patterns = [sum(k << 2 * i for i, k in enumerate(pattern)) for pattern in product(*kinds)]
        self.closed_corners: list[dict[int, tuple[int, ...]]] = [
            {
                pattern: tuple(
                    i
                    for i in range(4)
                    if pattern >> 2 * i & 3 and pattern >> 2 * i & 3 == self._corner_kinds[t][i]
                )
                for pattern in patterns
            }
            for t in rows
        ]
        self.closed_sides: list[dict[int, tuple[int, ...]]] = []
        # Sides of the crossing tile; 4: the tile itself
        self.completed_eights: list[dict[int, tuple[int, ...]]] = []
        all_sides = range(256)
        for t in rows:
            halves, ends = self._half_circles[t], self._crossing_sides[t]
            self.closed_sides.append(
                {
                    pattern: tuple(i for i in range(4) if halves[i] and pattern >> 2 * i & 1)
                    for pattern in all_sides
                }
            )
            self.completed_eights.append(
                {
                    pattern: tuple(i for i in range(4) if halves[i] and pattern >> 2 * i & 2)
                    + ((4,) if ends and all(pattern >> 2 * i & 1 for i in ends) else ())
                    for pattern in all_sides
                }
            )
        # [kind][demand]: bits of the rotations that close a figure; << 4: those that make an 8
        self.closing_rotations: dict[str, bytearray] = {}
        for kind, codes in self.codes_of_kind.items():
            table = self.closing_rotations[kind] = bytearray(1 << 16)
            by_corner = {
                pattern: sum(1 << r for r, t in enumerate(codes) if self.closed_corners[t][pattern])
                for pattern in patterns
            }
            by_side = {
                pattern: sum(
                    (1 << r if self.closed_sides[t][pattern] or self.completed_eights[t][pattern] else 0)
                    | (16 << r if self.completed_eights[t][pattern] else 0)
                    for r, t in enumerate(codes)
                )
                for pattern in patterns
            }
            for sides, side_bits in by_side.items():
                for corners, corner_bits in by_corner.items():
                    table[sides << 8 | corners] = side_bits | corner_bits

    def _build_placement_strings(self) -> None:
        """Build the table of placement strings ("B-b3-90") and its inverse."""
        self.placements: dict[str, tuple[str, int, int]] = {}  # "B-b3-90" -> kind, code, cell
        # By kind, cell and rotation bits
        self.placement_strings: dict[str, list[list[tuple[str, ...]]]] = {}
        for kind, codes in self.codes_of_kind.items():
            by_cell = []
            for x, name in enumerate(CELL_NAMES):
                strings = [f"{kind}-{name}-{self.tile_of_code[t][1]}" for t in codes]
                if x != CENTRE_CELL:
                    self.placements.update(
                        {string: (kind, t, x) for string, t in zip(strings, codes, strict=True)}
                    )
                by_cell.append(
                    [
                        tuple(string for r, string in enumerate(strings) if bits >> r & 1)
                        for bits in range(1 << len(strings))
                    ]
                )
            self.placement_strings[kind] = by_cell
        self.all_placement_strings = {
            kind: [rotations[-1] for rotations in cells] for kind, cells in self.placement_strings.items()
        }

    def _build_initial_position(self) -> BoardPosition:
        """The position with only the centre tile on the board."""
        vertices, demand = [], [0] * 25
        for v in range(VERTEX_COUNT):
            kind = SHAPE_OF_MARK[find_frame_mark(self.edition, v)]
            vertices.append(3 * len(PLACE_CELLS[v]) + kind)
            if len(PLACE_CELLS[v]) == 1 and kind:
                x, shift = self._vertex_cells[v][0]
                demand[x] |= kind << shift
        cells = [0] * 25
        self.place_tile(cells, vertices, demand, CENTRE_CELL, self.code_of_tile[self.edition.centre, 0])
        return BoardPosition(tuple(cells), tuple(vertices), tuple(demand))

    def with_tile(
        self, cells: Sequence[int], vertices: Sequence[int], demand: Sequence[int], x: int, t: int
    ) -> BoardPosition:
        """The position after tile code t was placed on the free cell x."""
        new_cells, new_vertices, new_demand = list(cells), list(vertices), list(demand)
        self.place_tile(new_cells, new_vertices, new_demand, x, t)
        return BoardPosition(tuple(new_cells), tuple(new_vertices), tuple(new_demand))

    def place_tile(self, cells: list[int], vertices: list[int], demand: list[int], x: int, t: int) -> None:
        """Place tile code t on the free cell x and update the vertices and demands around it, in place."""
        cell_demand = demand[x]
        cells[x] = t
        demand[x] = 0
        for v, next_states in self._vertex_updates[t][x]:
            vertex_state = vertices[v] = next_states[vertices[v]]
            if vertex_state == 4 or vertex_state == 5:  # one free cell left, all others have the same shape
                for y, shift in self._vertex_cells[v]:
                    if not cells[y]:
                        demand[y] |= vertex_state - _ONE_CELL_LEFT << shift
                        break
        for y, half, crosses_side, z, eight in self._side_updates[t][x]:
            neighbour_code = cells[y]
            if not neighbour_code:
                demand[y] |= half
            elif crosses_side[neighbour_code] and z >= 0 and not cells[z]:
                demand[z] |= eight
        for half, y, eight in self._crossing_updates[t][x]:
            if cell_demand & half and not cells[y]:
                demand[y] |= eight

    def rebuild_position(self, cells: Sequence[int]) -> BoardPosition:
        """The position of any board; independent of the order of placement."""
        placed_cells, vertices, demand = (list(part) for part in self.initial_position)
        for x, t in enumerate(cells):
            if t and x != CENTRE_CELL:
                self.place_tile(placed_cells, vertices, demand, x, t)
        return BoardPosition(tuple(placed_cells), tuple(vertices), tuple(demand))

    def find_closed_figures(self, x: int, t: int, demand: int) -> tuple[list[Figure], list[int]]:
        """The circles and squares that tile code t closes on cell x, and the crossing cell of each 8."""
        at_corners = self.closed_corners[t][demand & 255]
        at_sides = self.closed_sides[t][demand >> 8]
        figures: list[Figure] = []
        if at_corners:
            kinds = self._corner_kinds[t]
            figures = [(CELL_VERTICES[x][i], SHAPE_POINTS[kinds[i]]) for i in at_corners]
        if at_sides:
            figures += [(CELL_SIDE_PLACES[x][i], 1) for i in at_sides]
        if len(figures) > 1:
            figures.sort()
        eights = self.completed_eights[t][demand >> 8]
        return figures, [x if i == 4 else CELL_NEIGHBOURS[x][i] for i in eights] if eights else []


@cache
def load_board(edition: Edition) -> Board:
    """The tables of an edition, built once per process."""
    return Board(edition)
