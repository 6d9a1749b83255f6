"""Random playouts with the full legal list at every decision: OTTO beside python-chess and OpenSpiel.

All take turns on one core in blocks of about 25 ms, so that what slows one slows the others; a ratio is the
median over the rounds. Then `load` and `dump` of states from the middle of games, in microseconds.
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

from games.engine import Setup, State, apply, dump, legal_actions, load, start

BLOCK = 0.025
ROUNDS = 41
LONGEST_CHESS_GAME = 200  # plies; random games of chess can go on for ever


def otto(rng: random.Random) -> Iterator[None]:
    """Two-player OTTO with cards, one step a decision."""
    while True:
        state, _ = start(Setup(key=rng.randbytes(32)))
        while not state.over:
            seat = state.to_act[0]
            state, _ = apply(state, seat, rng.choice(legal_actions(state, seat)))
            yield


def python_chess(rng: random.Random) -> Iterator[None]:
    while True:
        board = chess.Board()
        for _ in range(LONGEST_CHESS_GAME):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            yield


def backgammon(rng: random.Random) -> Iterator[None]:
    game = pyspiel.load_game("backgammon")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                yield


def rate(playout: Iterator[None]) -> float:
    """Decisions a second over one block."""
    done, began = 0, time.perf_counter()
    end = began + BLOCK
    while (now := time.perf_counter()) < end:
        for _ in range(20):
            next(playout)
        done += 20
    return done / (now - began)


def print_figure(figure: str, ours: float, peer: str, theirs: float, ratio: float) -> None:
    line = {
        "figure": figure,
        "ours": round(ours, 1),
        "peer": peer,
        "theirs": round(theirs, 1),
        "ratio": round(ratio, 3),
    }
    print(json.dumps(line), flush=True)


def some_states(count: int) -> list[State]:
    """States from everywhere in random games."""
    rng = random.Random("states")
    states: list[State] = []
    while len(states) < count:
        state, _ = start(Setup(seats=rng.choice((2, 3, 4)), key=rng.randbytes(32)))
        while not state.over:
            seat = state.to_act[0]
            state, _ = apply(state, seat, rng.choice(legal_actions(state, seat)))
            states.append(state)
    return rng.sample(states, count)


def microseconds(work: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) / times * 1e6


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    contenders = {
        "otto": otto(random.Random("otto")),
        "python-chess": python_chess(random.Random("chess")),
        "open_spiel backgammon": backgammon(random.Random("backgammon")),
    }
    rounds = []
    for warm in range(ROUNDS + 2):
        rates = {name: rate(playout) for name, playout in contenders.items()}
        if warm > 1:
            rounds.append(rates)
    middle = {name: statistics.median(rates[name] for rates in rounds) for name in contenders}
    for peer in ("python-chess", "open_spiel backgammon"):
        ratio = statistics.median(rates["otto"] / rates[peer] for rates in rounds)
        print_figure(f"engine.decisions vs {peer}", middle["otto"], peer, middle[peer], ratio)
    states = some_states(400)
    texts = [dump(state) for state in states]
    objects = [json.loads(text) for text in texts]

    def plain_dump() -> None:
        for one in objects:
            json.dumps(one, separators=(",", ":"))

    def plain_load() -> None:
        for text in texts:
            json.loads(text)

    for figure, ours, theirs in (
        ("engine.dump µs", lambda: [dump(state) for state in states], plain_dump),
        ("engine.load µs", lambda: [load(text) for text in texts], plain_load),
    ):
        pairs = [(microseconds(ours, len(states)), microseconds(theirs, len(states))) for _ in range(15)]
        mine, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print_figure(figure, mine, "json of the same data", plain, ratio)


if __name__ == "__main__":
    main()
