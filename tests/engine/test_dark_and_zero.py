"""RULES 4: the zero tile and the dark tile."""

from __future__ import annotations

import pytest

from games.engine import IllegalAction, apply_action, build_view, legal_actions
from tests.factories.positions import build_position

# D0 on c4 makes an 8.
GAP = {"b4": "H", "d4": "H"}
BESIDE_GAP = ("a4", "b3", "b5", "c2", "c4", "d3", "d5", "e4")
BESIDE_CENTRE = ("b3", "c2", "c4", "d3")


def all_placements(tile: str, cells: tuple[str, ...]) -> set[str]:
    return {f"{tile}-{cell}-0" for cell in cells}


@pytest.mark.parametrize("obligation", ["strict", "lenient"])
@pytest.mark.parametrize(("table", "drawn"), [("I", "D"), ("D", "I"), ("I", "H"), ("H", "I")])
def test_a_seat_that_holds_a_zero_tile_must_place_it_even_before_an_8(
    obligation: str, table: str, drawn: str
) -> None:
    state = build_position(GAP, drawn=drawn, table={1: table}, obligation=obligation)
    assert set(legal_actions(state, 1)) == all_placements("I", BESIDE_GAP)
    other = "D-c4-0" if "D" in (table, drawn) else "H-c4-0"
    with pytest.raises(IllegalAction) as raised:
        apply_action(state, 1, other)
    assert raised.value.rule == "zero-tile"


@pytest.mark.parametrize(("table", "drawn"), [("I", "A"), ("A", "I")])
def test_after_the_zero_tile_the_other_one_is_the_table_tile(table: str, drawn: str) -> None:
    state, _ = apply_action(build_position(drawn=drawn, table={1: table}), 1, "I-c4-0")
    assert state.table_tiles[1] == "A"
    assert state.removed_tiles == ""


def test_of_two_zero_tiles_one_is_placed_and_the_other_stays() -> None:
    state = build_position(drawn="I", table={1: "I"})
    assert sorted(legal_actions(state, 1)) == sorted(all_placements("I", BESIDE_CENTRE))
    state, _ = apply_action(state, 1, "I-c4-0")
    assert state.table_tiles[1] == "I"


def test_a_zero_tile_before_another_seat_obliges_nobody() -> None:
    state = build_position(drawn="A", table={2: "I"})
    assert set(legal_actions(state, 1)) == all_placements("A", BESIDE_CENTRE)


@pytest.mark.parametrize("obligation", ["strict", "lenient"])
def test_a_zero_tile_goes_down_beside_a_dark_one_whichever_was_drawn(obligation: str) -> None:
    for table, drawn in (("I", "J"), ("J", "I")):
        state = build_position(drawn=drawn, table={1: table}, obligation=obligation)
        assert set(legal_actions(state, 1)) == all_placements("I", BESIDE_CENTRE)
        state, _ = apply_action(state, 1, "I-c4-0")
        assert state.table_tiles[1] == "J"


@pytest.mark.parametrize("obligation", ["strict", "lenient"])
def test_a_dark_tile_drawn_beside_another_makes_the_other_be_played(obligation: str) -> None:
    state = build_position(
        phase="start", hands={1: ["OO"]}, tower="JHHH", table={1: "A"}, obligation=obligation
    )
    state, events = apply_action(state, 1, "draw")
    assert events == [{"event": "drew", "seat": 1, "tile": "J"}]
    assert (state.turn, state.phase, state.drawn_tile) == (1, "place", "J")
    assert set(legal_actions(state, 1)) == all_placements("A", BESIDE_CENTRE)
    state, _ = apply_action(state, 1, "A-c4-0")
    assert state.table_tiles[1] == "J"
    assert state.turn == 2


@pytest.mark.parametrize("obligation", ["strict", "lenient"])
def test_while_a_dark_tile_lies_on_the_table_the_drawn_tile_must_be_played(obligation: str) -> None:
    state = build_position(drawn="A", table={1: "J"}, obligation=obligation)
    assert set(legal_actions(state, 1)) == all_placements("A", BESIDE_CENTRE)
    state, _ = apply_action(state, 1, "A-c4-0")
    assert state.table_tiles[1] == "J"


