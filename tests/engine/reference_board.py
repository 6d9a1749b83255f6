"""Tiles, board and figures for `reference.py`, copied from RULES.md."""

from collections.abc import Iterator

Cells = dict[str, tuple[str, int]]
Figure = tuple[str, frozenset[str]]

# tile: marks at NW N NE E SE S SW W at rotation 0, rotations that look different, value, copies
TILES: dict[str, tuple[str, tuple[int, ...], int, int]] = {
    "A": ("s-s-s-s-", (0,), 16, 4),
    "B": ("s-s-c-c-", (0, 90, 180, 270), 12, 4),
    "C": ("s-c-s-c-", (0, 90), 12, 4),
    "D": ("-u---u--", (0, 90), 10, 4),
    "E": ("c-c-c-c-", (0,), 8, 4),
    "F": ("s-c--u--", (0, 90, 180, 270), 7, 2),
    "G": ("c-s--u--", (0, 90, 180, 270), 7, 2),
    "H": ("-u-u-u-u", (0,), 4, 4),
    "I": ("--------", (0,), 0, 4),
    "J": ("--------", (), 0, 4),
}
PLACE = {"NW": 0, "N": 1, "NE": 2, "E": 3, "SE": 4, "S": 5, "SW": 6, "W": 7}
CROSSING = {("D", 0): "WE", ("D", 90): "NS"}
VALUE: dict[str | None, int] = {None: 0} | {tile: TILES[tile][2] for tile in TILES}
CENTRE = "c3"
FRAME = "csccsc"  # along every side of the board, from corner to corner
FIGURE_VALUE = {"square": 4, "circle": 2, "small": 1}
STOCK = {1: 4, 2: 4, 4: 3}  # a side's markers, by value
INFINITY = 8


def vertices() -> Iterator[tuple[dict[str, str], str]]:
    """Yield each vertex, by column, then row: the cells around it with their corners, and its frame."""
    for x in range(6):
        for y in range(6):
            corners = {(x - 1, y - 1): "NE", (x, y - 1): "NW", (x - 1, y): "SE", (x, y): "SW"}
            frame = FRAME[x] if y in (0, 5) else FRAME[y] if x in (0, 5) else ""
            yield {CELL[place]: corner for place, corner in corners.items() if place in CELL}, frame


CELL = {(x, y): f"{'abcde'[x]}{y + 1}" for x in range(5) for y in range(5)}  # by column, then row
ALL_CELLS = list(CELL.values())
STEPS = [("N", 0, 1), ("E", 1, 0), ("S", 0, -1), ("W", -1, 0)]
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
NEIGHBOUR = {(CELL[x, y], side): CELL.get((x + dx, y + dy)) for x, y in CELL for side, dx, dy in STEPS}
VERTICES = list(vertices())
# In the order of the left or lower cell, then of the other cell: the one above precedes the one to the right.
EDGES = [(cell, side, other) for cell in ALL_CELLS for side in "NE" if (other := NEIGHBOUR[cell, side])]


def mark(cells: Cells, cell: str | None, where: str) -> str:
    """The mark of the tile on a cell at a corner or side: c, s, u or -; without a tile also -."""
    tile, rotation = cells.get(cell or "", ("I", 0))
    return TILES[tile][0][(PLACE[where] - rotation // 45) % 8]


def closed_figures(cells: Cells) -> list[Figure]:
    """All closed figures, in the order in which scarce markers are given out."""
    figures: list[Figure] = []
    for corners, frame in [vertex for vertex in VERTICES if vertex[0].keys() <= cells.keys()]:
        kinds = {mark(cells, cell, where) for cell, where in corners.items()} | set(frame)
        if kinds in ({"c"}, {"s"}):
            figures.append(("circle" if kinds == {"c"} else "square", frozenset(corners)))
    for cell, side, other in EDGES:
        if mark(cells, cell, side) == "u" and mark(cells, other, OPPOSITE[side]) == "u":
            figures.append(("small", frozenset((cell, other))))
    return figures


def infinities(cells: Cells) -> set[str]:
    """The cells of the Ds whose crossing runs into half a circle at both ends."""
    return {
        cell
        for cell, tile in cells.items()
        if tile in CROSSING
        and all(mark(cells, NEIGHBOUR[cell, side], OPPOSITE[side]) == "u" for side in CROSSING[tile])
    }


def put_down(cells: Cells, cell: str, tile: str, rotation: int) -> tuple[Cells, list[Figure], bool]:
    """The board with one more tile, the figures that this closes, and whether it makes an 8."""
    after = {**cells, cell: (tile, rotation)}
    # The tile closes exactly the closed figures that it is part of.
    figures = [figure for figure in closed_figures(after) if cell in figure[1]]
    return after, figures, bool(infinities(after) - infinities(cells))
