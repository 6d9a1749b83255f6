"""Board pictures are rasterised, and tests check the pixels that a player would see."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import combinations, product
from math import dist, pi
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import picture_png
from games.engine import (
    DEFAULT_EDITION,
    Setup,
    apply_action,
    build_view,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from games.engine.board import CELL_INDEX, CELL_NAMES, PLACE_CELLS, PLACE_NAMES, VERTEX_COUNT
from games.engine.bots import choose_action
from games.engine.edition import Tile
from games.picture_lines import (
    BOARD_EXTENT,
    CELL_SIZE,
    FRAME_MARGIN,
    cell_centre,
    draw_feature_lines,
    draw_tile_lines,
    place_centre,
)
from games.picture_svg import (
    FREE_CELL_COLOUR,
    HIGHLIGHT_COLOUR,
    INK_COLOUR,
    SIDE_COLOURS,
    draw_board_svg,
    draw_tile_svg,
    render_png,
)

from .pixels import Pixels, render_close_up, render_pixels

BOX = load_edition(DEFAULT_EDITION)
KINDS = [kind for kind, tile in BOX.tiles.items() if tile.special != "dark"]
SVG = "{http://www.w3.org/2000/svg}"
RED, GREEN, BLUE = range(3)


def build_board_view(cells: str | dict[str, str] = "", *figures: tuple[str, str, int, int | None]) -> dict:
    """Build a view of some cells and figures: "b3=D90" is tile D on b3."""
    if isinstance(cells, str):
        cells = dict(word.split("=") for word in cells.split())
    cell_data = {name: {"tile": word[0], "rotation": int(word[1:] or 0)} for name, word in cells.items()}
    figure_data = [dict(zip(("kind", "place", "value", "side"), figure, strict=True)) for figure in figures]
    return {"edition": DEFAULT_EDITION, "board": {"cells": cell_data, "figures": figure_data}}


@cache
def play_board(seats: int, tiles: int, seed: int = 1) -> dict:
    """Play greedy bots until this many cells are filled; return the spectator's view."""
    mode = "solo" if seats == 1 else "singles"
    rng = random.Random(seed)
    key = rng.randbytes(32)
    state, _ = start_game(Setup(mode=mode, seats=seats, key=key, seniority=tuple(range(1, seats + 1))))
    while len(build_view(state)["board"]["cells"]) < tiles:
        seat = rng.choice(state.seats_to_act)
        action = choose_action("greedy", build_view(state, seat), legal_actions(state, seat), rng)
        state, _ = apply_action(state, seat, action)
    return build_view(state)


def build_crowded_board() -> dict:
    """Build a view with more than a board can hold: the longest possible picture."""
    cells = {name: f"{KINDS[i % len(KINDS)]}270" for i, name in enumerate(CELL_NAMES)}
    figures = [
        ("circle", name, 2, place % 4 + 1)
        if place < VERTEX_COUNT
        else ("small circle", name, 1, place % 4 + 1)
        for place, name in enumerate(PLACE_NAMES)
    ]
    return build_board_view(cells, *figures, ("infinity", "a1+a2+a3", 8, 1), ("infinity", "b1+c1+d1", 8, 2))


def get_scale(pixels: Pixels) -> float:
    return pixels.width / BOARD_EXTENT


BOARDS = {
    "nothing": lambda: build_board_view(),
    "an 8": lambda: build_board_view("b3=H a3=D", ("infinity", "a3+b3+c3", 8, None)),
    "unmarked": lambda: build_board_view("a1=E", ("circle", "frame+a1", 2, None)),
    "two seats": lambda: play_board(2, 12),
    "four seats": lambda: play_board(4, 20),
    "solo": lambda: play_board(1, 25),
    "crowded": build_crowded_board,
}


# ----------------------------------------------------------------------------------------------- the document


@pytest.mark.parametrize("name", BOARDS)
def test_a_picture_is_sound_xml_that_reaches_nowhere(name: str) -> None:
    drawn = draw_board_svg(BOARDS[name](), ghost=("F", "c1", 180), highlight=["b2"], dark=True)
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {BOARD_EXTENT} {BOARD_EXTENT}"
    names = [part.get("id") for part in root.iter() if part.get("id")]
    assert len(names) == len(set(names))
    for part in root.iter():
        assert part.tag.removeprefix(SVG) in {
            "svg",
            "title",
            "desc",
            "defs",
            "g",
            "use",
            "path",
            "rect",
            "circle",
        }
        assert not {"style", "class"} & set(part.keys())
        assert not any(key.startswith("on") or "url(" in value for key, value in part.items())
        if part.tag == f"{SVG}use":
            assert part.get("href", "").removeprefix("#") in names


