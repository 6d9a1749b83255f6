"""The card AK: its victims, the choice of the stolen card, and how that card is played or lost."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest

from games.engine import IllegalAction, State, apply_action, build_view, legal_actions
from tests.factories.positions import PLACE, build_position, play_actions

KEY = bytes(range(32))
FIVE = ["TT", "MI", "RC", "RA", "ME"]
SEVEN = [*FIVE, "QL", "OO"]


def predict_pick(number: int, size: int) -> int:
    """Return the index of the card that this kidnapping steals from a hand, by the protocol."""
    block = hmac.new(KEY, f"kidnap/{number}|0".encode(), hashlib.sha256).digest()
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    return next(x for x in words if x < 2**32 - 2**32 % size) % size


def build_robbing_position(
    hands: dict[int, list[str]], cells: dict[str, str] | None = None, **more: Any
) -> State:
    """Build a position in which seat 1 may play a card; every seat has a table tile."""
    seats = max(hands) if max(hands) > 1 else 2
    terms: dict[str, Any] = {
        "seats": seats,
        "table": dict(zip(range(1, seats + 1), "ABCE", strict=False)),
        "tower": "IIIIII",
        "key": KEY,
    }
    return build_position(cells or {"c2": "I"}, phase="start", hands=hands, **terms | more)


def list_legal_kinds(state: State, seat: int) -> set[str]:
    return {action.split("-")[0] for action in legal_actions(state, seat)}


# ------------------------------------------------------------------------------------------ victims


def test_a_kidnapper_robs_any_opponent_who_has_a_card_and_nobody_else() -> None:
    state = build_robbing_position({1: ["AK"], 2: ["TT"], 3: [], 4: ["RC", "RA"]})
    assert set(legal_actions(state, 1)) == {"draw", "AK-2", "AK-4"}
    for action in ("AK-1", "AK-3", "AK-5"):
        with pytest.raises(IllegalAction):
            apply_action(state, 1, action)


def test_a_kidnapper_does_not_rob_its_partner() -> None:
    state = build_robbing_position({1: ["AK"], 2: ["TT"], 3: ["RC"], 4: ["RA"]}, mode="pairs")
    assert set(legal_actions(state, 1)) == {"draw", "AK-2", "AK-4"}
    with pytest.raises(IllegalAction):
        apply_action(state, 1, "AK-3")


def test_a_kidnapper_robs_no_seat_that_resigned() -> None:
    state, _ = apply_action(build_robbing_position({1: ["AK"], 2: ["TT"], 3: ["RC"]}), 2, "resign")
    assert set(legal_actions(state, 1)) == {"draw", "AK-3"}


def test_a_kidnapping_needs_somebody_to_rob() -> None:
    assert legal_actions(build_robbing_position({1: ["AK", "OO"], 2: []}), 1) == ("draw",)


# ------------------------------------------------------------------------------- choice of the card


@pytest.mark.parametrize("size", range(1, 8))
def test_the_server_picks_the_card_by_the_kidnapping_number_and_the_order_received(size: int) -> None:
    hand = SEVEN[:size]
    index = predict_pick(1, size)
    state, events = apply_action(build_robbing_position({1: ["AK"], 2: hand}), 1, "AK-2")
    assert events[1] == {"event": "kidnapped", "seat": 1, "victim": 2, "card": hand[index]}
    assert list(state.hands[2]) == hand[:index] + hand[index + 1 :]


def test_a_stolen_card_never_enters_the_hand_of_the_thief() -> None:
    state = play_actions(build_robbing_position({1: ["AK", "ME"], 2: ["TT"]}), "AK-2")
    assert (state.hands[1], state.stolen_card, state.played_cards) == (("ME",), "TT", ("AK",))


def test_a_stolen_card_is_shown_to_all() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["TT"], 3: []}), "AK-2")
    assert [build_view(state, viewer)["stolen"] for viewer in (None, 1, 2, 3)] == ["TT"] * 4


# ---------------------------------------------------------------------------- duty to play the card


@pytest.mark.parametrize(
    ("card", "expected_actions"),
    [
        ("TT", {"TT"}),
        ("RC", {"RC"}),
        ("RA", {"RA"}),
        ("ME", {"ME"}),
        ("MI", {"MI-2", "MI-3"}),
        ("AK", {"AK-3"}),
    ],
)
def test_a_stolen_card_waits_to_be_played_even_with_only_one_way_to_do_so(
    card: str, expected_actions: set[str]
) -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: [card], 3: ["OO"]}), "AK-2")
    assert (state.phase, state.turn, state.stolen_card) == ("stolen", 1, card)
    assert set(legal_actions(state, 1)) == expected_actions


def test_a_stolen_quantum_leap_waits_with_all_its_ways() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["QL"]}), "AK-2")
    unrobbed = build_robbing_position({1: ["QL"], 2: []})
    assert set(legal_actions(state, 1)) == set(legal_actions(unrobbed, 1)) - {"draw"}


def test_a_stolen_dutch_revolution_waits_with_both_directions() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["RV"]}, edition="bannan-nl"), "AK-2")
    assert set(legal_actions(state, 1)) == {"RV-cw", "RV-ccw"}


def test_instead_of_a_stolen_card_one_can_neither_draw_nor_play_a_card_of_ones_own() -> None:
    state = play_actions(build_robbing_position({1: ["AK", "ME", "CV"], 2: ["TT"]}), "AK-2")
    for action in ("draw", "ME", "CV=TT", "pass", "I-c1-0"):
        with pytest.raises(IllegalAction):
            apply_action(state, 1, action)


def test_after_a_stolen_card_the_turn_goes_on_with_the_draw_and_no_other_card() -> None:
    state = play_actions(build_robbing_position({1: ["AK", "ME"], 2: ["RC"]}, tower="HI"), "AK-2", "RC")
    assert (state.phase, state.turn, state.drawn_tile, state.stolen_card) == ("place", 1, "H", "")
    assert state.hands[1] == ("ME",)
    assert state.played_cards == ("AK", "RC")
    with pytest.raises(IllegalAction):
        apply_action(state, 1, "ME")


@pytest.mark.parametrize(
    ("action", "tables"), [("MI-3", "CBAE"), ("RC", "EABC"), ("RA", "BCEA"), ("ME", "HFGD")]
)
def test_a_stolen_card_does_for_the_thief_what_it_does_for_its_owner(action: str, tables: str) -> None:
    state = build_robbing_position({1: ["AK"], 2: [action[:2]], 4: []}, tower="HFGDI")
    assert "".join(play_actions(state, "AK-2", action).table_tiles[1:]) == tables


def test_a_stolen_time_travel_gives_the_thief_two_turns() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["TT"]}), "AK-2", "TT", "I-c1-0")
    assert state.turn == 1
    assert play_actions(state, "I-b2-0").turn == 2


def test_a_stolen_quantum_leap_closes_for_the_thief() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["QL"]}, {"c2": "E"}), "AK-2", "QL-c2-a1-0")
    assert state.marked_figures == ((PLACE["frame+a1"], 2, 1),)
    assert state.phase == "place"


def test_a_stolen_quantum_leap_makes_an_8_for_the_thief() -> None:
    state = build_robbing_position({1: ["AK"], 2: ["QL"]}, {"a2": "H", "b2": "D0", "e5": "H"})
    assert play_actions(state, "AK-2", "QL-e5-c2-0").totals[1:] == (8, 0)


def test_a_stolen_magnetic_inversion_may_reach_the_victim_and_the_partner() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["MI"], 4: []}, mode="pairs"), "AK-2")
    assert set(legal_actions(state, 1)) == {"MI-2", "MI-3", "MI-4"}


def test_a_stolen_cosmic_void_plays_as_any_other_but_not_as_the_8() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["CV"], 3: ["OO"]}), "AK-2")
    cards = {"TT", "MI", "RC", "RA", "QL", "ME", "AK"}
    assert list_legal_kinds(state, 1) == {f"CV={card}" for card in cards}
    state = play_actions(state, "CV=MI-3")
    assert state.played_cards == ("AK", "CV")
    assert state.table_tiles[1:] == ("C", "B", "A")


def test_a_stolen_cosmic_void_is_never_lost() -> None:
    """Without a victim, a movable tile or a tile to swap, it can still be played as another card."""
    state = build_position({}, phase="start", hands={1: ["AK"], 2: ["CV"]}, key=KEY)
    assert set(legal_actions(play_actions(state, "AK-2"), 1)) == {"CV=TT", "CV=RC", "CV=RA", "CV=ME"}


# ------------------------------------------------------------------------------ cards without a use


@pytest.mark.parametrize(
    ("card", "cells", "table"),
    [
        ("OO", {"c2": "I"}, {1: "A", 2: "B"}),
        ("AK", {"c2": "I"}, {1: "A", 2: "B"}),
        ("QL", {}, {1: "A", 2: "B"}),
        ("MI", {"c2": "I"}, {2: "B"}),
        ("MI", {"c2": "I"}, {1: "A"}),
    ],
)
def test_a_stolen_card_that_can_have_no_effect_is_lost(
    card: str, cells: dict[str, str], table: dict[int, str]
) -> None:
    state = build_position(
        cells, phase="start", hands={1: ["AK"], 2: [card]}, table=table, tower="HI", key=KEY
    )
    state = play_actions(state, "AK-2")
    assert (state.phase, state.turn, state.drawn_tile, state.stolen_card) == ("place", 1, "H", "")
    assert state.hands[1:] == ((), ())
    assert build_view(state)["played"] == ["AK", card]


def test_a_stolen_quantum_leap_is_lost_when_every_tile_is_under_a_marker() -> None:
    state = build_robbing_position({1: ["AK"], 2: ["QL"]}, {"a1": "E"}, marked={("frame+a1", 2): 1})
    assert play_actions(state, "AK-2").phase == "place"


def test_a_stolen_kidnapping_is_lost_when_only_the_partner_holds_cards() -> None:
    state = play_actions(
        build_robbing_position({1: ["AK"], 2: ["AK"], 3: ["TT"], 4: []}, mode="pairs"), "AK-2"
    )
    assert (state.phase, state.played_cards) == ("place", ("AK", "AK"))


@pytest.mark.parametrize("card", ["RC", "RA", "ME", "TT"])
def test_a_stolen_card_without_choices_is_played_even_with_no_tile_on_any_table(card: str) -> None:
    state = build_position({}, phase="start", hands={1: ["AK"], 2: [card]}, table={}, key=KEY)
    assert legal_actions(play_actions(state, "AK-2"), 1) == (card,)


def test_a_lost_card_ends_no_turn_and_brings_no_other() -> None:
    state = play_actions(build_robbing_position({1: ["AK", "AK"], 2: ["OO", "OO"]}), "AK-2")
    assert (state.phase, state.hands[1], state.hands[2]) == ("place", ("AK",), ("OO",))


# ------------------------------------------------------------------------------ chains and counting


def test_a_stolen_kidnapping_robs_in_turn_the_same_opponent_or_another() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["AK", "AK"], 3: ["ME"]}), "AK-2")
    assert set(legal_actions(state, 1)) == {"AK-2", "AK-3"}
    state = play_actions(state, "AK-3")
    assert (state.stolen_card, state.played_cards) == ("ME", ("AK", "AK"))
    assert play_actions(state, "ME").phase == "place"


def test_a_chain_of_kidnappings_may_end_with_a_lost_card() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["AK"], 3: ["AK"]}), "AK-2", "AK-3")
    assert (state.phase, state.played_cards) == ("place", ("AK", "AK", "AK"))
    assert state.kidnap_count == 2


def test_every_kidnapping_of_a_chain_has_a_number_of_its_own() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["AK"], 3: FIVE}), "AK-2", "AK-3")
    assert state.stolen_card == FIVE[predict_pick(2, 5)]
    assert predict_pick(1, 5) != predict_pick(2, 5)


def test_a_kidnapping_by_the_cosmic_void_counts() -> None:
    state = play_actions(build_robbing_position({1: ["CV"], 2: ["AK"], 3: FIVE}), "CV=AK-2", "AK-3")
    assert state.played_cards == ("CV", "AK")
    assert state.stolen_card == FIVE[predict_pick(2, 5)]


def test_a_stolen_cosmic_void_that_robs_counts() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["CV"], 3: FIVE}), "AK-2", "CV=AK-3")
    assert state.played_cards == ("AK", "CV")
    assert state.stolen_card == FIVE[predict_pick(2, 5)]


def test_a_kidnapping_whose_card_is_lost_counts() -> None:
    state = play_actions(
        build_robbing_position({1: ["AK"], 2: ["AK"], 3: ["OO"], 4: FIVE}), "AK-3", "I-c1-0", "AK-4"
    )
    assert (state.turn, state.stolen_card) == (2, FIVE[predict_pick(2, 5)])


def test_kidnappings_are_numbered_through_the_whole_game() -> None:
    """The match ends at the draw after the first kidnapping; the second one is in the next match."""
    state = play_actions(
        build_robbing_position({1: ["AK", "AK"], 2: FIVE, 3: ["OO"]}, tower="", totals={1: 5}), "AK-3"
    )
    assert (state.match_no, state.turn, state.phase) == (2, 1, "start")
    assert play_actions(state, "AK-2").stolen_card == FIVE[predict_pick(2, 5)]


def test_who_was_robbed_of_its_last_card_draws_by_itself() -> None:
    state = play_actions(build_robbing_position({1: ["AK"], 2: ["RC"]}), "AK-2", "RC", "I-c1-0")
    assert (state.turn, state.phase) == (2, "place")
