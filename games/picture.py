"""Pictures of the board and of tiles: SVG from a view, PNG from SVG. The same input gives the same bytes.

Nothing in them reaches outside: no fonts, no links, no styles, so that they show under any policy of a page.
Every name in <defs> stands for one drawing only, so that many pictures may share a page.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape

import resvg_py

from .engine import edition, text
from .engine.board import CELLS, CENTRE, SIZE
from .engine.edition import Tile
from .picture_lines import (
    EDGE,
    EXTENT,
    GLYPHS,
    MARGIN,
    SIDE,
    cell_at,
    eight_path,
    frame_lines,
    hatching,
    place_at,
    tile_lines,
)

Seen = Mapping[str, Any]
Laid = dict[str, tuple[Tile, int]]  # cell -> tile, rotation

# Blue, vermilion, yellow, purple: far apart in every kind of colour-blindness, and all light enough for INK.
COLOURS = {1: "#3aa6ff", 2: "#e5572e", 3: "#f0e442", 4: "#cc79a7"}
LINE, INK = "#fff", "#101114"
BOARD, RIM, GAP = "#18191d", "#474a52", "#3c3f46"
FREE, LABEL = "#54575e", "#a3a7b0"
UNMARKED, HIGHLIGHT = "#b9bdc6", "#63e0b4"
SURROUNDINGS = {True: "#0b0c0e", False: "#fff"}
REACH = {1: 11.0, 2: 23.0, 4: 23.0}  # of a marker from its middle, by value
ZOOM = {1: 1.0, 2: 1.9, 4: 1.9}  # of the digit on it
GLOW = ((46, 0.07), (39, 0.09), (32, 0.11), (26, 0.14), (20, 0.18), (14, 0.35))  # strokes: width, opacity


class DrawingCounter:
    """How many pictures of each form this process has drawn."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, form: str) -> None:
        """Count one more: "svg" and "png" are boards, "resvg" is any picture that resvg has drawn."""
        with self._lock:
            self._counts[form] += 1

    def read(self) -> dict[str, int]:
        """All counts so far."""
        with self._lock:
            return dict(self._counts)


DRAWINGS = DrawingCounter()
SOON = f'fill="{HIGHLIGHT}" fill-opacity=".45" stroke="{HIGHLIGHT}" stroke-width="3"'
# Not 6: edges would then lie halfway between two samples of resvg at some of the widths that are offered, and
# a tile would look different in two cells, while picture_sprites.py keeps its pixels once for all cells.
_LINES = f'fill="none" stroke="{LINE}" stroke-width="6.05"'
_PEN = 'fill="none" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"'
_USED = re.compile('href="#otto-([^"]+)"')
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(
    view: Seen,
    *,
    size: int = 600,
    title: str = "OTTO board",
    ghost: tuple[str, str, int] | None = None,
    highlight: Iterable[str] = (),
    preview: Iterable[tuple[str, int]] = (),
    dark: bool | None = None,
    words: text.Words = text.ENGLISH,
) -> str:
    """The board of a view; a ghost is kind, cell, rotation, a preview the place and value of what it closes.

    Around the board: nothing, or dark, or light.
    """
    DRAWINGS.add("svg")
    box = edition(view["edition"])
    cells = {CELLS[CENTRE]: {"tile": box.centre, "rotation": 0}} | view["board"]["cells"]
    laid: Laid = {n: (box.tiles[cells[n]["tile"]], cells[n]["rotation"]) for n in CELLS if n in cells}
    figures = view["board"]["figures"]
    frame_before, frame_after = frame_lines(box.name)
    parts = [
        "" if dark is None else f'<path fill="{SURROUNDINGS[dark]}" d="M0 0H{EXTENT}V{EXTENT}H0Z"/>',
        _ground(laid, ghost[1] if ghost else ""),
        *(_glow(figure) for figure in figures if figure["value"] == 8),
        _part("outlines", [_use("outline", cell_at(name)) for name in sorted(set(highlight))]),
        f'<g {_LINES}><path d="{frame_before}"/>',
        *(_use(tile_id(tile), cell_at(name), rotation) for name, (tile, rotation) in laid.items()),
        f'<path d="{frame_after}"/></g>',
        f'<g {_PEN} stroke="{INK}">',
        *(_marker(figure) for figure in figures if figure["value"] != 8),
        "</g>",
    ]
    if ghost:
        parts.append(_part("ghost", [_ghost(box.tiles[ghost[0]], cell_at(ghost[1]), ghost[2])]))
    soon = [_use(f"soon-{value}", at) for place, value in preview for at in preview_at(place, value)]
    parts.append(_part("soon", soon))
    told = "; ".join(text.figures(view, words))
    desc = (
        words.gettext("Closed figures: {figures}.").format(figures=told)
        if told
        else words.gettext("No closed figures.")
    )
    return _document(size, EXTENT, title, desc, "".join(parts), box.tiles.values())


