"""RULES 1 and 3: seats, sides, seniority, the deal, and the starting seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.engine import GameEvent, Setup, State, apply_action, build_view, list_edition_names, start_game
from tests.factories.positions import build_position

from .reference import shuffle_items

TILES = list("AAAABBBBCCCCDDDDEEEEFFGGHHHHIIIIJJJJ")
CARDS = ["TT", "MI", "RC", "RA", "QL", "ME", "AK", "OO"]
VALUE = {"A": 16, "B": 12, "C": 12, "D": 10, "E": 8, "F": 7, "G": 7, "H": 4, "I": 0, "J": 0}


def find_key_for_values(match: int, wanted: Callable[[list[int]], bool]) -> bytes:
    """Find a key whose tower for this match begins with tiles of the wanted values."""
    return find_key(match, lambda tower: wanted([VALUE[tile] for tile in tower]))


def find_key(match: int, wanted: Callable[[list[str]], bool]) -> bytes:
    keys = (n.to_bytes(32, "big") for n in range(2000))
    return next(key for key in keys if wanted(shuffle_items(key, f"tower/{match}", TILES)))


def start_second_match(totals: dict[int, int] | None = None, **fields: Any) -> tuple[State, list[GameEvent]]:
    """Start match 2 after a first match without points."""
    state = build_position(phase="start", tower="", hands={1: ["OO"]}, totals=totals, **fields)
    return apply_action(state, 1, "draw")


def get_first_seat(events: list[GameEvent]) -> int:
    (event,) = [event for event in events if event["event"] == "match began"]
    return event["seat"]


@pytest.mark.parametrize(
    ("mode", "seats", "sides"),
    [
        ("singles", 2, [1, 2]),
        ("singles", 3, [1, 2, 3]),
        ("singles", 4, [1, 2, 3, 4]),
        ("pairs", 4, [1, 2, 1, 2]),
        ("solo", 1, [1]),
    ],
)
def test_each_seat_is_its_own_side_save_in_pairs_where_opposite_seats_share_one(
    mode: str, seats: int, sides: list[int]
) -> None:
    view = build_view(start_game(Setup(mode=mode, seats=seats))[0])
    assert [seat["seat"] for seat in view["seats"]] == list(range(1, seats + 1))
    assert [seat["side"] for seat in view["seats"]] == sides
    assert sorted(view["totals"]) == sorted({str(side) for side in sides})


@pytest.mark.parametrize(("mode", "seats"), [("singles", 3), ("pairs", 4), ("solo", 1)])
def test_every_side_has_four_small_four_big_and_three_square_markers(mode: str, seats: int) -> None:
    view = build_view(start_game(Setup(mode=mode, seats=seats))[0])
    assert set(view["markers"]) == set(view["totals"])
    assert all(left == {"1": 4, "2": 4, "4": 3} for left in view["markers"].values())


def test_33_cards_are_shuffled_once_into_the_deck() -> None:
    state, _ = start_game(Setup(seats=3))
    cards = [*state.deck, *(card for hand in state.hands for card in hand)]
    assert Counter(cards) == Counter(dict.fromkeys(CARDS, 4) | {"CV": 1})
    assert len(cards) == 33


@pytest.mark.parametrize("edition", list_edition_names())
def test_the_tower_is_a_fresh_36_tiles(edition: str) -> None:
    for key in (bytes(32), bytes([1] * 32)):
        state, _ = start_game(Setup(seats=4, edition=edition, key=key))
        tiles = [*state.tower, *state.removed_tiles, state.drawn_tile, *state.table_tiles]
        assert Counter(filter(None, tiles)) == Counter(TILES)


def test_each_seat_takes_one_open_tile_and_one_hidden_card() -> None:
    state, _ = start_game(Setup(seats=4))
    assert [len(hand) for hand in state.hands[1:]] == [1, 1, 1, 1]
    assert len(state.deck) == 29
    view = build_view(state)
    assert [seat["table"] for seat in view["seats"]] == list(state.table_tiles[1:])
    assert all(seat["cards"] == 1 and "hand" not in seat for seat in view["seats"])
    assert "you" not in view
    assert build_view(state, 2)["you"]["hand"] == list(state.hands[2])


def test_the_deal_goes_clockwise_from_the_oldest_seat() -> None:
    key = bytes([7] * 32)
    state, events = start_game(Setup(seats=4, seniority=(3, 1, 2, 4), key=key))
    tower = shuffle_items(key, "tower/1", TILES)
    deck = shuffle_items(key, "deck", [card for card in CARDS for _ in range(4)] + ["CV"])
    assert events[0]["table"] == {"3": tower[0], "4": tower[1], "1": tower[2], "2": tower[3]}
    assert {seat: state.hands[seat] for seat in (3, 4, 1, 2)} == {
        3: (deck[0],),
        4: (deck[1],),
        1: (deck[2],),
        2: (deck[3],),
    }


def test_without_cards_nobody_is_dealt_one() -> None:
    state, _ = start_game(Setup(seats=2, cards=False))
    assert state.deck == ()
    assert not any(state.hands)
    assert all(state.table_tiles[1:])


def test_a_new_match_has_all_markers_back_an_empty_board_and_a_fresh_tower() -> None:
    state, events = start_second_match(
        {1: 3},
        cells={"a1": "E", "b3": "I", "e5": "E"},
        marked={("frame+a1", 2): 1},
        unmarked={"frame+e5": 2},
        table={1: "A", 2: "B"},
    )
    assert state.match_no == 2
    assert build_view(state)["board"] == {"cells": {"c3": {"tile": "E", "rotation": 0}}, "figures": []}
    assert all(left == {"1": 4, "2": 4, "4": 3} for left in build_view(state)["markers"].values())
    dealt = next(event for event in events if event["event"] == "match began")["table"].values()
    tiles = shuffle_items(bytes(32), "tower/2", TILES)
    assert sorted(dealt) == sorted(tiles[:2])
    assert Counter(
        filter(None, [*state.tower, *state.table_tiles, state.drawn_tile, *state.removed_tiles])
    ) == Counter(TILES)


def test_cards_unused_stay_in_hand_and_the_new_one_comes_behind_them() -> None:
    state, _ = start_second_match(deck=["TT", "ME", "CV"], seniority=(2, 1))
    assert state.hands[1:] == (("OO", "ME"), ("TT",))
    assert state.deck == ("CV",)


def test_the_deck_is_never_reshuffled_and_seats_it_does_not_reach_get_no_card() -> None:
    state, _ = start_second_match(deck=["ME"], seniority=(2, 1))
    assert state.hands[1:] == (("OO",), ("ME",))
    state, _ = start_second_match(deck=[])
    assert state.hands[1:] == (("OO",), ())
    assert state.deck == ()


def test_a_played_card_has_left_the_game() -> None:
    state = build_position(
        phase="start", hands={1: ["RC"]}, deck=["ME", "ME"], tower="", table={1: "A", 2: "B"}
    )
    state, _ = apply_action(state, 1, "RC")
    assert state.match_no == 2
    assert state.hands[1:] == (("ME",), ("ME",))
    assert state.deck == ()


@pytest.mark.parametrize("starter", [1, 2, 3])
def test_the_highest_table_tile_starts_the_first_match(starter: int) -> None:
    key = find_key_for_values(1, lambda v: sorted(v[:3])[-2] < max(v[:3]) == v[starter - 1])
    _, events = start_game(Setup(seats=3, key=key))
    assert get_first_seat(events) == starter


def test_among_equal_table_tiles_the_oldest_starts_the_first_match() -> None:
    # the deal goes 2, 3, 1, so the second and the third value belong to seats 3 and 1
    key = find_key_for_values(1, lambda v: v[0] < v[1] == v[2])
    _, events = start_game(Setup(seats=3, seniority=(2, 1, 3), key=key))
    assert get_first_seat(events) == 1
    _, events = start_game(Setup(seats=3, seniority=(2, 3, 1), key=key))
    assert get_first_seat(events) == 3


@pytest.mark.parametrize("pair", [["B", "C"], ["C", "B"], ["I", "J"], ["J", "I"]])
def test_different_tiles_of_the_same_value_are_level(pair: list[str]) -> None:
    key = find_key(1, lambda tower: tower[:2] == pair)
    _, events = start_game(Setup(seats=2, seniority=(2, 1), key=key))
    assert get_first_seat(events) == 2


@pytest.mark.parametrize("ahead", [1, 2])
def test_the_side_ahead_starts_a_later_match_whatever_its_tile(ahead: int) -> None:
    key = find_key_for_values(2, lambda v: v[ahead - 1] < v[2 - ahead])
    _, events = start_second_match({ahead: 5, 3 - ahead: 4}, key=key)
    assert get_first_seat(events) == ahead


def test_between_sides_level_in_front_the_highest_table_tile_among_them_starts() -> None:
    key = find_key_for_values(2, lambda v: v[0] > v[2] > v[1])  # the seat behind has the highest tile of all
    _, events = start_second_match({1: 4, 2: 5, 3: 5}, seats=3, key=key)
    assert get_first_seat(events) == 3


def test_between_level_sides_with_equal_tiles_the_oldest_starts() -> None:
    key = find_key_for_values(2, lambda v: v[0] > v[1] == v[2])  # the deal goes 1, 2, 3
    _, events = start_second_match({1: 4, 2: 5, 3: 5}, seats=3, seniority=(1, 3, 2), key=key)
    assert get_first_seat(events) == 3


@pytest.mark.parametrize("edition", list_edition_names())
def test_within_the_pair_ahead_the_highest_table_tile_starts(edition: str) -> None:
    key = find_key_for_values(2, lambda v: v[0] > v[3] > v[1])  # seat 4 before seat 2, seat 1 above both
    terms = {"mode": "pairs", "seats": 4, "edition": edition, "seniority": (1, 2, 3, 4)}
    _, events = start_second_match({1: 2, 2: 6}, key=key, **terms)
    assert get_first_seat(events) == 4


@pytest.mark.parametrize("edition", list_edition_names())
def test_within_the_pair_ahead_equal_tiles_go_to_the_oldest(edition: str) -> None:
    key = find_key_for_values(2, lambda v: v[0] > v[1] == v[3])
    terms = {"mode": "pairs", "seats": 4, "edition": edition, "seniority": (1, 4, 3, 2)}
    _, events = start_second_match({1: 2, 2: 6}, key=key, **terms)
    assert get_first_seat(events) == 4


def test_the_first_match_of_pairs_compares_all_four_table_tiles() -> None:
    key = find_key_for_values(1, lambda v: max(v[:3]) < v[3])
    _, events = start_game(Setup(mode="pairs", seats=4, key=key))
    assert get_first_seat(events) == 4


def test_oldest_means_the_oldest_still_in_play() -> None:
    key = find_key_for_values(2, lambda v: v[0] == v[1])  # the deal goes 3, 1
    state = build_position(
        phase="start", tower="", hands={1: ["OO"]}, seats=3, seniority=(2, 3, 1), key=key, deck=["ME", "TT"]
    )
    state, _ = apply_action(state, 2, "resign")
    state, events = apply_action(state, 1, "draw")
    assert get_first_seat(events) == 3
    assert state.hands[1:] == (("OO", "TT"), (), ("ME",))


def test_without_a_given_seniority_ties_go_by_seat() -> None:
    assert Setup(seats=3).seniority == (1, 2, 3)
