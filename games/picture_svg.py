"""Pictures of boards and tiles: SVG from a view, PNG from SVG. The same input gives the same bytes.

The SVG needs no fonts, links or styles, so that it works under any content security policy. Ids in <defs>
identify one drawing each, so that several pictures may share a page.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape

import resvg_py

from .engine import load_edition, text
from .engine.board import BOARD_SIZE, CELL_NAMES, CENTRE_CELL
from .engine.edition import Tile
from .picture_lines import (
    BOARD_EXTENT,
    CELL_SIZE,
    FRAME_MARGIN,
    GLYPHS,
    HALF_CELL,
    cell_centre,
    draw_cross,
    draw_eight_path,
    draw_frame_lines,
    draw_tile_lines,
    draw_unmarked_figure,
    place_centre,
)

ViewData = Mapping[str, Any]
PlacedTiles = dict[str, tuple[Tile, int]]  # cell -> tile, rotation

# Blue, vermilion, yellow, purple: distinct in every kind of colour blindness, and light enough for the ink.
SIDE_COLOURS = {1: "#3aa6ff", 2: "#e5572e", 3: "#f0e442", 4: "#cc79a7"}
LINE_COLOUR, INK_COLOUR = "#fff", "#101114"
BOARD_COLOUR, RIM_COLOUR, GAP_COLOUR = "#18191d", "#474a52", "#3c3f46"
FREE_CELL_COLOUR, LABEL_COLOUR = "#54575e", "#a3a7b0"
UNMARKED_COLOUR, HIGHLIGHT_COLOUR = "#b9bdc6", "#63e0b4"
SURROUNDING_COLOURS = {True: "#0b0c0e", False: "#fff"}
MARKER_RADIUS = {1: 11.0, 2: 23.0, 4: 23.0}  # by value
MARKER_DIGIT_SCALE = {1: 1.0, 2: 1.9, 4: 1.9}  # by value
# (width, opacity) of each stroke
GLOW_STROKES = ((46, 0.07), (39, 0.09), (32, 0.11), (26, 0.14), (20, 0.18), (14, 0.35))


class DrawingCounter:
    """Counts the pictures that this process has drawn, by form."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, form: str) -> None:
        """Count one: "svg" and "png" are boards, "resvg" is any picture rendered by resvg."""
        with self._lock:
            self._counts[form] += 1

    def read_counts(self) -> dict[str, int]:
        """All counts so far."""
        with self._lock:
            return dict(self._counts)


