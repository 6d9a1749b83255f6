"""The secret cards that act on tiles and turns, and rules common to all cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.engine import (
    ActionError,
    IllegalAction,
    NotYourTurn,
    State,
    apply_action,
    build_view,
    legal_actions,
)
from tests.factories.positions import build_position, build_zero_board, play_actions

QUIET = {"c2": "I"}


def build_start_position(*hand: str, **more: Any) -> State:
    """Build a position in which seat 1 of two may play a card; both have a table tile."""
    terms: dict[str, Any] = {"table": {1: "A", 2: "B"}, "hands": {1: list(hand)}, "tower": "IIII"} | more
    return build_position(QUIET, phase="start", **terms)


def format_table_tiles(state: State) -> str:
    return " ".join(tile or "-" for tile in state.table_tiles[1:])


# ---------------------------------------------------------------------------------------- all cards


def test_a_card_is_played_before_the_draw_and_the_turn_goes_on_with_the_draw() -> None:
    state = play_actions(build_start_position("RC", tower="HIII"), "RC")
    assert (state.phase, state.turn, state.drawn_tile, state.tower) == ("place", 1, "H", "III")


def test_after_the_draw_no_card_can_be_played() -> None:
    state = play_actions(build_start_position("RC"), "draw")
    assert "RC" not in legal_actions(state, 1)
    with pytest.raises(IllegalAction):
        apply_action(state, 1, "RC")


def test_only_one_card_is_played_in_a_turn() -> None:
    state = play_actions(build_start_position("RC", "MI", "TT"), "RC")
    assert state.phase == "place"
    for action in ("MI-2", "TT"):
        with pytest.raises(IllegalAction):
            apply_action(state, 1, action)


def test_a_card_may_be_kept() -> None:
    state = play_actions(build_start_position("RC", "TT"), "draw")
    assert state.hands[1] == ("RC", "TT")
    assert state.played_cards == ()


def test_a_card_is_shown_to_all_and_leaves_the_game() -> None:
    state = play_actions(build_start_position("OO", "RC", deck=["ME"]), "RC")
    assert state.hands[1] == ("OO",)
    assert state.deck == ("ME",)
    for viewer in (None, 1, 2):
        assert build_view(state, viewer)["played"] == ["RC"]


def test_a_card_that_one_does_not_hold_cannot_be_played() -> None:
    state = build_start_position("RC", "OO")
    for action in ("TT", "ME", "RA", "MI-2", "AK-2", "CV=TT", "QL-c2-c1-0"):
        with pytest.raises(IllegalAction):
            apply_action(state, 1, action)


def test_nobody_plays_a_card_in_another_seats_turn() -> None:
    state = build_start_position(hands={1: ["RC"], 2: ["TT"]})
    assert legal_actions(state, 2) == ()
    with pytest.raises(NotYourTurn):
        apply_action(state, 2, "TT")


def test_of_equal_cards_the_one_received_first_is_played() -> None:
    assert play_actions(build_start_position("TT", "RC", "OO", "RC"), "RC").hands[1] == ("TT", "OO", "RC")


def test_a_seat_whose_cards_cannot_be_played_now_must_still_say_draw() -> None:
    state = play_actions(
        build_position(QUIET, drawn="I", table={1: "I"}, hands={2: ["OO"]}, tower="HH"), "I-c1-0"
    )
    assert (state.turn, state.phase) == (2, "start")
    assert legal_actions(state, 2) == ("draw",)


def test_hands_are_secret_but_partners_see_each_others() -> None:
    hands = {1: ["TT"], 2: ["OO"], 3: ["ME", "CV"], 4: ["AK"]}
    state = build_position(QUIET, phase="start", hands=hands, mode="pairs", seats=4)
    you = build_view(state, 1)["you"]
    assert you["hand"] == ["TT"]
    assert you["partner"] == {"seat": 3, "hand": ["ME", "CV"]}
    assert "OO" not in str(build_view(state, 1))
    assert not any(card in str(build_view(state)) for hand in hands.values() for card in hand)


# -------------------------------------------------------------------------------------- Time travel


def test_time_travel_gives_two_turns_in_a_row_and_no_third() -> None:
    state = play_actions(build_start_position("TT"), "TT", "I-c1-0")
    assert (state.turn, state.phase) == (1, "place")
    state = play_actions(state, "I-b2-0")
    assert state.turn == 2
    assert play_actions(state, "I-d2-0").turn == 1


def test_in_the_second_turn_of_a_time_travel_no_card_is_played() -> None:
    state = play_actions(build_start_position("TT", "TT", "RC"), "TT", "I-c1-0")
    assert (state.turn, state.phase) == (1, "place")  # drawn automatically, although it holds cards
    assert state.hands[1] == ("TT", "RC")


def test_after_a_time_travel_cards_are_played_again() -> None:
    state = play_actions(build_start_position("TT", "RC"), "TT", "I-c1-0", "I-b2-0", "I-d2-0")
    assert (state.turn, state.phase) == (1, "start")
    assert "RC" in legal_actions(state, 1)


def test_two_dark_tiles_in_the_first_turn_of_a_time_travel_count_as_a_turn() -> None:
    state = play_actions(build_start_position("TT", table={1: "J", 2: "B"}, tower="JAHI", deck=["ME"]), "TT")
    assert (state.turn, state.phase, state.drawn_tile) == (1, "place", "H")
    assert format_table_tiles(state) == "A B"
    assert state.hands[1] == ("ME",)  # the new card must wait: this is the second turn
    state = play_actions(state, legal_actions(state, 1)[0])
    assert state.turn == 2


def test_two_dark_tiles_in_the_second_turn_of_a_time_travel_end_it() -> None:
    state = play_actions(build_start_position("TT", table={1: "J", 2: "B"}, tower="IJAH"), "TT", "I-c1-0")
    assert (state.turn, state.drawn_tile) == (2, "H")


def test_a_dark_tile_drawn_with_no_table_tile_counts_as_the_first_turn_of_a_time_travel() -> None:
    state = play_actions(build_start_position("TT", table={2: "B"}, tower="JIHH"), "TT")
    assert (state.turn, state.drawn_tile, format_table_tiles(state)) == (1, "I", "J B")
    assert play_actions(state, "I-c1-0").turn == 2


@pytest.mark.parametrize(
    ("cells", "tower", "action", "ending"),
    [
        ({"a2": "H", "b2": "D0"}, "HIII", ["TT", "H-c2-0"], "infinity"),
        (build_zero_board("a1"), "I", ["TT", "I-a1-0"], "full"),
        ({"a1": "I"}, "", ["TT"], "tower"),
    ],
)
def test_a_second_turn_is_void_when_the_match_ends_in_the_first(
    cells: dict[str, str], tower: str, action: list[str], ending: str
) -> None:
    state = build_position(
        cells, phase="start", table={1: "E"}, tower=tower, hands={1: ["TT"]}, key=b"a" * 32
    )
    state = play_actions(state, *action)
    assert [match["ended"] for match in state.match_results] == [ending]
    first = state.turn
    assert state.phase == "place"
    assert play_actions(state, legal_actions(state, first)[0]).turn != first


# ------------------------------------------------------------------------------- Magnetic inversion


def test_magnetic_inversion_swaps_two_table_tiles_and_no_other() -> None:
    state = build_start_position("MI", table={1: "A", 2: "B", 3: "C", 4: "E"}, seats=4)
    assert format_table_tiles(play_actions(state, "MI-3")) == "C B A E"


def test_magnetic_inversion_reaches_every_other_seat_but_not_oneself() -> None:
    state = build_start_position("MI", table={1: "A", 2: "B", 3: "C"}, seats=3)
    assert set(legal_actions(state, 1)) == {"draw", "MI-2", "MI-3"}
    with pytest.raises(IllegalAction):
        apply_action(state, 1, "MI-1")


def test_magnetic_inversion_may_swap_with_the_partner() -> None:
    state = build_start_position("MI", table={1: "A", 2: "B", 3: "C", 4: "E"}, mode="pairs", seats=4)
    assert set(legal_actions(state, 1)) == {"draw", "MI-2", "MI-3", "MI-4"}
    assert format_table_tiles(play_actions(state, "MI-3")) == "C B A E"


def test_magnetic_inversion_needs_a_tile_of_ones_own() -> None:
    assert legal_actions(build_start_position("MI", table={2: "B"}), 1) == ("draw",)


def test_magnetic_inversion_needs_a_tile_at_the_other_seat() -> None:
    state = build_start_position("MI", table={1: "A", 3: "C"}, seats=3)
    assert set(legal_actions(state, 1)) == {"draw", "MI-3"}


def test_magnetic_inversion_passes_over_a_seat_that_resigned() -> None:
    state, _ = apply_action(build_start_position("MI", table={1: "A", 2: "B", 3: "C"}, seats=3), 2, "resign")
    assert set(legal_actions(state, 1)) == {"draw", "MI-3"}


def test_a_dark_tile_can_be_swapped_away() -> None:
    state = play_actions(build_start_position("MI", table={1: "J", 2: "A"}, tower="EII"), "MI-2")
    assert format_table_tiles(state) == "A J"
    assert {action[0] for action in legal_actions(state, 1)} == {"A", "E"}


# --------------------------------------------------------------------------------------- Revolution


@pytest.mark.parametrize(("card", "turned"), [("RC", "E A B C"), ("RA", "B C E A")])
@pytest.mark.parametrize("mode", ["singles", "pairs"])
def test_a_revolution_passes_every_table_tile_to_the_next_seat(card: str, turned: str, mode: str) -> None:
    state = build_start_position(card, table={1: "A", 2: "B", 3: "C", 4: "E"}, seats=4, mode=mode)
    assert format_table_tiles(play_actions(state, card)) == turned


@pytest.mark.parametrize(("card", "other"), [("RC", "RA"), ("RA", "RC")])
def test_the_direction_of_a_revolution_is_on_the_card(card: str, other: str) -> None:
    assert set(legal_actions(build_start_position(card), 1)) == {"draw", card}
    for action in (other, "RV-cw", "RV-ccw"):
        with pytest.raises(IllegalAction):
            apply_action(build_start_position(card), 1, action)


@pytest.mark.parametrize(("action", "turned"), [("RV-cw", "C A B"), ("RV-ccw", "B C A")])
def test_the_direction_of_the_dutch_revolution_is_chosen(action: str, turned: str) -> None:
    state = build_start_position("RV", table={1: "A", 2: "B", 3: "C"}, seats=3, edition="bannan-nl")
    assert set(legal_actions(state, 1)) == {"draw", "RV-cw", "RV-ccw"}
    assert format_table_tiles(play_actions(state, action)) == turned
    for other in ("RC", "RA"):
        with pytest.raises(ActionError):
            apply_action(state, 1, other)


@pytest.mark.parametrize(("card", "turned"), [("RC", "E - A C"), ("RA", "C - E A")])
def test_a_revolution_passes_over_a_seat_that_resigned(card: str, turned: str) -> None:
    state, _ = apply_action(
        build_start_position(card, table={1: "A", 2: "B", 3: "C", 4: "E"}, seats=4), 2, "resign"
    )
    assert format_table_tiles(play_actions(state, card)) == turned


def test_a_revolution_also_passes_on_a_missing_tile() -> None:
    assert (
        format_table_tiles(play_actions(build_start_position("RC", table={1: "A", 3: "C"}, seats=3), "RC"))
        == "C A -"
    )


def test_a_revolution_starts_with_no_particular_seat() -> None:
    state = build_start_position(turn=3, hands={3: ["RC"]}, table={1: "A", 2: "B", 3: "C"}, seats=3)
    assert format_table_tiles(play_actions(state, "RC")) == "C A B"


# ---------------------------------------------------------------------------------------- Meteorite


def test_after_a_meteorite_all_table_tiles_leave_the_match_and_new_ones_come() -> None:
    state = play_actions(build_start_position("ME", tower="CEHI"), "ME")
    assert format_table_tiles(state) == "C E"
    assert Counter(state.removed_tiles) == Counter("AB")
    assert (state.drawn_tile, state.tower, state.phase) == ("H", "I", "place")


def test_after_a_meteorite_the_new_tiles_are_taken_from_its_player_clockwise() -> None:
    state = build_start_position(
        turn=3, hands={3: ["ME"]}, table={1: "A", 2: "A", 3: "A", 4: "A"}, seats=4, tower="BCEHI"
    )
    assert format_table_tiles(play_actions(state, "ME")) == "E H B C"


def test_a_meteorite_also_removes_and_brings_dark_tiles() -> None:
    state = play_actions(build_start_position("ME", table={1: "J", 2: "J"}, tower="AJHI"), "ME")
    assert format_table_tiles(state) == "A J"
    assert state.removed_tiles == "JJ"


def test_after_a_meteorite_a_seat_without_a_table_tile_gets_one_again() -> None:
    assert (
        format_table_tiles(play_actions(build_start_position("ME", table={1: "A"}, tower="CEHI"), "ME"))
        == "C E"
    )


def test_after_a_meteorite_new_tiles_come_while_the_tower_lasts_and_then_the_match_ends() -> None:
    """In this edition a side without a marker scores its table tile: only seat 1 has a table tile."""
    state = play_actions(
        build_start_position("ME", table={1: "A", 2: "A"}, tower="B", edition="bannan-nl"), "ME"
    )
    assert state.match_results == (
        {"kind": "normal", "ended": "tower", "scores": {"1": 12, "2": 0}, "silly": [1]},
    )


def test_a_meteorite_that_empties_the_tower_ends_the_match_at_the_draw() -> None:
    state = play_actions(build_start_position("ME", tower="HH"), "ME")
    assert [match["ended"] for match in state.match_results] == ["tower"]


def test_after_a_meteorite_a_seat_that_resigned_gets_no_tile() -> None:
    state, _ = apply_action(
        build_start_position("ME", table={1: "A", 2: "A", 3: "A"}, seats=3, tower="BCEH"), 2, "resign"
    )
    assert format_table_tiles(play_actions(state, "ME")) == "B - C"


# -------------------------------------------------------------------------------------- Cosmic void


def test_the_cosmic_void_plays_as_any_one_of_the_others() -> None:
    state = build_start_position(hands={1: ["CV"], 2: ["OO"]})
    plain = build_start_position(hands={1: ["TT", "MI", "RC", "RA", "QL", "ME", "AK", "OO"], 2: ["OO"]})
    expected = {f"CV={action}" for action in legal_actions(plain, 1) if action != "draw"}
    assert {action[3:5] for action in expected} == {"TT", "MI", "RC", "RA", "QL", "ME", "AK"}
    assert set(legal_actions(state, 1)) == {"draw"} | expected


@pytest.mark.parametrize("card", ["TT", "MI-2", "RC", "RA", "ME", "QL-c2-a1-0"])
def test_the_cosmic_void_does_what_the_named_card_does(card: str) -> None:
    state = build_start_position(hands={1: ["CV", card[:2]]}, tower="CEHI")
    void, plain = play_actions(state, f"CV={card}"), play_actions(state, card)
    assert (void.hands[1], void.played_cards) == ((card[:2],), ("CV",))
    for name in (
        "table_tiles",
        "cells",
        "tower",
        "removed_tiles",
        "extra_turn",
        "phase",
        "turn",
        "drawn_tile",
    ):
        assert getattr(void, name) == getattr(plain, name), name


def test_the_cosmic_void_is_named_aloud() -> None:
    _, events = apply_action(build_start_position("CV"), 1, "CV=MI-2")
    assert events[0] == {"event": "played", "seat": 1, "card": "CV", "action": "CV=MI-2"}


def test_the_cosmic_void_plays_no_revolution_of_another_edition() -> None:
    with pytest.raises(ActionError):
        apply_action(build_start_position("CV"), 1, "CV=RV-cw")
    state = build_start_position("CV", edition="bannan-nl")
    assert {"CV=RV-cw", "CV=RV-ccw"} <= set(legal_actions(state, 1))
    assert not {"CV=RC", "CV=RA"} & set(legal_actions(state, 1))


@pytest.mark.parametrize("card", ["OO", "CV"])
@pytest.mark.parametrize("phase", ["start", "place"])
def test_the_8_is_never_played_when_no_8_was_made(card: str, phase: str) -> None:
    state = build_start_position(card)
    if phase == "place":
        state = play_actions(state, "draw")
    assert not {"8", "CV=8", "OO", "CV=OO"} & set(legal_actions(state, 1))
    for action in ("8", "CV=8", "pass", "OO", "CV=OO"):
        with pytest.raises(ActionError):
            apply_action(state, 1, action)
