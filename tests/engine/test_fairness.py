"""PROTOCOL 2: every shuffle can be recomputed from the seeds with HMAC-SHA256 alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count, islice
from typing import TypeVar

import pytest

from games.engine import Setup, apply_action, start_game
from games.engine.fairness import (
    assign_seats,
    check_client_seed,
    compute_commitment,
    derive_game_key,
    invert_seat_order,
    iter_random_numbers,
    next_number_below,
    seat_couples_opposite,
    shuffle_items,
)
from tests.factories.positions import build_position

T = TypeVar("T")

SEED = bytes(range(32))
KEY = bytes.fromhex("73328cd124e62fab97e7fa7ba7464bafe8510c8df2519cabe2d78ae748d0108d")
TILES = [*"AAAABBBBCCCCDDDDEEEEFFGGHHHHIIIIJJJJ"]
# Computed with openssl alone from SEED and the client seeds ada and bob.
TOWER_1 = "IGJCCFEJDGBEHCJABEHAIDFJCHEDIDAHBBIA"
TOWER_2 = "IIBCDHCDAGHJAJCEHEFABEIHDCJEFDIBJAGB"
SOLO_TOWER = "BIGECEBCECBACIADHGDIEHADAIHFHFBD"
DECK = "ME OO MI RA AK AK AK AK RC QL MI QL RA OO TT RA ME RC MI TT OO QL QL ME RA TT TT ME RC OO CV RC MI"
BANNAN_DECK = (
    "ME OO MI RV AK AK AK AK RV QL MI QL RV OO TT RV ME RV MI TT OO QL QL ME RV TT TT ME RV OO CV RV MI"
)


def iter_words(key: bytes, label: str) -> Iterator[int]:
    for block in count():
        digest = hmac.new(key, f"{label}|{block}".encode(), hashlib.sha256).digest()
        for i in range(8):
            yield int(digest[4 * i : 4 * i + 4].hex(), 16)


def draw_fair(source: Iterator[int], n: int) -> int:
    while (x := next(source)) >= 2**32 - (2**32 % n):
        pass
    return x % n


def mix_items(key: bytes, label: str, items: list[T]) -> list[T]:
    row, source = items[:], iter_words(key, label)
    for i in range(len(row) - 1, 0, -1):
        j = draw_fair(source, i + 1)
        row[i], row[j] = row[j], row[i]
    return row


def test_the_commitment_is_the_sha256_of_the_seed_bytes() -> None:
    assert compute_commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    other = b"\xff" * 32
    assert compute_commitment(other) == hashlib.sha256(other).hexdigest()


@pytest.mark.parametrize(
    ("seeds", "key"),
    [
        (["ada", "bob"], "73328cd124e62fab97e7fa7ba7464bafe8510c8df2519cabe2d78ae748d0108d"),
        (["Zoë ∞", "1"], "2bc9b85380d4ec550d03d0a13543a385f31f65542db6e328b1d2809125d85bc5"),
        (["solo"], "e0db0e49588e9cd22191b7b3c3c5c59b37b3b7c4d925c70f4b45111492f11d3c"),
    ],
)
def test_the_game_key_is_an_hmac_of_the_client_seeds_in_seat_order(seeds: list[str], key: str) -> None:
    assert derive_game_key(SEED, seeds).hex() == key
    message = ("otto-v1|" + "|".join(seeds)).encode("utf-8")
    assert derive_game_key(SEED, seeds) == hmac.new(SEED, message, hashlib.sha256).digest()


def test_the_order_of_the_client_seeds_matters_and_they_are_used_exactly_as_given() -> None:
    assert derive_game_key(SEED, ["bob", "ada"]) != KEY
    assert derive_game_key(SEED, ["Ada", "bob"]) != KEY
    assert derive_game_key(SEED, [" ada", "bob"]) != KEY
    decomposed = "Zoe\N{COMBINING DIAERESIS} ∞"
    assert derive_game_key(SEED, [decomposed, "1"]) != derive_game_key(SEED, ["Zoë ∞", "1"])


@pytest.mark.parametrize("seed", ["x", "x" * 64, "∞" * 64, " ", "\n", "1", "a b"])
def test_a_client_seed_is_any_text_of_1_to_64_characters(seed: str) -> None:
    check_client_seed(seed)
    derive_game_key(SEED, [seed, "bob"])


@pytest.mark.parametrize("seed", ["", "x" * 65, "a|b", "|", "\ud800", b"ada", 7, None])
def test_any_other_client_seed_is_refused(seed: object) -> None:
    with pytest.raises(ValueError, match="client seed"):
        check_client_seed(seed)
    with pytest.raises(ValueError, match="client seed"):
        derive_game_key(SEED, ["ada", seed])  # type: ignore[list-item]


def test_the_numbers_of_a_label_are_big_endian_words_block_after_block() -> None:
    numbers = list(islice(iter_random_numbers(KEY, "deck"), 16))
    assert numbers[:3] == [0x0A2AEAB8, 0x0E31D208, 0x75217C33]
    assert numbers[7:9] == [0xCD228B1F, 0x2B7780AD]  # the last of block 0, the first of block 1
    assert list(islice(iter_random_numbers(KEY, "tower/1"), 40)) == list(
        islice(iter_words(KEY, "tower/1"), 40)
    )


@pytest.mark.parametrize(
    ("source", "n", "answer"),
    [
        ([5], 3, 2),
        ([2**32 - 2], 3, 2),  # the last number below 2**32 - 1, a multiple of 3
        ([2**32 - 1, 4], 3, 1),  # 2**32 - 1 is rejected
        ([2**32 - 4, 2**32 - 1, 37], 36, 1),  # 2**32 mod 36 is 4
        ([2**32 - 5], 36, 35),
        ([2**32 - 1], 2, 1),  # no number is rejected for a power of two
        ([2**32 - 1], 1, 0),
    ],
)
def test_below_throws_away_the_numbers_that_would_favour_the_low_ones(
    source: list[int], n: int, answer: int
) -> None:
    left = iter(source)
    assert next_number_below(left, n) == answer
    assert next(left, None) is None


@pytest.mark.parametrize("label", ["deck", "tower/1", "tower/12", "seats"])
def test_a_shuffle_swaps_from_the_last_item_down(label: str) -> None:
    assert shuffle_items(KEY, label, TILES) == mix_items(KEY, label, TILES)
    assert shuffle_items(KEY, label, ["only"]) == ["only"]
    assert shuffle_items(KEY, label, []) == []


def test_a_shuffle_too_throws_away_the_numbers_that_would_favour_the_low_ones() -> None:
    # In the shuffle of a tower a rejection is one in millions; this long list was chosen because it has one.
    items, source = list(range(30_000)), iter_words(KEY, "long/163")
    uneven = [i for i in range(len(items) - 1, 0, -1) if next(source) >= 2**32 - 2**32 % (i + 1)]
    assert uneven == [18674]
    assert shuffle_items(KEY, "long/163", items) == mix_items(KEY, "long/163", items)


def test_fixed_answers_for_towers_and_decks() -> None:
    assert "".join(shuffle_items(KEY, "tower/1", TILES)) == TOWER_1
    assert "".join(shuffle_items(KEY, "tower/2", TILES)) == TOWER_2
    order = ["TT", "MI", "RC", "RA", "QL", "ME", "AK", "OO"]
    assert shuffle_items(KEY, "deck", [card for card in order for _ in range(4)] + ["CV"]) == DECK.split()


@pytest.mark.parametrize(("edition", "deck"), [("arcastudio-2.2", DECK), ("bannan-nl", BANNAN_DECK)])
def test_a_game_draws_its_deck_and_first_tower_from_the_front_of_these_shuffles(
    edition: str, deck: str
) -> None:
    state, _ = start_game(Setup(seats=2, key=KEY, edition=edition))
    cards = deck.split()
    assert (state.table_tiles[1], state.table_tiles[2]) == (TOWER_1[0], TOWER_1[1])
    assert state.turn == 2, "G is worth more than I"
    assert state.tower == TOWER_1[2:]
    assert (state.hands[1], state.hands[2]) == ((cards[0],), (cards[1],))
    assert list(state.deck) == cards[2:]
    state, _ = apply_action(state, 2, "draw")
    assert (state.drawn_tile, state.tower) == (TOWER_1[2], TOWER_1[3:])


def test_the_solo_tower_is_shuffled_without_the_dark_tiles() -> None:
    state, _ = start_game(Setup(mode="solo", seats=1, key=KEY))
    assert state.drawn_tile + state.tower == SOLO_TOWER


def test_the_second_match_takes_the_tower_of_label_2() -> None:
    state = build_position(phase="start", tower="", hands={1: ["OO"]}, key=KEY)
    state, _ = apply_action(state, 1, "draw")
    assert state.match_no == 2
    tiles = "".join((*state.table_tiles, state.drawn_tile, state.tower))
    assert tiles == TOWER_2


def test_blind_matches_count_in_the_label_of_the_tower() -> None:
    state = build_position(
        phase="start", tower="", hands={1: ["OO"]}, match=3, totals={1: 24, 2: 24}, key=KEY
    )
    state, _ = apply_action(state, 1, "draw")
    assert (state.match_no, state.match_kind) == (4, "blind")
    expected = mix_items(KEY, "tower/4", TILES)
    assert [*state.removed_tiles, state.drawn_tile, *state.tower] == expected


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_kidnapping_takes_below_the_size_of_the_hand_in_the_order_received(size: int) -> None:
    hand = ["TT", "ME", "RC", "RA", "TT"][:size]
    for n in range(5):
        key = bytes([n] * 32)
        state = build_position(phase="start", hands={1: ["AK"], 2: hand}, key=key)
        state, events = apply_action(state, 1, "AK-2")
        index = draw_fair(iter_words(key, "kidnap/1"), size)
        assert state.stolen_card == hand[index]
        assert state.hands[2] == tuple(hand[:index] + hand[index + 1 :])
        assert events[1] == {"event": "kidnapped", "seat": 1, "victim": 2, "card": hand[index]}


@pytest.mark.parametrize(("card", "action"), [("AK", "AK-2"), ("CV", "CV=AK-2")])
def test_chained_kidnappings_and_those_of_the_wildcard_count(card: str, action: str) -> None:
    hand = ["TT", "ME", "RC", "RA", "QL"]
    for n in range(5):
        key = bytes([n] * 32)
        state = build_position(
            {"c4": "I"}, phase="start", hands={1: [card], 2: ["AK"], 3: hand}, seats=3, key=key
        )
        state, _ = apply_action(state, 1, action)
        assert (state.phase, state.stolen_card) == ("stolen", "AK")
        state, _ = apply_action(state, 1, "AK-3")
        assert state.stolen_card == hand[draw_fair(iter_words(key, "kidnap/2"), 5)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shuffled_seats_come_from_the_label_seats_with_client_seeds_in_joining_order(players: int) -> None:
    seeds = ["ada", "bob", "cleo", "dan"][:players]
    key = derive_game_key(SEED, seeds)
    order = mix_items(key, "seats", seeds)  # position i is seat i
    assert assign_seats(SEED, seeds) == [order.index(seed) + 1 for seed in seeds]


@pytest.mark.parametrize("n", range(8))
def test_partners_who_joined_together_take_opposite_seats(n: int) -> None:
    seed, seeds = bytes([n] * 32), ["ada", "bob", "cleo", "dan"]
    plain = assign_seats(seed, seeds)
    for couples in ([(0, 1)], [(1, 3)], [(0, 2), (1, 3)], [(0, 3), (2, 1)]):
        seats = assign_seats(seed, seeds, couples=couples)
        assert sorted(seats) == [1, 2, 3, 4]
        assert all(abs(seats[first] - seats[other]) == 2 for first, other in couples)
        if all(abs(plain[first] - plain[other]) == 2 for first, other in couples):
            assert seats == plain


def test_a_place_at_the_table_and_a_players_seat_are_two_readings_of_one_order() -> None:
    assert invert_seat_order([2, 0, 1]) == [2, 3, 1]
    assert seat_couples_opposite([0, 1, 2, 3], [(0, 2)]) == [0, 1, 2, 3]
