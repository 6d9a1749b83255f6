"""Boards composed of cached sprites have the same pixels as boards that resvg draws whole."""

from __future__ import annotations

import io
import random
import threading
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from games import picture_png, picture_sprites, picture_svg
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
from games.engine.board import CELL_NAMES, PLACE_NAMES, VERTEX_COUNT
from games.engine.bots import choose_action
from games.picture_png import (
    OFFERED_WIDTHS,
    compute_board_tag,
    draw_board_png,
    draw_tile_png,
    find_offered_width,
)
from games.sprite_cache import SpriteCache
from tests.example_counts import SOAK
from tests.helpers.sampling import sample_combinations, sample_items

BOX = load_edition(DEFAULT_EDITION)
KINDS = [kind for kind, tile in BOX.tiles.items() if tile.special != "dark"]
THEMES = (None, True, False)
MAX_DIFFERENCE = 2  # levels per channel
SIDES = (1, 2, 3, 4, None)
# Every side at one width and one side at each other width; the rest only in `make soak`.
OTHER_WIDTHS = [width for width in OFFERED_WIDTHS if width != 420]
WIDTHS_AND_SIDES = [
    *((420, side) for side in SIDES),
    *sample_combinations("widths and sides of figures", OTHER_WIDTHS, SIDES),
]
INDEXED = 3  # PNG colour type


def build_board(cells: dict[str, tuple[str, int]], *figures: tuple[str, str, int, int | None]) -> dict:
    cell_data = {name: {"tile": kind, "rotation": rotation} for name, (kind, rotation) in cells.items()}
    figure_data = [dict(zip(("kind", "place", "value", "side"), figure, strict=True)) for figure in figures]
    return {"edition": DEFAULT_EDITION, "board": {"cells": cell_data, "figures": figure_data}}


@cache
def list_played_boards(seed: int, count: int) -> list[dict]:
    """Return spectator views of bot games, each stopped at a random point."""
    rng, boards = random.Random(seed), []
    for _ in range(count):
        mode, seats = rng.choice([("solo", 1), ("singles", 2), ("singles", 3), ("singles", 4), ("pairs", 4)])
        setup = Setup(mode=mode, seats=seats, key=rng.randbytes(32), seniority=tuple(range(1, seats + 1)))
        state, _ = start_game(setup)
        for _ in range(rng.randrange(5, 140)):
            if state.is_over:
                break
            seat = rng.choice(state.seats_to_act)
            policy = rng.choice(["greedy", "random"])
            action = choose_action(policy, build_view(state, seat), legal_actions(state, seat), rng)
            state, _ = apply_action(state, seat, action)
        boards.append(build_view(state))
    return boards