DRAWING_COUNTER = DrawingCounter()
PREVIEW_STYLE = f'fill="{HIGHLIGHT_COLOUR}" fill-opacity=".45" stroke="{HIGHLIGHT_COLOUR}" stroke-width="3"'
# Not 6: at some of the offered widths edges would fall halfway between two samples of resvg, and a tile would
# look different in two cells, while picture_sprites.py caches its pixels once for all cells.
_LINE_STYLE = f'fill="none" stroke="{LINE_COLOUR}" stroke-width="6.05"'
_PEN_STYLE = 'fill="none" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"'
_USED_DEFINITION = re.compile('href="#otto-([^"]+)"')
_NON_XML_CHARACTER = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw_board_svg(
    view: ViewData,
    *,
    size: int = 600,
    title: str = "OTTO board",
    ghost: tuple[str, str, int] | None = None,
    highlight: Iterable[str] = (),
    preview: Iterable[tuple[str, int]] = (),
    dark: bool | None = None,
    translator: text.GameTranslator = text.ENGLISH_TRANSLATOR,
) -> str:
    """The board of a view as SVG.

    `ghost` is kind, cell and rotation of a tile not yet placed; `preview` lists place and value of figures
    that it would close; `highlight` lists cells to outline. `dark` fills the surroundings, None does not.
    """
    DRAWING_COUNTER.add("svg")
    edition = load_edition(view["edition"])
    cells = {CELL_NAMES[CENTRE_CELL]: {"tile": edition.centre, "rotation": 0}} | view["board"]["cells"]
    placed_tiles: PlacedTiles = {
        name: (edition.tiles[cells[name]["tile"]], cells[name]["rotation"])
        for name in CELL_NAMES
        if name in cells
    }
    figures = view["board"]["figures"]
    frame_before, frame_after = draw_frame_lines(edition.name)
    parts = [
        ""
        if dark is None
        else f'<path fill="{SURROUNDING_COLOURS[dark]}" d="M0 0H{BOARD_EXTENT}V{BOARD_EXTENT}H0Z"/>',
        _draw_ground(placed_tiles, ghost[1] if ghost else ""),
        *(_draw_glow(figure) for figure in figures if figure["value"] == 8),
        _wrap_part(
            "outlines", [_use_definition("outline", cell_centre(name)) for name in sorted(set(highlight))]
        ),
        f'<g {_LINE_STYLE}><path d="{frame_before}"/>',
        *(
            _use_definition(tile_id(tile), cell_centre(name), rotation)
            for name, (tile, rotation) in placed_tiles.items()
        ),
        f'<path d="{frame_after}"/></g>',
        f'<g {_PEN_STYLE} stroke="{INK_COLOUR}">',
        *(_draw_marker(figure) for figure in figures if figure["value"] != 8),
        "</g>",
    ]
    if ghost:
        parts.append(
            _wrap_part("ghost", [_draw_ghost(edition.tiles[ghost[0]], cell_centre(ghost[1]), ghost[2])])
        )
    preview_elements = [
        _use_definition(f"soon-{value}", at)
        for place, value in preview
        for at in preview_positions(place, value)
    ]
    parts.append(_wrap_part("soon", preview_elements))
    figures_text = "; ".join(text.describe_figures(view, translator))
    description = (
        translator.gettext("Closed figures: {figures}.").format(figures=figures_text)
        if figures_text
        else translator.gettext("No closed figures.")
    )
    return _build_document(size, BOARD_EXTENT, title, description, "".join(parts), edition.tiles.values())


def preview_positions(place: str, value: int) -> list[complex]:
    """Return the positions of a preview: the centre of a circle or square, the three cells of an 8."""
    return [cell_centre(name) for name in place.split("+")] if value == 8 else [place_centre(place)]


def draw_tile_svg(edition_name: str, kind: str, rotation: int = 0, size: int = 90, title: str = "") -> str:
    """A single tile as SVG."""
    tile = load_edition(edition_name).tiles[kind]
    title = title or (f"Tile {kind}, turned by {rotation} degrees" if rotation else f"Tile {kind}")
    element = _use_definition(tile_id(tile), complex(HALF_CELL, HALF_CELL), rotation)
    body = (
        f'<rect x=".5" y=".5" width="{CELL_SIZE - 1}" height="{CELL_SIZE - 1}" rx="5"'
        f' fill="{INK_COLOUR}" stroke="{RIM_COLOUR}"/>'
        f"<g {_LINE_STYLE}>{element}</g>"
    )
    return _build_document(size, CELL_SIZE, title, "", body, [tile])


def draw_markers_svg(
    places: Iterable[str], value: int, side: int | None, *, lost: bool = False, size: int = 600
) -> str:
    """Only the markers of one value and side at these places, as SVG; without a side, unmarked or lost."""
    elements = [
        _draw_marker({"place": place, "value": value, "side": side, "lost": lost}) for place in places
    ]
    return _build_document(
        size, BOARD_EXTENT, "", "", f'<g {_PEN_STYLE} stroke="{INK_COLOUR}">{"".join(elements)}</g>', []
    )


def render_png(svg_text: str, width: int) -> bytes:
    """An SVG rendered by resvg as a PNG of that width. Raises ValueError if it is not valid SVG."""
    DRAWING_COUNTER.add("resvg")
    return resvg_py.svg_to_bytes(svg_string=svg_text, width=width, skip_system_fonts=True)


