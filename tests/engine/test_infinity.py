"""An 8: the end of the match, the seats that answer, the protection by the cards OO and CV, and the score."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import IllegalAction, NotYourTurn, State, apply_action, build_view, legal_actions
from tests.factories.positions import PLACE, build_position, build_zero_board, play_actions

# An H on c2 completes the 8. An E in a corner of the board is a circle: 2 points.
CELLS = {"a2": "H", "b2": "D0"}
CORNERS = ("a5", "e5", "e1", "a1")
MAKE = "H-c2-0"


def build_eight_position(
    points: tuple[int, ...] = (1, 2), cells: dict[str, str] | None = None, **more: Any
) -> State:
    """Let seat 1 be able to make the 8; each side in `points` has marked one corner: 2 points."""
    terms: dict[str, Any] = {"table": {1: "H", 2: "E"}, "drawn": "H"} | more
    marked = dict(zip(CORNERS, points, strict=False))
    board = (cells or CELLS) | dict.fromkeys(marked, "E")
    figures = {(f"frame+{corner}", 2): side for corner, side in marked.items()}
    return build_position(board, marked=figures, **terms)


def make_eight(*points: int, **more: Any) -> State:
    return play_actions(build_eight_position(points, **more), MAKE)


def get_scores(state: State) -> dict[str, int]:
    """Return the scores of the only match so far, which an 8 has ended."""
    (match,) = state.match_results
    assert (match["kind"], match["ended"], match["silly"]) == ("normal", "infinity", [])
    scores: dict[str, int] = match["scores"]
    return scores


def answer_eight(state: State, *answers: tuple[int, str]) -> State:
    for seat, answer in answers:
        state, _ = apply_action(state, seat, answer)
    return state


# --------------------------------------------------------------------------- scores without answers


def test_an_8_ends_the_match_at_once_and_scores_8_for_its_maker_alone() -> None:
    state = make_eight(1, 2)
    assert get_scores(state) == {"1": 8, "2": 0}
    assert state.totals[1:] == (8, 0)
    assert state.match_no == 2


def test_an_8_is_added_to_the_totals() -> None:
    assert make_eight(1, 2, totals={1: 3, 2: 10}).totals[1:] == (11, 10)


def test_in_pairs_an_8_is_the_sides() -> None:
    state = play_actions(build_eight_position((1, 2), turn=3, table={3: "H"}, mode="pairs", seats=4), MAKE)
    assert get_scores(state) == {"1": 8, "2": 0}


def test_two_8s_made_by_one_tile_score_8() -> None:
    cells = {"a2": "H", "b2": "D0", "d2": "D0", "e2": "H"}
    assert get_scores(play_actions(build_eight_position((), cells=cells), MAKE)) == {"1": 8, "2": 0}


def test_the_crossing_tile_itself_may_complete_the_8() -> None:
    cells = {"a2": "H", "c2": "H"}
    assert get_scores(
        play_actions(build_eight_position(cells=cells, table={1: "E"}, drawn="D"), "D-b2-0")
    ) == {"1": 8, "2": 0}


def test_an_8_on_the_last_cell_is_an_8_and_no_silly_match() -> None:
    cells = build_zero_board("c2", a2="H", b2="D0")
    state = play_actions(build_eight_position((), cells=cells, table={1: "H", 2: "A"}), MAKE)
    assert get_scores(state) == {"1": 8, "2": 0}


def test_markers_go_back_and_the_board_is_cleared_after_an_8() -> None:
    state = make_eight(1, 2)
    assert state.markers_left[1:] == ((4, 4, 3), (4, 4, 3))
    assert (state.marked_figures, state.eight_cells) == ((), ())
    assert set(build_view(state)["board"]["cells"]) == {"c3"}


def test_unmarked_figures_are_lost_with_the_8() -> None:
    hands = {1: ["OO"], 2: ["OO"]}
    state = make_eight(
        1, cells=CELLS | {"e5": "E"}, unmarked={"frame+e5": 2}, markers={1: (4, 0, 3)}, hands=hands
    )
    assert state.seats_to_act == (1,)  # seat 2 has no points: the circle on e5 stays unmarked
    state = answer_eight(state, (1, "8"))
    assert get_scores(state) == {"1": 10, "2": 0}
    assert state.unmarked_figures == ()


# ---------------------------------------------------------------------------------- seats to answer


def test_asked_is_every_seat_that_holds_a_card_and_whose_side_has_points() -> None:
    hands = {1: ["TT"], 2: ["OO"], 3: [], 4: ["CV"]}
    state = make_eight(
        1, 2, 3, hands=hands, seats=4
    )  # seat 3 has points but no card, seat 4 a card but no points
    assert (state.phase, state.seats_to_act) == ("react", (1, 2))


def test_a_seat_is_asked_whatever_its_card_so_that_nothing_shows() -> None:
    for card in ("TT", "OO", "CV", "AK"):
        state = make_eight(2, hands={2: [card]})
        assert state.seats_to_act == (2,)
        assert build_view(state, 1)["to_act"] == [2]


def test_the_maker_is_asked_too() -> None:
    assert make_eight(1, hands={1: ["ME"]}).seats_to_act == (1,)


def test_if_nobody_is_to_be_asked_the_match_is_scored_at_once() -> None:
    assert get_scores(make_eight(1, 2, hands={})) == {"1": 8, "2": 0}
    assert get_scores(make_eight(hands={1: ["OO"], 2: ["OO"]})) == {"1": 8, "2": 0}


def test_a_figure_closed_by_the_tile_that_makes_the_8_counts_as_points() -> None:
    """H on c2 closes a small circle with c1 as well."""
    state = make_eight(cells=CELLS | {"c1": "H"}, hands={1: ["OO"]})
    assert state.seats_to_act == (1,)
    assert get_scores(answer_eight(state, (1, "8"))) == {"1": 9, "2": 0}


def test_a_figure_closed_by_that_tile_without_a_marker_left_brings_no_points() -> None:
    terms: dict[str, Any] = {"markers": {1: (0, 4, 3)}, "hands": {1: ["OO"], 2: ["OO"]}}
    assert get_scores(make_eight(cells=CELLS | {"c1": "H"}, **terms)) == {"1": 8, "2": 0}


def test_in_the_dutch_edition_that_figure_goes_to_the_next_seat_first() -> None:
    terms: dict[str, Any] = {"markers": {1: (0, 4, 3)}, "hands": {1: ["OO"], 2: ["OO"]}}
    state = make_eight(cells=CELLS | {"c1": "H"}, edition="bannan-nl", **terms)
    assert state.marked_figures == ((PLACE["c1+c2"], 1, 2),)
    assert state.seats_to_act == (2,)
    assert get_scores(answer_eight(state, (2, "8"))) == {"1": 8, "2": 1}


def test_in_pairs_the_points_of_the_partner_count() -> None:
    state = make_eight(1, 2, hands={3: ["TT"], 4: ["TT"]}, mode="pairs", seats=4)
    assert state.seats_to_act == (3, 4)


def test_a_side_that_resigned_is_not_asked_and_scores_nothing() -> None:
    state = build_eight_position((1, 2, 3), hands={2: ["OO"], 3: ["OO"]}, seats=3)
    state = play_actions(answer_eight(state, (3, "resign")), MAKE)
    assert state.seats_to_act == (2,)
    assert get_scores(answer_eight(state, (2, "pass"))) == {"1": 8, "2": 0, "3": 0}


# ------------------------------------------------------------------------------------------ answers


def test_the_8_keeps_the_points_of_its_side_only() -> None:
    state = make_eight(1, 2, 3, hands={2: ["OO"]}, seats=3)
    assert get_scores(answer_eight(state, (2, "8"))) == {"1": 8, "2": 2, "3": 0}


def test_the_8_keeps_all_the_points_of_the_match_and_nothing_else() -> None:
    state = make_eight(2, 2, 2, hands={2: ["OO"]}, totals={2: 5})
    state = answer_eight(state, (2, "8"))
    assert get_scores(state) == {"1": 8, "2": 6}
    assert state.totals[1:] == (8, 11)


def test_the_maker_keeps_its_points_in_addition_to_the_8() -> None:
    assert get_scores(answer_eight(make_eight(1, 1, 2, hands={1: ["OO"]}), (1, "8"))) == {"1": 12, "2": 0}


def test_the_cosmic_void_answers_like_the_8() -> None:
    state = answer_eight(make_eight(1, 2, hands={2: ["CV"]}), (2, "CV=8"))
    assert get_scores(state) == {"1": 8, "2": 2}
    assert state.played_cards == ("CV",)


def test_who_passes_keeps_its_cards_and_loses_its_points() -> None:
    state = answer_eight(make_eight(1, 2, hands={2: ["OO", "CV"]}), (2, "pass"))
    assert get_scores(state) == {"1": 8, "2": 0}
    assert (state.hands[2], state.played_cards) == (("OO", "CV"), ())


@pytest.mark.parametrize(
    ("hand", "answers"),
    [
        (["OO", "CV"], {"8", "CV=8", "pass"}),
        (["OO", "OO"], {"8", "pass"}),
        (["CV"], {"CV=8", "pass"}),
        (["AK", "TT"], {"pass"}),
    ],
)
def test_one_answers_with_what_one_holds_or_passes(hand: list[str], answers: set[str]) -> None:
    state = make_eight(2, hands={2: hand})
    legal = legal_actions(state, 2)
    assert set(legal) == answers
    assert len(legal) == len(answers)
    for action in {"8", "CV=8", "pass", "draw", "TT", "CV=TT", "AK-1", "H-c1-0"} - answers:
        with pytest.raises(IllegalAction):
            apply_action(state, 2, action)


@pytest.mark.parametrize(("answer", "left"), [("8", ("CV", "OO")), ("CV=8", ("OO", "OO"))])
def test_only_the_card_that_answers_leaves_the_game(answer: str, left: tuple[str, ...]) -> None:
    state = answer_eight(make_eight(2, hands={1: ["TT"], 2: ["OO", "CV", "OO"]}), (2, answer))
    assert state.hands[1:] == (("TT",), left)
    assert len(state.played_cards) == 1


def test_answers_come_in_any_order() -> None:
    state = make_eight(1, 2, 3, hands={1: ["OO"], 2: ["OO"], 3: ["OO"]}, seats=3)
    state = answer_eight(state, (3, "8"), (1, "pass"))
    assert (state.phase, state.seats_to_act) == ("react", (2,))
    assert get_scores(answer_eight(state, (2, "8"))) == {"1": 8, "2": 2, "3": 2}


def test_answers_are_given_openly() -> None:
    state = make_eight(1, 2, hands={1: ["OO"], 2: ["OO"]})
    state, events = apply_action(state, 2, "8")
    assert events[0] == {"event": "answered", "seat": 2, "answer": "8"}
    assert build_view(state, 1)["protected"] == [2]
    assert build_view(state)["played"] == ["OO"]


def test_the_match_is_scored_only_when_nobody_is_left_to_ask() -> None:
    state = answer_eight(make_eight(1, 2, hands={1: ["OO"], 2: ["OO"]}), (1, "8"))
    assert (state.match_no, state.match_results, state.totals[1:]) == (1, (), (0, 0))


def test_nobody_answers_twice_or_unasked_and_nobody_plays_on() -> None:
    state = answer_eight(
        make_eight(1, 2, hands={1: ["OO", "CV"], 2: ["TT"], 3: ["OO"]}, seats=3), (1, "pass")
    )
    for seat, action in ((1, "8"), (1, "CV=8"), (1, "pass"), (3, "8"), (3, "pass"), (3, "draw"), (1, "draw")):
        with pytest.raises(NotYourTurn):
            apply_action(state, seat, action)
    assert legal_actions(state, 1) == legal_actions(state, 3) == ()


def test_what_was_answered_to_one_8_saves_nothing_from_the_next() -> None:
    state = answer_eight(make_eight(1, 2, hands={1: ["OO", "OO"], 2: ["OO"]}), (1, "8"), (2, "8"))
    assert build_view(state)["protected"] == []
    assert state.seats_to_answer == ()


# -------------------------------------------------------------------------------------------- pairs


def test_when_one_of_a_pair_protects_the_partner_is_not_asked_and_keeps_its_cards() -> None:
    hands = {1: ["OO"], 2: ["OO"], 3: ["OO", "CV"], 4: ["OO"]}
    state = answer_eight(make_eight(1, 2, hands=hands, mode="pairs", seats=4), (1, "8"))
    assert state.seats_to_act == (2, 4)
    with pytest.raises(NotYourTurn):
        apply_action(state, 3, "8")
    state = answer_eight(state, (4, "8"))
    assert state.hands[1:] == ((), ("OO",), ("OO", "CV"), ())
    assert get_scores(state) == {"1": 10, "2": 2}


def test_when_one_of_a_pair_passes_the_partner_may_still_protect() -> None:
    state = make_eight(1, 2, hands={2: ["OO"], 4: ["CV"]}, mode="pairs", seats=4)
    state = answer_eight(state, (2, "pass"))
    assert state.seats_to_act == (4,)
    assert get_scores(answer_eight(state, (4, "CV=8"))) == {"1": 8, "2": 2}


def test_when_both_of_a_pair_pass_its_points_are_lost() -> None:
    state = make_eight(1, 2, hands={2: ["OO"], 4: ["CV"]}, mode="pairs", seats=4)
    assert get_scores(answer_eight(state, (4, "pass"), (2, "pass"))) == {"1": 8, "2": 0}