def decode_png(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGBA")


def measure_difference(
    view: dict, width: int, dark: bool | None = None, highlight: tuple[str, ...] = ()
) -> int:
    """Return the greatest difference of any channel of any pixel from the picture by resvg."""
    actual = decode_png(draw_board_png(view, width=width, dark=dark, highlight=highlight))
    expected = decode_png(
        picture_svg.render_png(picture_svg.draw_board_svg(view, dark=dark, highlight=highlight), width)
    )
    assert actual.size == expected.size == (width, width)
    return max(high for _, high in ImageChops.difference(actual, expected).getextrema())


# ------------------------------------------------------------------------------------- equality with resvg


@pytest.mark.parametrize("width", OFFERED_WIDTHS)
def test_boards_of_played_games_look_as_resvg_draws_them(width: int) -> None:
    every = 1 if SOAK or width == 420 else 5  # coprime with the cycles of themes and highlights
    for number, view in list(enumerate(list_played_boards(2, 12)))[
        OFFERED_WIDTHS.index(width) % every :: every
    ]:
        fresh = tuple(sorted(view["board"]["cells"])[number % 3 :: 4]) if number % 2 else ()
        assert measure_difference(view, width, THEMES[number % 3], fresh) <= MAX_DIFFERENCE, (number, fresh)


@pytest.mark.parametrize("width", OFFERED_WIDTHS)
def test_every_tile_in_every_rotation_and_in_every_cell_looks_the_same(width: int) -> None:
    """With `make soak`, every tile in every cell; otherwise every tile once, and a tile in every cell."""
    every = [*product(KINDS, (0, 90, 180, 270))]
    half = len(every) // 2  # two boards at this offset contain all tiles
    firsts = sample_items(f"first tiles at {width}", range(half), 5 if width == 420 else 1)
    for first in [first + more for first in firsts for more in (0, half)]:
        full = {name: every[(first + i) % len(every)] for i, name in enumerate(CELL_NAMES)}
        scattered = {name: tile for i, (name, tile) in enumerate(full.items()) if (i * 7 + first) % 3}
        assert measure_difference(build_board(full), width) <= MAX_DIFFERENCE
        assert measure_difference(build_board(scattered), width, True) <= MAX_DIFFERENCE


@pytest.mark.parametrize(("width", "side"), WIDTHS_AND_SIDES)
def test_markers_of_all_kinds_look_the_same_at_every_place(width: int, side: int | None) -> None:
    vertices = [
        ("circle" if i % 2 else "square", place, 2 if i % 2 else 4, side) for i, place in VERTEX_PLACES
    ]
    other_figures = [
        ("square" if i % 2 else "circle", place, 4 if i % 2 else 2, side) for i, place in VERTEX_PLACES
    ]
    edges = [("small circle", place, 1, side) for place in PLACE_NAMES[VERTEX_COUNT:]]
    for figures in (vertices, [*other_figures, *edges]):
        view = build_board(dict.fromkeys(CELL_NAMES, ("H", 0)), *figures)
        assert measure_difference(view, width, side == 1) <= MAX_DIFFERENCE


VERTEX_PLACES = list(enumerate(PLACE_NAMES[:VERTEX_COUNT]))


@pytest.mark.parametrize(("width", "side"), WIDTHS_AND_SIDES)
def test_an_8_looks_the_same_along_and_across(width: int, side: int | None) -> None:
    across = {"a3": ("H", 0), "b3": ("D", 0), "c3": ("H", 0), "b4": ("B", 90)}
    along = {"d2": ("H", 0), "d3": ("D", 90), "d4": ("F", 0)}
    both = [("infinity", "a3+b3+c3", 8, side), ("infinity", "d2+d3+d4", 8, 2)]
    assert measure_difference(build_board(across, both[0]), width, False) <= MAX_DIFFERENCE
    assert (
        measure_difference(build_board(across | along, *both), width, highlight=("b3", "d4"))
        <= MAX_DIFFERENCE
    )


@pytest.mark.parametrize("dark", THEMES)
def test_free_cells_are_outlined_and_corners_are_as_the_theme_has_them(dark: bool | None) -> None:
    view = build_board({"b3": ("A", 0), "c4": ("F", 270)})
    assert measure_difference(view, 300, dark, ("a3", "b2", "c2", "c4", "e5")) <= MAX_DIFFERENCE
    corner = decode_png(draw_board_png(view, width=300, dark=dark)).getpixel((0, 0))
    assert corner == {None: (0, 0, 0, 0), True: (11, 12, 14, 255), False: (255, 255, 255, 255)}[dark]


@settings(max_examples=25, deadline=None)
@given(
    cells=st.dictionaries(
        st.sampled_from(CELL_NAMES), st.tuples(st.sampled_from(KINDS), st.sampled_from((0, 90, 180, 270)))
    ),
    highlight=st.sets(st.sampled_from(CELL_NAMES), max_size=6),
    dark=st.sampled_from(THEMES),
)
def test_any_board_at_all_looks_the_same(
    cells: dict[str, tuple[str, int]], highlight: set[str], dark: bool | None
) -> None:
    assert measure_difference(build_board(cells), 420, dark, tuple(sorted(highlight))) <= MAX_DIFFERENCE


def test_other_editions_are_drawn_with_their_own_tiles_and_frame() -> None:
    for name in list_edition_names():
        kinds = [kind for kind, tile in load_edition(name).tiles.items() if tile.special != "dark"]
        cells = {cell: (kinds[i % len(kinds)], 90) for i, cell in enumerate(CELL_NAMES[::2])}
        assert measure_difference(build_board(cells) | {"edition": name}, 300) <= MAX_DIFFERENCE


def test_a_tile_by_itself_looks_the_same() -> None:
    for kind in BOX.tiles:
        actual = decode_png(draw_tile_png(DEFAULT_EDITION, kind, 90))
        expected = decode_png(picture_svg.render_png(picture_svg.draw_tile_svg(DEFAULT_EDITION, kind), 90))
        assert max(high for _, high in ImageChops.difference(actual, expected).getextrema()) <= MAX_DIFFERENCE


# ------------------------------------------------------------------------------------------------ the file


def test_a_board_of_two_sides_has_a_palette_and_half_the_bytes() -> None:
    boards = [view for view in list_played_boards(3, 12) if len(view["seats"]) == 2]
    assert boards
    for view in boards:
        actual, expected = (
            draw_board_png(view, width=600),
            picture_svg.render_png(picture_svg.draw_board_svg(view), 600),
        )
        assert actual[25] == INDEXED
        assert len(actual) < 0.6 * len(expected)


@pytest.mark.parametrize("dark", THEMES)
def test_a_picture_of_too_many_colours_does_without_a_palette(dark: bool | None) -> None:
    """More colours than any real board has."""
    ground = picture_sprites.find_background(DEFAULT_EDITION, 300, dark)
    gaudy = ground.pixels.copy()
    for i in range(1000):
        gaudy.putpixel((100 + i % 40, 100 + i // 40), (i % 10 * 25, i // 10 % 10 * 25, i // 100 * 25))
    encoded = picture_png.encode_png(gaudy, ground)
    assert encoded[25] != INDEXED
    wanted = gaudy.convert("RGBA")
    if ground.opacity:
        wanted.putalpha(ground.opacity)
    assert decode_png(encoded).tobytes() == wanted.tobytes()


def test_only_some_widths_are_offered() -> None:
    assert OFFERED_WIDTHS == (100, 300, 420, 600, 780, 1200)
    rounded = {1: 100, 100: 100, 101: 300, 600: 600, 601: 780, 781: 1200, 1200: 1200}
    assert {width: find_offered_width(width) for width in rounded} == rounded
    with pytest.raises(ValueError, match="1201"):
        find_offered_width(1201)
    with pytest.raises(ValueError, match="601"):
        draw_board_png(build_board({}), width=601)


# ------------------------------------------------------------------------------------------------- the tag


def test_a_tag_tells_pictures_apart_by_all_that_they_show() -> None:
    first, other = build_board({"a1": ("A", 0)}), build_board({"a1": ("B", 0)})
    marked = build_board({"a1": ("A", 0)}, ("circle", "frame+a1", 2, 1))
    tags = [
        compute_board_tag(first, form="png", width=600),
        compute_board_tag(other, form="png", width=600),
        compute_board_tag(marked, form="png", width=600),
        compute_board_tag(first, form="svg", width=600),
        compute_board_tag(first, form="png", width=780),
        compute_board_tag(first, form="png", width=600, dark=True),
        compute_board_tag(first, form="png", width=600, dark=False),
        compute_board_tag(first, form="png", width=600, highlight=["a1"]),
        compute_board_tag(first | {"edition": list_edition_names()[-1]}, form="png", width=600),
    ]
    assert len(set(tags)) == len(tags) - (list_edition_names()[-1] == DEFAULT_EDITION)
    reordered = build_board(dict(reversed([*{"a1": ("A", 0), "b2": ("C", 90)}.items()])))
    same = build_board({"a1": ("A", 0), "b2": ("C", 90)})
    assert compute_board_tag(reordered, form="png", width=600) == compute_board_tag(
        same, form="png", width=600
    )


def test_a_tag_draws_nothing() -> None:
    before = picture_svg.DRAWING_COUNTER.read_counts()
    compute_board_tag(build_board({"a1": ("A", 0)}), form="png", width=600)
    assert picture_svg.DRAWING_COUNTER.read_counts() == before


# ------------------------------------------------------------------------------------------------ caches


def test_pieces_are_drawn_once() -> None:
    view = list_played_boards(4, 1)[0]
    first = draw_board_png(view, width=420)
    before = picture_svg.DRAWING_COUNTER.read_counts()
    assert draw_board_png(view, width=420) == first
    after = picture_svg.DRAWING_COUNTER.read_counts()
    assert (after["png"], after["resvg"]) == (before["png"] + 1, before["resvg"])


def test_the_cache_keeps_what_was_used_last_within_its_bounds() -> None:
    cache: SpriteCache[str] = SpriteCache("letters", 10)
    for letter in "abc":
        cache.store(letter, letter.upper(), 3)
    assert cache.find("a") == "A"
    cache.store("d", "D", 3)
    assert [cache.find(letter) for letter in "abcd"] == ["A", None, "C", "D"]
    assert (cache.used_bytes, len(cache), cache.evictions, cache.hits, cache.misses) == (9, 3, 1, 4, 1)
    cache.store("d", "D", 4)
    assert cache.used_bytes == 10
    cache.store("huge", "H", 11)
    assert (cache.find("huge"), cache.used_bytes) == (None, 0)
    assert "letters" in repr(cache)
    cache.clear()
    assert len(cache) == 0


def test_threads_that_want_the_same_piece_wait_for_one_drawing() -> None:
    cache: SpriteCache[int] = SpriteCache("numbers", 100)
    drawing_started, go_on = threading.Event(), threading.Event()
    drawn, got = [], []

    def draw_slowly() -> tuple[int, int]:
        drawn.append(1)
        drawing_started.set()
        assert go_on.wait(30)
        return 7, 1

    threads = [
        threading.Thread(target=lambda: got.append(cache.find_or_draw("x", draw_slowly))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    assert drawing_started.wait(30)
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert (got, len(drawn)) == ([7] * 6, 1)


def test_a_small_cache_still_draws_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_sprites, "SPRITE_CACHE", SpriteCache("too small", 50_000))
    for view in list_played_boards(5, 2):
        assert measure_difference(view, 300) <= MAX_DIFFERENCE


def test_threads_draw_the_same_at_once() -> None:
    boards = list_played_boards(6, 4)
    picture_sprites.SPRITE_CACHE.clear()
    drawn: dict[tuple[int, int], bytes] = {}

    def draw_boards(thread: int) -> None:
        for number, view in enumerate(boards):
            drawn[thread, number] = draw_board_png(view, width=300)

    threads = [threading.Thread(target=draw_boards, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    for number, view in enumerate(boards):
        assert {drawn[thread, number] for thread in range(4)} == {draw_board_png(view, width=300)}
