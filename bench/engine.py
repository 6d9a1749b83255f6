"""Random playouts with all legal actions at every decision: OTTO beside python-chess and OpenSpiel.

All run in turn on one core, in blocks of about 25 ms, so that other load affects all of them; a ratio is the
median over the rounds. Then `load` and `dump` of states from random games, in microseconds.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import chess
import pyspiel

from games.engine import Setup, State, apply_action, dump_state, legal_actions, load_state, start_game

BLOCK_SECONDS = 0.025
ROUND_COUNT = 41
MAX_CHESS_PLIES = 200  # random games of chess can be endless


def play_otto(rng: random.Random) -> Iterator[None]:
    """Play two-player OTTO with cards; yields after each decision."""
    while True:
        state, _ = start_game(Setup(key=rng.randbytes(32)))
        while not state.is_over:
            seat = state.seats_to_act[0]
            state, _ = apply_action(state, seat, rng.choice(legal_actions(state, seat)))
            yield


def play_chess(rng: random.Random) -> Iterator[None]:
    """Play random chess; yields after each move."""
    while True:
        board = chess.Board()
        for _ in range(MAX_CHESS_PLIES):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            yield


def play_backgammon(rng: random.Random) -> Iterator[None]:
    """Play random backgammon; yields after each decision."""
    game = pyspiel.load_game("backgammon")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                yield


def measure_rate(playout: Iterator[None]) -> float:
    """Return the decisions per second over one block."""
    decision_count, started_at = 0, time.perf_counter()
    ends_at = started_at + BLOCK_SECONDS
    while (now := time.perf_counter()) < ends_at:
        for _ in range(20):
            next(playout)
        decision_count += 20
    return decision_count / (now - started_at)


def print_figure(figure: str, own_value: float, peer_name: str, peer_value: float, ratio: float) -> None:
    """Print a figure as a JSON line."""
    row = {
        "figure": figure,
        "ours": round(own_value, 1),
        "peer": peer_name,
        "theirs": round(peer_value, 1),
        "ratio": round(ratio, 3),
    }
    print(json.dumps(row), flush=True)


def sample_states(count: int) -> list[State]:
    """Return states sampled from random games."""
    rng = random.Random("states")
    states: list[State] = []
    while len(states) < count:
        state, _ = start_game(Setup(seats=rng.choice((2, 3, 4)), key=rng.randbytes(32)))
        while not state.is_over:
            seat = state.seats_to_act[0]
            state, _ = apply_action(state, seat, rng.choice(legal_actions(state, seat)))
            states.append(state)
    return rng.sample(states, count)


def measure_microseconds(work: Callable[[], object], times: int) -> float:
    """Return the microseconds per item of some work."""
    started_at = time.perf_counter()
    work()
    return (time.perf_counter() - started_at) / times * 1e6


def main() -> None:
    """Measure playouts, then `dump` and `load`."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    contenders = {
        "otto": play_otto(random.Random("otto")),
        "python-chess": play_chess(random.Random("chess")),
        "open_spiel backgammon": play_backgammon(random.Random("backgammon")),
    }
    rounds = []
    for round_no in range(ROUND_COUNT + 2):
        rates = {name: measure_rate(playout) for name, playout in contenders.items()}
        if round_no > 1:
            rounds.append(rates)
    median_rates = {name: statistics.median(rates[name] for rates in rounds) for name in contenders}
    for peer in ("python-chess", "open_spiel backgammon"):
        ratio = statistics.median(rates["otto"] / rates[peer] for rates in rounds)
        print_figure(f"engine.decisions vs {peer}", median_rates["otto"], peer, median_rates[peer], ratio)
    states = sample_states(400)
    texts = [dump_state(state) for state in states]
    objects = [json.loads(text) for text in texts]

    def dump_plain() -> None:
        """Dump the same data with the json module."""
        for plain_object in objects:
            json.dumps(plain_object, separators=(",", ":"))

    def load_plain() -> None:
        """Load the same data with the json module."""
        for text in texts:
            json.loads(text)

    for figure, own_work, plain_work in (
        ("engine.dump µs", lambda: [dump_state(state) for state in states], dump_plain),
        ("engine.load µs", lambda: [load_state(text) for text in texts], load_plain),
    ):
        pairs = [
            (measure_microseconds(own_work, len(states)), measure_microseconds(plain_work, len(states)))
            for _ in range(15)
        ]
        own_time, plain_time = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print_figure(figure, own_time, "json of the same data", plain_time, ratio)


if __name__ == "__main__":
    main()
