"""RULES 8: one seat against the board."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine import Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.solo import grade_solo_score
from tests.factories.solo_positions import GAP, NO_MARKER, build_solo_position

ALL = [f"{column}{row}" for column in "abcde" for row in (1, 2, 3, 4, 5)]


def get_ending(state: State) -> tuple[str, int, int | None]:
    assert state.result is not None
    (match,) = state.result["matches"]
    assert match["kind"] == "solo"
    assert match["silly"] == []
    assert state.result["totals"] == match["scores"]
    return match["ended"], match["scores"]["1"], state.result["winner"]


def test_the_four_dark_tiles_are_left_out() -> None:
    state, events = start_game(Setup(mode="solo", seats=1))
    tiles = Counter([*state.tower, state.drawn_tile])
    assert tiles == Counter("AAAABBBBCCCCDDDDEEEEFFGGHHHHIIII")
    assert events[0]["kind"] == "solo"


def test_there_are_no_cards_and_no_table_tile_and_the_draw_is_automatic() -> None:
    state, _ = start_game(Setup(mode="solo", seats=1, cards=True))
    assert (state.deck, state.hands, state.table_tiles) == ((), ((), ()), ("", ""))
    assert (state.phase, state.turn) == ("place", 1)
    assert state.drawn_tile


def test_after_a_placement_the_same_seat_draws_and_places_again() -> None:
    state, events = apply_action(build_solo_position({}, drawn="A", tower="BC"), 1, "A-c4-0")
    assert (state.turn, state.phase, state.drawn_tile, state.tower, state.table_tiles) == (
        1,
        "place",
        "B",
        "C",
        ("", ""),
    )
    assert [event["event"] for event in events] == ["placed", "drew"]


def test_the_duties_are_the_same() -> None:
    assert legal_actions(build_solo_position(GAP, drawn="D"), 1) == ("D-c4-0",)
    assert legal_actions(build_solo_position({"b3": "E", "b4": "E"}, drawn="E"), 1) == ("E-c4-0",)
    assert legal_actions(build_solo_position({"b3": "E", "b4": "E"}, drawn="E", left=NO_MARKER), 1) == (
        "E-c4-0",
    )
    assert (
        len(legal_actions(build_solo_position({"b3": "E", "b4": "E"}, drawn="E", obligation="lenient"), 1))
        == 7
    )


def test_an_8_does_not_end_the_match() -> None:
    state, events = apply_action(build_solo_position(GAP, drawn="D", tower="AA"), 1, "D-c4-0")
    assert (state.phase, state.drawn_tile, state.match_no) == ("place", "A", 1)
    assert [event["event"] for event in events] == ["placed", "infinity", "drew"]
    assert build_view(state)["totals"] == {"1": 0}


def test_a_new_8_stays_a_duty_after_the_first() -> None:
    state = build_solo_position({**GAP, "b2": "H", "d2": "H"}, drawn="D", tower="DAA")
    state, _ = apply_action(state, 1, "D-c4-0")
    assert set(legal_actions(state, 1)) == {"D-c2-0", "D-b3-90", "D-d3-90"}


def test_an_8_is_not_made_again_by_a_tile_beside_it() -> None:
    state, _ = apply_action(build_solo_position(GAP, drawn="D", tower="HAA"), 1, "D-c4-0")
    state, events = apply_action(state, 1, "H-e4-0")
    assert [event["event"] for event in events] == ["placed", "closed", "drew"]


def test_it_is_won_as_soon_as_an_8_comes_after_all_11_markers() -> None:
    state, events = apply_action(build_solo_position(GAP, drawn="D", left=NO_MARKER), 1, "D-c4-0")
    # 21 cells are free (b4, c3, c4 and d4 are not): 24 + 8 + 2 * 21
    assert get_ending(state) == ("won", 74, 1)
    assert [event["event"] for event in events] == ["placed", "infinity", "match ended", "game over"]


@pytest.mark.parametrize(
    ("left", "drawn", "action", "beside"),
    [
        ((0, 1, 0), "E", "E-a1-0", {"a2": "I"}),
        ((1, 0, 0), "H", "H-a4-0", {}),
        ((0, 0, 1), "A", "A-a1-0", {"b1": "A"}),
    ],
)
def test_it_is_won_as_soon_as_the_last_marker_comes_after_an_8(
    left: tuple[int, int, int], drawn: str, action: str, beside: dict[str, str]
) -> None:
    state, _ = apply_action(
        build_solo_position({**GAP, **beside}, drawn="D", tower=drawn, left=left), 1, "D-c4-0"
    )
    assert not state.is_over
    state, _ = apply_action(state, 1, action)
    assert get_ending(state) == ("won", 24 + 8 + 2 * (20 - len(beside)), 1)


def test_all_11_markers_without_an_8_do_not_win() -> None:
    state, _ = apply_action(build_solo_position({"a2": "I"}, drawn="E", left=(0, 1, 0)), 1, "E-a1-0")
    assert (state.is_over, state.markers_left[1]) == (False, (0, 0, 0))


@pytest.mark.parametrize("left", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_an_8_without_all_11_markers_does_not_win(left: tuple[int, int, int]) -> None:
    state, _ = apply_action(build_solo_position(GAP, drawn="D", left=left), 1, "D-c4-0")
    assert not state.is_over


def test_each_closed_circle_or_square_without_a_marker_costs_one() -> None:
    cells = {**GAP, "a1": "E", "a4": "A", "a5": "A", "b5": "H"}
    unmarked = {"frame+a1": 2, "frame+a4+a5": 4, "b4+b5": 1}
    state, _ = apply_action(
        build_solo_position(cells, drawn="D", left=NO_MARKER, unmarked=unmarked), 1, "D-c4-0"
    )
    # 8 cells are taken; a circle, a square and a small circle have no marker
    assert get_ending(state) == ("won", 24 + 8 + 2 * 17 - 3, 1)


def test_the_figures_that_the_winning_tile_closes_without_a_marker_cost_too() -> None:
    state, events = apply_action(
        build_solo_position({**GAP, "c5": "H"}, drawn="D", left=NO_MARKER), 1, "D-c4-0"
    )
    assert get_ending(state) == ("won", 24 + 8 + 2 * 20 - 1, 1)
    assert events[1]["side"] is None


def test_a_second_8_earns_nothing_more() -> None:
    row = {"a4": "H", "b4": "D0", "d4": "D0", "e4": "H"}
    state, _ = apply_action(build_solo_position(row, drawn="H", left=NO_MARKER), 1, "H-c4-0")
    assert get_ending(state) == ("won", 24 + 8 + 2 * 19, 1)


def test_it_can_be_won_on_the_last_cell() -> None:
    cells = {cell: "I" for cell in ALL if cell not in ("c3", "c4")} | GAP
    state, _ = apply_action(build_solo_position(cells, drawn="D", left=NO_MARKER), 1, "D-c4-0")
    assert get_ending(state) == ("won", 32, 1)


def test_a_full_board_before_that_is_lost_with_score_0() -> None:
    cells = {cell: "I" for cell in ALL if cell not in ("c3", "c4")} | GAP
    state, _ = apply_action(build_solo_position(cells, drawn="D", left=(1, 0, 0)), 1, "D-c4-0")
    assert get_ending(state) == ("full", 0, None)
    state, _ = apply_action(build_solo_position(cells, drawn="I", left=NO_MARKER), 1, "I-c4-0")
    assert get_ending(state) == ("full", 0, None)


def test_resigned_is_lost() -> None:
    state, _ = apply_action(
        build_solo_position({"a1": "E"}, drawn="A", marked={("frame+a1", 2): 1}), 1, "resign"
    )
    assert state.result == {"winner": None, "totals": {"1": 0}, "matches": [], "shootout": []}


@pytest.mark.parametrize("target", [1, 24, 99])
def test_the_target_does_not_apply(target: int) -> None:
    state = build_solo_position(GAP, drawn="D", left=(0, 1, 0), target=target, tower="E")
    state, _ = apply_action(state, 1, "D-c4-0")
    assert not state.is_over
    state, _ = apply_action(build_solo_position(GAP, drawn="D", left=NO_MARKER, target=target), 1, "D-c4-0")
    assert get_ending(state) == ("won", 74, 1)


@pytest.mark.parametrize(
    ("score", "word"),
    [
        (0, None),
        (1, "narrow"),
        (31, "narrow"),
        (32, "good"),
        (36, "good"),
        (37, "great"),
        (40, "great"),
        (41, "master"),
        (60, "master"),
    ],
)
def test_under_32_is_narrow_to_36_good_to_40_great_and_over_40_a_master(score: int, word: str | None) -> None:
    assert grade_solo_score(score) == word
