"""RULES 2: the board, the tiles, the frame, and when a figure is closed."""

from __future__ import annotations

import pytest

from games.engine import (
    GameEvent,
    Setup,
    State,
    apply_action,
    build_view,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from tests.factories.positions import build_position

# Corners NW NE SE SW and sides N E S W of every tile in every rotation that looks different.
FEATURES_BY_TILE = {
    "A0": ("ssss", "----"),
    "B0": ("sscc", "----"),
    "B90": ("cssc", "----"),
    "B180": ("ccss", "----"),
    "B270": ("sccs", "----"),
    "C0": ("scsc", "----"),
    "C90": ("cscs", "----"),
    "D0": ("----", "u-u-"),
    "D90": ("----", "-u-u"),
    "E0": ("cccc", "----"),
    "F0": ("sc--", "--u-"),
    "F90": ("-sc-", "---u"),
    "F180": ("--sc", "u---"),
    "F270": ("c--s", "-u--"),
    "G0": ("cs--", "--u-"),
    "G90": ("-cs-", "---u"),
    "G180": ("--cs", "u---"),
    "G270": ("s--c", "-u--"),
    "H0": ("----", "uuuu"),
    "I0": ("----", "----"),
}
BORDERS = [["a1", "b1", "c1", "d1", "e1"], ["a5", "b5", "c5", "d5", "e5"]]
BORDERS += [["a1", "a2", "a3", "a4", "a5"], ["e1", "e2", "e3", "e4", "e5"]]


def place_tile(cells: dict[str, str], word: str, cell: str) -> tuple[State, list[GameEvent]]:
    """Put a tile, written "B90", on a cell; the position has no duty, so any cell beside a tile is legal."""
    state = build_position(cells, drawn=word[0], obligation="lenient")
    return apply_action(state, 1, f"{word[0]}-{cell}-{word[1:]}")


def list_closed_figures(events: list[GameEvent]) -> dict[str, int]:
    return {event["place"]: event["value"] for event in events if event["event"] == "closed"}


def list_eights(events: list[GameEvent]) -> list[str]:
    return [event["cell"] for event in events if event["event"] == "infinity"]


def test_a_match_begins_with_an_e_on_the_centre_and_24_free_cells() -> None:
    state, _ = start_game(Setup())
    assert build_view(state)["board"] == {"cells": {"c3": {"tile": "E", "rotation": 0}}, "figures": []}
    assert len(state.cells) == 25


@pytest.mark.parametrize("name", list_edition_names())
def test_the_box_holds_36_tiles_of_the_stated_values_and_copies(name: str) -> None:
    tiles = load_edition(name).tiles
    assert {kind: (tile.value, tile.copies) for kind, tile in tiles.items()} == {
        "A": (16, 4),
        "B": (12, 4),
        "C": (12, 4),
        "D": (10, 4),
        "E": (8, 4),
        "F": (7, 2),
        "G": (7, 2),
        "H": (4, 4),
        "I": (0, 4),
        "J": (0, 4),
    }
    assert len(load_edition(name).all_tiles) == 36


@pytest.mark.parametrize("word", FEATURES_BY_TILE)
def test_a_tile_turned_clockwise_carries_its_corners_as_the_table_says(word: str) -> None:
    corners = {"b4": "NW", "a4": "NE", "a5": "SE", "b5": "SW"}  # which corner of the cell lies at the vertex
    for mark, (cell, _) in zip(FEATURES_BY_TILE[word][0], corners.items(), strict=True):
        for kind, other, value in (("c", "E", 2), ("s", "A", 4)):
            _, events = place_tile({each: other for each in corners if each != cell}, word, cell)
            assert list_closed_figures(events).get("a4+a5+b4+b5") == (value if mark == kind else None), (
                cell,
                kind,
            )


@pytest.mark.parametrize("word", FEATURES_BY_TILE)
def test_a_tile_turned_clockwise_carries_its_half_circles_as_the_table_says(word: str) -> None:
    ring = {"d5": "d4+d5", "e4": "d4+e4", "d3": "d3+d4", "c4": "c4+d4"}  # N E S W of d4
    _, events = place_tile(dict.fromkeys(ring, "H"), word, "d4")
    marks = zip(FEATURES_BY_TILE[word][1], ring.values(), strict=True)
    assert list_closed_figures(events) == {place: 1 for mark, place in marks if mark == "u"}


@pytest.mark.parametrize("word", FEATURES_BY_TILE)
def test_only_d_carries_a_crossing_and_it_runs_west_to_east_before_it_is_turned(word: str) -> None:
    _, along_the_row = place_tile({"c4": "H", "e4": "H"}, word, "d4")
    _, along_the_column = place_tile({"d3": "H", "d5": "H"}, word, "d4")
    assert list_eights(along_the_row) == (["d4"] if word == "D0" else [])
    assert list_eights(along_the_column) == (["d4"] if word == "D90" else [])


@pytest.mark.parametrize(
    ("corner", "beside", "rotations"),
    [("a1", "a2", (0, 90)), ("a5", "a4", (90, 180)), ("e5", "e4", (180, 270)), ("e1", "e2", (0, 270))],
)
def test_columns_run_from_the_left_and_rows_from_the_bottom(
    corner: str, beside: str, rotations: tuple[int, ...]
) -> None:
    state = build_position({beside: "I"}, drawn="B")
    assert set(legal_actions(state, 1)) == {f"B-{corner}-{rotation}" for rotation in rotations}


@pytest.mark.parametrize("border", BORDERS, ids=["bottom", "top", "left", "right"])
def test_the_frame_reads_c_s_c_c_s_c_from_corner_to_corner(border: list[str]) -> None:
    for first, other, kind in zip(border, border[1:], "sccs", strict=False):
        place = f"frame+{first}+{other}"
        _, circles = place_tile({first: "E"}, "E0", other)
        _, squares = place_tile({first: "A"}, "A0", other)
        assert list_closed_figures(circles).get(place) == (2 if kind == "c" else None), place
        assert list_closed_figures(squares).get(place) == (4 if kind == "s" else None), place


@pytest.mark.parametrize(("corner", "beside"), [("a1", "a2"), ("a5", "a4"), ("e1", "d1"), ("e5", "d5")])
def test_one_tile_closes_the_circle_at_a_corner_of_the_board(corner: str, beside: str) -> None:
    _, circle = place_tile({beside: "I"}, "E0", corner)
    _, square = place_tile({beside: "I"}, "A0", corner)
    assert list_closed_figures(circle) == {f"frame+{corner}": 2}
    assert list_closed_figures(square) == {}


def test_the_frame_has_no_half_small_circles() -> None:
    for cell, beside in (("a3", "b3"), ("e3", "d3"), ("c1", "c2"), ("c5", "c4"), ("a1", "a2")):
        _, events = place_tile({beside: "I"}, "H0", cell)
        assert list_closed_figures(events) == {}


def test_a_crossing_that_runs_into_the_frame_makes_no_8() -> None:
    for word, cell, end in (("D0", "a4", "b4"), ("D0", "e4", "d4"), ("D90", "d5", "d4"), ("D90", "d1", "d2")):
        _, events = place_tile({end: "H"}, word, cell)
        assert list_eights(events) == []


def test_a_figure_inside_the_board_needs_all_four_cells() -> None:
    for three_of_four in (({"b3": "E"}, "c4"), ({"b4": "E"}, "b3"), ({"c4": "E"}, "b4")):
        _, events = place_tile(three_of_four[0], "E0", three_of_four[1])
        assert list_closed_figures(events) == {}
    for last in ("b3", "b4", "c4"):
        _, events = place_tile({cell: "E" for cell in ("b3", "b4", "c4") if cell != last}, "E0", last)
        assert list_closed_figures(events) == {"b3+b4+c3+c4": 2}


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        ({"b3": "E", "b4": "E"}, "A0"),
        ({"b3": "E", "b4": "A"}, "E0"),
        ({"b3": "E", "b4": "A"}, "A0"),
        ({"b3": "E", "b4": "I"}, "E0"),
        ({"b3": "A", "b4": "A"}, "A0"),
        ({"b3": "E", "b4": "E"}, "H0"),
    ],
)
def test_a_vertex_of_mixed_kinds_is_closed_by_nobody_for_nothing(cells: dict[str, str], word: str) -> None:
    state, events = place_tile(cells, word, "c4")
    assert list_closed_figures(events) == {}
    assert build_view(state)["board"]["figures"] == []


