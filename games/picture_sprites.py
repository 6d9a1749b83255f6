"""Sprites that pictures of the board are pasted from, each rendered once by resvg and cached as pixels.

At these widths a cell is a whole number of pixels, so a tile looks the same in every cell. It depends on its
neighbours only in the outermost pixels of a side, where the lines of two tiles overlap: so a tile is cached
twice, between four neighbours and alone, and the strip along each side is taken from the one or the other.
All sprites are cropped from whole boards, because resvg renders a shape by itself slightly differently.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from PIL import Image

from . import picture_svg
from .engine import load_edition
from .engine.board import (
    BOARD_SIZE,
    CELL_INDEX,
    CELL_NAMES,
    CELL_NEIGHBOURS,
    CENTRE_CELL,
    PLACE_NAMES,
    VERTEX_COUNT,
)
from .engine.edition import Edition
from .picture_lines import BOARD_EXTENT, CELL_SIZE, cell_centre, place_centre
from .sprite_cache import SpriteCache

PASTED_WIDTHS = (300, 420, 600, 780, 1200)  # of pictures pasted from sprites
MAX_SPRITE_BYTES = 32 * 1024 * 1024  # the sprites of an edition at all widths take 27 MB
SPRITE_CACHE: SpriteCache[Any] = SpriteCache("pieces of boards", MAX_SPRITE_BYTES)

Box = tuple[int, int, int, int]  # left, top, right, bottom
JOINED_TILE_CELLS = [
    name for name in CELL_NAMES if name[0] in "bcd" and name[1] in "234"
]  # with four neighbours
LONE_TILE_CELLS = ["b2", "b4", "d2", "d4"]  # without neighbours
N, E, S, W = range(4)


@dataclass(frozen=True)
class TileSprite:
    """Key of a sprite: kind and rotation of a tile, and whether its cell is outlined."""

    kind: str
    rotation: int
    outlined: bool


@dataclass(frozen=True)
class Marker:
    """The opaque pixels of a marker, and its rim pixels, which are blended with the board."""

    box: Box
    pixels: Image.Image
    opaque: Image.Image  # a mask
    rim: tuple[tuple[int, int, int, int, int], ...]  # offset into RGB; weight of the board; RGB to add


@dataclass(frozen=True)
class FrameCorner:
    """A translucent corner of the frame."""

    box: Box
    palette_indexes: Image.Image
    mask: Image.Image


@dataclass(frozen=True)
class BoardBackground:
    """The board with only the centre tile; its corners are transparent or show the surroundings."""

    pixels: Image.Image
    opacity: Image.Image | None  # None if fully opaque
    translucent_colours: tuple[tuple[int, int, int, int], ...] = ()  # RGBA; last in the palette
    corners: tuple[FrameCorner, ...] = ()


def cell_box(name: str, width: int) -> Box:
    """The pixel box of a cell."""
    pitch = width * CELL_SIZE // BOARD_EXTENT
    middle = cell_centre(name) * width / BOARD_EXTENT
    left, top = round(middle.real - pitch / 2), round(middle.imag - pitch / 2)
    return left, top, left + pitch, top + pitch


def strip_box(box: Box, side: int, depth: int) -> Box:
    """The outermost pixels of a box along one side; beyond that side if depth is negative."""
    left, top, right, bottom = box
    inner = {
        N: (left, top, right, top + depth),
        E: (right - depth, top, right, bottom),
        S: (left, bottom - depth, right, bottom),
        W: (left, top, left + depth, bottom),
    }[side]
    return min(inner[0], inner[2]), min(inner[1], inner[3]), max(inner[0], inner[2]), max(inner[1], inner[3])


def count_overlap_pixels(width: int) -> int:
    """Count the pixels of a cell that its neighbour's lines can touch."""
    return ceil(0.5 * width / BOARD_EXTENT) + 1


# ----------------------------------------------------------------------------------------------- whole sheets


