"""The board as a PNG: pasted from cached sprites, with a tag that is computed without drawing."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from PIL import Image

from . import picture_sprites as sprites
from . import picture_svg
from .engine import load_edition
from .engine.board import CELL_NAMES
from .picture_sprites import CENTRE_NAME, BoardBackground, Marker, TileSprite

THUMBNAIL_WIDTH = 100  # drawn whole by resvg: sprites would share pixels, and pasting is no faster
OFFERED_WIDTHS = (THUMBNAIL_WIDTH, *sprites.PASTED_WIDTHS)
MAX_COLOURS_COUNTED = 4096
CUBE_LEVELS = 5  # levels per channel merged into one: at most two from the middle
COMPRESSION_LEVEL = 6
# A change of one of these changes the tags, so that no cached picture is shown after it.
DRAWING_MODULES = ("picture_lines", "picture_png", "picture_sprites", "picture_svg")
MAX_CACHED_TILES = 100

Colour = tuple[int, int, int]


def find_offered_width(width: int) -> int:
    """The smallest offered width that is at least `width`. Raises ValueError if there is none."""
    for offered in OFFERED_WIDTHS:
        if offered >= width:
            return offered
    raise ValueError(f"no picture is {width} wide")


# -------------------------------------------------------------------------------------------------------- tag


@cache
def compute_drawing_version() -> str:
    """A hash of the drawing code, the editions and the library versions. Cached."""
    package_folder = Path(__file__).parent
    files = [package_folder / f"{name}.py" for name in DRAWING_MODULES]
    files += sorted((package_folder / "engine" / "editions").glob("*.toml"))
    digest = hashlib.sha256("".join(f"{name} {version(name)} " for name in ("pillow", "resvg-py")).encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def compute_board_tag(
    view: picture_svg.ViewData,
    *,
    form: str,
    width: int,
    dark: bool | None = None,
    highlight: Iterable[str] = (),
    language: str = "en",
) -> str:
    """A hash that identifies a picture, computed without drawing it."""
    tag_parts = [
        compute_drawing_version(),
        form,
        width,
        dark,
        sorted(set(highlight)),
        language,
        view["edition"],
    ]
    serialized = json.dumps([*tag_parts, view["board"]], sort_keys=True)
    return hashlib.sha256(serialized.encode()).hexdigest()[:32]


# ---------------------------------------------------------------------------------------------------- picture


def draw_board_png(
    view: picture_svg.ViewData, *, width: int, dark: bool | None = None, highlight: Iterable[str] = ()
) -> bytes:
    """The board of a view as a PNG of an offered width. Raises ValueError at any other width.

    1. Draw thumbnails whole with resvg.
    2. Else paste free cells, tiles, 8s and markers on the ground.
    3. Encode the pixels, with a palette if possible.
    """
    if width not in OFFERED_WIDTHS:
        raise ValueError(f"no picture is {width} wide")
    picture_svg.DRAWING_COUNTER.add("png")
    if width == THUMBNAIL_WIDTH:
        return picture_svg.render_png(picture_svg.draw_board_svg(view, dark=dark, highlight=highlight), width)
    ground = sprites.find_background(view["edition"], width, dark)
    pixels = paste_board(view, width, ground.pixels, frozenset(highlight))
    return encode_png(pixels, ground)


@lru_cache(maxsize=MAX_CACHED_TILES)
def draw_tile_png(edition_name: str, kind: str, width: int) -> bytes:
    """A single tile at rotation 0 as a PNG. Cached."""
    image = sprites.render_image(picture_svg.draw_tile_svg(edition_name, kind), width)
    return encode_png(image.convert("RGB"), sprites.build_background(image))


def paste_board(
    view: picture_svg.ViewData, width: int, ground: Image.Image, highlight: frozenset[str]
) -> Image.Image:
    """Paste free cells, tiles, 8s and markers on the ground, bottom to top."""
    name = view["edition"]
    cells = {CENTRE_NAME: (load_edition(name).centre, 0)} | {
        cell: (tile["tile"], tile["rotation"] // 90 % 4 * 90) for cell, tile in view["board"]["cells"].items()
    }
    figures = view["board"]["figures"]
    pixels = ground.copy()
    paste_free_cells(pixels, name, cells, highlight)
    paste_tiles(pixels, name, cells, highlight)
    if eights := [figure for figure in figures if figure["value"] == 8]:
        for cell, cell_pixels in sprites.find_eights(name, width, cells, eights, highlight).items():
            pixels.paste(cell_pixels.convert("RGB"), sprites.cell_box(cell, width))
    for figure in figures:
        if figure["value"] != 8:
            markers = sprites.find_markers(
                width, figure["value"], figure["side"], lost=bool(figure.get("lost"))
            )
            paste_marker(pixels, markers[figure["place"]])
    return pixels


def paste_free_cells(
    pixels: Image.Image, name: str, cells: Mapping[str, tuple[str, int]], highlight: frozenset[str]
) -> None:
    """Paste the outlines of free cells, and the line ends that reach into them."""
    width, depth = pixels.width, sprites.count_overlap_pixels(pixels.width)
    for x, cell in enumerate(CELL_NAMES):
        if cell in cells:
            continue
        box, outlined = sprites.cell_box(cell, width), cell in highlight
        if outlined:
            pixels.paste(
                sprites.get_board_with_free_cells(name, width, None, True).crop(box).convert("RGB"), box
            )
        for side, beside in enumerate(sprites.list_neighbour_names(cell)):
            if beside in cells and (beside != CENTRE_NAME or outlined):
                strip = sprites.strip_box(box, side, depth)
                sheet = sprites.get_board_with_free_cells(name, width, x % 2, outlined)
                pixels.paste(sheet.crop(strip).convert("RGB"), strip)


def paste_tiles(
    pixels: Image.Image, name: str, cells: Mapping[str, tuple[str, int]], highlight: frozenset[str]
) -> None:
    """Paste the tiles, each joined to its neighbours and to the frame."""
    width, depth = pixels.width, sprites.count_overlap_pixels(pixels.width)
    sprite_of_cell = {cell: TileSprite(*tile, cell in highlight) for cell, tile in cells.items()}
    open_sides = {
        cell: [
            i for i, beside in enumerate(sprites.list_neighbour_names(cell)) if beside and beside not in cells
        ]
        for cell in cells
    }
    joined_tiles = sprites.find_tiles(name, width, sprite_of_cell.values(), joined=True)
    open_sprites = [sprite_of_cell[cell] for cell, sides in open_sides.items() if sides]
    lone_tiles = sprites.find_tiles(name, width, open_sprites, joined=False)
    for cell, sprite in sprite_of_cell.items():
        box = sprites.cell_box(cell, width)
        pixels.paste(joined_tiles[sprite].convert("RGB"), box)
        for side in open_sides[cell]:
            strip = sprites.strip_box(box, side, depth)
            inside = tuple(v - box[i % 2] for i, v in enumerate(strip))
            pixels.paste(lone_tiles[sprite].crop(inside).convert("RGB"), strip)  # type: ignore[arg-type]
        for side, beside in enumerate(sprites.list_neighbour_names(cell)):
            if beside is None:
                strip = sprites.strip_box(box, side, -depth)
                pixels.paste(sprites.get_filled_board(name, width).crop(strip).convert("RGB"), strip)


def paste_marker(pixels: Image.Image, marker: Marker) -> None:
    """Paste a marker; its rim is blended with resvg's rounding, which differs from Pillow's."""
    below = bytearray(pixels.crop(marker.box).tobytes())
    for at, weight, red, green, blue in marker.rim:
        below[at] = (below[at] * weight + red) >> 8
        below[at + 1] = (below[at + 1] * weight + green) >> 8
        below[at + 2] = (below[at + 2] * weight + blue) >> 8
    blended = Image.frombytes("RGB", marker.pixels.size, bytes(below))
    blended.paste(marker.pixels, (0, 0), marker.opaque)
    pixels.paste(blended, marker.box)


# --------------------------------------------------------------------------------------------------- encoding


def encode_png(pixels: Image.Image, ground: BoardBackground) -> bytes:
    """A PNG with a palette if 256 colours come within two levels of every pixel, else without."""
    colours = pixels.getcolors(MAX_COLOURS_COUNTED)
    palette = choose_palette(colours, 256 - len(ground.translucent_colours)) if colours else None
    if palette is None:
        return encode_png_without_palette(pixels, ground.opacity)
    palette_image = Image.new("P", (1, 1))
    palette_image.putpalette(fill_palette(palette))
    # Pillow looks colours up by their upper six bits: each cube has its own.
    indexed = pixels.point(_CUBE_OF_LEVEL).quantize(palette=palette_image, dither=Image.Dither.NONE)
    opacity = {}
    palette_levels = fill_palette(palette.values())
    if ground.translucent_colours:
        for corner in ground.corners:
            indexed.paste(corner.palette_indexes, corner.box, corner.mask)
        first = 256 - len(ground.translucent_colours)
        palette_levels[3 * first :] = [level for *colour, _ in ground.translucent_colours for level in colour]
        opacity["transparency"] = bytes([255] * first + [a for *_, a in ground.translucent_colours])
    indexed.putpalette(palette_levels)
    file = io.BytesIO()
    indexed.save(file, "PNG", compress_level=COMPRESSION_LEVEL, **opacity)
    return file.getvalue()


def fill_palette(colours: Iterable[Colour]) -> list[int]:
    """The levels of 256 colours, padded with the first colour."""
    flat = [level for colour in colours for level in colour]
    return flat + flat[:3] * (256 - len(flat) // 3)


_CUBE_OF_LEVEL = [level // CUBE_LEVELS * 4 for level in range(256)] * 3


def choose_palette(colours: Sequence[tuple[int, Any]], max_colours: int) -> dict[Colour, Colour] | None:
    """A colour for each cube that contains some of the colours; None if there are too many cubes."""
    cubes: dict[Colour, list[tuple[int, Colour]]] = {}
    for count, (red, green, blue) in colours:
        cube = (red // CUBE_LEVELS * 4, green // CUBE_LEVELS * 4, blue // CUBE_LEVELS * 4)
        cubes.setdefault(cube, []).append((count, (red, green, blue)))
    if len(cubes) > max_colours:
        return None
    return {cube: choose_cube_colour(members) for cube, members in cubes.items()}


def choose_cube_colour(members: Sequence[tuple[int, Colour]]) -> Colour:
    """The most frequent colour if it is within two levels of all others, else one between them."""
    most_frequent = max(members)[1]
    if len(members) == 1:
        return most_frequent
    if all(
        abs(a - b) <= CUBE_LEVELS // 2
        for _, colour in members
        for a, b in zip(colour, most_frequent, strict=True)
    ):
        return most_frequent
    red, green, blue = (
        (min(levels) + max(levels)) // 2 for levels in zip(*(c for _, c in members), strict=True)
    )
    return red, green, blue


def encode_png_without_palette(pixels: Image.Image, opacity: Image.Image | None) -> bytes:
    """A PNG without a palette. Rows are unfiltered, which is smaller for plain areas."""
    if opacity:
        pixels = pixels.copy()
        pixels.putalpha(opacity)
    (width, height), channels = pixels.size, len(pixels.getbands())
    rows = Image.new("L", (channels * width + 1, height))  # each row starts with its filter type: 0, none
    rows.paste(Image.frombytes("L", (channels * width, height), pixels.tobytes()), (1, 0))
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if opacity else 2, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _build_chunk(b"IHDR", header),
            _build_chunk(b"IDAT", zlib.compress(rows.tobytes(), COMPRESSION_LEVEL)),
            _build_chunk(b"IEND", b""),
        ]
    )


def _build_chunk(kind: bytes, content: bytes) -> bytes:
    """A PNG chunk with length and CRC."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
