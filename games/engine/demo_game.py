"""Demo games for the home page: bots play one game after another at a fixed pace.

The position is a function of the time, so that nothing is stored and every process shows the same.
"""

from __future__ import annotations

import hashlib
import random
import threading
from dataclasses import dataclass
from functools import lru_cache

from .actions import legal_actions
from .bots import choose_action
from .game import apply_action, start_game
from .read_models import PositionData
from .state import Setup, State
from .turns import GameEvent
from .view import build_view

SECONDS_PER_POSITION = 6  # between two positions of the board
DEMO_LENGTH_SECONDS = 1800  # then another sequence begins
FINAL_POSITION_COUNT = 5  # positions for which the end of a game stays
DEMO_PLAYER_NAMES = ("Pico", "Bella")


class DemoSequence:
    """The positions of consecutive demo games, computed as far as needed."""

    def __init__(self, number: int) -> None:
        self.key = hashlib.sha256(f"otto-show|{number}".encode()).digest()
        self.rng = random.Random(self.key)
        self.positions: list[tuple[State, list[GameEvent]]] = []
        self.games_started = 0
        self.lock = threading.Lock()  # threads of a web server share the sequence

    def position_at(self, step: int) -> tuple[State, list[GameEvent]]:
        """The state at a step and the events that led to it; plays on if needed."""
        with self.lock:
            while len(self.positions) <= step:
                self._append_position()
            return self.positions[step]

    def _append_position(self) -> None:
        """Append the next position.

        1. If the last game has been shown long enough after its end, start a new one.
        2. Else let bots act until the board changes; a finished game repeats its last position.
        """
        if not self.positions or all(state.is_over for state, _ in self.positions[-FINAL_POSITION_COUNT:]):
            key = hashlib.sha256(self.key + bytes([self.games_started])).digest()
            self.games_started += 1
            self.positions.append(start_game(Setup(seats=2, key=key)))
            return
        state, recent_events = self.positions[-1]
        if not state.is_over:
            previous_state, recent_events = state, list[GameEvent]()
            while not state.is_over and (state.cells, state.match_no) == (
                previous_state.cells,
                previous_state.match_no,
            ):
                seat = state.seats_to_act[0]
                action = choose_action(
                    "greedy", build_view(state, seat), legal_actions(state, seat), self.rng
                )
                state, events = apply_action(state, seat, action)
                recent_events += events
        self.positions.append((state, recent_events))


load_cached_sequence = lru_cache(maxsize=2)(DemoSequence)
sequences_lock = threading.Lock()  # else two threads could each build a sequence at once


def load_demo_sequence(number: int) -> DemoSequence:
    """The sequence with this number, the same one for all threads."""
    with sequences_lock:
        return load_cached_sequence(number)


@dataclass(frozen=True)
class DemoPosition:
    """A position of the demo game on the home page."""

    view: PositionData
    events: list[GameEvent]  # that led to it
    seconds_shown: int  # until the next one


def find_demo_position(seconds: int) -> DemoPosition:
    """The demo position at a time in seconds."""
    number, seconds_elapsed = divmod(seconds, DEMO_LENGTH_SECONDS)
    state, events = load_demo_sequence(number).position_at(seconds_elapsed // SECONDS_PER_POSITION)
    seconds_left = SECONDS_PER_POSITION - seconds_elapsed % SECONDS_PER_POSITION
    return DemoPosition(build_view(state), events, seconds_left)
