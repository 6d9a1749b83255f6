"""RULES 4: claiming, drawing, placing, marking, and passing the turn on."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import GameEvent, State, apply_action, build_view, legal_actions
from tests.factories.positions import build_position

# An E on c4 closes two circles: to its left b3+b4+c3+c4, to its right c3+c4+d3+d4.
TWO_CIRCLES = {"b3": "E", "b4": "E", "d3": "E", "d4": "E"}
LEFT, RIGHT = "b3+b4+c3+c4", "c3+c4+d3+d4"


def map_figure_owners(state: State) -> dict[str, int | None]:
    """Map each closed figure to the owner of its marker."""
    return {figure["place"]: figure["side"] for figure in build_view(state)["board"]["figures"]}


def filter_events(events: list[GameEvent], *names: str) -> list[GameEvent]:
    return [event for event in events if event["event"] in names]


def test_a_seat_without_cards_draws_automatically() -> None:
    state, events = apply_action(build_position(drawn="H", tower="BA"), 1, "H-c4-0")
    assert (state.turn, state.phase, state.drawn_tile, state.tower) == (2, "place", "B", "A")
    assert filter_events(events, "drew") == [{"event": "drew", "seat": 2, "tile": "B"}]


@pytest.mark.parametrize("hand", [["OO"], ["TT"], ["AK"], ["OO", "OO"]])
def test_a_seat_that_holds_any_card_must_say_draw_even_if_none_can_be_played(hand: list[str]) -> None:
    state, events = apply_action(build_position(drawn="H", tower="BA", hands={2: hand}), 1, "H-c4-0")
    assert (state.turn, state.phase, state.drawn_tile, state.tower) == (2, "start", "", "BA")
    assert filter_events(events, "drew") == []
    assert "draw" in legal_actions(state, 2)
    if "TT" not in hand:
        assert legal_actions(state, 2) == ("draw",)


def test_draw_takes_the_top_tile_of_the_tower() -> None:
    state, events = apply_action(build_position(phase="start", hands={1: ["OO"]}, tower="GAB"), 1, "draw")
    assert (state.phase, state.drawn_tile, state.tower) == ("place", "G", "AB")
    assert state.hands[1] == ("OO",)
    assert events == [{"event": "drew", "seat": 1, "tile": "G"}]


def test_in_the_second_turn_of_a_time_travel_the_draw_is_automatic_for_no_card_may_be_played() -> None:
    state = build_position(phase="start", hands={1: ["TT", "ME"]}, tower="HIHH")
    state, _ = apply_action(state, 1, "TT")
    assert (state.phase, state.drawn_tile) == ("place", "H")
    state, _ = apply_action(state, 1, "H-c4-0")
    assert (state.turn, state.phase, state.drawn_tile, state.hands[1]) == (1, "place", "I", ("ME",))
    state, _ = apply_action(state, 1, "I-b3-0")
    assert (state.turn, state.drawn_tile) == (2, "H")


def test_placing_the_table_tile_leaves_the_drawn_one_on_the_table() -> None:
    state, _ = apply_action(build_position(drawn="A", table={1: "B", 2: "C"}), 1, "B-c4-90")
    assert state.table_tiles == ("", "A", "C")
    assert build_view(state)["board"]["cells"]["c4"] == {"tile": "B", "rotation": 90}


def test_placing_the_drawn_tile_leaves_the_table_tile_where_it_is() -> None:
    state, _ = apply_action(build_position(drawn="A", table={1: "B", 2: "C"}), 1, "A-c4-0")
    assert state.table_tiles == ("", "B", "C")
    assert build_view(state)["board"]["cells"]["c4"] == {"tile": "A", "rotation": 0}


def test_of_two_tiles_of_one_kind_one_is_placed_and_one_stays() -> None:
    state = build_position(drawn="B", table={1: "B"})
    assert len(legal_actions(state, 1)) == len(set(legal_actions(state, 1))) == 16
    state, _ = apply_action(state, 1, "B-c4-0")
    assert state.table_tiles[1] == "B"


def test_both_tiles_may_be_placed_when_nothing_obliges() -> None:
    cells = ("b3", "c2", "c4", "d3")
    state = build_position(drawn="A", table={1: "E"})
    assert set(legal_actions(state, 1)) == {f"{tile}-{cell}-0" for tile in "AE" for cell in cells}


def test_a_tile_goes_on_a_free_cell_beside_another_by_a_side() -> None:
    state = build_position({"c4": "I", "e1": "I"}, drawn="I")
    free = {"b4", "c5", "d4", "b3", "d3", "c2", "d1", "e2"}  # no diagonals, nothing across the edge
    assert set(legal_actions(state, 1)) == {f"I-{cell}-0" for cell in free}


@pytest.mark.parametrize(
    ("cell", "beside"),
    [("b5", {"a5", "b4", "c5"}), ("d1", {"c1", "d2", "e1"}), ("a1", {"a2", "b1"}), ("e5", {"d5", "e4"})],
)
def test_the_board_does_not_wrap_round_its_edges(cell: str, beside: set[str]) -> None:
    state = build_position({cell: "I"}, drawn="I")
    assert set(legal_actions(state, 1)) == {f"I-{free}-0" for free in beside | {"b3", "c2", "c4", "d3"}}


@pytest.mark.parametrize(("mode", "seats"), [("singles", 2), ("singles", 3), ("singles", 4), ("pairs", 4)])
def test_turns_go_clockwise(mode: str, seats: int) -> None:
    state = build_position(drawn="I", tower="IIIIIII", mode=mode, seats=seats)
    order = []
    for _ in range(5):
        order.append(state.turn)
        state, _ = apply_action(state, state.turn, legal_actions(state, state.turn)[0])
    assert order == [turn % seats + 1 for turn in range(5)]


def test_every_figure_the_placement_closes_gets_a_marker_of_its_side() -> None:
    state, events = apply_action(build_position(TWO_CIRCLES, drawn="E", tower="H"), 1, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: 1, RIGHT: 1}
    assert state.markers_left[1:] == ((4, 2, 3), (4, 4, 3))
    figure = {"event": "closed", "seat": 1, "side": 1, "kind": "circle", "value": 2}
    assert filter_events(events, "closed", "claimed") == [
        {**figure, "place": LEFT},
        {**figure, "place": RIGHT},
    ]


def test_a_pair_marks_with_the_markers_of_its_side() -> None:
    state = build_position(TWO_CIRCLES, drawn="E", turn=3, mode="pairs", seats=4)
    state, events = apply_action(state, 3, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: 1, RIGHT: 1}
    assert state.markers_left[1:] == ((4, 2, 3), (4, 4, 3))
    assert {(event["seat"], event["side"]) for event in filter_events(events, "closed")} == {(3, 1)}


def test_a_figure_its_closer_has_no_marker_for_stays_unmarked_until_the_next_turn_begins() -> None:
    state = build_position(TWO_CIRCLES, drawn="E", tower="HHH", markers={1: (4, 1, 3)}, hands={2: ["OO"]})
    state, events = apply_action(state, 1, "E-c4-0")
    # with fewer markers than figures: by column from the left
    assert map_figure_owners(state) == {LEFT: 1, RIGHT: 2}
    circle = {"seat": 1, "kind": "circle", "value": 2}
    assert filter_events(events, "closed", "claimed") == [
        {"event": "closed", "side": 1, "place": LEFT, **circle},
        {"event": "closed", "side": None, "place": RIGHT, **circle},
        {"event": "claimed", "side": 2, "place": RIGHT, **circle, "seat": 2},
    ]
    assert state.phase == "start", "the claim comes before the card"


def test_a_marker_of_another_value_does_not_do() -> None:
    state = build_position(TWO_CIRCLES, drawn="E", markers={1: (4, 0, 3), 2: (4, 0, 3)})
    state, _ = apply_action(state, 1, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: None, RIGHT: None}
    assert state.markers_left[1:] == ((4, 0, 3), (4, 0, 3))


def test_scarce_small_markers_go_by_the_left_or_lower_cell_then_by_the_other() -> None:
    state = build_position({"b4": "H", "c5": "H", "d4": "H"}, drawn="H", markers={1: (2, 4, 3)})
    state, _ = apply_action(state, 1, "H-c4-0")
    assert map_figure_owners(state) == {"b4+c4": 1, "c4+c5": 1, "c4+d4": 2}


@pytest.mark.parametrize(
    ("cells", "value", "first", "second"),
    [
        ({"a2": "E", "a3": "E", "b1": "E", "c1": "E"}, 2, "frame+a2+a3", "frame+b1+c1"),
        ({"b1": "E", "c1": "E", "b5": "E", "c5": "E"}, 2, "frame+b1+c1", "frame+b5+c5"),
        ({"a1": "E", "a5": "E"}, 2, "frame+a1", "frame+a5"),
        ({"a4": "A", "a5": "A", "a1": "A", "b1": "A"}, 4, "frame+a4+a5", "frame+a1+b1"),
        ({"b4": "H", "b5": "H", "c1": "H", "c2": "H"}, 1, "b4+b5", "c1+c2"),
        ({"b2": "H", "b3": "D0", "c2": "D90"}, 1, "b2+b3", "b2+c2"),
        ({"a2": "D90", "b2": "D90", "a3": "D0", "a4": "D0"}, 1, "a2+b2", "a3+a4"),
        ({"b1": "D90", "c1": "D90", "b2": "D0", "b3": "D0"}, 1, "b1+c1", "b2+b3"),
    ],
)
def test_scarce_markers_claim_by_column_from_the_left_then_by_row_from_the_bottom(
    cells: dict[str, str], value: int, first: str, second: str
) -> None:
    one_left = (int(value == 1), int(value == 2), int(value == 4))
    state = build_position(
        {**cells, "e3": "I"}, drawn="I", unmarked={second: value, first: value}, markers={2: one_left}
    )
    state, events = apply_action(state, 1, "I-e4-0")
    assert map_figure_owners(state) == {first: 2, second: None}
    assert state.markers_left[2] == (0, 0, 0)
    assert [event["place"] for event in filter_events(events, "claimed")] == [first]


def test_a_seat_that_has_no_marker_leaves_the_figure_to_the_next_that_has() -> None:
    state = build_position(
        {"a1": "E"},
        drawn="I",
        tower="III",
        seats=3,
        unmarked={"frame+a1": 2},
        markers={1: (4, 0, 3), 2: (4, 0, 3)},
    )
    state, _ = apply_action(state, 1, "I-c4-0")
    assert (state.turn, map_figure_owners(state)) == (2, {"frame+a1": None})
    state, events = apply_action(state, 2, "I-c2-0")
    assert (state.turn, map_figure_owners(state)) == (3, {"frame+a1": 3})
    assert state.markers_left[3] == (4, 3, 3)
    assert [event["seat"] for event in filter_events(events, "claimed")] == [3]


def test_figures_left_unmarked_before_and_now_wait_together() -> None:
    state = build_position(
        {**TWO_CIRCLES, "a1": "E"},
        drawn="E",
        tower="III",
        seats=3,
        unmarked={"frame+a1": 2},
        markers={1: (4, 0, 3), 2: (4, 0, 3), 3: (4, 2, 3)},
    )
    state, _ = apply_action(state, 1, "E-c4-0")
    assert map_figure_owners(state) == {"frame+a1": None, LEFT: None, RIGHT: None}
    state, _ = apply_action(state, 2, "I-c2-0")
    assert map_figure_owners(state) == {"frame+a1": 3, LEFT: 3, RIGHT: None}


def test_a_seat_claims_only_when_its_own_turn_begins() -> None:
    state = build_position({"a1": "E"}, drawn="I", tower="III", seats=3, unmarked={"frame+a1": 2}, turn=2)
    assert map_figure_owners(state) == {"frame+a1": None}
    state, _ = apply_action(state, 2, "I-c4-0")
    assert map_figure_owners(state) == {"frame+a1": 3}


def test_if_no_side_ever_has_the_marker_the_point_is_lost() -> None:
    none = (4, 0, 3)
    state = build_position(
        {"a1": "E"}, drawn="I", tower="", unmarked={"frame+a1": 2}, markers={1: none, 2: none}
    )
    state, _ = apply_action(state, 1, "I-c4-0")
    assert state.match_results[-1]["scores"] == {"1": 0, "2": 0}


def test_a_closed_figure_is_not_closed_again_by_a_tile_beside_it() -> None:
    state = build_position({"b4": "H", "c4": "H"}, drawn="E", marked={("b4+c4", 1): 2})
    state, events = apply_action(state, 1, "E-d4-0")
    assert map_figure_owners(state) == {"b4+c4": 2}
    assert filter_events(events, "closed") == []


WORLDS: list[dict[str, Any]] = [
    {"tower": "JBHAC", "deck": ["TT", "ME"], "hands": {1: ["OO"], 2: ["CV"]}},
    {"tower": "JBHEI", "deck": ["QL", "AK"], "hands": {1: ["RC"], 2: ["OO"]}},
]


def test_events_tell_nothing_that_the_table_does_not_see() -> None:
    stories = []
    for world in WORLDS:
        state = build_position(
            TWO_CIRCLES, phase="start", table={1: "J", 2: "E"}, markers={1: (4, 0, 3)}, **world
        )
        story: list[GameEvent] = []
        # two dark tiles for seat 1, then seat 2 closes both circles
        for seat, action in ((1, "draw"), (2, "draw"), (2, "E-c4-0")):
            state, events = apply_action(state, seat, action)
            story += events
        stories.append(story)
    assert stories[0] == stories[1]
    names = [event["event"] for event in stories[0]]
    assert names == ["drew", "dark tiles left", "drew", "placed", "closed", "closed"]
    assert stories[0][1] == {"event": "dark tiles left", "seat": 1, "table": "B", "card": True}
    assert stories[0][3] == {"event": "placed", "seat": 2, "tile": "E", "cell": "c4", "rotation": 0}


def test_the_first_events_of_a_match_tell_the_open_tiles_and_no_cards() -> None:
    state = build_position(phase="start", tower="", hands={1: ["OO"]}, deck=["TT", "ME"])
    other = build_position(phase="start", tower="", hands={1: ["CV"], 2: []}, deck=["AK", "RA"])
    assert apply_action(state, 1, "draw")[1] == apply_action(other, 1, "draw")[1]