# ----------------------------------------------------------------------------------------- parts of the board


def _draw_ground(placed_tiles: PlacedTiles, ghost_cell: str) -> str:
    """The frame and the free cells with their labels, and the backgrounds of the tiles."""
    free = [name for name in CELL_NAMES if name not in placed_tiles]
    near, far = FRAME_MARGIN / 2 - 1, BOARD_EXTENT - FRAME_MARGIN / 2 + 1
    labels = [
        _use_definition(name[0], complex(cell_centre(name).real, far))
        for name in CELL_NAMES
        if name[1] == "1"
    ]
    labels += [
        _use_definition(name[1], complex(near, cell_centre(name).imag))
        for name in CELL_NAMES
        if name[0] == "a"
    ]
    for name in free:
        if name == ghost_cell:
            continue  # the label would show through
        labels += [
            _use_definition(name[0], cell_centre(name) - 7),
            _use_definition(name[1], cell_centre(name) + 7),
        ]
    cells_width = BOARD_SIZE * CELL_SIZE
    return "".join(
        [
            f'<rect x="1" y="1" width="{BOARD_EXTENT - 2}" height="{BOARD_EXTENT - 2}" rx="17"',
            f' fill="{BOARD_COLOUR}" stroke="{RIM_COLOUR}" stroke-width="2"/>',
            f'<path fill="{GAP_COLOUR}" d="M{FRAME_MARGIN} {FRAME_MARGIN}',
            f'h{cells_width}v{cells_width}h-{cells_width}z"/>',
            f'<g fill="{FREE_CELL_COLOUR}">',
            *(_use_definition("cell", cell_centre(name)) for name in free),
            f'</g><g fill="{INK_COLOUR}">',
            *(_use_definition("cell", cell_centre(name)) for name in placed_tiles),
            f'</g><g {_PEN_STYLE} stroke="{LABEL_COLOUR}">',
            *labels,
            "</g>",
        ]
    )


def _wrap_part(name: str, elements: list[str]) -> str:
    """A group that the page script can remove and draw again; empty without elements."""
    return f'<g data-part="{name}">{"".join(elements)}</g>' if elements else ""


def _draw_marker(figure: ViewData) -> str:
    """A marker with the digit of its side; hatched if the figure is unmarked, crossed out if it is lost."""
    at, value, side = place_centre(figure["place"]), figure["value"], figure["side"]
    if not side:
        return _use_definition(f"lost-{value}" if figure.get("lost") else f"unmarked-{value}", at)
    marker = _use_definition(f"marker-{value}", at)
    digit = _use_definition(str(side), at, 0, MARKER_DIGIT_SCALE[value])
    return f'<g fill="{SIDE_COLOURS[side]}">{marker}</g>{digit}'


def _draw_glow(figure: ViewData) -> str:
    """The glow of an 8 along its three tiles, in the colour of its side."""
    centres = [cell_centre(name) for name in figure["place"].split("+")]
    middle, turn = centres[1], 90 if centres[0].real == centres[2].real else 0
    colour = SIDE_COLOURS.get(figure["side"], UNMARKED_COLOUR)
    halo = "".join(
        f'<g stroke="{colour}" stroke-width="{width}" opacity="{opacity}">'
        f"{_use_definition('eight', middle, turn)}</g>"
        for width, opacity in GLOW_STROKES
    )
    digit_offset = 43j if turn else 43
    digits = [
        _use_definition(str(figure["side"]), at)
        for at in (middle - digit_offset, middle + digit_offset)
        if figure["side"]
    ]
    return (
        f'<g fill="none">{halo}</g><g fill="{colour}">{_use_definition("eight", middle, turn)}</g>'
        f'<g {_PEN_STYLE} stroke="{INK_COLOUR}">{"".join(digits)}</g>'
    )