def render_image(svg: str, width: int) -> Image.Image:
    """An SVG rendered by resvg, as an image."""
    return Image.open(io.BytesIO(picture_svg.render_png(svg, width))).convert("RGBA")


def draw_sheet(
    edition: Edition,
    width: int,
    cells: Mapping[str, tuple[str, int]],
    *,
    dark: bool | None = None,
    figures: Sequence[Mapping[str, Any]] = (),
    highlight: Iterable[str] = (),
) -> Image.Image:
    """A whole board with these tiles (kind, rotation) as an image."""
    placed_tiles = {name: {"tile": kind, "rotation": rotation} for name, (kind, rotation) in cells.items()}
    view = {"edition": edition.name, "board": {"cells": placed_tiles, "figures": figures}}
    return render_image(picture_svg.draw_board_svg(view, dark=dark, highlight=highlight), width)


def compact_image(pixels: Image.Image) -> Image.Image:
    """The same pixels with a palette, a quarter of the size, if 256 colours are enough."""
    plain = pixels.convert("RGB")
    if plain.getcolors(256) is None:
        return plain
    indexed = plain.quantize(256, Image.Quantize.MEDIANCUT, kmeans=0, dither=Image.Dither.NONE)
    return indexed if indexed.convert("RGB").tobytes() == plain.tobytes() else plain


def count_image_bytes(pixels: Image.Image) -> int:
    """The memory that an image takes."""
    return pixels.width * pixels.height * (4 if pixels.mode in ("RGB", "RGBA") else 1)


def find_background(name: str, width: int, dark: bool | None) -> BoardBackground:
    """The cached ground of an edition at a width."""

    def draw() -> tuple[BoardBackground, int]:
        sheet = draw_sheet(load_edition(name), width, {}, dark=dark)
        return build_background(sheet), count_image_bytes(sheet) + sheet.width * sheet.height

    return SPRITE_CACHE.find_or_draw(("ground", name, width, dark), draw)


def build_background(sheet: Image.Image) -> BoardBackground:
    """A ground from an image, with its translucent pixels split off."""
    opacity = sheet.getchannel("A")
    if opacity.getextrema() == (255, 255):
        return BoardBackground(sheet.convert("RGB"), None)
    translucent_colours, corners = cut_corners(sheet)
    return BoardBackground(sheet.convert("RGB"), opacity, translucent_colours, corners)


def cut_corners(
    sheet: Image.Image,
) -> tuple[tuple[Any, ...], tuple[FrameCorner, ...]]:
    """Split off the round corners of the frame, which are translucent.

    Returns their colours, and the corners.
    """
    width, reach = sheet.width, sheet.width // 12
    near, far = (0, reach), (width - reach, width)
    boxes: list[Box] = [(x[0], y[0], x[1], y[1]) for x in (near, far) for y in (near, far)]
    pixels = {box: list(zip(*[iter(sheet.crop(box).tobytes())] * 4, strict=True)) for box in boxes}
    colours = sorted(
        {colour for corner_pixels in pixels.values() for colour in corner_pixels if colour[3] < 255}
    )
    number = {colour: 256 - len(colours) + i for i, colour in enumerate(colours)}
    corners = []
    for box, corner_pixels in pixels.items():
        numbers = Image.frombytes(
            "P", (reach, reach), bytes(number.get(colour, 0) for colour in corner_pixels)
        )
        mask = Image.frombytes(
            "L", (reach, reach), bytes(255 * (colour in number) for colour in corner_pixels)
        )
        corners.append(FrameCorner(box, numbers, mask))
    return tuple(colours), tuple(corners)


def get_board_with_free_cells(name: str, width: int, parity: int | None, outlined: bool) -> Image.Image:
    """A board with free cells between tiles, of one chessboard colour; with None all cells are free."""

    def draw() -> tuple[Image.Image, int]:
        edition = load_edition(name)
        filled_cells = [cell for x, cell in enumerate(CELL_NAMES) if parity is not None and x % 2 != parity]
        cells = dict.fromkeys(filled_cells, (edition.centre, 0))
        sheet = compact_image(draw_sheet(edition, width, cells, highlight=CELL_NAMES if outlined else ()))
        return sheet, count_image_bytes(sheet)

    return SPRITE_CACHE.find_or_draw(("free", name, width, parity, outlined), draw)


