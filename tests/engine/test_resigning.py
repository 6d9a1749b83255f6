"""Resigning: in every phase, by every kind of seat, and the state afterwards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.engine import ActionError, State, apply_action, build_view, legal_actions
from tests.factories.positions import PLACE, build_position, build_zero_board, play_actions

THREE = {1: "A", 2: "B", 3: "C"}


def build_three_seats(phase: str, cells: dict[str, str] | None = None, **more: Any) -> State:
    """Build a position of three seats with table tiles, seat 1 on turn."""
    terms: dict[str, Any] = {"table": THREE, "tower": "IHIH", "seats": 3} | more
    if phase == "place":
        terms.setdefault("drawn", "I")
    return build_position(cells or {"c2": "I"}, phase=phase, **terms)


def resign_seats(state: State, *seats: int) -> State:
    for seat in seats:
        state, _ = apply_action(state, seat, "resign")
    return state


def build_robbed_position(card: str, third: list[str], **more: Any) -> State:
    """Build a position in which seat 1 must play a card stolen from seat 2, who held no other."""
    state = play_actions(build_three_seats("start", hands={1: ["AK"], 2: [card], 3: third}, **more), "AK-2")
    assert state.stolen_card == card
    return state


def build_eight_position(**more: Any) -> State:
    """Let seat 1 make an 8; all three sides have a corner of 2 points, and those with a card are asked."""
    cells = {"a2": "H", "b2": "D0", "a5": "E", "e5": "E", "e1": "E"}
    marked = {("frame+a5", 2): 1, ("frame+e5", 2): 2, ("frame+e1", 2): 3}
    return play_actions(build_three_seats("place", cells, drawn="H", marked=marked, **more), "H-c2-0")


# ------------------------------------------------------------------------- the seat on turn resigns


def test_who_resigns_before_its_draw_leaves_and_the_next_seat_begins_its_turn() -> None:
    state = resign_seats(build_three_seats("start", hands={1: ["TT", "OO"], 2: ["RC"]}), 1)
    assert (state.turn, state.phase) == (2, "start")
    assert state.hands[1:] == ((), ("RC",), ())
    assert state.table_tiles[1:] == ("", "B", "C")
    assert (state.removed_tiles, state.tower) == ("A", "IHIH")


def test_who_resigns_with_a_drawn_tile_takes_it_along() -> None:
    state = resign_seats(build_three_seats("place", drawn="E"), 1)
    assert (state.turn, state.phase, state.drawn_tile) == (2, "place", "I")
    assert Counter(state.removed_tiles) == Counter("AE")


def test_who_resigns_with_a_stolen_card_takes_it_along() -> None:
    state = resign_seats(build_robbed_position("ME", ["RC"]), 1)
    assert (state.turn, state.phase, state.stolen_card) == (2, "place", "")
    assert state.hands[1:] == ((), (), ("RC",))
    assert Counter(state.played_cards + state.discarded_cards) == Counter(["AK", "ME"])


def test_the_cards_of_who_resigns_are_not_shown() -> None:
    state = resign_seats(build_three_seats("start", hands={1: ["TT", "OO"], 2: ["RC"], 3: []}), 1)
    assert build_view(state, 3)["played"] == []
    assert "OO" not in str(build_view(state, 3))


@pytest.mark.parametrize("placed", [0, 1])
def test_who_resigns_during_a_time_travel_loses_its_second_turn(placed: int) -> None:
    state = play_actions(build_three_seats("start", hands={1: ["TT"]}), "TT", *["I-c1-0"] * placed)
    state = resign_seats(state, 1)
    assert state.turn == 2
    state = play_actions(state, legal_actions(state, 2)[0])
    assert state.turn == 3


def test_the_next_seat_claims_and_may_play_a_card_after_a_resignation() -> None:
    cells, figure = {"c2": "I", "a1": "E"}, {"frame+a1": 2}
    state = build_three_seats("place", cells, unmarked=figure, markers={1: (4, 0, 3)}, hands={2: ["RC"]})
    state = resign_seats(state, 1)
    assert state.marked_figures == ((PLACE["frame+a1"], 2, 2),)
    assert (state.phase, "RC" in legal_actions(state, 2)) == ("start", True)


def test_when_the_last_seat_resigns_on_its_turn_the_first_is_next() -> None:
    assert resign_seats(build_three_seats("place", turn=3), 3).turn == 1


def test_who_resigns_on_turn_with_the_tower_empty_lets_the_match_end_at_the_next_draw() -> None:
    state = resign_seats(build_three_seats("start", hands={1: ["TT"], 2: ["OO"]}, tower=""), 1)
    assert (state.turn, state.phase, state.match_results) == (2, "start", ())
    assert [match["ended"] for match in play_actions(state, "draw").match_results] == ["tower"]


def test_who_resigns_on_turn_in_a_blind_match_lets_the_next_seat_draw() -> None:
    state = resign_seats(build_three_seats("place", kind="blind", table={}, drawn="E"), 1)
    assert (state.turn, state.drawn_tile, state.removed_tiles) == (2, "I", "E")


# ----------------------------------------------------------------------------- another seat resigns


@pytest.mark.parametrize("phase", ["start", "place"])
def test_a_seat_may_resign_in_another_seats_turn_which_goes_on(phase: str) -> None:
    state = build_three_seats(phase, hands={1: ["TT"], 2: ["RC"], 3: ["RA"]})
    later = resign_seats(state, 3)
    assert (later.turn, later.phase, later.drawn_tile, later.tower) == (1, phase, state.drawn_tile, "IHIH")
    assert set(legal_actions(later, 1)) == set(legal_actions(state, 1))
    assert (later.table_tiles[1:], later.hands[1:]) == (("A", "B", ""), (("TT",), ("RC",), ()))


def test_a_resignation_in_between_takes_no_second_turn_from_the_seat_on_turn() -> None:
    state = resign_seats(play_actions(build_three_seats("start", hands={1: ["TT"]}), "TT"), 2)
    assert play_actions(state, "I-c1-0").turn == 1


def test_a_stolen_kidnapping_is_lost_when_the_last_one_to_rob_resigns() -> None:
    state = resign_seats(build_robbed_position("AK", ["OO"]), 3)
    assert (state.turn, state.phase, state.stolen_card, state.drawn_tile) == (1, "place", "", "I")
    assert state.played_cards == ("AK", "AK")


def test_a_stolen_magnetic_inversion_is_lost_when_the_last_tile_to_swap_resigns() -> None:
    state = resign_seats(build_robbed_position("MI", [], table={1: "A", 3: "C"}), 3)
    assert (state.turn, state.phase, state.stolen_card, state.drawn_tile) == (1, "place", "", "I")
    assert state.played_cards == ("AK", "MI")


@pytest.mark.parametrize(
    ("card", "expected_actions"),
    [("TT", {"TT"}), ("ME", {"ME"}), ("MI", {"MI-2"}), ("QL", None), ("CV", None)],
)
def test_a_stolen_card_that_still_has_an_effect_waits_on(
    card: str, expected_actions: set[str] | None
) -> None:
    state = resign_seats(build_robbed_position(card, ["OO"]), 3)
    assert (state.phase, state.stolen_card, state.turn) == ("stolen", card, 1)
    legal = set(legal_actions(state, 1))
    assert legal == expected_actions if expected_actions else legal
    assert not any(action.endswith("-3") for action in legal if "QL" not in action)


def test_a_stolen_kidnapping_waits_on_while_somebody_else_can_be_robbed() -> None:
    state = build_three_seats("start", hands={1: ["AK"], 2: ["AK"], 3: ["OO"], 4: ["OO"]}, seats=4)
    state = resign_seats(play_actions(state, "AK-2"), 3)
    assert legal_actions(state, 1) == ("AK-4",)


def test_the_victim_of_a_kidnapping_may_resign_while_its_card_waits() -> None:
    state = resign_seats(build_robbed_position("ME", []), 2)
    assert (state.phase, state.stolen_card) == ("stolen", "ME")
    assert play_actions(state, "ME").table_tiles[1:] == ("I", "", "H")


# ---------------------------------------------------------------------------------- answers to an 8


def test_a_seat_that_resigns_is_no_longer_asked() -> None:
    state = resign_seats(build_eight_position(hands={2: ["OO"], 3: ["OO"]}), 2)
    assert (state.phase, state.seats_to_act) == ("react", (3,))
    state, _ = apply_action(state, 3, "8")
    assert state.match_results[0]["scores"] == {"1": 8, "2": 0, "3": 2}


def test_when_the_last_one_asked_resigns_the_8_is_scored() -> None:
    state = resign_seats(build_eight_position(hands={2: ["OO"]}), 2)
    assert state.match_results[0]["scores"] == {"1": 8, "2": 0, "3": 0}
    assert state.match_no == 2


def test_a_seat_that_is_not_asked_may_resign_and_the_others_are_asked_on() -> None:
    state = resign_seats(build_eight_position(hands={2: ["OO"]}), 3)
    assert (state.phase, state.seats_to_act) == ("react", (2,))


def test_if_the_maker_of_an_8_resigns_the_8_is_scored_all_the_same() -> None:
    state = resign_seats(build_eight_position(hands={2: ["OO"]}), 1)
    assert (state.phase, state.seats_to_act) == ("react", (2,))
    state, _ = apply_action(state, 2, "8")
    assert state.match_results[0] == {
        "kind": "normal", "ended": "infinity", "scores": {"1": 8, "2": 2, "3": 0}, "silly": []
    }  # fmt: skip
    assert state.turn in (2, 3)


def test_if_the_maker_was_the_last_one_asked_its_8_is_scored_at_once() -> None:
    state = resign_seats(build_eight_position(hands={1: ["OO"]}), 1)
    assert state.match_results[0]["scores"] == {"1": 8, "2": 0, "3": 0}


def test_an_8_of_a_side_that_resigned_wins_no_game() -> None:
    state = resign_seats(build_eight_position(hands={1: ["OO"]}, totals={1: 20, 2: 4}), 1)
    assert (state.is_over, state.totals[1:]) == (False, (28, 4, 0))
    assert state.match_kind == "normal"


def test_points_that_were_protected_stay_so_when_their_side_resigns() -> None:
    state, _ = apply_action(build_eight_position(hands={2: ["OO"], 3: ["OO"]}), 2, "8")
    state, _ = apply_action(resign_seats(state, 2), 3, "pass")
    assert state.match_results[0]["scores"] == {"1": 8, "2": 2, "3": 0}


# ---------------------------------------------------------------------------- state after resigning


def test_who_resigned_is_passed_over() -> None:
    state = resign_seats(build_three_seats("place"), 2)
    state = play_actions(state, "I-c1-0")
    assert state.turn == 3
    assert play_actions(state, legal_actions(state, 3)[0]).turn == 1


def test_the_markers_of_who_resigned_stay_and_still_score() -> None:
    cells = build_zero_board("c2", a5="E", e5="E")
    state = build_three_seats(
        "place", cells, marked={("frame+a5", 2): 2, ("frame+e5", 2): 1}, totals={1: 1, 2: 5}
    )
    state = play_actions(resign_seats(state, 2), "I-c2-0")
    assert state.match_results[0]["scores"] == {"1": 2, "2": 2, "3": 12}
    assert state.totals[1:] == (3, 7, 12)


def test_who_resigned_scores_nothing_in_a_silly_match() -> None:
    state = play_actions(resign_seats(build_three_seats("place", build_zero_board("c2")), 2), "I-c2-0")
    assert state.match_results[0]["scores"] == {"1": 16, "2": 0, "3": 12}
    assert state.match_results[0]["silly"] == [1, 3]


def test_who_resigned_gets_neither_tile_nor_card_in_the_next_match() -> None:
    state = build_three_seats(
        "place", build_zero_board("c2"), deck=["TT", "RC", "RA", "ME"], seniority=(2, 3, 1)
    )
    state = play_actions(resign_seats(state, 2), "I-c2-0")
    assert [bool(tile) for tile in state.table_tiles[1:]] == [True, False, True]
    assert state.hands[1:] == (("RC",), (), ("TT",))  # dealt from seat 3, the oldest in play


def test_who_resigned_in_the_lead_does_not_start_the_next_match() -> None:
    state = build_three_seats("place", build_zero_board("c2"), table={}, totals={2: 20, 3: 5})
    state = play_actions(resign_seats(state, 2), "I-c2-0")
    assert (state.match_no, state.turn) == (2, 3)


def test_a_figure_that_nobody_could_mark_passes_over_who_resigned() -> None:
    for name in ("arcastudio-2.2", "bannan-nl"):
        state = build_three_seats(
            "place", {"a2": "I"}, drawn="E", table={1: "J"}, markers={1: (4, 0, 3)}, edition=name
        )
        state = play_actions(resign_seats(state, 2), "E-a1-0")
        assert state.marked_figures == ((PLACE["frame+a1"], 2, 3),)


def test_who_resigned_does_nothing_more_and_does_not_resign_again() -> None:
    state = resign_seats(build_three_seats("start", hands={1: ["TT"], 2: ["RC"]}), 2)
    assert legal_actions(state, 2) == ()
    for action in ("resign", "draw", "RC", "pass"):
        with pytest.raises(ActionError):
            apply_action(state, 2, action)
    assert [seat["in_play"] for seat in build_view(state)["seats"]] == [True, False, True]


@pytest.mark.parametrize("seat", [0, 4, -1])
def test_nobody_resigns_for_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ActionError):
        apply_action(build_three_seats("start", hands={1: ["TT"]}), seat, "resign")


# ------------------------------------------------------------------------------------ the last side


@pytest.mark.parametrize("seat", [1, 2])
def test_the_last_side_left_wins_at_once_and_the_match_is_not_scored(seat: int) -> None:
    state = build_position(
        {"a5": "E", "e5": "E"},
        drawn="I",
        table={1: "A", 2: "B"},
        marked={("frame+a5", 2): 1, ("frame+e5", 2): 2},
        totals={1: 10, 2: 10},
    )
    state = resign_seats(state, seat)
    assert state.result == {
        "winner": 3 - seat, "totals": {"1": 10, "2": 10}, "matches": [], "shootout": []
    }  # fmt: skip


@pytest.mark.parametrize("phase", ["start", "stolen", "place", "react", "blind"])
def test_the_last_side_left_wins_in_any_phase_whatever_the_totals(phase: str) -> None:
    state = {
        "start": lambda: build_three_seats("start", hands={1: ["TT"]}, totals={1: 20, 2: 9}),
        "stolen": lambda: build_robbed_position("TT", [], totals={1: 20, 2: 9}),
        "place": lambda: build_three_seats("place", totals={1: 20, 2: 9}),
        "react": lambda: build_eight_position(hands={2: ["OO"]}, totals={1: 20, 2: 9}),
        "blind": lambda: build_three_seats("place", kind="blind", table={}, totals={1: 20, 2: 9}),
    }[phase]()
    state = resign_seats(state, 1, 2)
    assert (state.is_over, state.winner, state.totals[1:], state.match_results) == (True, 3, (20, 9, 0), ())


def test_the_maker_of_an_8_who_leaves_one_opponent_alone_scores_nothing() -> None:
    cells = {"a2": "H", "b2": "D0", "e5": "E"}
    state = build_position(cells, drawn="H", marked={("frame+e5", 2): 2}, hands={2: ["OO"]}, totals={1: 23})
    state = resign_seats(play_actions(state, "H-c2-0"), 1)
    assert (state.winner, state.totals[1:], state.seats_to_act) == (2, (23, 0), ())


def test_of_four_the_one_who_stays_wins() -> None:
    state = build_three_seats("start", hands={1: ["TT"]}, seats=4)
    for seat in (2, 4):
        state = resign_seats(state, seat)
        assert not state.is_over
    assert resign_seats(state, 1).winner == 3


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
@pytest.mark.parametrize("phase", ["start", "place"])
def test_in_a_pair_both_are_out_and_the_other_pair_wins(seat: int, phase: str) -> None:
    hands = {1: ["TT"], 2: ["RC"], 3: ["RA"], 4: ["ME"]}
    state = build_three_seats(phase, hands=hands, table=THREE | {4: "E"}, mode="pairs", seats=4)
    state = resign_seats(state, seat)
    side = 2 - seat % 2
    assert (state.is_over, state.winner, state.resigned_sides) == (True, 3 - side, (side,))
    for own_seat in (1, 2, 3, 4):
        assert bool(state.hands[own_seat]) == bool(state.table_tiles[own_seat]) == (own_seat % 2 != seat % 2)