def _draw_ghost(tile: Tile, at: complex, rotation: int) -> str:
    """A translucent tile that is not placed yet."""
    return (
        f'<g fill="{INK_COLOUR}" opacity=".6">{_use_definition("cell", at)}</g>'
        f'<g opacity=".8">{_use_definition("dashes", at)}'
        f"<g {_LINE_STYLE}>{_use_definition(tile_id(tile), at, rotation)}</g></g>"
    )


# ----------------------------------------------------------------------------------------------- the document


def tile_id(tile: Tile) -> str:
    """The id of a tile, from its features: tiles of different editions share it only if they look alike."""
    return "tile-" + tile.corners + tile.sides + tile.crossing + tile.special


def _use_definition(name: str, at: complex, turn: int = 0, zoom: float = 1) -> str:
    """A <use> element of a definition at a point, optionally rotated and scaled."""
    turn = turn // 90 % 4 * 90
    if not turn and zoom == 1:
        return f'<use href="#otto-{name}" x="{at.real:g}" y="{at.imag:g}"/>'
    rotation = f"rotate({turn})" if turn else ""
    scaling = f"scale({zoom:g})" if zoom != 1 else ""
    return f'<use href="#otto-{name}" transform="translate({at.real:g} {at.imag:g}){rotation}{scaling}"/>'


def _build_definitions(tiles: Iterable[Tile]) -> dict[str, str]:
    """All definitions by name, each drawn around its centre."""
    definitions = {tile_id(tile): f'path d="{draw_tile_lines(tile)}"' for tile in tiles}
    definitions |= {sign: f'path d="{d}"' for sign, d in GLYPHS.items()}
    definitions["cell"] = _build_square(CELL_SIZE / 2 - 0.6)
    definitions["outline"] = f'{_build_square(42.5)} fill="none" stroke="{HIGHLIGHT_COLOUR}" stroke-width="4"'
    definitions["dashes"] = (
        f'{_build_square(43)} fill="none" stroke="{LINE_COLOUR}" stroke-width="2" stroke-dasharray="6 5"'
    )
    definitions["eight"] = f'path d="{draw_eight_path()}"'
    for value, r in MARKER_RADIUS.items():
        shape = _build_square(r) if value == 4 else f'circle r="{r:g}"'
        definitions[f"marker-{value}"] = f'{shape} stroke="none"'
        definitions[f"unmarked-{value}"] = (
            f'path stroke="{UNMARKED_COLOUR}" d="{draw_unmarked_figure(value, r)}"'
        )
        definitions[f"lost-{value}"] = f'path stroke="{UNMARKED_COLOUR}" d="{draw_cross(value, r)}"'
        definitions[f"soon-{value}"] = f"{shape} {PREVIEW_STYLE}"
    definitions["soon-8"] = f"{_build_square(36)} {PREVIEW_STYLE}"
    return definitions


def _build_square(reach: float) -> str:
    """The tag of a rounded square around the origin."""
    return f'rect x="{-reach:g}" y="{-reach:g}" width="{2 * reach:g}" height="{2 * reach:g}" rx="3"'


def _build_document(
    size: int, extent: int, title: str, description: str, body: str, tiles: Iterable[Tile]
) -> str:
    """The SVG document with the definitions that its body uses."""
    used_names = set(_USED_DEFINITION.findall(body))
    definitions = _build_definitions(tiles).items()
    defs = [f'<g id="otto-{name}"><{shape}/></g>' for name, shape in definitions if name in used_names]
    description_element = f"<desc>{_escape_text(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size:d}" height="{size:d}"'
        f' viewBox="0 0 {extent} {extent}" role="img">'
        f"<title>{_escape_text(title)}</title>{description_element}<defs>{''.join(defs)}</defs>{body}</svg>"
    )


def _escape_text(plain_text: str) -> str:
    """A text escaped for XML; characters that XML does not allow become U+FFFD."""
    return escape(_NON_XML_CHARACTER.sub("\ufffd", plain_text))
