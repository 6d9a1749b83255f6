"""The geometry: cells, vertices, edges, and which figures a tile closes where.

For every free cell the board keeps one small integer, its *demand*: what its four corners and four sides
still ask for. Bits 2i and 2i+1 belong to corner i (1: a quarter of a circle closes it, 2: of a square), bits
8+2i and 9+2i to side i (1: a half circle closes a small circle, 2: a half circle completes an 8). What a tile
closes is then a look-up by tile, rotation and demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from .edition import Edition

SIZE = 5
CELLS = [f"{column}{row}" for column in "abcde" for row in range(1, SIZE + 1)]  # index = 5 * column + row
CELL = {name: x for x, name in enumerate(CELLS)}
CENTRE = CELL["c3"]
FULL = (1 << SIZE * SIZE) - 1
VERTICES = 36

CORNER_STEPS = ((0, 1), (1, 1), (1, 0), (0, 0))  # NW NE SE SW: from a cell to the vertex
SIDE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # N E S W: from a cell to its neighbour
CIRCLE, SQUARE = 1, 2
KIND = {"-": 0, "c": CIRCLE, "s": SQUARE}
VERTEX_VALUE = {CIRCLE: 2, SQUARE: 4}
FIGURE_KIND = {1: "small circle", 2: "circle", 4: "square", 8: "infinity"}

Figure = tuple[int, int]  # (place, value); a place is a vertex, or 36 + an edge


def _neighbour(x: int, side: int) -> int:
    """The cell beside, or -1 for the frame."""
    column, row = x // SIZE + SIDE_STEPS[side][0], x % SIZE + SIDE_STEPS[side][1]
    return column * SIZE + row if 0 <= column < SIZE and 0 <= row < SIZE else -1


def _vertex(x: int, corner: int) -> int:
    return (x // SIZE + CORNER_STEPS[corner][0]) * 6 + x % SIZE + CORNER_STEPS[corner][1]


NEIGHBOUR = [[_neighbour(x, side) for side in range(4)] for x in range(25)]
VERTEX = [[_vertex(x, corner) for corner in range(4)] for x in range(25)]
# Edges in the order in which markers are given out: by the left or lower cell, then by the other.
EDGES = [(x, y) for x in range(25) for y in range(x + 1, 25) if y in NEIGHBOUR[x]]
EDGE = {pair: VERTICES + i for i, pair in enumerate(EDGES)}
SIDE_PLACE = [[EDGE.get((min(x, y), max(x, y)), -1) for y in NEIGHBOUR[x]] for x in range(25)]
# For each place the cells that take part in it, and its name.
PLACE_CELLS: list[tuple[int, ...]] = [
    tuple(x for x in range(25) if v in VERTEX[x]) for v in range(VERTICES)
] + [*EDGES]
PLACE_NAME = [
    "+".join(["frame"] * (place < VERTICES and len(cells) < 4) + [CELLS[x] for x in cells])
    for place, cells in enumerate(PLACE_CELLS)
]
_LOW = [tuple(x for x in range(13) if mask >> x & 1) for mask in range(1 << 13)]
_HIGH = [tuple(x + 13 for x in range(12) if mask >> x & 1) for mask in range(1 << 12)]
_TOP_ROW = sum(1 << x for x in range(25) if x % SIZE == SIZE - 1)
_BOTTOM_ROW = sum(1 << x for x in range(25) if x % SIZE == 0)

# A vertex counts down: 3 * cells still free + kind so far (0: no tile yet); 0 when closed or spoilt.
_NEXT = [
    [
        0 if kind == 0 or left == 0 or (so_far and so_far != kind) or left == 1 else 3 * (left - 1) + kind
        for left in range(5)
        for so_far in range(3)
    ]
    for kind in range(3)
]
_ONE_LEFT = 3


def cells_of(mask: int) -> tuple[int, ...]:
    """The cells of a bit mask, ascending."""
    return _LOW[mask & 0x1FFF] + _HIGH[mask >> 13]


def frontier(filled: int) -> tuple[int, ...]:
    """The free cells beside a tile."""
    beside = (filled & ~_TOP_ROW) << 1 | (filled & ~_BOTTOM_ROW) >> 1 | filled << 5 | filled >> 5
    beside &= ~filled & FULL
    return _LOW[beside & 0x1FFF] + _HIGH[beside >> 13]


def filled(cells: Sequence[int]) -> int:
    """The cells with a tile, as bits."""
    mask = 0
    for x, t in enumerate(cells):
        if t:
            mask |= 1 << x
    return mask


def turned_cell(name: str) -> str:
    """Where a cell comes to lie when the whole board is turned by 90 degrees clockwise."""
    x = CELL[name]
    return CELLS[x % SIZE * SIZE + SIZE - 1 - x // SIZE]


class Board:
    """All look-up tables of one edition's tiles; `code` numbers every tile in every rotation, from 1."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.code: dict[tuple[str, int], int] = {}
        self.tile: list[tuple[str, int]] = [("", 0)]
        looks: list[tuple[str, str, str]] = [("----", "----", "")]
        for tile in edition.tiles.values():
            if tile.special == "dark":
                continue
            for rotation in tile.rotations:
                self.code[tile.kind, rotation] = len(self.tile)
                self.tile.append((tile.kind, rotation))
                looks.append(tile.turned(rotation))
        self.words = ["..", *(f"{kind}{rotation // 90}" for kind, rotation in self.tile[1:])]  # for storing
        self.word_code = {word: t for t, word in enumerate(self.words)}
        self.codes = {
            kind: tuple(self.code[kind, rotation] for rotation in tile.rotations)
            for kind, tile in edition.tiles.items()
            if tile.special != "dark"
        }
        self._corner_kinds = [[KIND[mark] for mark in corners] for corners, _, _ in looks]
        self._halves = [[mark == "u" for mark in sides] for _, sides, _ in looks]
        # sides (a, b) that a crossing joins
        self._ends = [{"": None, "NS": (0, 2), "WE": (1, 3)}[crossing] for _, _, crossing in looks]
        self._build_laying()
        self._build_closing()
        self._build_strings()
        self.empty = self._start()

    def _build_laying(self) -> None:
        """What putting down a tile changes around it."""
        rows, corners, halves = range(len(self.tile)), self._corner_kinds, self._halves
        self._corners = [
            [tuple((VERTEX[x][i], _NEXT[corners[t][i]]) for i in range(4)) for x in range(25)] for t in rows
        ]
        self._around = [tuple((x, 2 * VERTEX[x].index(v)) for x in PLACE_CELLS[v]) for v in range(VERTICES)]
        along = [[ends is not None and side in ends for ends in self._ends] for side in range(4)]
        self._sides = [
            [
                tuple(
                    (y, 1 << 8 + 2 * (i + 2 & 3), along[i], NEIGHBOUR[y][i], 2 << 8 + 2 * (i + 2 & 3))
                    for i in range(4)
                    if halves[t][i] and (y := NEIGHBOUR[x][i]) >= 0
                )
                for x in range(25)
            ]
            for t in rows
        ]
        self._crossing = [
            [
                tuple(
                    (1 << 8 + 2 * i, y, 2 << 8 + 2 * i)
                    for i in ends
                    if (y := NEIGHBOUR[x][i + 2 & 3]) >= 0 and NEIGHBOUR[x][i] >= 0
                )
                if (ends := self._ends[t])
                else ()
                for x in range(25)
            ]
            for t in rows
        ]

    def _build_closing(self) -> None:
        """What a tile closes, by its code and the demand of the cell."""
        rows = range(len(self.tile))
        kinds = [(0, CIRCLE, SQUARE)] * 4
        patterns = [sum(k << 2 * i for i, k in enumerate(p)) for p in product(*kinds)]
        self.closed_corners: list[dict[int, tuple[int, ...]]] = [
            {
                p: tuple(i for i in range(4) if p >> 2 * i & 3 and p >> 2 * i & 3 == self._corner_kinds[t][i])
                for p in patterns
            }
            for t in rows
        ]
        self.closed_sides: list[dict[int, tuple[int, ...]]] = []
        self.eights: list[dict[int, tuple[int, ...]]] = []  # sides of the crossing tile; 4: the tile itself
        all_sides = range(256)
        for t in rows:
            halves, ends = self._halves[t], self._ends[t]
            self.closed_sides.append(
                {p: tuple(i for i in range(4) if halves[i] and p >> 2 * i & 1) for p in all_sides}
            )
            self.eights.append(
                {
                    p: tuple(i for i in range(4) if halves[i] and p >> 2 * i & 2)
                    + ((4,) if ends and all(p >> 2 * i & 1 for i in ends) else ())
                    for p in all_sides
                }
            )
        # closes[kind][demand]: bits of the rotations that close something, << 4 those that make an 8
        self.closes: dict[str, bytearray] = {}
        for kind, codes in self.codes.items():
            table = self.closes[kind] = bytearray(1 << 16)
            by_corner = {
                p: sum(1 << r for r, t in enumerate(codes) if self.closed_corners[t][p]) for p in patterns
            }
            by_side = {
                p: sum(
                    (1 << r if self.closed_sides[t][p] or self.eights[t][p] else 0)
                    | (16 << r if self.eights[t][p] else 0)
                    for r, t in enumerate(codes)
                )
                for p in patterns
            }
            for sides, made in by_side.items():
                for corners, closed in by_corner.items():
                    table[sides << 8 | corners] = made | closed

    def _build_strings(self) -> None:
        """Placements as strings, and back."""
        self.placement: dict[str, tuple[str, int, int]] = {}  # "B-b3-90" -> kind, code, cell
        self.strings: dict[str, list[list[tuple[str, ...]]]] = {}  # kind -> cell -> rotation bits -> strings
        for kind, codes in self.codes.items():
            by_cell = []
            for x, name in enumerate(CELLS):
                words = [f"{kind}-{name}-{self.tile[t][1]}" for t in codes]
                if x != CENTRE:
                    self.placement.update({word: (kind, t, x) for word, t in zip(words, codes, strict=True)})
                by_cell.append(
                    [
                        tuple(word for r, word in enumerate(words) if bits >> r & 1)
                        for bits in range(1 << len(words))
                    ]
                )
            self.strings[kind] = by_cell
        self.everywhere = {
            kind: [rotations[-1] for rotations in cells] for kind, cells in self.strings.items()
        }

    def _start(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Cells, vertices and demands with nothing but the centre tile."""
        frame = self.edition.frame
        vertices, demand = [], [0] * 25
        for v in range(VERTICES):
            column, row = divmod(v, 6)
            kind = KIND[frame[column]] if row in (0, 5) else KIND[frame[row]] if column in (0, 5) else 0
            vertices.append(3 * len(PLACE_CELLS[v]) + kind)
            if len(PLACE_CELLS[v]) == 1 and kind:
                x, shift = self._around[v][0]
                demand[x] |= kind << shift
        cells = [0] * 25
        self.lay(cells, vertices, demand, CENTRE, self.code[self.edition.centre, 0])
        return tuple(cells), tuple(vertices), tuple(demand)

    def laid(
        self, cells: Sequence[int], vertices: Sequence[int], demand: Sequence[int], x: int, t: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Cells, vertices and demands after tile t came to lie on the free cell x."""
        new_cells, new_vertices, new_demand = list(cells), list(vertices), list(demand)
        self.lay(new_cells, new_vertices, new_demand, x, t)
        return tuple(new_cells), tuple(new_vertices), tuple(new_demand)

    def lay(self, cells: list[int], vertices: list[int], demand: list[int], x: int, t: int) -> None:
        """Put tile t on the free cell x and tell the cells around what they now ask for."""
        wanted = demand[x]
        cells[x] = t
        demand[x] = 0
        for v, after in self._corners[t][x]:
            now = vertices[v] = after[vertices[v]]
            if now == 4 or now == 5:  # one cell left, all others of one kind
                for y, shift in self._around[v]:
                    if not cells[y]:
                        demand[y] |= now - _ONE_LEFT << shift
                        break
        for y, half, along, z, eight in self._sides[t][x]:
            beside = cells[y]
            if not beside:
                demand[y] |= half
            elif along[beside] and z >= 0 and not cells[z]:
                demand[z] |= eight
        for half, y, eight in self._crossing[t][x]:
            if wanted & half and not cells[y]:
                demand[y] |= eight

    def rebuilt(self, cells: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Cells, vertices and demands of any board; the same for every order of laying."""
        laid, vertices, demand = (list(part) for part in self.empty)
        for x, t in enumerate(cells):
            if t and x != CENTRE:
                self.lay(laid, vertices, demand, x, t)
        return tuple(laid), tuple(vertices), tuple(demand)

    def closing(self, x: int, t: int, demand: int) -> tuple[list[Figure], list[int]]:
        """The circles and squares that tile t closes on cell x, and the crossing tiles' cells of each 8."""
        at_corners = self.closed_corners[t][demand & 255]
        at_sides = self.closed_sides[t][demand >> 8]
        figures: list[Figure] = []
        if at_corners:
            kinds = self._corner_kinds[t]
            figures = [(VERTEX[x][i], VERTEX_VALUE[kinds[i]]) for i in at_corners]
        if at_sides:
            figures += [(SIDE_PLACE[x][i], 1) for i in at_sides]
        if len(figures) > 1:
            figures.sort()
        eights = self.eights[t][demand >> 8]
        return figures, [x if i == 4 else NEIGHBOUR[x][i] for i in eights] if eights else []


@cache
def board(edition: Edition) -> Board:
    """The tables of an edition, built once."""
    return Board(edition)