def preview_at(place: str, value: int) -> list[complex]:
    """Where a preview is drawn: in the middle of a circle or square, on the three cells of an 8."""
    return [cell_at(name) for name in place.split("+")] if value == 8 else [place_at(place)]


def tile_svg(edition_name: str, kind: str, rotation: int = 0, size: int = 90, title: str = "") -> str:
    """One tile by itself."""
    tile = edition(edition_name).tiles[kind]
    title = title or (f"Tile {kind}, turned by {rotation} degrees" if rotation else f"Tile {kind}")
    drawn = _use(tile_id(tile), complex(EDGE, EDGE), rotation)
    body = (
        f'<rect x=".5" y=".5" width="{SIDE - 1}" height="{SIDE - 1}" rx="5" fill="{INK}" stroke="{RIM}"/>'
        f"<g {_LINES}>{drawn}</g>"
    )
    return _document(size, SIDE, title, "", body, [tile])


def markers_svg(places: Iterable[str], value: int, side: int | None, size: int = 600) -> str:
    """Markers of one kind and side at these places, and nothing else."""
    drawn = [_marker({"place": place, "value": value, "side": side}) for place in places]
    return _document(size, EXTENT, "", "", f'<g {_PEN} stroke="{INK}">{"".join(drawn)}</g>', [])


def png(svg_text: str, width: int) -> bytes:
    """The picture as a PNG of that width, drawn by resvg. Raises ValueError if it is none."""
    DRAWINGS.add("resvg")
    return resvg_py.svg_to_bytes(svg_string=svg_text, width=width, skip_system_fonts=True)


# ----------------------------------------------------------------------------------------- parts of the board


def _ground(laid: Laid, ghost: str) -> str:
    """The frame with its coordinates, the free cells with theirs, and the bodies of the tiles."""
    free = [name for name in CELLS if name not in laid]
    near, far = MARGIN / 2 - 1, EXTENT - MARGIN / 2 + 1
    labels = [_use(name[0], complex(cell_at(name).real, far)) for name in CELLS if name[1] == "1"]
    labels += [_use(name[1], complex(near, cell_at(name).imag)) for name in CELLS if name[0] == "a"]
    for name in free:
        if name == ghost:
            continue  # the name would shine through
        labels += [_use(name[0], cell_at(name) - 7), _use(name[1], cell_at(name) + 7)]
    well = SIZE * SIDE
    return "".join(
        [
            f'<rect x="1" y="1" width="{EXTENT - 2}" height="{EXTENT - 2}" rx="17"',
            f' fill="{BOARD}" stroke="{RIM}" stroke-width="2"/>',
            f'<path fill="{GAP}" d="M{MARGIN} {MARGIN}h{well}v{well}h-{well}z"/>',
            f'<g fill="{FREE}">',
            *(_use("cell", cell_at(name)) for name in free),
            f'</g><g fill="{INK}">',
            *(_use("cell", cell_at(name)) for name in laid),
            f'</g><g {_PEN} stroke="{LABEL}">',
            *labels,
            "</g>",
        ]
    )


def _part(name: str, drawn: list[str]) -> str:
    """What a script may take away to draw it anew."""
    return f'<g data-part="{name}">{"".join(drawn)}</g>' if drawn else ""


def _marker(figure: Seen) -> str:
    """A marker with the digit of its side; a hatched one for a figure that nobody could mark."""
    at, value, side = place_at(figure["place"]), figure["value"], figure["side"]
    if not side:
        return _use(f"unmarked-{value}", at)
    return f'<g fill="{COLOURS[side]}">{_use(f"marker-{value}", at)}</g>{_use(str(side), at, 0, ZOOM[value])}'