def test_a_picture_says_what_it_shows() -> None:
    drawn = draw_board_svg(build_board_view("a1=E", ("circle", "frame+a1", 2, 3)), title="Match 2", size=320)
    root = ElementTree.fromstring(drawn)
    assert (root.get("role"), root.get("width"), root.get("height")) == ("img", "320", "320")
    assert [root[0].tag, root[0].text] == [f"{SVG}title", "Match 2"]
    assert [root[1].tag, root[1].text] == [
        f"{SVG}desc",
        "Closed figures: a circle between the frame and a1: side 3, 2 points.",
    ]
    assert "No closed figures." in draw_board_svg(build_board_view())


@given(st.text(st.characters()))
def test_any_title_stays_text(title: str) -> None:
    root = ElementTree.fromstring(draw_board_svg(build_board_view(), title=title))
    assert len(root[0]) == 0
    clean_title = re.sub(r"[\r\n]+|[\x00-\x1f\ud800-\udfff\ufffd-\uffff]", "", title)
    assert re.sub(r"[\r\n\t\ufffd]", "", root[0].text or "") == clean_title


def test_a_hostile_title_is_escaped() -> None:
    hostile = "</title><script>alert('1')</script>&amp;\x00\"]]>"
    drawn = draw_board_svg(build_board_view(), title=hostile)
    assert "<script" not in drawn
    assert ElementTree.fromstring(drawn)[0].text == hostile.replace("\x00", "\ufffd")


@pytest.mark.parametrize("name", BOARDS)
def test_a_picture_is_small(name: str) -> None:
    assert len(draw_board_svg(BOARDS[name](), ghost=("F", "c1", 180), highlight=CELL_NAMES).encode()) < 25_000


def test_the_same_board_gives_the_same_bytes() -> None:
    once = play_board(4, 20)
    cells = list(once["board"]["cells"].items())
    random.Random(1).shuffle(cells)
    second_view = once | {"board": {"cells": dict(cells), "figures": once["board"]["figures"]}}
    drawn = draw_board_svg(once, highlight=["a1", "b2"])
    assert drawn == draw_board_svg(second_view, highlight=["b2", "a1", "b2"])
    assert render_png(drawn, 200) == render_png(draw_board_svg(second_view, highlight={"a1", "b2"}), 200)


@pytest.mark.parametrize("width", [90, 200, 601])
def test_png_has_the_width_asked_for(width: int) -> None:
    pixels = render_pixels(draw_board_svg(build_board_view()), width)
    assert (pixels.width, pixels.height) == (width, width)


def test_png_of_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="token"):
        render_png("no picture", 100)


def test_editions_draw_their_own_tiles() -> None:
    for name in list_edition_names():
        assert "<use" in draw_board_svg(build_board_view() | {"edition": name})
        assert all("<use" in draw_tile_svg(name, kind) for kind in load_edition(name).tiles)


# ------------------------------------------------------------------------------------------------------ tiles