def test_the_tile_beside_a_dark_one_keeps_its_duties() -> None:
    assert legal_actions(build_position(GAP, drawn="D", table={1: "J"}), 1) == ("D-c4-0",)
    assert legal_actions(build_position(GAP, drawn="J", table={1: "D"}), 1) == ("D-c4-0",)
    circle = {"b3": "E", "b4": "E"}
    assert legal_actions(build_position(circle, drawn="E", table={1: "J"}), 1) == ("E-c4-0",)


@pytest.mark.parametrize(("table", "drawn"), [("A", "J"), ("J", "A")])
def test_a_dark_tile_is_never_placed(table: str, drawn: str) -> None:
    with pytest.raises(IllegalAction) as raised:
        apply_action(build_position(drawn=drawn, table={1: table}), 1, "J-c4-0")
    assert raised.value.rule == "dark-tile"


def test_two_dark_tiles_leave_the_match_for_a_new_table_tile_and_a_new_card_and_the_turn_ends() -> None:
    state = build_position(
        phase="start", hands={1: ["OO"]}, table={1: "J", 2: "C"}, tower="JBGH", deck=["TT", "MI"], seats=3
    )
    state, events = apply_action(state, 1, "draw")
    assert build_view(state)["removed_tiles"] == ["J", "J"]
    assert state.table_tiles[1:] == ("B", "C", "")
    assert state.hands[1] == ("OO", "TT")
    assert state.deck == ("MI",)
    assert (state.turn, state.drawn_tile, state.tower) == (2, "G", "H")
    assert set(build_view(state)["board"]["cells"]) == {"c3"}
    assert events == [
        {"event": "drew", "seat": 1, "tile": "J"},
        {"event": "dark tiles left", "seat": 1, "table": "B", "card": True},
        {"event": "drew", "seat": 2, "tile": "G"},
    ]


def test_two_dark_tiles_bring_no_card_when_the_deck_is_empty() -> None:
    state = build_position(phase="start", hands={1: ["OO"]}, table={1: "J"}, tower="JBGH")
    state, events = apply_action(state, 1, "draw")
    assert (state.table_tiles[1], state.hands[1], state.turn) == ("B", ("OO",), 2)
    assert events[1]["card"] is False


def test_two_dark_tiles_bring_no_tile_when_the_tower_is_empty() -> None:
    state = build_position(
        phase="start", hands={1: ["OO"], 2: ["OO"]}, table={1: "J", 2: "A"}, tower="J", deck=["TT"]
    )
    state, events = apply_action(state, 1, "draw")
    assert (state.table_tiles[1], state.hands[1], state.turn) == ("", ("OO", "TT"), 2)
    assert (state.match_no, state.phase) == (1, "start")
    assert events[1]["table"] is None


def test_the_new_table_tile_may_be_dark_again() -> None:
    state = build_position(phase="start", hands={1: ["OO"]}, table={1: "J"}, tower="JJEH", deck=["TT"])
    state, _ = apply_action(state, 1, "draw")
    assert (state.table_tiles[1], state.removed_tiles, state.turn, state.drawn_tile) == ("J", "JJ", 2, "E")


def test_two_dark_tiles_come_about_in_an_automatic_draw_too() -> None:
    state = build_position(drawn="A", table={2: "J"}, tower="JBHEE", deck=["TT"], seats=3)
    state, _ = apply_action(state, 1, "A-c4-0")
    assert (state.turn, state.drawn_tile, state.table_tiles[2], state.hands[2]) == (3, "H", "B", ("TT",))


def test_a_dark_tile_before_another_seat_does_not_count_as_ones_own() -> None:
    state = build_position(phase="start", hands={1: ["OO"]}, table={1: "A", 2: "J"}, tower="JHHH")
    state, _ = apply_action(state, 1, "draw")
    assert (state.turn, state.phase, state.removed_tiles) == (1, "place", "")


def test_a_dark_tile_drawn_with_no_table_tile_becomes_the_table_tile_and_the_turn_ends() -> None:
    state = build_position(phase="start", hands={1: ["OO"]}, table={2: "A"}, tower="JEHH", deck=["TT"])
    state, events = apply_action(state, 1, "draw")
    assert (state.table_tiles[1], state.removed_tiles, state.turn, state.drawn_tile) == ("J", "", 2, "E")
    assert state.hands[1] == ("OO",), "no card comes with it"
    assert [event["event"] for event in events] == ["drew", "lost turn", "drew"]
