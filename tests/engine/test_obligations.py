"""RULES 4: the duties to make an 8 and to close a figure."""

from __future__ import annotations

import pytest

from games.engine import IllegalAction, apply_action, build_view, legal_actions
from tests.factories.positions import build_position

# D0 on c4 makes an 8.
GAP = {"b4": "H", "d4": "H"}
BESIDE_GAP = ("a4", "b3", "b5", "c2", "c4", "d3", "d5", "e4")
# A tile with a quarter circle at its SW corner closes b3+b4+c3+c4 on c4.
CIRCLE = {"b3": "E", "b4": "E"}
BESIDE_CIRCLE = ("a3", "a4", "b2", "b5", "c2", "c4", "d3")


def test_a_seat_that_can_make_an_8_must_make_an_8() -> None:
    state = build_position(GAP, drawn="D")
    # it could also close small circles: D90 on c4 two of them, D0 on b5 one
    assert legal_actions(state, 1) == ("D-c4-0",)
    for action in ("D-c4-90", "D-b5-0", "D-c2-0"):
        with pytest.raises(IllegalAction) as raised:
            apply_action(state, 1, action)
        assert raised.value.rule == "must-make-eight"


@pytest.mark.parametrize(("table", "drawn"), [("H", "D"), ("D", "H"), ("A", "D"), ("D", "A"), ("D", "D")])
def test_an_8_is_a_duty_with_whichever_of_the_two_tiles_makes_it(table: str, drawn: str) -> None:
    assert legal_actions(build_position(GAP, drawn=drawn, table={1: table}), 1) == ("D-c4-0",)


@pytest.mark.parametrize(
    ("drawn", "expected_actions"),
    [
        ("H", {"H-d4-0"}),
        ("D", {"D-d4-90"}),
        ("F", {"F-d4-90"}),
        ("G", {"G-d4-90"}),
    ],
)
def test_an_8_is_a_duty_for_the_tile_at_its_end_too(drawn: str, expected_actions: set[str]) -> None:
    assert set(legal_actions(build_position({"b4": "H", "c4": "D0"}, drawn=drawn), 1)) == expected_actions


def test_which_8_is_its_choice() -> None:
    state = build_position({"b4": "H", "d4": "H", "b2": "H", "d2": "H"}, drawn="D", table={1: "H"})
    assert set(legal_actions(state, 1)) == {"D-c4-0", "D-c2-0", "D-b3-90", "D-d3-90"}


def test_an_8_that_only_a_tile_elsewhere_could_make_obliges_nobody() -> None:
    state = build_position({"b4": "H", "d4": "H"}, drawn="A", table={1: "E", 2: "D"})
    expected = {f"{tile}-{cell}-0" for tile in "AE" for cell in BESIDE_GAP}
    assert set(legal_actions(state, 1)) == expected


@pytest.mark.parametrize(
    ("drawn", "expected_actions"),
    [
        ("E", {"E-c4-0"}),
        ("B", {"B-c4-0", "B-c4-90"}),
        ("C", {"C-c4-0"}),
        ("F", {"F-c4-180"}),
        ("G", {"G-c4-270"}),
    ],
)
def test_a_seat_that_can_close_a_figure_must_close_one(drawn: str, expected_actions: set[str]) -> None:
    # the quarter circle must come to the SW: B0 sscc, B90 cssc, C0 scsc, F180 --sc, G270 s--c
    state = build_position(CIRCLE, drawn=drawn)
    assert set(legal_actions(state, 1)) == expected_actions
    with pytest.raises(IllegalAction) as raised:
        apply_action(state, 1, f"{drawn}-c2-0")
    assert raised.value.rule == "must-close"


@pytest.mark.parametrize(("table", "drawn"), [("E", "A"), ("A", "E"), ("E", "E")])
def test_both_tiles_count_for_the_duty_to_close(table: str, drawn: str) -> None:
    assert legal_actions(build_position(CIRCLE, drawn=drawn, table={1: table}), 1) == ("E-c4-0",)


def test_which_figure_it_closes_is_its_choice_whatever_they_are_worth() -> None:
    # C0 on b4 closes a square, on c2 a circle
    cells = {"a4": "A", "a5": "A", "b5": "A", "d3": "E", "d2": "E"}
    state = build_position(cells, drawn="C", table={1: "E"})
    # an E closes the circle, too, and nothing else
    assert set(legal_actions(state, 1)) == {"C-b4-0", "C-c2-0", "E-c2-0"}


def test_a_small_circle_obliges_like_any_figure() -> None:
    assert set(legal_actions(build_position({"c4": "D90"}, drawn="F"), 1)) == {"F-b4-270", "F-d4-90"}


def test_the_frame_obliges_like_any_figure() -> None:
    assert legal_actions(build_position({"a2": "I"}, drawn="E"), 1) == ("E-a1-0",)


def test_a_figure_it_has_no_marker_for_obliges_too() -> None:
    state = build_position(CIRCLE, drawn="E", table={1: "A"}, markers={1: (4, 0, 3)})
    assert legal_actions(state, 1) == ("E-c4-0",)


def test_a_figure_that_nobody_has_a_marker_for_obliges_too() -> None:
    state = build_position(CIRCLE, drawn="E", markers={1: (4, 0, 3), 2: (4, 0, 3)})
    assert legal_actions(state, 1) == ("E-c4-0",)


def test_a_seat_that_can_close_nothing_is_free() -> None:
    state = build_position(CIRCLE, drawn="A", table={1: "H"})
    assert set(legal_actions(state, 1)) == {f"{tile}-{cell}-0" for tile in "AH" for cell in BESIDE_CIRCLE}


def test_a_cell_that_no_tile_lies_beside_obliges_nobody() -> None:
    # the corners of the board would close a circle, but nothing lies beside them
    assert len(legal_actions(build_position(drawn="E"), 1)) == 4


def test_with_lenient_the_duty_to_make_an_8_is_lifted() -> None:
    state = build_position(GAP, drawn="D", table={1: "A"}, obligation="lenient")
    assert set(legal_actions(state, 1)) == {
        *(f"D-{cell}-{rotation}" for cell in BESIDE_GAP for rotation in (0, 90)),
        *(f"A-{cell}-0" for cell in BESIDE_GAP),
    }


def test_with_lenient_the_duty_to_close_is_lifted() -> None:
    state = build_position(CIRCLE, drawn="E", table={1: "A"}, obligation="lenient")
    assert set(legal_actions(state, 1)) == {f"{tile}-{cell}-0" for tile in "AE" for cell in BESIDE_CIRCLE}


def test_with_lenient_a_missed_point_stays_there_for_the_others() -> None:
    state = build_position(CIRCLE, drawn="E", tower="EE", obligation="lenient")
    state, events = apply_action(state, 1, "E-d3-0")
    assert not [event for event in events if event["event"] in ("closed", "claimed")]
    state, _ = apply_action(state, 2, "E-c4-0")
    figures = {figure["place"]: figure["side"] for figure in build_view(state)["board"]["figures"]}
    assert figures == {"b3+b4+c3+c4": 2}


def test_with_lenient_an_8_can_still_be_made() -> None:
    state, _ = apply_action(build_position(GAP, drawn="D", obligation="lenient"), 1, "D-c4-0")
    assert state.match_results[-1]["ended"] == "infinity"


def test_strict_is_the_default() -> None:
    assert build_position().setup.obligation == "strict"