def test_a_small_circle_needs_both_halves() -> None:
    _, both = place_tile({"c4": "H"}, "D90", "d4")
    _, first_events = place_tile({"c4": "H"}, "D0", "d4")
    _, other = place_tile({"c4": "D0"}, "H0", "d4")
    assert list_closed_figures(both) == {"c4+d4": 1}
    assert list_closed_figures(first_events) == list_closed_figures(other) == {}


@pytest.mark.parametrize(("west", "east"), [("H0", "H0"), ("F270", "G90"), ("G270", "F90"), ("D90", "D90")])
def test_an_8_is_a_d_between_two_half_circles_that_face_it_whichever_tile_comes_last(
    west: str, east: str
) -> None:
    row = {"b4": west, "c4": "D0", "d4": east}
    for last in row:
        _, events = place_tile({cell: word for cell, word in row.items() if cell != last}, row[last], last)
        assert list_eights(events) == ["c4"], last


@pytest.mark.parametrize(("south", "north"), [("H0", "H0"), ("F180", "F0"), ("D0", "G0")])
def test_an_8_can_stand_upright(south: str, north: str) -> None:
    column = {"d2": south, "d3": "D90", "d4": north}
    for last in column:
        _, events = place_tile(
            {cell: word for cell, word in column.items() if cell != last}, column[last], last
        )
        assert list_eights(events) == ["d3"], last


