"""RULES 5: an 8, a full board, an empty tower, the silly match."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import GameEvent, State, apply_action, build_view, legal_actions
from tests.factories.positions import build_position

ALL = [f"{column}{row}" for column in "abcde" for row in (1, 2, 3, 4, 5)]
# D0 on c4 makes an 8.
GAP = {"b4": "H", "d4": "H"}
# The last free cell is e1, where a zero tile closes nothing. The corner circles at a1 and e5 are closed.
LAST_CELL = {cell: "I" for cell in ALL if cell not in ("c3", "e1")} | {"a1": "E", "e5": "E"}
LAST = "I-e1-0"


def get_last_match(state: State) -> dict[str, Any]:
    return state.match_results[-1]


def list_event_names(events: list[GameEvent]) -> list[str]:
    return [event["event"] for event in events]


def test_an_8_ends_the_match_at_once_with_8_for_its_maker_and_0_for_every_other() -> None:
    state = build_position(
        {**GAP, "a1": "E", "e5": "E"},
        drawn="D",
        turn=2,
        seats=3,
        marked={("frame+a1", 2): 1, ("frame+e5", 2): 2},
        totals={1: 3, 2: 1, 3: 2},
    )
    state, events = apply_action(state, 2, "D-c4-0")
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "infinity",
        "scores": {"1": 0, "2": 8, "3": 0},
        "silly": [],
    }
    assert state.totals[1:] == (3, 9, 2)
    assert state.match_no == 2
    assert {"event": "infinity", "seat": 2, "side": 2, "cell": "c4"} in events


def test_an_8_of_one_seat_scores_for_its_pair() -> None:
    state = build_position(GAP, drawn="D", turn=4, mode="pairs", seats=4)
    state, _ = apply_action(state, 4, "D-c4-0")
    assert get_last_match(state)["scores"] == {"1": 0, "2": 8}


def test_circles_and_squares_closed_by_the_tile_of_an_8_are_marked_first() -> None:
    state = build_position({**GAP, "c5": "H"}, drawn="D", hands={1: ["TT"]})
    state, events = apply_action(state, 1, "D-c4-0")
    assert list_event_names(events)[:3] == ["placed", "closed", "infinity"]
    assert events[1] == {
        "event": "closed",
        "seat": 1,
        "side": 1,
        "kind": "small circle",
        "place": "c4+c5",
        "value": 1,
    }
    assert build_view(state)["points"] == {"1": 1, "2": 0}, "so its maker is asked whether to keep it"
    assert state.seats_to_act == (1,)


def test_unmarked_figures_are_lost_by_an_8() -> None:
    state = build_position({**GAP, "a1": "E"}, drawn="D", unmarked={"frame+a1": 2}, markers={1: (4, 0, 3)})
    state, events = apply_action(state, 1, "D-c4-0")
    assert get_last_match(state)["scores"] == {"1": 8, "2": 0}
    assert "claimed" not in list_event_names(events)


def test_an_8_on_the_last_cell_is_an_8_and_no_full_board() -> None:
    cells = {cell: "I" for cell in ALL if cell not in ("c3", "c4")} | GAP
    state = build_position(cells, drawn="D", table={2: "A"})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "infinity",
        "scores": {"1": 8, "2": 0},
        "silly": [],
    }


def test_a_full_board_ends_the_match_and_each_side_scores_its_markers() -> None:
    marked = {("frame+a1", 2): 1, ("frame+e5", 2): 2}
    state = build_position(LAST_CELL, drawn="I", marked=marked, totals={1: 3, 2: 5}, table={1: "A", 2: "A"})
    state, events = apply_action(state, 1, LAST)
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "full",
        "scores": {"1": 2, "2": 2},
        "silly": [],
    }
    assert state.totals[1:] == (5, 7)
    assert list_event_names(events)[:2] == ["placed", "match ended"]
    assert events[1]["totals"] == {"1": 5, "2": 7}


def test_the_figure_closed_by_the_last_tile_counts() -> None:
    state = build_position(LAST_CELL, drawn="E", marked={("frame+a1", 2): 1, ("frame+e5", 2): 2})
    state, _ = apply_action(state, 1, "E-e1-0")
    assert get_last_match(state)["scores"] == {"1": 4, "2": 2}


def test_markers_of_every_value_count_their_worth() -> None:
    cells = {cell: "I" for cell in ALL if cell not in ("c3", "e1")}
    cells |= {"a1": "E", "a4": "A", "a5": "A", "d3": "H", "d4": "H"}
    marked = {("frame+a1", 2): 1, ("frame+a4+a5", 4): 1, ("d3+d4", 1): 2}
    state, _ = apply_action(build_position(cells, drawn="I", marked=marked), 1, LAST)
    assert get_last_match(state)["scores"] == {"1": 6, "2": 1}


def test_a_board_with_one_free_cell_is_not_full() -> None:
    cells = {cell: word for cell, word in LAST_CELL.items() if cell != "d1"}
    state, _ = apply_action(build_position(cells, drawn="I", tower="HH"), 1, "I-d1-0")
    assert (state.match_no, state.phase, state.turn) == (1, "place", 2)


def test_an_empty_tower_ends_the_match_only_when_a_tile_must_be_drawn() -> None:
    marked = {("frame+a1", 2): 1}
    state = build_position({"a1": "E"}, drawn="I", tower="I", marked=marked)
    state, _ = apply_action(state, 1, "I-c4-0")
    assert (state.match_no, state.phase, state.tower) == (1, "place", "")
    state, events = apply_action(state, 2, "I-c2-0")
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "tower",
        "scores": {"1": 2, "2": 0},
        "silly": [],
    }
    assert list_event_names(events)[:2] == ["placed", "match ended"]


def test_with_an_empty_tower_the_seat_on_turn_still_claims() -> None:
    state = build_position({"a1": "E"}, drawn="I", tower="", unmarked={"frame+a1": 2})
    state, events = apply_action(state, 1, "I-c4-0")
    assert get_last_match(state)["scores"] == {"1": 0, "2": 2}
    assert list_event_names(events)[:3] == ["placed", "claimed", "match ended"]


def test_with_an_empty_tower_the_seat_on_turn_may_still_play_a_card_and_make_an_8() -> None:
    state = build_position(
        {"b4": "H", "c4": "D0", "e1": "H"}, phase="start", tower="", hands={1: ["QL"]}, totals={1: 1}
    )
    assert "QL-e1-d4-0" in legal_actions(state, 1)
    eight, _ = apply_action(state, 1, "QL-e1-d4-0")
    assert get_last_match(eight) == {
        "kind": "normal",
        "ended": "infinity",
        "scores": {"1": 8, "2": 0},
        "silly": [],
    }
    other, _ = apply_action(state, 1, "QL-e1-e3-0")
    assert get_last_match(other)["ended"] == "tower", "after the card it must draw"
    drawn, _ = apply_action(state, 1, "draw")
    assert get_last_match(drawn)["ended"] == "tower"


@pytest.mark.parametrize(
    ("tile", "value"),
    [("A", 16), ("B", 12), ("C", 12), ("D", 10), ("E", 8), ("F", 7), ("G", 7), ("H", 4)],
)
def test_on_a_full_board_a_side_with_no_marker_scores_the_value_of_its_table_tile(
    tile: str, value: int
) -> None:
    state = build_position(
        LAST_CELL, drawn="I", marked={("frame+a1", 2): 1}, table={1: "A", 2: tile}, totals={2: 1}
    )
    state, events = apply_action(state, 1, LAST)
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "full",
        "scores": {"1": 2, "2": value},
        "silly": [2],
    }
    assert state.totals[1:] == (2, 1 + value)
    match_ended = next(event for event in events if event["event"] == "match ended")
    assert (match_ended["silly"], match_ended["scores"]) == ([2], {"1": 2, "2": value})


@pytest.mark.parametrize("tile", ["I", "J", ""])
def test_a_table_tile_worth_nothing_is_no_silly_gain(tile: str) -> None:
    state = build_position(LAST_CELL, drawn="I", marked={("frame+a1", 2): 1}, table={2: tile})
    state, _ = apply_action(state, 1, LAST)
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "full",
        "scores": {"1": 2, "2": 0},
        "silly": [],
    }


@pytest.mark.parametrize(("table", "drawn"), [("B", "I"), ("I", "B")])
def test_the_seat_that_fills_the_board_scores_the_tile_it_keeps(table: str, drawn: str) -> None:
    state = build_position(LAST_CELL, drawn=drawn, table={1: table, 2: "H"})
    state, _ = apply_action(state, 1, LAST)
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "full",
        "scores": {"1": 12, "2": 4},
        "silly": [1, 2],
    }


@pytest.mark.parametrize(("first", "second"), [("H", "B"), ("B", "H")])
def test_a_silly_pair_scores_the_higher_of_its_two_tiles(first: str, second: str) -> None:
    table = {1: "A", 3: "A", 2: first, 4: second}
    state = build_position(
        LAST_CELL, drawn="I", mode="pairs", seats=4, marked={("frame+a1", 2): 1}, table=table
    )
    state, _ = apply_action(state, 1, LAST)
    assert get_last_match(state)["scores"] == {"1": 2, "2": 12}
    assert get_last_match(state)["silly"] == [2]


def test_a_silly_match_counts_toward_the_target() -> None:
    state = build_position(
        LAST_CELL, drawn="I", marked={("frame+a1", 2): 1}, table={2: "A"}, totals={1: 9, 2: 8}
    )
    state, _ = apply_action(state, 1, LAST)
    assert state.is_over
    assert state.result is not None
    assert state.result["winner"] == 2
    assert state.result["totals"] == {"1": 11, "2": 24}


def test_an_empty_tower_makes_no_silly_match() -> None:
    state = build_position({"a1": "E"}, drawn="I", tower="", marked={("frame+a1", 2): 1}, table={2: "A"})
    state, _ = apply_action(state, 1, "I-c4-0")
    assert get_last_match(state) == {
        "kind": "normal",
        "ended": "tower",
        "scores": {"1": 2, "2": 0},
        "silly": [],
    }


def test_under_the_target_the_next_match_begins() -> None:
    state = build_position(
        LAST_CELL, drawn="I", totals={1: 21, 2: 22}, marked={("frame+a1", 2): 1, ("frame+e5", 2): 1}
    )
    state, events = apply_action(state, 1, LAST)
    assert state.totals[1:] == (25, 22)
    assert state.is_over
    state = build_position(
        LAST_CELL, drawn="I", totals={1: 20, 2: 21}, marked={("frame+a1", 2): 1, ("frame+e5", 2): 2}
    )
    state, events = apply_action(state, 1, LAST)
    assert state.totals[1:] == (22, 23)
    assert (state.is_over, state.match_no) == (False, 2)
    assert "match began" in list_event_names(events)
