"""The end of the game: the target, the winner, and the contents of a result."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import ActionError, State, apply_action, legal_actions
from tests.factories.game_ends import LAST, build_last_tile, get_winner
from tests.factories.positions import build_position, play_actions


def play_last_tile(totals: dict[int, int], *points: int, **more: Any) -> State:
    return play_actions(build_last_tile(totals, *points, **more), LAST)


# --------------------------------------------------------------------------------------- the target


def test_the_scores_of_a_match_are_added_to_the_totals() -> None:
    assert play_last_tile({1: 3, 2: 7}, 1, 2, 2).totals[1:] == (5, 11)


def test_below_the_target_another_match_is_played() -> None:
    state = play_last_tile({1: 21, 2: 0}, 1)
    assert (state.is_over, state.match_no, state.match_kind) == (False, 2, "normal")
    assert (state.totals[1:], state.markers_left[1:]) == ((23, 0), ((4, 4, 3), (4, 4, 3)))


def test_who_reaches_the_target_exactly_has_won() -> None:
    state = play_last_tile({1: 22, 2: 0}, 1)
    assert (get_winner(state), state.totals[1:]) == (1, (24, 0))


def test_who_is_over_the_target_has_won() -> None:
    assert get_winner(play_last_tile({1: 0, 2: 23}, 2)) == 2


def test_the_target_is_an_option() -> None:
    assert get_winner(play_last_tile({1: 28, 2: 0}, 1, target=30)) == 1
    assert not play_last_tile({1: 28, 2: 0}, 1, target=31).is_over
    assert get_winner(play_last_tile({}, 2, target=1)) == 2


def test_of_several_over_the_target_the_highest_total_wins() -> None:
    assert get_winner(play_last_tile({1: 23, 2: 22}, 1, 2, 2)) == 2
    assert get_winner(play_last_tile({1: 23, 2: 22}, 1, 2)) == 1


def test_sides_level_behind_the_winner_do_not_matter() -> None:
    assert get_winner(play_last_tile({1: 23, 2: 22, 3: 22}, 1, 2, 3, seats=3)) == 1


def test_an_8_can_reach_the_target() -> None:
    state = build_position({"a2": "H", "b2": "D0"}, drawn="H", table={1: "H"}, totals={1: 16, 2: 23})
    state = play_actions(state, "H-c2-0")
    assert (get_winner(state), state.totals[1:]) == (1, (24, 23))


def test_points_kept_from_an_8_can_reach_the_target_before_its_maker() -> None:
    state = build_position(
        {"a2": "H", "b2": "D0", "a5": "E"},
        drawn="H",
        table={1: "H"},
        marked={("frame+a5", 2): 2},
        hands={2: ["OO"]},
        totals={1: 15, 2: 22},
    )
    state, _ = apply_action(play_actions(state, "H-c2-0"), 2, "8")
    assert (get_winner(state), state.totals[1:]) == (2, (23, 24))


def test_points_of_a_silly_match_count_toward_the_target() -> None:
    state = play_last_tile({2: 8}, 1, table={2: "A"})
    assert (get_winner(state), state.totals[1:]) == (2, (2, 24))


def test_a_match_that_ends_with_the_tower_can_reach_the_target() -> None:
    state = build_position(
        {"a5": "E"}, phase="start", hands={1: ["OO"]}, marked={("frame+a5", 2): 2}, totals={2: 22}, tower=""
    )
    assert get_winner(play_actions(state, "draw")) == 2


def test_in_pairs_a_side_wins() -> None:
    state = play_last_tile({1: 0, 2: 22}, 2, mode="pairs", seats=4)
    assert (get_winner(state), state.totals[1:]) == (2, (0, 24))


# ------------------------------------------------------------------------------------ level leaders


def test_sides_level_in_front_at_the_target_play_a_blind_match() -> None:
    state = play_last_tile({1: 22, 2: 22}, 1, 2)
    assert (state.is_over, state.match_no, state.match_kind) == (False, 2, "blind")


def test_sides_level_in_front_below_the_target_play_a_normal_match() -> None:
    state = play_last_tile({1: 20, 2: 20}, 1, 2)
    assert (state.match_no, state.match_kind) == (2, "normal")


def test_some_level_in_front_are_enough_for_a_blind_match() -> None:
    assert play_last_tile({1: 22, 2: 10, 3: 22}, 1, 3, seats=3).match_kind == "blind"


def test_pairs_level_in_front_at_the_target_play_a_blind_match() -> None:
    assert play_last_tile({1: 22, 2: 22}, 1, 2, mode="pairs", seats=4).match_kind == "blind"


# ------------------------------------------------------------------------- sides that have resigned


def test_the_total_of_a_side_that_resigned_reaches_no_target() -> None:
    state, _ = apply_action(build_last_tile({1: 5, 2: 3, 3: 23}, 1, 3, seats=3), 3, "resign")
    state = play_actions(state, LAST)
    assert (state.is_over, state.match_kind, state.totals[1:]) == (False, "normal", (7, 3, 25))


def test_a_side_that_resigned_with_the_highest_total_does_not_win() -> None:
    state, _ = apply_action(build_last_tile({1: 22, 2: 3, 3: 23}, 1, 3, seats=3), 3, "resign")
    assert get_winner(play_actions(state, LAST)) == 1


def test_a_side_that_resigned_shares_no_highest_total() -> None:
    state, _ = apply_action(build_last_tile({1: 22, 2: 3, 3: 22}, 1, 3, seats=3), 3, "resign")
    assert get_winner(play_actions(state, LAST)) == 1


def test_two_sides_level_behind_one_that_resigned_play_a_blind_match() -> None:
    state, _ = apply_action(build_last_tile({1: 22, 2: 22, 3: 23}, 1, 2, 3, seats=3), 3, "resign")
    assert play_actions(state, LAST).match_kind == "blind"


# --------------------------------------------------------------------------------------- the result


def test_a_game_that_runs_has_no_result() -> None:
    assert build_last_tile({1: 22}, 1).result is None


def test_a_result_tells_winner_totals_and_matches() -> None:
    state = build_position({"a2": "H", "b2": "D0"}, drawn="H", table={1: "H"}, totals={2: 3}, target=12)
    state = play_actions(state, "H-c2-0")
    assert state.match_no == 2
    rematch_state = build_last_tile({1: 8, 2: 3}, 1, 1, match=2, target=12, table={2: "C"}).mutable_copy()
    rematch_state.match_results = state.match_results
    assert play_actions(rematch_state.freeze(), LAST).result == {
        "winner": 2,
        "totals": {"1": 12, "2": 15},
        "matches": [
            {"kind": "normal", "ended": "infinity", "scores": {"1": 8, "2": 0}, "silly": []},
            {"kind": "normal", "ended": "full", "scores": {"1": 4, "2": 12}, "silly": [2]},
        ],
        "shootout": [],
    }


def test_when_the_game_is_over_nobody_does_anything() -> None:
    state = play_last_tile({1: 22}, 1, hands={1: ["TT"], 2: ["OO"]})
    assert (state.phase, state.seats_to_act) == ("over", ())
    for seat in (1, 2):
        assert legal_actions(state, seat) == ()
        for action in ("draw", "TT", "pass", "8", "I-c1-0", "resign"):
            with pytest.raises(ActionError):
                apply_action(state, seat, action)


def test_when_the_game_is_over_no_further_match_is_dealt() -> None:
    state = play_last_tile({1: 22}, 1, match=4, deck=["TT", "ME"])
    assert (state.match_no, state.deck) == (4, ("TT", "ME"))