def _glow(figure: Seen) -> str:
    """An 8 along its three tiles, in the colour of its side."""
    ends = [cell_at(name) for name in figure["place"].split("+")]
    middle, turn = ends[1], 90 if ends[0].real == ends[2].real else 0
    colour = COLOURS.get(figure["side"], UNMARKED)
    halo = "".join(
        f'<g stroke="{colour}" stroke-width="{width}" opacity="{opacity}">{_use("eight", middle, turn)}</g>'
        for width, opacity in GLOW
    )
    along = 43j if turn else 43
    digits = [_use(str(figure["side"]), at) for at in (middle - along, middle + along) if figure["side"]]
    return (
        f'<g fill="none">{halo}</g><g fill="{colour}">{_use("eight", middle, turn)}</g>'
        f'<g {_PEN} stroke="{INK}">{"".join(digits)}</g>'
    )


def _ghost(tile: Tile, at: complex, rotation: int) -> str:
    """A tile that is not there yet."""
    return (
        f'<g fill="{INK}" opacity=".6">{_use("cell", at)}</g><g opacity=".8">{_use("dashes", at)}'
        f"<g {_LINES}>{_use(tile_id(tile), at, rotation)}</g></g>"
    )


# ----------------------------------------------------------------------------------------------- the document


def tile_id(tile: Tile) -> str:
    """Named by what it draws, so that a tile of another edition never takes its place."""
    return "tile-" + tile.corners + tile.sides + tile.crossing + tile.special


def _use(name: str, at: complex, turn: int = 0, zoom: float = 1) -> str:
    turn = turn // 90 % 4 * 90
    if not turn and zoom == 1:
        return f'<use href="#otto-{name}" x="{at.real:g}" y="{at.imag:g}"/>'
    turned = f"rotate({turn})" if turn else ""
    zoomed = f"scale({zoom:g})" if zoom != 1 else ""
    return f'<use href="#otto-{name}" transform="translate({at.real:g} {at.imag:g}){turned}{zoomed}"/>'


def _definitions(tiles: Iterable[Tile]) -> dict[str, str]:
    """All that can be used, by name; each around its own middle."""
    known = {tile_id(tile): f'path d="{tile_lines(tile)}"' for tile in tiles}
    known |= {sign: f'path d="{d}"' for sign, d in GLYPHS.items()}
    known["cell"] = _square(SIDE / 2 - 0.6)
    known["outline"] = f'{_square(42.5)} fill="none" stroke="{HIGHLIGHT}" stroke-width="4"'
    known["dashes"] = f'{_square(43)} fill="none" stroke="{LINE}" stroke-width="2" stroke-dasharray="6 5"'
    known["eight"] = f'path d="{eight_path()}"'
    for value, r in REACH.items():
        shape = _square(r) if value == 4 else f'circle r="{r:g}"'
        known[f"marker-{value}"] = f'{shape} stroke="none"'
        known[f"unmarked-{value}"] = f'path stroke="{UNMARKED}" d="{hatching(value, r)}"'
        known[f"soon-{value}"] = f"{shape} {SOON}"
    known["soon-8"] = f"{_square(36)} {SOON}"
    return known


def _square(reach: float) -> str:
    return f'rect x="{-reach:g}" y="{-reach:g}" width="{2 * reach:g}" height="{2 * reach:g}" rx="3"'


def _document(size: int, extent: int, title: str, desc: str, body: str, tiles: Iterable[Tile]) -> str:
    used = set(_USED.findall(body))
    known = _definitions(tiles).items()
    defs = [f'<g id="otto-{name}"><{shape}/></g>' for name, shape in known if name in used]
    described = f"<desc>{_escaped(desc)}</desc>" if desc else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size:d}" height="{size:d}"'
        f' viewBox="0 0 {extent} {extent}" role="img">'
        f"<title>{_escaped(title)}</title>{described}<defs>{''.join(defs)}</defs>{body}</svg>"
    )


def _escaped(words: str) -> str:
    """Fit to stand between tags; what XML cannot say at all becomes the replacement sign."""
    return escape(_NO_XML.sub("\ufffd", words))