@pytest.mark.parametrize(("kind", "rotation"), [*product(BOX.tiles, (0, 90, 180, 270))])
def test_a_turned_drawing_is_the_drawing_of_the_turned_tile(kind: str, rotation: int) -> None:
    tile = BOX.tiles[kind]
    features = "" if tile.special == "dark" else draw_feature_lines(*tile.rotate_features(rotation))
    straight = re.sub('(<path d=")[^"]*', lambda entry: entry[1] + features, draw_tile_svg(BOX.name, kind))
    first, other = render_pixels(draw_tile_svg(BOX.name, kind, rotation), 120), render_pixels(straight, 120)
    for row, same in zip(first.rows, other.rows, strict=True):
        assert all(abs(a - b) <= 24 for a, b in zip(row, same, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_a_tile_looks_different_in_each_of_its_rotations(kind: str) -> None:
    pictures = [
        render_png(draw_tile_svg(BOX.name, kind, rotation), 60) for rotation in BOX.tiles[kind].rotations
    ]
    assert len(set(pictures)) == len(pictures)


def test_tiles_all_look_different_and_a_dark_one_is_blank() -> None:
    assert len({render_png(draw_tile_svg(BOX.name, kind), 60) for kind in BOX.tiles}) == len(BOX.tiles)
    dark = [tile for tile in BOX.tiles.values() if tile.special == "dark"]
    assert [draw_tile_lines(tile) for tile in dark] == [""]


@pytest.mark.parametrize("kind", KINDS)
def test_every_side_has_its_two_line_ends_and_no_more(kind: str) -> None:
    pixels = render_pixels(draw_tile_svg(BOX.name, kind), 180)
    for i in range(10, 170):
        wanted = min(abs(i - 60), abs(i - 120)) < 4
        if not wanted and min(abs(i - 60), abs(i - 120)) < 10:
            continue  # a half circle leaves its side at an angle
        assert [pixels.light(*at) for at in ((i, 1), (i, 178), (1, i), (178, i))] == [wanted] * 4


def test_features_are_drawn_not_letters() -> None:
    tile = Tile(kind="Q", corners="c-s-", sides="----", crossing="", special="", value=6, copies=1)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-45 -45 90 90"><path d="{draw_tile_lines(tile)}" '
    )
    pixels = render_pixels(drawn + 'fill="none" stroke="#fff" stroke-width="6"/></svg>', 90)
    lit = {(x, y) for x, y in product((5, 21, 30, 45, 60, 75), repeat=2) if pixels.light(x, y)}
    arc, square = {(5, 30), (21, 21), (30, 5)}, {(60, 60), (60, 75), (75, 60)}
    assert lit == arc | square


# ---------------------------------------------------------------------------------------------------- figures


@pytest.mark.parametrize(("kind", "mark", "size"), [("E", "c", 200), ("E", "c", 600), ("A", "s", 600)])
def test_closed_circles_and_squares_look_closed(kind: str, mark: str, size: int) -> None:
    pixels = render_pixels(draw_board_svg(build_board_view(dict.fromkeys(CELL_NAMES, kind))), size)
    unit = get_scale(pixels)
    inside = (pi * 27**2 if mark == "c" else 54**2) * unit**2
    for v in range(VERTEX_COUNT):
        column, row = divmod(v, 6)
        frame = BOX.frame[column] if row in (0, 5) else BOX.frame[row] if column in (0, 5) else mark
        if mark == frame:
            at = place_centre(PLACE_NAMES[v]) * unit
            reached = pixels.flood(at.real, at.imag)
            assert all(max(abs(x - at.real), abs(y - at.imag)) < 31 * unit for x, y in reached), PLACE_NAMES[
                v
            ]
            assert len(reached) == pytest.approx(inside, rel=0.12 if size < 300 else 0.04)


def test_closed_small_circles_look_closed() -> None:
    pixels = render_pixels(draw_board_svg(build_board_view(dict.fromkeys(CELL_NAMES, "H"))), 600)
    unit = get_scale(pixels)
    for name in PLACE_NAMES[VERTEX_COUNT:]:
        at = place_centre(name) * unit
        assert len(pixels.flood(at.real, at.imag)) == pytest.approx(pi * (12 * unit) ** 2, rel=0.1)


@pytest.mark.parametrize(
    ("cells", "place"), [("b4=H b3=D90 b2=H", "b2+b3+b4"), ("b4=H c4=D d4=H", "b4+c4+d4")]
)
def test_an_8_looks_closed_and_glows(cells: str, place: str) -> None:
    plain = render_pixels(draw_board_svg(build_board_view(cells)), 600)
    unit = get_scale(plain)
    first, middle, last = (cell_centre(name) * unit for name in place.split("+"))
    for loop in ((first + middle) / 2, (last + middle) / 2):
        reached = plain.flood(loop.real, loop.imag)
        assert 500 < len(reached) < 1500
        assert all(abs(complex(x, y) - loop) < CELL_SIZE / 2 * unit for x, y in reached)
    glowing = render_close_up(
        draw_board_svg(build_board_view(cells, ("infinity", place, 8, 2))), cell_centre(place[3:5]), 40
    )
    dull = render_close_up(draw_board_svg(build_board_view(cells)), cell_centre(place[3:5]), 40)
    assert glowing.count(SIDE_COLOURS[2]) > 2000
    assert dull.count(SIDE_COLOURS[2]) == 0
    for x, y in ((100, 160), (220, 160), (160, 100), (160, 220)):  # points around the crossing
        assert glowing.get_pixel(x, y)[RED] > dull.get_pixel(x, y)[RED] + 40


def test_an_open_figure_looks_open() -> None:
    cells = {"c3": "E", "d3": "E", "d4": "E"}
    pixels = render_pixels(draw_board_svg(build_board_view(cells)), 300)
    at = place_centre("c3+c4+d3+d4") * get_scale(pixels)
    wide = pixels.flood(at.real + 5, at.imag + 5)
    assert len(wide) > 2 * pi * (27 * get_scale(pixels)) ** 2


def test_places_are_where_their_cells_meet() -> None:
    for place, name in enumerate(PLACE_NAMES):
        centres = [cell_centre(CELL_NAMES[x]) for x in PLACE_CELLS[place]]
        assert {round(abs(at - place_centre(name)) ** 2) for at in centres} == {
            4050 if place < VERTEX_COUNT else 2025
        }
    assert cell_centre("a1") == complex(FRAME_MARGIN + 45, BOARD_EXTENT - FRAME_MARGIN - 45)
    assert CELL_INDEX["e5"] == 24
    assert cell_centre("e5") == complex(BOARD_EXTENT - FRAME_MARGIN - 45, FRAME_MARGIN + 45)


# ---------------------------------------------------------------------------------------------------- markers


@pytest.mark.parametrize(
    ("cells", "kind", "place", "value"),
    [
        ("a1=E", "circle", "frame+a1", 2),
        ("e2=A e1=A", "square", "frame+e1+e2", 4),
        ("b3=H b4=H", "small circle", "b3+b4", 1),
    ],
)
def test_markers_have_the_colour_and_the_digit_of_their_side(
    cells: str, kind: str, place: str, value: int
) -> None:
    inks = set()
    for side, colour in SIDE_COLOURS.items():
        drawn = draw_board_svg(build_board_view(cells, (kind, place, value, side)))
        assert drawn.count(f'fill="{colour}"') == 1
        assert not any(f'fill="{other}"' in drawn for other in SIDE_COLOURS.values() if other != colour)
        reach = 8 if value == 1 else 16
        pixels = render_close_up(drawn, place_centre(place), reach)
        everywhere = product(range(pixels.width), repeat=2)
        ink = frozenset((x, y) for x, y in everywhere if max(pixels.get_pixel(x, y)[:3]) < 80)
        assert len(ink) > pixels.width * 4  # a stroke, not a dot
        assert pixels.count(colour) > len(ink)
        inks.add(ink)
    assert len(inks) == 4


def test_a_figure_without_a_marker_is_hatched() -> None:
    drawn = draw_board_svg(build_board_view("a1=E", ("circle", "frame+a1", 2, None)))
    assert not any(colour in drawn for colour in SIDE_COLOURS.values())
    assert render_png(drawn, 200) != render_png(draw_board_svg(build_board_view("a1=E")), 200)


def test_a_lost_figure_is_crossed_out_and_named() -> None:
    view = build_board_view("a1=E", ("circle", "frame+a1", 2, None))
    lost_view = build_board_view("a1=E", ("circle", "frame+a1", 2, None))
    lost_view["board"]["figures"][0]["lost"] = True
    drawn = draw_board_svg(lost_view)
    assert "a circle between the frame and a1: lost for all, 2 points" in drawn
    assert render_png(drawn, 200) != render_png(draw_board_svg(view), 200)
    assert picture_png.draw_board_png(lost_view, width=300) != picture_png.draw_board_png(view, width=300)


SEEING = {  # Machado, Oliveira and Fernandes 2009, full strength, on linear RGB
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def convert_to_lab(colour: str, eyes: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """Convert a colour to CIE L*a*b* with this kind of colour vision."""
    linear = [((v / 255 + 0.055) / 1.055) ** 2.4 for v in bytes.fromhex(colour[1:])]
    r, g, b = (min(max(sum(k * v for k, v in zip(row, linear, strict=True)), 0), 1) for row in eyes)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eyes", SEEING)
def test_the_sides_colours_are_distinguished_by_all_eyes(eyes: str) -> None:
    colours = [convert_to_lab(colour, SEEING[eyes]) for colour in SIDE_COLOURS.values()]
    assert min(dist(*pair) for pair in combinations(colours, 2)) > 30  # a difference of 2 is barely visible
    ink = convert_to_lab(INK_COLOUR, SEEING[eyes])
    assert all(colour[0] - ink[0] > 35 for colour in colours)  # the digits are readable


# ------------------------------------------------------------------------------------ highlights and outlines


def test_free_cells_carry_their_names_and_tiles_hide_them() -> None:
    drawn = ElementTree.fromstring(draw_board_svg(build_board_view("a1=E")))
    used = [part.get("href") for part in drawn.iter(f"{SVG}use")]
    signs = {sign: used.count(f"#otto-{sign}") for sign in "abcde12345"}
    # Each sign stands on the frame and on five cells; the filled cells a1 and c3 show none.
    assert signs == {sign: 5 if sign in "ac13" else 6 for sign in signs}
    assert (
        render_close_up(draw_board_svg(build_board_view("a1=E")), cell_centre("b5"), 40).count(
            FREE_CELL_COLOUR
        )
        > 90_000
    )
    assert (
        render_close_up(draw_board_svg(build_board_view("a1=E")), cell_centre("a1"), 40).count(
            FREE_CELL_COLOUR
        )
        == 0
    )


def test_a_ghost_is_a_tile_one_can_see_through() -> None:
    on_line = cell_centre("c4") + complex(-15, 30)  # a point on a line of a quarter of the square
    pictures = (
        draw_board_svg(build_board_view()),
        draw_board_svg(build_board_view(), ghost=("A", "c4", 0)),
        draw_board_svg(build_board_view("c4=A")),
    )
    free, ghost, tile = (render_close_up(drawn, on_line, 1).get_pixel(4, 4) for drawn in pictures)
    assert free[GREEN] + 40 < ghost[GREEN] < tile[GREEN] - 10
    turned = draw_board_svg(build_board_view(), ghost=("B", "c4", 90))
    assert render_png(turned, 200) != render_png(
        draw_board_svg(build_board_view(), ghost=("B", "c4", 270)), 200
    )
    with pytest.raises(KeyError):
        draw_board_svg(build_board_view(), ghost=("A", "z9", 0))


def test_highlighted_cells_are_outlined() -> None:
    drawn = draw_board_svg(build_board_view("c4=A"), highlight=["c4", "a1"])
    for name in ("c4", "a1"):
        assert render_close_up(drawn, cell_centre(name) + 42.5j, 1).count(HIGHLIGHT_COLOUR) == 64
    assert render_close_up(drawn, cell_centre("b2") + 42.5j, 1).count(HIGHLIGHT_COLOUR) == 0
    assert "#otto-outline" not in draw_board_svg(build_board_view("c4=A"))


def test_the_surroundings_are_transparent_unless_asked_for() -> None:
    corner = {
        dark: render_pixels(draw_board_svg(build_board_view(), dark=dark), 200).get_pixel(0, 0)
        for dark in (None, True, False)
    }
    assert corner[None][3] == 0
    assert corner[True][3] == corner[False][3] == 255
    assert max(corner[True][:3]) < 40 < 240 < min(corner[False][:3])


def test_the_pictured_figures_are_the_engines() -> None:
    """In a greedy match, each figure of the engine is a closed line in the picture without markers."""
    match = play_board(2, 25)
    bare = match | {"board": match["board"] | {"figures": []}}
    pixels = render_pixels(draw_board_svg(bare), 600)
    figures = [figure for figure in match["board"]["figures"] if figure["value"] != 8]
    assert len(figures) > 3
    inside = {1: pi * 12**2, 2: pi * 27**2, 4: 54**2}
    for figure in figures:
        at = place_centre(figure["place"]) * get_scale(pixels)
        area = len(pixels.flood(at.real, at.imag)) / get_scale(pixels) ** 2
        assert area == pytest.approx(inside[figure["value"]], rel=0.1)
