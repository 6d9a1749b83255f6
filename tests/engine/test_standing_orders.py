"""The actions of standing orders and their end, which depend on public information alone."""

from __future__ import annotations

import random

import pytest

from games.engine import Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.standing_orders import (
    OrderEnd,
    find_order_end,
    find_ordered_action,
    is_card_against,
    is_eight_possible,
    list_open_and_unseen_tiles,
)
from tests.factories.positions import build_position


def find_action(state: State, seat: int = 1, *, draw: bool = True, only: bool = True) -> str | None:
    return find_ordered_action(state, seat, draws_automatically=draw, plays_only_action=only)


def test_the_order_to_draw_draws_at_the_start_whatever_the_hand_is() -> None:
    for hand in (["OO"], ["TT", "CV"]):
        state = build_position(phase="start", hands={1: hand}, table={1: "A", 2: "B"})
        assert find_action(state, only=False) == "draw"
        assert find_action(state, draw=False) is None
        assert find_action(state, seat=2) is None


def test_that_a_draw_is_the_only_action_is_not_shown_by_playing_it() -> None:
    state = build_position(phase="start", hands={1: ["OO"]}, table={1: "A", 2: "B"})
    assert legal_actions(state, 1) == ("draw",)
    assert find_action(state, draw=False, only=True) is None


def test_the_only_placement_is_played_and_none_of_several() -> None:
    # The zero tiles close nothing: several placements are legal.
    state = build_position({"b1": "E0"}, drawn="I", table={1: "I"})
    assert len(legal_actions(state, 1)) > 1
    assert find_action(state) is None
    rng = random.Random(3)
    only_count = 0
    for number in range(6):
        state, _ = start_game(Setup(seats=2, key=number.to_bytes(32, "big")))
        while not state.is_over and state.match_no == 1:
            seat = state.seats_to_act[0]
            actions = legal_actions(state, seat)
            if state.phase == "place":
                assert find_action(state, seat) == (actions[0] if len(actions) == 1 else None)
                assert find_action(state, seat, only=False) is None
                only_count += len(actions) == 1
            state, _ = apply_action(state, seat, "draw" if "draw" in actions else rng.choice(actions))
    assert only_count > 10


def test_an_answer_to_an_8_is_not_an_order_of_this_kind() -> None:
    state = build_position({"b4": "H", "d4": "H", "c5": "H"}, drawn="D", hands={1: ["TT"], 2: ["ME"]})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert state.phase == "react"
    assert find_action(state, state.seats_to_act[0]) is None


@pytest.mark.parametrize(
    ("action", "is_against"),
    [
        ("MI-1", True),
        ("MI-3", False),
        ("AK-1", True),
        ("AK-3", False),
        ("CV=AK-1", True),
        ("CV=MI-3", False),
        ("RC", True),
        ("RA", True),
        ("RV-cw", True),
        ("CV=RC", True),
        ("ME", True),
        ("TT", False),
        ("QL-b3-d5-180", False),
    ],
)
def test_a_card_is_against_me_if_it_changes_my_tile_or_my_hand(action: str, is_against: bool) -> None:
    event = {"event": "played", "seat": 2, "card": action[:2], "action": action}
    assert is_card_against(event, 1) is is_against
    assert not is_card_against(event | {"seat": 1}, 1)
    state = build_position(phase="start", hands={1: ["OO"]}, table={1: "A", 2: "B"})
    assert find_order_end(state, 1, [event]) == (OrderEnd.CARD_PLAYED if is_against else None)


def test_an_8_is_possible_with_an_open_tile_or_one_not_seen_yet() -> None:
    two_ends = {"b4": "H0", "d4": "H0", "c5": "H0"}  # a D on c4 would join the first two
    assert is_eight_possible(build_position(two_ends, phase="start", hands={1: ["OO"]}))
    assert not is_eight_possible(build_position({"b4": "H0"}, phase="start", hands={1: ["OO"]}))
    # If all four D are removed, no 8 is possible; if one lies before a seat, it is.
    state = build_position(two_ends, phase="start", hands={1: ["OO"]}, table={1: "A", 2: "B"})
    draft = state.mutable_copy()
    draft.removed_tiles = "DDDD"
    assert not is_eight_possible(draft.freeze())
    draft = state.mutable_copy()
    draft.removed_tiles, draft.table_tiles = "DDD", ("", "A", "D")
    assert is_eight_possible(draft.freeze())


def test_the_fixed_tile_of_the_centre_is_not_counted_among_the_copies() -> None:
    state = build_position(phase="start", table={1: "A", 2: "B"})
    draft = state.mutable_copy()
    draft.removed_tiles = "EEE"
    assert "E" in list_open_and_unseen_tiles(draft.freeze())
    draft = state.mutable_copy()
    draft.removed_tiles = "EEEE"
    assert "E" not in list_open_and_unseen_tiles(draft.freeze())


def test_hands_deck_and_the_order_of_the_tower_decide_nothing() -> None:
    """Orders act alike in two states with equal views for a spectator."""
    rng = random.Random(7)
    for number in range(4):
        state, _ = start_game(Setup(seats=3, key=number.to_bytes(32, "big")))
        for _turn in range(40):
            if state.is_over or state.phase == "react":
                break
            seat = state.seats_to_act[0]
            draft = state.mutable_copy()
            draft.tower = "".join(rng.sample(state.tower, len(state.tower)))
            cards = [card for hand in state.hands for card in hand] + list(state.deck)
            rng.shuffle(cards)
            hands = [()] + [tuple(cards.pop() for _card in hand) for hand in state.hands[1:]]
            draft.hands, draft.deck = tuple(hands), tuple(cards)
            other = draft.freeze()
            assert build_view(other) == build_view(state)
            assert find_action(other, seat) == find_action(state, seat)
            assert find_order_end(other, seat, []) == find_order_end(state, seat, [])
            actions = legal_actions(state, seat)
            state, _ = apply_action(state, seat, "draw" if "draw" in actions else rng.choice(actions))
