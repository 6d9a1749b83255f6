"""The board as a PNG: pasted from pieces that are kept, and tagged before anything is drawn."""

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

from . import picture
from . import picture_sprites as sprites
from .engine import edition
from .engine.board import CELLS
from .picture_sprites import CENTRE_NAME, Ground, Marker, TileSprite

THUMBNAIL_WIDTH = 100  # drawn whole by resvg: pieces would share pixels, and it takes no longer than pasting
OFFERED_WIDTHS = (THUMBNAIL_WIDTH, *sprites.WIDTHS)
MAX_COLOURS_COUNTED = 4096
CUBE = 5  # levels of a channel that become one: nothing is further than two from the middle
COMPRESSION = 6
MAX_TILES_KEPT = 100

Colour = tuple[int, int, int]


def offered_width(width: int) -> int:
    """The smallest width offered that is no less. Raises ValueError if all are."""
    for offered in OFFERED_WIDTHS:
        if offered >= width:
            return offered
    raise ValueError(f"no picture is {width} wide")


# ---------------------------------------------------------------------------------------------------- the tag


@cache
def drawing_version() -> str:
    """Another one whenever the code that draws, or what it draws with, has changed."""
    here = Path(__file__).parent
    files = [
        here / f"{name}.py" for name in ("picture", "picture_lines", "picture_sprites", "picture_pixels")
    ]
    files += sorted((here / "engine" / "editions").iterdir())
    seen = hashlib.sha256("".join(f"{name} {version(name)} " for name in ("pillow", "resvg-py")).encode())
    for file in files:
        if file.is_file():
            seen.update(file.read_bytes())
    return seen.hexdigest()[:16]


