"""Bots: strength, speed, and that they see no more than a player."""

from __future__ import annotations

import random
import time

import pytest

from games.engine import OBLIGATIONS, Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.bots import BOT_POLICIES, autoplay_action, choose_action
from tests.example_counts import pick_example_count

GAMES = pick_example_count(100, 400)


def choose_for_policy(policy: str, state: State, seat: int, rng: random.Random) -> str:
    return choose_action(policy, build_view(state, seat), legal_actions(state, seat), rng)


def measure_share_won(first: str, second: str, games: int) -> float:
    """Return the share of two-player games that `first` wins, with every deal played from both seats."""
    wins = 0
    for number in range(games):
        rng = random.Random(f"{first} {second} {number // 2}")
        seats = {1: first, 2: second} if number % 2 else {1: second, 2: first}
        state, _ = start_game(Setup(key=rng.randbytes(32)))
        while not state.is_over:
            seat = state.seats_to_act[0]
            state, _ = apply_action(state, seat, choose_for_policy(seats[seat], state, seat, rng))
        wins += state.winner != 0 and seats[state.winner] == first
    return wins / games


def test_greedy_beats_random_in_three_games_of_four() -> None:
    assert measure_share_won("greedy", "random", GAMES) >= 0.75


@pytest.mark.slow
def test_planner_beats_greedy_in_three_games_of_five() -> None:
    assert measure_share_won("planner", "greedy", GAMES) >= 0.60


def test_the_planner_decides_within_50_ms() -> None:
    rng = random.Random("quick")
    slowest, decisions = 0.0, 0
    for number in range(12):
        state, _ = start_game(Setup(seats=2 + number % 3, key=rng.randbytes(32)))
        while not state.is_over:
            seat = state.seats_to_act[0]
            view, legal = build_view(state, seat), legal_actions(state, seat)
            started_at = time.process_time()  # CPU time: the machine may be busy
            action = choose_action("planner", view, legal, rng)
            slowest = max(slowest, time.process_time() - started_at)
            decisions += 1
            state, _ = apply_action(state, seat, action)
    assert decisions > 500
    assert slowest < 0.050


@pytest.mark.parametrize("policy", BOT_POLICIES)
@pytest.mark.parametrize(("mode", "seats"), [("singles", 3), ("singles", 4), ("pairs", 4), ("solo", 1)])
@pytest.mark.parametrize("edition", ["arcastudio-2.2", "bannan-nl"])
def test_every_bot_finishes_every_kind_of_game_with_legal_actions(
    policy: str, mode: str, seats: int, edition: str
) -> None:
    rng = random.Random(f"{policy} {mode} {seats}")
    for _ in range(3):
        state, _ = start_game(Setup(mode=mode, seats=seats, edition=edition, key=rng.randbytes(32)))
        while not state.is_over:
            seat = rng.choice(state.seats_to_act)
            action = choose_for_policy(policy, state, seat, rng)
            assert action in legal_actions(state, seat)
            state, _ = apply_action(state, seat, action)


def test_what_the_server_plays_for_an_absent_player_uses_no_card() -> None:
    rng = random.Random("absent")
    for _ in range(10):
        state, _ = start_game(Setup(seats=3, key=rng.randbytes(32)))
        while not state.is_over:
            seat = rng.choice(state.seats_to_act)
            absent = seat == 1
            action = choose_for_policy("clock" if absent else "random", state, seat, rng)
            assert not absent or state.phase == "place" or action in ("draw", "pass")
            state, _ = apply_action(state, seat, action)


def test_a_bot_with_the_same_sight_and_the_same_dice_decides_the_same() -> None:
    state, _ = start_game(Setup(key=bytes(32)))
    seat = state.seats_to_act[0]
    for policy in BOT_POLICIES:
        assert len({choose_for_policy(policy, state, seat, random.Random(3)) for _ in range(5)}) == 1


def test_a_bot_is_not_asked_when_there_is_nothing_to_decide() -> None:
    state, _ = start_game(Setup(key=bytes(32)))
    idle = 3 - state.seats_to_act[0]
    with pytest.raises(ValueError, match="nothing to decide"):
        choose_for_policy("greedy", state, idle, random.Random(1))


@pytest.mark.parametrize("seed", range(6))
def test_the_server_chooses_for_the_absent_as_the_clock_would_from_its_view(seed: int) -> None:
    rng = random.Random(seed)
    terms = Setup(seats=rng.choice((2, 3, 4)), key=rng.randbytes(32), obligation=rng.choice(OBLIGATIONS))
    state, _ = start_game(terms)
    while not state.is_over:
        seat = state.seats_to_act[0]
        legal = legal_actions(state, seat)
        number = rng.random()
        quick = autoplay_action(state, seat, legal, random.Random(number))
        assert quick == choose_action("clock", build_view(state, seat), legal, random.Random(number))
        state, _ = apply_action(state, seat, rng.choice(legal))
