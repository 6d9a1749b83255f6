"""A game that bots play for whoever looks: one after another, each move at its moment, the same for all.

It is a function of the time, so nothing is stored and nobody has to be awake for it.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .actions import legal_actions
from .bots import choose
from .game import apply, start
from .state import Setup, State
from .turns import Event
from .view import view

PACE = 8  # seconds between two looks of the board
LENGTH = 900  # seconds for a game and the pause after it
NAMES = ("Pico", "Bella")


@dataclass
class Show:
    """A game as far as it was needed: what the board looked like, one after another."""

    states: list[State]
    events: list[list[Event]]
    dice: random.Random

    def upto(self, step: int) -> int:
        """Play on as far as that step; gives the last one there is."""
        while len(self.states) <= step and not self.states[-1].over:
            self._play()
        return min(step, len(self.states) - 1)

    def _play(self) -> None:
        """Bots act until the board has changed."""
        state, told = self.states[-1], list[Event]()
        cells, match = state.cells, state.match
        while not state.over and state.cells == cells and state.match == match:
            seat = state.to_act[0]
            action = choose("greedy", view(state, seat), legal_actions(state, seat), self.dice)
            state, events = apply(state, seat, action)
            told += events
        self.states.append(state)
        self.events.append(told)


@lru_cache(maxsize=2)
def show(number: int) -> Show:
    """The game of that number."""
    key = hashlib.sha256(f"otto-show|{number}".encode()).digest()
    state, events = start(Setup(seats=2, key=key))
    return Show([state], [events], random.Random(key))


def now_shown(seconds: int) -> tuple[dict[str, Any], list[Event], int]:
    """What is on show at a time in seconds: the view, what just happened, and how long it stays."""
    number, within = divmod(seconds, LENGTH)
    game = show(number)
    step = game.upto(within // PACE)
    return view(game.states[step]), game.events[step], PACE - within % PACE
