"""The blind match between sides level at the target, and the shoot-out after it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.engine import State, apply_action, build_view, legal_actions
from games.engine.edition import load_edition
from games.engine.fairness import shuffle_items
from tests.factories.game_ends import CORNERS, LAST, build_last_tile, get_winner
from tests.factories.positions import PLACE, build_position, play_actions

KEY = b"e" * 32
BOTH = {1: 24, 2: 24}


def enter_blind_match(**more: Any) -> State:
    """Enter the blind match of sides 1 and 2, who are level at the target."""
    return play_actions(build_last_tile({1: 22, 2: 22}, 1, 2, key=KEY, **more), LAST)


def build_blind_match(cells: dict[str, str], tower: str, **more: Any) -> State:
    """Build a blind match in which seat 1 is to place the drawn tile."""
    terms: dict[str, Any] = {"drawn": "I", "totals": BOTH} | more
    return build_position(cells, kind="blind", match=2, tower=tower, **terms)


def end_blind_match(totals: dict[int, int], *points: int, tower: str = "", **more: Any) -> State:
    """Fill the last cell of a blind match."""
    return play_actions(build_last_tile(totals, *points, kind="blind", match=2, tower=tower, **more), LAST)


# --------------------------------------------------------------------------------------- setting up


def test_for_a_blind_match_hands_are_thrown_away_unseen() -> None:
    state = enter_blind_match(hands={1: ["TT", "OO"], 2: ["CV"]})
    assert state.hands[1:] == ((), ())
    assert Counter(state.discarded_cards) == Counter(["TT", "OO", "CV"])
    for viewer in (None, 1, 2):
        assert build_view(state, viewer)["played"] == []


def test_for_a_blind_match_no_cards_and_no_table_tiles_are_dealt() -> None:
    state = enter_blind_match(deck=["ME", "AK", "TT"], table={2: "A"})
    assert state.hands[1:] == ((), ())
    assert state.table_tiles[1:] == ("", "")
    assert state.deck == ("ME", "AK", "TT")


def test_a_blind_match_has_a_fresh_tower_an_empty_board_and_all_markers() -> None:
    state = enter_blind_match()
    assert state.drawn_tile + state.tower == "".join(
        shuffle_items(KEY, "tower/2", load_edition("arcastudio-2.2").all_tiles)
    )
    assert set(build_view(state)["board"]["cells"]) == {"c3"}
    assert state.markers_left[1:] == ((4, 4, 3), (4, 4, 3))


@pytest.mark.parametrize("seniority", [(1, 2, 3), (2, 3, 1), (3, 1, 2)])
def test_the_oldest_starts_a_blind_match_level_or_not(seniority: tuple[int, ...]) -> None:
    state = enter_blind_match(seats=3, seniority=seniority)
    assert (state.turn, state.phase, len(state.tower)) == (seniority[0], "place", 35)


def test_the_oldest_still_in_play_starts_a_blind_match() -> None:
    state, _ = apply_action(
        build_last_tile({1: 22, 2: 22}, 1, 2, key=KEY, seats=3, seniority=(3, 2, 1)), 3, "resign"
    )
    assert play_actions(state, LAST).turn == 2


# -------------------------------------------------------------------------------------------- turns


def test_in_a_blind_match_all_play_and_each_turn_draws_one_tile() -> None:
    state = build_blind_match({}, "HIHI", seats=3)
    for seat, drawn, action in ((1, "I", "I-c2-0"), (2, "H", "H-c1-0"), (3, "I", "I-b2-0"), (1, "H", "")):
        assert (state.turn, state.phase, state.drawn_tile) == (seat, "place", drawn)
        assert {action[0] for action in legal_actions(state, seat)} == {drawn}
        assert state.table_tiles[1:] == ("", "", "")
        if action:
            state = play_actions(state, action)


def test_in_a_blind_match_of_pairs_the_four_seats_take_turns() -> None:
    state = build_blind_match({}, "IIIII", mode="pairs", seats=4)
    turns = []
    for action in ("I-c2-0", "I-c1-0", "I-b2-0", "I-d2-0"):
        turns.append(state.turn)
        state = play_actions(state, action)
    assert [*turns, state.turn] == [1, 2, 3, 4, 1]


def test_in_a_blind_match_who_can_close_must() -> None:
    assert legal_actions(build_blind_match({"a2": "I"}, "I", drawn="E"), 1) == ("E-a1-0",)


def test_in_a_blind_match_who_can_make_an_8_must() -> None:
    assert legal_actions(build_blind_match({"a2": "H", "b2": "D0"}, "I", drawn="H"), 1) == ("H-c2-0",)


def test_in_a_lenient_blind_match_nothing_obliges() -> None:
    state = build_blind_match({"a2": "I"}, "I", drawn="E", obligation="lenient")
    assert {action[2:4] for action in legal_actions(state, 1)} == {"a1", "a3", "b2", "b3", "c2", "c4", "d3"}


def test_in_a_blind_match_a_dark_tile_leaves_the_match_and_the_turn_is_lost() -> None:
    state = play_actions(build_blind_match({}, "JHI", seats=3, deck=["TT"]), "I-c2-0")
    assert (state.turn, state.drawn_tile) == (3, "H")
    assert (state.removed_tiles, state.table_tiles[2], state.deck) == ("J", "", ("TT",))


def test_in_a_blind_match_dark_tiles_are_lost_one_by_one() -> None:
    state = play_actions(build_blind_match({}, "JJJHI", seats=3), "I-c2-0")
    assert (state.turn, state.drawn_tile, state.removed_tiles) == (2, "H", "JJJ")


def test_in_a_blind_match_unmarked_figures_go_to_the_next_seat() -> None:
    state = build_blind_match({"a2": "I"}, "I", drawn="E", markers={1: (4, 0, 3)})
    assert play_actions(state, "E-a1-0").marked_figures == ((PLACE["frame+a1"], 2, 2),)


# ------------------------------------------------------------------------------------------ endings


def test_an_8_in_a_blind_match_wins_the_game_whatever_the_totals() -> None:
    state = build_blind_match(
        {"a2": "H", "b2": "D0", "a5": "E", "e5": "E"},
        "I",
        drawn="H",
        seats=3,
        marked={("frame+a5", 2): 1, ("frame+e5", 2): 2},
        totals={1: 3, 2: 24, 3: 24},
    )
    state = play_actions(state, "H-c2-0")
    assert get_winner(state) == 1
    assert state.totals[1:] == (11, 24, 24)
    assert state.match_results == (
        {"kind": "blind", "ended": "infinity", "scores": {"1": 8, "2": 0, "3": 0}, "silly": []},
    )
    assert state.shootout_rounds == ()


def test_without_an_8_the_points_of_a_blind_match_are_added_and_the_highest_total_wins() -> None:
    state = end_blind_match(BOTH, 1, 2, 2, tower="AA")
    assert (get_winner(state), state.totals[1:]) == (2, (26, 28))
    assert state.match_results[0]["kind"] == "blind"
    assert state.shootout_rounds == ()


def test_a_side_that_was_not_level_may_win_the_blind_match() -> None:
    state = end_blind_match({1: 24, 2: 24, 3: 21}, 3, 3, seats=3)
    assert (get_winner(state), state.totals[1:]) == (3, (24, 24, 25))


def test_the_highest_total_wins_a_blind_match_though_all_at_the_target_have_resigned() -> None:
    state = build_last_tile(
        {1: 24, 2: 24, 3: 10, 4: 9}, 4, kind="blind", match=2, tower="AAAA", seats=4, turn=3
    )
    for seat in (1, 2):
        state, _ = apply_action(state, seat, "resign")
    assert get_winner(play_actions(state, LAST)) == 4


def test_a_blind_match_ends_when_the_tower_is_empty() -> None:
    state = play_actions(build_blind_match({"a5": "E"}, "", marked={("frame+a5", 2): 2}), "I-c2-0")
    assert get_winner(state) == 2
    assert [match["ended"] for match in state.match_results] == ["tower"]


def test_a_blind_match_knows_no_silly_points() -> None:
    for name in ("arcastudio-2.2", "bannan-nl"):
        state = end_blind_match(BOTH, 1, edition=name)
        assert state.match_results[0]["scores"] == {"1": 2, "2": 0}
        assert state.match_results[0]["silly"] == []


# ---------------------------------------------------------------------------------------- shoot-out


@pytest.mark.parametrize(
    ("tower", "expected_winner", "rounds"),
    [
        ("BH", 1, 1),
        ("HB", 2, 1),
        ("HHEA", 2, 2),
        ("BCFGHHAD", 1, 4),  # B and C are worth the same, and so are F and G
        ("JH", 2, 1),
        ("IJJIIHAB", 2, 3),  # the zero and the dark tile count 0
        ("BB", None, 1),
        ("BBA", None, 1),
        ("A", None, 0),
        ("", None, 0),
    ],
)
def test_the_first_round_with_one_strictly_highest_tile_wins_or_else_it_is_a_draw(
    tower: str, expected_winner: int | None, rounds: int
) -> None:
    state = end_blind_match(BOTH, 1, 2, tower=tower)
    assert get_winner(state) == expected_winner
    expected = [{"1": tower[i], "2": tower[i + 1]} for i in range(0, 2 * rounds, 2)]
    assert state.result is not None
    assert state.result["shootout"] == expected
    assert state.totals[1:] == (26, 26)


@pytest.mark.parametrize(
    ("tower", "expected_winner", "rounds"),
    [
        ("AABHHE", 3, 2),  # side 3 was behind in the first round and still takes part
        ("ABB", 1, 1),
        ("BBA", 3, 1),
        ("AAABB", None, 1),
        ("IIIJIJJHI", 2, 3),
    ],
)
def test_all_level_sides_stay_in_every_round(tower: str, expected_winner: int | None, rounds: int) -> None:
    state = end_blind_match({1: 24, 2: 24, 3: 24}, tower=tower, seats=3)
    assert get_winner(state) == expected_winner
    assert len(state.shootout_rounds) == rounds


def test_only_the_level_sides_draw_in_order_of_side() -> None:
    state = end_blind_match({1: 24, 2: 10, 3: 24}, tower="BHA", seats=3, turn=3, seniority=(3, 2, 1))
    assert state.shootout_rounds == ({"1": "B", "3": "H"},)
    assert (get_winner(state), state.tower) == (1, "A")


def test_the_points_of_the_blind_match_decide_who_is_level() -> None:
    """Side 3 has caught up with side 1; side 2, who was level, is behind."""
    state = end_blind_match({1: 24, 2: 24, 3: 22}, 1, 3, 3, tower="HB", seats=3)
    assert state.shootout_rounds == ({"1": "H", "3": "B"},)
    assert get_winner(state) == 3


def test_in_pairs_the_sides_shoot_it_out() -> None:
    state = end_blind_match(BOTH, tower="HB", mode="pairs", seats=4)
    assert (get_winner(state), state.shootout_rounds) == (2, ({"1": "H", "2": "B"},))


def test_a_blind_match_that_ends_with_the_tower_and_level_is_a_draw() -> None:
    state = play_actions(build_blind_match({}, ""), "I-c2-0")
    assert (get_winner(state), state.shootout_rounds) == (None, ())


@pytest.mark.parametrize(("totals", "shots"), [((24, 24, 24), ({"1": "H", "2": "B"},)), ((24, 10, 24), ())])
def test_a_side_that_resigned_takes_no_part_in_the_shoot_out(
    totals: tuple[int, ...], shots: tuple[dict[str, str], ...]
) -> None:
    terms: dict[str, Any] = {"kind": "blind", "match": 2, "tower": "HBA", "seats": 3}
    state, _ = apply_action(build_last_tile(dict(enumerate(totals, 1)), **terms), 3, "resign")
    state = play_actions(state, LAST)
    assert state.shootout_rounds == shots
    assert get_winner(state) == (2 if shots else 1)


def test_the_corners_that_carry_points_here_are_circles_on_the_board() -> None:
    """Check the positions above: an E closes a circle in every corner."""
    for corner in CORNERS:
        beside = {"a": "b", "e": "d"}[corner[0]] + corner[1]
        assert legal_actions(build_blind_match({beside: "I"}, "I", drawn="E"), 1) == (f"E-{corner}-0",)