def board_tag(
    view: picture.Seen,
    *,
    form: str,
    width: int,
    dark: bool | None = None,
    highlight: Iterable[str] = (),
    language: str = "en",
) -> str:
    """What tells a picture from every other, without drawing it."""
    facts = [drawing_version(), form, width, dark, sorted(set(highlight)), language, view["edition"]]
    told = json.dumps([*facts, view["board"]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


# ------------------------------------------------------------------------------------------------ the picture


def board_png(
    view: picture.Seen, *, width: int, dark: bool | None = None, highlight: Iterable[str] = ()
) -> bytes:
    """The board of a view, at a width that is offered. Raises ValueError at any other."""
    if width not in OFFERED_WIDTHS:
        raise ValueError(f"no picture is {width} wide")
    picture.DRAWINGS.add("png")
    if width == THUMBNAIL_WIDTH:
        return picture.png(picture.svg(view, dark=dark, highlight=highlight), width)
    ground = sprites.find_ground(view["edition"], width, dark)
    pixels = paste_board(view, width, ground.pixels, frozenset(highlight))
    return encode(pixels, ground)


@lru_cache(maxsize=MAX_TILES_KEPT)
def tile_png(name: str, kind: str, width: int) -> bytes:
    """One tile by itself, as it lies before it is turned."""
    drawn = sprites.render(picture.tile_svg(name, kind), width)
    return encode(drawn.convert("RGB"), sprites.ground_of(drawn))


def paste_board(
    view: picture.Seen, width: int, ground: Image.Image, highlight: frozenset[str]
) -> Image.Image:
    """Everything on its ground, from below to above."""
    name = view["edition"]
    cells = {CENTRE_NAME: (edition(name).centre, 0)} | {
        cell: (tile["tile"], tile["rotation"] // 90 % 4 * 90) for cell, tile in view["board"]["cells"].items()
    }
    figures = view["board"]["figures"]
    pixels = ground.copy()
    paste_free_cells(pixels, name, cells, highlight)
    paste_tiles(pixels, name, cells, highlight)
    if eights := [figure for figure in figures if figure["value"] == 8]:
        for cell, cut in sprites.find_eights(name, width, cells, eights, highlight).items():
            pixels.paste(cut.convert("RGB"), sprites.cell_box(cell, width))
    for figure in figures:
        if figure["value"] != 8:
            markers = sprites.find_markers(width, figure["value"], figure["side"])
            paste_marker(pixels, markers[figure["place"]])
    return pixels


def paste_free_cells(
    pixels: Image.Image, name: str, cells: Mapping[str, tuple[str, int]], highlight: frozenset[str]
) -> None:
    """Outlines of free cells, and the ends of lines that reach into them."""
    width, depth = pixels.width, sprites.reach_over(pixels.width)
    for x, cell in enumerate(CELLS):
        if cell in cells:
            continue
        box, outlined = sprites.cell_box(cell, width), cell in highlight
        if outlined:
            pixels.paste(sprites.find_free_sheet(name, width, None, True).crop(box).convert("RGB"), box)
        for side, beside in enumerate(sprites.neighbour_names(cell)):
            if beside in cells and (beside != CENTRE_NAME or outlined):
                strip = sprites.strip_box(box, side, depth)
                sheet = sprites.find_free_sheet(name, width, x % 2, outlined)
                pixels.paste(sheet.crop(strip).convert("RGB"), strip)


def paste_tiles(
    pixels: Image.Image, name: str, cells: Mapping[str, tuple[str, int]], highlight: frozenset[str]
) -> None:
    """The tiles, each joined to those beside it and to the frame."""
    width, depth = pixels.width, sprites.reach_over(pixels.width)
    wanted = {cell: TileSprite(*tile, cell in highlight) for cell, tile in cells.items()}
    open_sides = {
        cell: [i for i, beside in enumerate(sprites.neighbour_names(cell)) if beside and beside not in cells]
        for cell in cells
    }
    joined = sprites.find_tiles(name, width, wanted.values(), joined=True)
    ending = [wanted[cell] for cell, sides in open_sides.items() if sides]
    alone = sprites.find_tiles(name, width, ending, joined=False)
    for cell, sprite in wanted.items():
        box = sprites.cell_box(cell, width)
        pixels.paste(joined[sprite].convert("RGB"), box)
        for side in open_sides[cell]:
            strip = sprites.strip_box(box, side, depth)
            inside = tuple(v - box[i % 2] for i, v in enumerate(strip))
            pixels.paste(alone[sprite].crop(inside).convert("RGB"), strip)  # type: ignore[arg-type]
        for side, beside in enumerate(sprites.neighbour_names(cell)):
            if beside is None:
                strip = sprites.strip_box(box, side, -depth)
                pixels.paste(sprites.find_full_sheet(name, width).crop(strip).convert("RGB"), strip)


def paste_marker(pixels: Image.Image, marker: Marker) -> None:
    """A marker over whatever is there, its rim blended as resvg does it: Pillow rounds differently."""
    below = bytearray(pixels.crop(marker.box).tobytes())
    for at, weight, red, green, blue in marker.rim:
        below[at] = (below[at] * weight + red) >> 8
        below[at + 1] = (below[at + 1] * weight + green) >> 8
        below[at + 2] = (below[at + 2] * weight + blue) >> 8
    blended = Image.frombytes("RGB", marker.pixels.size, bytes(below))
    blended.paste(marker.pixels, (0, 0), marker.opaque)
    pixels.paste(blended, marker.box)


# --------------------------------------------------------------------------------------------------- the file


def encode(pixels: Image.Image, ground: Ground) -> bytes:
    """A PNG with a palette if 256 colours come within two levels of every pixel, else one without."""
    colours = pixels.getcolors(MAX_COLOURS_COUNTED)
    palette = choose_palette(colours, 256 - len(ground.see_through)) if colours else None
    if palette is None:
        return encode_plain(pixels, ground.opacity)
    asked = Image.new("P", (1, 1))
    asked.putpalette(fill_palette(palette))
    # Pillow looks colours up by their upper six bits: each cube is one of those.
    indexed = pixels.point(_CUBES).quantize(palette=asked, dither=Image.Dither.NONE)
    opacity = {}
    chosen = fill_palette(palette.values())
    if ground.see_through:
        for box, numbers, mask in ground.corners:
            indexed.paste(numbers, box, mask)
        first = 256 - len(ground.see_through)
        chosen[3 * first :] = [level for *colour, _ in ground.see_through for level in colour]
        opacity["transparency"] = bytes([255] * first + [a for *_, a in ground.see_through])
    indexed.putpalette(chosen)
    file = io.BytesIO()
    indexed.save(file, "PNG", compress_level=COMPRESSION, **opacity)
    return file.getvalue()


def fill_palette(colours: Iterable[Colour]) -> list[int]:
    """256 colours in a row; the first again where there are fewer."""
    flat = [level for colour in colours for level in colour]
    return flat + flat[:3] * (256 - len(flat) // 3)


_CUBES = [level // CUBE * 4 for level in range(256)] * 3


def choose_palette(colours: Sequence[tuple[int, Any]], most: int) -> dict[Colour, Colour] | None:
    """A colour for each cube that any of these lie in, as the look-up wants it; None if that is too many."""
    cubes: dict[Colour, list[tuple[int, Colour]]] = {}
    for count, (red, green, blue) in colours:
        cube = (red // CUBE * 4, green // CUBE * 4, blue // CUBE * 4)
        cubes.setdefault(cube, []).append((count, (red, green, blue)))
    if len(cubes) > most:
        return None
    return {cube: middle_of(members) for cube, members in cubes.items()}


def middle_of(members: Sequence[tuple[int, Colour]]) -> Colour:
    """The most frequent of some colours, if it is within two levels of all; else one between them."""
    often = max(members)[1]
    if len(members) == 1:
        return often
    if all(abs(a - b) <= CUBE // 2 for _, colour in members for a, b in zip(colour, often, strict=True)):
        return often
    red, green, blue = (
        (min(levels) + max(levels)) // 2 for levels in zip(*(c for _, c in members), strict=True)
    )
    return red, green, blue


def encode_plain(pixels: Image.Image, opacity: Image.Image | None) -> bytes:
    """A PNG without a palette. Its rows are not filtered: of a drawing with plain areas that is smaller."""
    if opacity:
        pixels = pixels.copy()
        pixels.putalpha(opacity)
    (width, height), channels = pixels.size, len(pixels.getbands())
    rows = Image.new("L", (channels * width + 1, height))  # with the kind of filter before each row: 0, none
    rows.paste(Image.frombytes("L", (channels * width, height), pixels.tobytes()), (1, 0))
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if opacity else 2, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), COMPRESSION)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
