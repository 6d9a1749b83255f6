"""The pieces that pictures of the board are pasted from, each drawn once by resvg and kept as pixels.

At the widths here a cell is a whole number of pixels, so a tile looks the same in every cell. It depends on
its neighbours only in the outermost pixels of a side, where the lines of two tiles reach into each other:
so a tile is kept twice, joined to four neighbours and alone, and the strip along each side is taken from the
one or the other. All pieces are cut from whole boards: resvg draws a shape by itself a little differently.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from PIL import Image

from . import picture
from .engine import edition
from .engine.board import CELL, CELLS, CENTRE, NEIGHBOUR, PLACE_NAME, SIZE, VERTICES
from .engine.edition import Edition
from .picture_lines import EXTENT, SIDE, cell_at, place_at
from .sprite_cache import SpriteCache

WIDTHS = (300, 420, 600, 780, 1200)  # pasted together
MAX_SPRITE_BYTES = 32 * 1024 * 1024  # the pieces of an edition at all widths take 27 MB
SPRITES: SpriteCache[Any] = SpriteCache("pieces of boards", MAX_SPRITE_BYTES)

Box = tuple[int, int, int, int]  # left, top, right, bottom
JOINED_SLOTS = [
    name for name in CELLS if name[0] in "bcd" and name[1] in "234"
]  # four neighbours, none the frame
ALONE_SLOTS = ["b2", "b4", "d2", "d4"]  # with no neighbour
N, E, S, W = range(4)


@dataclass(frozen=True)
class TileSprite:
    """What is in a cell: the kind of tile, how it is turned, and whether it is outlined."""

    kind: str
    rotation: int
    outlined: bool


@dataclass(frozen=True)
class Marker:
    """The opaque pixels of a marker, and those of its rim, which are blended with what is below."""

    box: Box
    pixels: Image.Image
    opaque: Image.Image  # a mask
    rim: tuple[tuple[int, int, int, int, int], ...]  # offset into RGB; weight of what is below; what is added


@dataclass(frozen=True)
class Ground:
    """The board without any tile but the centre; its corners are transparent or show the surroundings."""

    pixels: Image.Image
    opacity: Image.Image | None  # if anything is less than opaque
    see_through: tuple[
        tuple[int, int, int, int], ...
    ] = ()  # colours with their opacity: the last of a palette
    corners: tuple[tuple[Box, Image.Image, Image.Image], ...] = ()  # where they are; by their number; a mask


def cell_box(name: str, width: int) -> Box:
    """The pixels of a cell."""
    pitch = width * SIDE // EXTENT
    middle = cell_at(name) * width / EXTENT
    left, top = round(middle.real - pitch / 2), round(middle.imag - pitch / 2)
    return left, top, left + pitch, top + pitch


def strip_box(box: Box, side: int, depth: int) -> Box:
    """The outermost pixels of a box along one side; of the other side of that edge, if depth is negative."""
    left, top, right, bottom = box
    inner = {
        N: (left, top, right, top + depth),
        E: (right - depth, top, right, bottom),
        S: (left, bottom - depth, right, bottom),
        W: (left, top, left + depth, bottom),
    }[side]
    return min(inner[0], inner[2]), min(inner[1], inner[3]), max(inner[0], inner[2]), max(inner[1], inner[3])


def reach_over(width: int) -> int:
    """How many pixels of a cell the lines of its neighbour can touch."""
    return ceil(0.5 * width / EXTENT) + 1


# ----------------------------------------------------------------------------------------------- whole sheets


def render(svg: str, width: int) -> Image.Image:
    """A picture drawn by resvg, as pixels."""
    return Image.open(io.BytesIO(picture.png(svg, width))).convert("RGBA")


def draw_sheet(
    box: Edition,
    width: int,
    cells: Mapping[str, tuple[str, int]],
    *,
    dark: bool | None = None,
    figures: Sequence[Mapping[str, Any]] = (),
    highlight: Iterable[str] = (),
) -> Image.Image:
    """A whole board with these tiles: kind, rotation."""
    laid = {name: {"tile": kind, "rotation": rotation} for name, (kind, rotation) in cells.items()}
    view = {"edition": box.name, "board": {"cells": laid, "figures": figures}}
    return render(picture.svg(view, dark=dark, highlight=highlight), width)


def compact(pixels: Image.Image) -> Image.Image:
    """The same pixels with a palette of their own, a quarter as large, if 256 colours are enough."""
    plain = pixels.convert("RGB")
    if plain.getcolors(256) is None:
        return plain
    indexed = plain.quantize(256, Image.Quantize.MEDIANCUT, kmeans=0, dither=Image.Dither.NONE)
    return indexed if indexed.convert("RGB").tobytes() == plain.tobytes() else plain


def bytes_of(pixels: Image.Image) -> int:
    """The memory that an image takes."""
    return pixels.width * pixels.height * (4 if pixels.mode in ("RGB", "RGBA") else 1)


def find_ground(name: str, width: int, dark: bool | None) -> Ground:
    """The board before anything is put on it."""

    def draw() -> tuple[Ground, int]:
        sheet = draw_sheet(edition(name), width, {}, dark=dark)
        return ground_of(sheet), bytes_of(sheet) + sheet.width * sheet.height

    return SPRITES.find_or_draw(("ground", name, width, dark), draw)


def ground_of(sheet: Image.Image) -> Ground:
    """A picture that others are pasted on, with what is less than opaque put aside."""
    opacity = sheet.getchannel("A")
    if opacity.getextrema() == (255, 255):
        return Ground(sheet.convert("RGB"), None)
    see_through, corners = cut_corners(sheet)
    return Ground(sheet.convert("RGB"), opacity, see_through, corners)


def cut_corners(
    sheet: Image.Image,
) -> tuple[tuple[Any, ...], tuple[tuple[Box, Image.Image, Image.Image], ...]]:
    """What is less than opaque lies in the round corners of the frame: its colours, and where they are."""
    width, reach = sheet.width, sheet.width // 12
    near, far = (0, reach), (width - reach, width)
    boxes: list[Box] = [(x[0], y[0], x[1], y[1]) for x in (near, far) for y in (near, far)]
    pixels = {box: list(zip(*[iter(sheet.crop(box).tobytes())] * 4, strict=True)) for box in boxes}
    colours = sorted({colour for cut in pixels.values() for colour in cut if colour[3] < 255})
    number = {colour: 256 - len(colours) + i for i, colour in enumerate(colours)}
    corners = []
    for box, cut in pixels.items():
        numbers = Image.frombytes("P", (reach, reach), bytes(number.get(colour, 0) for colour in cut))
        mask = Image.frombytes("L", (reach, reach), bytes(255 * (colour in number) for colour in cut))
        corners.append((box, numbers, mask))
    return tuple(colours), tuple(corners)


def find_free_sheet(name: str, width: int, parity: int | None, outlined: bool) -> Image.Image:
    """A board whose cells of one colour of a chessboard are free between tiles; with None, all are free."""

    def draw() -> tuple[Image.Image, int]:
        box = edition(name)
        laid = [cell for x, cell in enumerate(CELLS) if parity is not None and x % 2 != parity]
        cells = dict.fromkeys(laid, (box.centre, 0))
        sheet = compact(draw_sheet(box, width, cells, highlight=CELLS if outlined else ()))
        return sheet, bytes_of(sheet)

    return SPRITES.find_or_draw(("free", name, width, parity, outlined), draw)


def find_full_sheet(name: str, width: int) -> Image.Image:
    """A board that is full, for the frame around it."""

    def draw() -> tuple[Image.Image, int]:
        box = edition(name)
        sheet = compact(draw_sheet(box, width, dict.fromkeys(CELLS, (box.centre, 0))))
        return sheet, bytes_of(sheet)

    return SPRITES.find_or_draw(("full", name, width), draw)


# ------------------------------------------------------------------------------------------------------ tiles


def find_tiles(
    name: str, width: int, wanted: Iterable[TileSprite], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """Tiles as they look in any cell, between four others or alone; missing ones are drawn together."""
    kept = {sprite: SPRITES.find(("tile", name, width, joined, sprite)) for sprite in wanted}
    if all(kept.values()):
        return {sprite: pixels for sprite, pixels in kept.items() if pixels}
    with SPRITES.drawing:
        return draw_missing_tiles(name, width, kept, joined=joined)


def draw_missing_tiles(
    name: str, width: int, wanted: Iterable[TileSprite], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """Tiles as they look in any cell; those that no other thread has drawn meanwhile are drawn."""
    sprites: dict[TileSprite, Image.Image] = {}
    missing: list[TileSprite] = []
    for sprite in wanted:
        found = SPRITES.find(("tile", name, width, joined, sprite))
        if found is None:
            missing.append(sprite)
        else:
            sprites[sprite] = found
    slots = JOINED_SLOTS if joined else ALONE_SLOTS
    for outlined in (False, True):
        rest = [sprite for sprite in missing if sprite.outlined == outlined]
        for first in range(0, len(rest), len(slots)):
            chosen = rest[first : first + len(slots)]
            if len(chosen) < len(slots):
                chosen += spare_tiles(name, width, outlined, joined, chosen)[: len(slots) - len(chosen)]
            sprites |= draw_tiles(name, width, chosen, slots, joined=joined)
    return sprites


def spare_tiles(
    name: str, width: int, outlined: bool, joined: bool, chosen: Sequence[TileSprite]
) -> list[TileSprite]:
    """Tiles that nobody has asked for yet: a sheet with room draws them as well."""
    every = [
        TileSprite(kind, rotation, outlined)
        for kind, tile in edition(name).tiles.items()
        for rotation in tile.rotations
        if tile.special != "dark"
    ]
    return [
        sprite
        for sprite in every
        if sprite not in chosen and SPRITES.find(("tile", name, width, joined, sprite)) is None
    ]


def draw_tiles(
    name: str, width: int, chosen: Sequence[TileSprite], slots: Sequence[str], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """One sheet with a tile in each slot, cut up and kept."""
    box = edition(name)
    cells = dict.fromkeys(CELLS if joined else (), (box.centre, 0))
    places = dict(zip(slots, chosen, strict=False))
    cells |= {slot: (sprite.kind, sprite.rotation) for slot, sprite in places.items()}
    outlined = [slot for slot, sprite in places.items() if sprite.outlined]
    sheet = draw_sheet(box, width, cells, highlight=outlined)
    sprites = {sprite: compact(sheet.crop(cell_box(slot, width))) for slot, sprite in places.items()}
    for sprite, pixels in sprites.items():
        SPRITES.store(("tile", name, width, joined, sprite), pixels, bytes_of(pixels))
    return sprites


def find_eights(
    name: str,
    width: int,
    cells: Mapping[str, tuple[str, int]],
    eights: Sequence[Mapping[str, Any]],
    outlined: frozenset[str],
) -> dict[str, Image.Image]:
    """The cells of closed 8s, with the glow below the lines of their tiles."""
    touched = sorted({cell for eight in eights for cell in eight["place"].split("+")})
    around = {CELLS[y] for cell in touched for y in NEIGHBOUR[CELL[cell]] if y >= 0}
    known = tuple((cell, cells[cell], cell in outlined) for cell in touched if cell in cells)
    beside = frozenset(cell for cell in around if cell in cells)
    glows = tuple((eight["place"], eight["side"]) for eight in eights)

    def draw() -> tuple[dict[str, Image.Image], int]:
        sheet = draw_sheet(edition(name), width, cells, figures=eights, highlight=outlined)
        cut = {cell: compact(sheet.crop(cell_box(cell, width))) for cell in touched}
        return cut, sum(map(bytes_of, cut.values()))

    return SPRITES.find_or_draw(("eights", name, width, glows, known, beside), draw)


# ---------------------------------------------------------------------------------------------------- markers


def find_markers(width: int, value: int, side: int | None) -> dict[str, Marker]:
    """The markers of a value and side at all places where one can lie."""
    places = PLACE_NAME[VERTICES:] if value == 1 else PLACE_NAME[:VERTICES]

    def draw() -> tuple[dict[str, Marker], int]:
        sheet = render(picture.markers_svg(places, value, side), width)
        kept: dict[bytes, tuple[Image.Image, Image.Image, Any]] = {}  # most places have the same pixels
        markers = {place: cut_marker(sheet, place, value, side, kept) for place in places}
        return markers, sum(bytes_of(pixels) + bytes_of(opaque) for pixels, opaque, _ in kept.values())

    return SPRITES.find_or_draw(("markers", width, value, side), draw)


def cut_marker(
    sheet: Image.Image, place: str, value: int, side: int | None, kept: dict[bytes, Any]
) -> Marker:
    """One marker of a sheet on which there is nothing else."""
    scale = sheet.width / EXTENT
    at, reach = place_at(place) * scale, ceil((picture.REACH[value] + 3) * scale)
    left, top = round(at.real) - reach, round(at.imag) - reach
    box = (left, top, left + 2 * reach, top + 2 * reach)
    cut = sheet.crop(box)
    key = cut.tobytes()
    if key not in kept:
        opacity = cut.getchannel("A").tobytes()
        red, green, blue = bytes.fromhex(picture.COLOURS.get(side or 0, picture.UNMARKED)[1:])
        rim = tuple(
            (3 * i, 255 - a, red * a + 255, green * a + 255, blue * a + 255)
            for i, a in enumerate(opacity)
            if 0 < a < 255
        )
        kept[key] = cut.convert("RGB"), cut.getchannel("A").point([0] * 255 + [255]), rim
    return Marker(box, *kept[key])


def neighbour_names(name: str) -> list[str | None]:
    """The cells beside one, N E S W; None for the frame."""
    return [CELLS[y] if y >= 0 else None for y in NEIGHBOUR[CELL[name]]]


CENTRE_NAME = CELLS[CENTRE]
assert all(width * SIDE % EXTENT == 0 and width % 12 == 0 for width in WIDTHS), SIZE