def get_filled_board(name: str, width: int) -> Image.Image:
    """A full board, for the frame around it."""

    def draw() -> tuple[Image.Image, int]:
        edition = load_edition(name)
        sheet = compact_image(draw_sheet(edition, width, dict.fromkeys(CELL_NAMES, (edition.centre, 0))))
        return sheet, count_image_bytes(sheet)

    return SPRITE_CACHE.find_or_draw(("full", name, width), draw)


# ------------------------------------------------------------------------------------------------------ tiles


def find_tiles(
    name: str, width: int, wanted: Iterable[TileSprite], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """The sprites of tiles, joined to four neighbours or alone; missing ones are drawn together."""
    cached = {sprite: SPRITE_CACHE.find(("tile", name, width, joined, sprite)) for sprite in wanted}
    if all(cached.values()):
        return {sprite: pixels for sprite, pixels in cached.items() if pixels}
    with SPRITE_CACHE.draw_lock:
        return draw_missing_tiles(name, width, cached, joined=joined)


def draw_missing_tiles(
    name: str, width: int, wanted: Iterable[TileSprite], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """The sprites of tiles; draws those that no other thread has drawn meanwhile."""
    sprites: dict[TileSprite, Image.Image] = {}
    missing: list[TileSprite] = []
    for sprite in wanted:
        pixels = SPRITE_CACHE.find(("tile", name, width, joined, sprite))
        if pixels is None:
            missing.append(sprite)
        else:
            sprites[sprite] = pixels
    slots = JOINED_TILE_CELLS if joined else LONE_TILE_CELLS
    for outlined in (False, True):
        rest = [sprite for sprite in missing if sprite.outlined == outlined]
        for first in range(0, len(rest), len(slots)):
            chosen = rest[first : first + len(slots)]
            if len(chosen) < len(slots):
                chosen += list_spare_tiles(name, width, outlined, joined, chosen)[: len(slots) - len(chosen)]
            sprites |= draw_tiles(name, width, chosen, slots, joined=joined)
    return sprites


def list_spare_tiles(
    name: str, width: int, outlined: bool, joined: bool, chosen: Sequence[TileSprite]
) -> list[TileSprite]:
    """Sprites that are not cached yet, to fill up a sheet that has room."""
    all_sprites = [
        TileSprite(kind, rotation, outlined)
        for kind, tile in load_edition(name).tiles.items()
        for rotation in tile.rotations
        if tile.special != "dark"
    ]
    return [
        sprite
        for sprite in all_sprites
        if sprite not in chosen and SPRITE_CACHE.find(("tile", name, width, joined, sprite)) is None
    ]


def draw_tiles(
    name: str, width: int, chosen: Sequence[TileSprite], slots: Sequence[str], *, joined: bool
) -> dict[TileSprite, Image.Image]:
    """Draw one sheet with a tile in each slot, crop the sprites and cache them."""
    edition = load_edition(name)
    cells = dict.fromkeys(CELL_NAMES if joined else (), (edition.centre, 0))
    sprite_of_slot = dict(zip(slots, chosen, strict=False))
    cells |= {slot: (sprite.kind, sprite.rotation) for slot, sprite in sprite_of_slot.items()}
    outlined = [slot for slot, sprite in sprite_of_slot.items() if sprite.outlined]
    sheet = draw_sheet(edition, width, cells, highlight=outlined)
    sprites = {
        sprite: compact_image(sheet.crop(cell_box(slot, width))) for slot, sprite in sprite_of_slot.items()
    }
    for sprite, pixels in sprites.items():
        SPRITE_CACHE.store(("tile", name, width, joined, sprite), pixels, count_image_bytes(pixels))
    return sprites


def find_eights(
    name: str,
    width: int,
    cells: Mapping[str, tuple[str, int]],
    eights: Sequence[Mapping[str, Any]],
    outlined: frozenset[str],
) -> dict[str, Image.Image]:
    """The cells of completed 8s, with the glow below the lines of their tiles."""
    eight_cells = sorted({cell for eight in eights for cell in eight["place"].split("+")})
    neighbours = {CELL_NAMES[y] for cell in eight_cells for y in CELL_NEIGHBOURS[CELL_INDEX[cell]] if y >= 0}
    tile_states = tuple((cell, cells[cell], cell in outlined) for cell in eight_cells if cell in cells)
    filled_neighbours = frozenset(cell for cell in neighbours if cell in cells)
    glows = tuple((eight["place"], eight["side"]) for eight in eights)

    def draw() -> tuple[dict[str, Image.Image], int]:
        sheet = draw_sheet(load_edition(name), width, cells, figures=eights, highlight=outlined)
        pixels_of_cell = {cell: compact_image(sheet.crop(cell_box(cell, width))) for cell in eight_cells}
        return pixels_of_cell, sum(map(count_image_bytes, pixels_of_cell.values()))

    return SPRITE_CACHE.find_or_draw(("eights", name, width, glows, tile_states, filled_neighbours), draw)


# ---------------------------------------------------------------------------------------------------- markers


def find_markers(width: int, value: int, side: int | None, *, lost: bool = False) -> dict[str, Marker]:
    """The markers of a value and side, without one of unmarked or lost figures, at all possible places."""
    places = PLACE_NAMES[VERTEX_COUNT:] if value == 1 else PLACE_NAMES[:VERTEX_COUNT]

    def draw() -> tuple[dict[str, Marker], int]:
        sheet = render_image(picture_svg.draw_markers_svg(places, value, side, lost=lost), width)
        pixels_cache: dict[bytes, tuple[Image.Image, Image.Image, Any]] = {}  # most places share pixels
        markers = {place: cut_marker(sheet, place, value, side, pixels_cache) for place in places}
        return markers, sum(
            count_image_bytes(pixels) + count_image_bytes(opaque)
            for pixels, opaque, _ in pixels_cache.values()
        )

    return SPRITE_CACHE.find_or_draw(("markers", width, value, side, lost), draw)


def cut_marker(
    sheet: Image.Image, place: str, value: int, side: int | None, pixels_cache: dict[bytes, Any]
) -> Marker:
    """Crop one marker from a sheet of markers only."""
    scale = sheet.width / BOARD_EXTENT
    at, reach = place_centre(place) * scale, ceil((picture_svg.MARKER_RADIUS[value] + 3) * scale)
    left, top = round(at.real) - reach, round(at.imag) - reach
    box = (left, top, left + 2 * reach, top + 2 * reach)
    marker_pixels = sheet.crop(box)
    key = marker_pixels.tobytes()
    if key not in pixels_cache:
        opacity = marker_pixels.getchannel("A").tobytes()
        red, green, blue = bytes.fromhex(
            picture_svg.SIDE_COLOURS.get(side or 0, picture_svg.UNMARKED_COLOUR)[1:]
        )
        rim = tuple(
            (3 * i, 255 - a, red * a + 255, green * a + 255, blue * a + 255)
            for i, a in enumerate(opacity)
            if 0 < a < 255
        )
        pixels_cache[key] = (
            marker_pixels.convert("RGB"),
            marker_pixels.getchannel("A").point([0] * 255 + [255]),
            rim,
        )
    return Marker(box, *pixels_cache[key])


def list_neighbour_names(name: str) -> list[str | None]:
    """The neighbours of a cell, N E S W; None for the frame."""
    return [CELL_NAMES[y] if y >= 0 else None for y in CELL_NEIGHBOURS[CELL_INDEX[name]]]


CENTRE_NAME = CELL_NAMES[CENTRE_CELL]
assert all(width * CELL_SIZE % BOARD_EXTENT == 0 and width % 12 == 0 for width in PASTED_WIDTHS), BOARD_SIZE