@pytest.mark.parametrize(
    ("west", "middle", "east"),
    [
        ("H0", "D0", "E0"),  # one end has no half circle
        ("E0", "D0", "H0"),
        ("H0", "D0", "F270"),  # its half circle looks away
        ("D0", "D0", "H0"),
        ("H0", "D90", "H0"),  # the crossing runs the other way
        ("H0", "H0", "H0"),
    ],
)
def test_no_8_where_an_end_or_the_crossing_is_missing(west: str, middle: str, east: str) -> None:
    row = {"b4": west, "c4": middle, "d4": east}
    for last in row:
        _, events = place_tile({cell: word for cell, word in row.items() if cell != last}, row[last], last)
        assert list_eights(events) == [], last


def test_a_tile_that_completes_two_8s_scores_8_once() -> None:
    state, events = place_tile({"a4": "H", "b4": "D0", "d4": "D0", "e4": "H"}, "H0", "c4")
    assert sorted(list_eights(events)) == ["b4", "d4"]
    assert state.match_results[-1]["scores"] == {"1": 8, "2": 0}


def test_one_tile_closes_every_figure_it_completes() -> None:
    # F0 on b4: a quarter of a square to the NW, of a circle to the NE, half a small circle to the S
    cells = {"a4": "A", "a5": "A", "c5": "E", "c4": "E", "b3": "H"}
    square, circle, small = ("a4+a5+b4+b5", 4), ("b4+b5+c4+c5", 2), ("b3+b4", 1)
    for above, figures in (
        ("B270", [square, circle, small]),
        ("B0", [circle, small]),
        ("B180", [square, small]),
    ):
        _, events = place_tile({**cells, "b5": above}, "F0", "b4")
        assert list_closed_figures(events) == dict(figures), above


@pytest.mark.parametrize("tile", "ABCDEFGHI")
def test_any_tile_fits_beside_any_other_in_any_rotation_that_looks_different(tile: str) -> None:
    rotations = {"A": (0,), "E": (0,), "H": (0,), "I": (0,), "C": (0, 90), "D": (0, 90)}
    turned = rotations.get(tile, (0, 90, 180, 270))
    state = build_position(drawn=tile)
    actions = legal_actions(state, 1)
    assert set(actions) == {f"{tile}-{cell}-{r}" for cell in ("b3", "c2", "c4", "d3") for r in turned}
    assert len(actions) == len(set(actions))
