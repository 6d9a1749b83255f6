"""The card QL: movable tiles, target cells, and consequences."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import IllegalAction, State, apply_action, legal_actions
from games.engine.board import CELL_INDEX, CELL_NAMES
from tests.factories.positions import PLACE, build_position, play_actions

NO_BIG_MARKER = (4, 0, 3)


def build_leap_position(cells: dict[str, str], **more: Any) -> State:
    """Build a position in which seat 1 of two holds a QL and no other card."""
    terms: dict[str, Any] = {"table": {1: "I", 2: "I"}, "hands": {1: ["QL"]}, "tower": "IIII"} | more
    return build_position(cells, phase="start", **terms)


def list_leaps(state: State) -> set[str]:
    return {action for action in legal_actions(state, 1) if action.startswith("QL-")}


def list_leap_cells(state: State) -> set[str]:
    """List the cells whose tile may leap."""
    return {action[3:5] for action in list_leaps(state)}


def map_tiles(state: State) -> dict[str, str]:
    kinds = state.setup.board.tile_of_code
    return {CELL_NAMES[x]: f"{kinds[t][0]}{kinds[t][1]}" for x, t in enumerate(state.cells) if t}


# ------------------------------------------------------------------------ movable tiles and targets


def test_a_leap_goes_to_any_free_cell_beside_others_or_not() -> None:
    assert list_leaps(build_leap_position({"c2": "I"})) == {
        f"QL-c2-{cell}-0" for cell in CELL_INDEX if cell not in ("c2", "c3")
    }


def test_a_leap_goes_in_any_rotation_that_looks_different() -> None:
    free = [cell for cell in CELL_INDEX if cell not in ("c2", "c3")]
    for tile, rotations in {"B": (0, 90, 180, 270), "C": (0, 90), "F": (0, 90, 180, 270), "H": (0,)}.items():
        expected = {f"QL-c2-{cell}-{r}" for cell in free for r in rotations}
        expected |= {f"QL-c2-c2-{r}" for r in rotations if r != 0}
        assert list_leaps(build_leap_position({"c2": tile})) == expected


def test_a_leap_moves_the_tile_and_leaves_its_cell_free() -> None:
    state = play_actions(build_leap_position({"c2": "B90", "c1": "I"}), "QL-c2-a5-180")
    assert map_tiles(state) == {"a5": "B180", "c1": "I0", "c3": "E0"}


def test_a_leap_may_turn_the_tile_where_it_lies() -> None:
    assert map_tiles(play_actions(build_leap_position({"c2": "B90"}), "QL-c2-c2-0")) == {
        "c2": "B0",
        "c3": "E0",
    }


@pytest.mark.parametrize(
    ("tile", "action"),
    [
        ("B90", "QL-c2-c2-90"),
        ("A0", "QL-c2-c2-0"),
        ("A0", "QL-c2-c2-90"),
        ("C0", "QL-c2-c2-180"),
        ("D90", "QL-c2-c2-270"),
    ],
)
def test_a_leap_must_change_something(tile: str, action: str) -> None:
    state = build_leap_position({"c2": tile})
    assert action not in list_leaps(state)
    with pytest.raises(IllegalAction):
        apply_action(state, 1, action)


def test_the_centre_tile_does_not_leap() -> None:
    state = build_leap_position({"c2": "I"})
    assert "c3" not in list_leap_cells(state)
    with pytest.raises(IllegalAction):
        apply_action(state, 1, "QL-c3-a1-0")


def test_a_leap_ends_on_no_cell_that_holds_another_tile() -> None:
    state = build_leap_position({"c2": "I", "c1": "I"})
    for action in ("QL-c2-c1-0", "QL-c2-c3-0"):
        assert action not in list_leaps(state)
        with pytest.raises(IllegalAction):
            apply_action(state, 1, action)


def test_a_leap_starts_on_no_free_cell() -> None:
    with pytest.raises(IllegalAction):
        apply_action(build_leap_position({"c2": "I"}), 1, "QL-a1-a2-0")


def test_with_nothing_but_the_centre_on_the_board_nothing_leaps() -> None:
    assert legal_actions(build_leap_position({}), 1) == ("draw",)


@pytest.mark.parametrize("side", [1, 2])
def test_no_tile_of_a_marked_figure_leaps_whoever_marked_it(side: int) -> None:
    circle = {"b2": "E", "b3": "E", "c2": "E", "d2": "I"}
    assert list_leap_cells(build_leap_position(circle, marked={("b2+b3+c2+c3", 2): side})) == {"d2"}


@pytest.mark.parametrize(
    ("cells", "place", "value"),
    [
        ({"a1": "E"}, "frame+a1", 2),
        ({"a1": "B180", "b1": "A"}, "frame+a1+b1", 4),
        ({"a1": "H", "a2": "H"}, "a1+a2", 1),
    ],
)
def test_marked_figures_at_the_frame_and_at_an_edge_hold_their_tiles_too(
    cells: dict[str, str], place: str, value: int
) -> None:
    assert list_leap_cells(build_leap_position(cells | {"e5": "I"}, marked={(place, value): 2})) == {"e5"}


def test_a_tile_beside_a_marked_figure_that_is_no_part_of_it_leaps() -> None:
    """b1 is beside a1, whose tile closes the circle in the corner, but is not part of that circle."""
    assert list_leap_cells(build_leap_position({"a1": "E", "b1": "A"}, marked={("frame+a1", 2): 2})) == {"b1"}


def test_the_marker_of_a_side_that_resigned_still_holds_its_tiles() -> None:
    state = build_leap_position({"a1": "E", "c2": "I"}, marked={("frame+a1", 2): 3}, seats=3)
    state, _ = apply_action(state, 3, "resign")
    assert list_leap_cells(state) == {"c2"}


# ----------------------------------------------------------------------------------- closed figures


def test_figures_closed_by_a_leap_are_the_leapers() -> None:
    state = play_actions(build_leap_position({"c2": "E"}), "QL-c2-a1-0")
    assert state.marked_figures == ((PLACE["frame+a1"], 2, 1),)
    assert state.markers_left[1] == (4, 3, 3)


def test_in_pairs_a_figure_closed_by_a_leap_is_the_sides() -> None:
    state = build_leap_position({"c2": "E"}, mode="pairs", seats=4, turn=3, hands={3: ["QL"]})
    assert play_actions(state, "QL-c2-a1-0").marked_figures == ((PLACE["frame+a1"], 2, 1),)


def test_a_figure_closed_by_a_leap_without_a_marker_left_goes_to_the_next_seat() -> None:
    state = play_actions(build_leap_position({"c2": "E"}, markers={1: NO_BIG_MARKER}), "QL-c2-a1-0")
    assert (state.marked_figures, state.unmarked_figures) == ((), ((PLACE["frame+a1"], 2),))
    state = play_actions(state, "I-c2-0")
    assert (state.marked_figures, state.unmarked_figures) == (((PLACE["frame+a1"], 2, 2),), ())


def test_in_the_dutch_edition_such_a_figure_goes_to_the_next_seat_at_once() -> None:
    state = build_leap_position({"c2": "E"}, markers={1: NO_BIG_MARKER}, edition="bannan-nl")
    assert play_actions(state, "QL-c2-a1-0").marked_figures == ((PLACE["frame+a1"], 2, 2),)


def test_where_markers_are_short_a_leap_marks_the_figure_further_left() -> None:
    """The E in the middle of the top row closes the circles on both sides of it."""
    state = build_leap_position({"b5": "E", "d5": "E", "c2": "E"}, markers={1: (4, 1, 3)})
    state = play_actions(state, "QL-c2-c5-0")
    assert state.marked_figures == ((PLACE["frame+b5+c5"], 2, 1),)
    assert state.unmarked_figures == ((PLACE["frame+c5+d5"], 2),)


def test_where_markers_are_short_a_leap_marks_the_edge_with_the_lower_cell_first() -> None:
    """An H on b2 closes a small circle with each of its four neighbours: a2+b2, b1+b2, b2+b3, b2+c2."""
    state = build_leap_position(
        {"a2": "H", "b1": "H", "b3": "H", "c2": "H", "e5": "H"}, markers={1: (3, 4, 3)}
    )
    state = play_actions(state, "QL-e5-b2-0")
    assert [place for place, _, _ in state.marked_figures] == [PLACE["a2+b2"], PLACE["b1+b2"], PLACE["b2+b3"]]
    assert state.unmarked_figures == ((PLACE["b2+c2"], 1),)


def test_nothing_obliges_a_leap() -> None:
    """An 8 (H to c2) and a circle (E to a1) are possible, but a leap that makes neither is legal."""
    state = build_leap_position({"a2": "H", "b2": "D0", "e4": "H", "d4": "E"}, hands={1: ["QL"]})
    assert {"draw", "QL-e4-c2-0", "QL-d4-a1-0", "QL-e4-e5-0", "QL-d4-e5-0", "QL-d4-d5-0"} <= set(
        legal_actions(state, 1)
    )
    assert play_actions(state, "QL-d4-d5-0").phase == "place"


def test_after_a_leap_the_turn_goes_on_with_the_draw() -> None:
    state = play_actions(build_leap_position({"c2": "I"}, tower="HB"), "QL-c2-a5-0")
    assert (state.turn, state.phase, state.drawn_tile, state.tower) == (1, "place", "H", "B")
    assert (state.hands[1], state.played_cards) == ((), ("QL",))


def test_tiles_are_placed_beside_one_that_leapt_away_on_its_own() -> None:
    state = play_actions(build_leap_position({"c2": "I"}), "QL-c2-a5-0")
    assert {action[2:4] for action in legal_actions(state, 1)} == {"a4", "b5", "b3", "c2", "c4", "d3"}


def test_a_cell_that_was_left_asks_again_for_what_closes_a_figure() -> None:
    """The zero tile in the corner prevents a circle; after it leaps away, an E must close the circle."""
    state = build_leap_position({"a1": "I", "b1": "I"}, table={1: "J"}, tower="EII")
    state = play_actions(state, "QL-a1-c2-0")
    assert legal_actions(state, 1) == ("E-a1-0",)


def test_what_a_leapt_tile_helped_to_close_no_longer_asks_for_its_last_part() -> None:
    """With an A on b1, an A on a1 closes a square; after the A on b1 leaps away, it closes nothing."""
    cells = {"b1": "A", "a2": "I"}
    assert legal_actions(build_position(cells, drawn="A", table={1: "J"}), 1) == ("A-a1-0",)
    state = play_actions(build_leap_position(cells, table={1: "J"}, tower="AII"), "QL-b1-d4-0", "A-a1-0")
    assert (state.marked_figures, state.unmarked_figures) == ((), ())


# ----------------------------------------------------------------------------------- broken figures


def test_an_unmarked_figure_may_be_broken_up_and_is_gone() -> None:
    state = build_leap_position({"a1": "E", "c2": "I"}, unmarked={"frame+a1": 2}, markers={1: NO_BIG_MARKER})
    assert list_leap_cells(state) == {"a1", "c2"}
    state = play_actions(state, "QL-a1-b5-0")
    assert state.unmarked_figures == ()
    assert play_actions(state, "I-b3-0").marked_figures == ()


def test_breaking_up_one_unmarked_figure_leaves_the_others() -> None:
    state = build_leap_position(
        {"a1": "E", "e1": "E"}, unmarked={"frame+a1": 2, "frame+e1": 2}, markers={1: NO_BIG_MARKER}
    )
    state = play_actions(state, "QL-a1-b5-0")
    assert state.unmarked_figures == ((PLACE["frame+e1"], 2),)
    assert play_actions(state, "I-b3-0").marked_figures == ((PLACE["frame+e1"], 2, 2),)


def test_a_leap_breaks_up_every_unmarked_figure_of_its_tile() -> None:
    state = build_leap_position(
        {"b5": "E", "c5": "E", "d5": "E"},
        unmarked={"frame+b5+c5": 2, "frame+c5+d5": 2},
        markers={1: NO_BIG_MARKER},
    )
    assert play_actions(state, "QL-c5-c1-0").unmarked_figures == ()


def test_a_tile_of_an_unmarked_and_a_marked_figure_does_not_leap() -> None:
    state = build_leap_position(
        {"b5": "E", "c5": "E", "d5": "E"},
        marked={("frame+b5+c5", 2): 2},
        unmarked={"frame+c5+d5": 2},
        markers={1: NO_BIG_MARKER},
    )
    assert list_leap_cells(state) == {"d5"}


@pytest.mark.parametrize(("rotation", "stays"), [(90, True), (180, False)])
def test_a_tile_turned_where_it_lies_keeps_an_unmarked_figure_only_if_it_still_closes_it(
    rotation: int, stays: bool
) -> None:
    """B has circles at SE and SW, turned by 90 at NW and SW; the circle is the one at its SW corner."""
    state = build_leap_position(
        {"c1": "E", "d1": "B0"}, unmarked={"frame+c1+d1": 2}, markers={1: NO_BIG_MARKER}
    )
    state = play_actions(state, f"QL-d1-d1-{rotation}")
    assert state.marked_figures == ()
    assert state.unmarked_figures == (((PLACE["frame+c1+d1"], 2),) if stays else ())


# -------------------------------------------------------------------------------------- making an 8


@pytest.mark.parametrize(
    ("cells", "action"),
    [
        ({"a2": "H", "b2": "D0", "e5": "H"}, "QL-e5-c2-0"),
        ({"a2": "H", "c2": "H", "e5": "D90"}, "QL-e5-b2-0"),
        ({"b1": "H", "b3": "F0", "e5": "D0"}, "QL-e5-b2-90"),
        ({"b1": "H", "b2": "D90", "b3": "F90"}, "QL-b3-b3-0"),
    ],
)
def test_a_leap_that_makes_an_8_ends_the_match_for_8_points(cells: dict[str, str], action: str) -> None:
    state = play_actions(build_leap_position(cells), action)
    (match,) = state.match_results
    assert match == {"kind": "normal", "ended": "infinity", "scores": {"1": 8, "2": 0}, "silly": []}


def test_turning_a_crossing_may_break_up_unmarked_small_circles_to_make_an_8() -> None:
    cells, circles = {"a2": "H", "b2": "D90", "c2": "H"}, {"a2+b2": 1, "b2+c2": 1}
    state = play_actions(build_leap_position(cells, unmarked=circles, markers={1: (0, 4, 3)}), "QL-b2-b2-0")
    assert state.totals[1:] == (8, 0)


def test_a_crossing_that_leaps_in_across_the_line_makes_no_8_but_two_small_circles() -> None:
    state = play_actions(build_leap_position({"a2": "H", "c2": "H", "e5": "D90"}), "QL-e5-b2-90")
    assert state.match_results == ()
    assert state.marked_figures == ((PLACE["a2+b2"], 1, 1), (PLACE["b2+c2"], 1, 1))


def test_circles_closed_by_the_leap_that_makes_an_8_are_marked_first() -> None:
    """The H on c2 makes the 8 and a small circle with c1; with an OO the leaper can keep that point."""
    cells = {"a2": "H", "b2": "D0", "c1": "H", "e5": "H"}
    state = play_actions(build_leap_position(cells, hands={1: ["QL", "OO"]}), "QL-e5-c2-0")
    assert (state.phase, state.seats_to_act) == ("react", (1,))
    assert play_actions(state, "8").totals[1:] == (9, 0)


def test_a_leap_may_make_an_8_when_the_tower_is_empty() -> None:
    state = play_actions(build_leap_position({"a2": "H", "b2": "D0", "e5": "H"}, tower=""), "QL-e5-c2-0")
    assert [match["ended"] for match in state.match_results] == ["infinity"]


def test_a_leap_in_an_empty_tower_that_makes_no_8_ends_the_match_at_the_draw() -> None:
    state = play_actions(build_leap_position({"c2": "E"}, tower=""), "QL-c2-a1-0")
    assert state.match_results == (
        {"kind": "normal", "ended": "tower", "scores": {"1": 2, "2": 0}, "silly": []},
    )
