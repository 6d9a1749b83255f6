"""Games that bots play for whoever looks: one after another, each move at its moment, the same for all.

It is a function of the time, so nothing is stored and nobody has to be awake for it.
"""

from __future__ import annotations

import hashlib
import random
from functools import lru_cache
from typing import Any

from .actions import legal_actions
from .bots import choose
from .game import apply, start
from .state import Setup, State
from .turns import Event
from .view import view

PACE = 6  # seconds between two looks of the board
LENGTH = 1800  # seconds of a show; then another one begins
HELD = 5  # looks for which the end of a game stays
NAMES = ("Pico", "Bella")


class Show:
    """Games one after another, as far as they were needed: what the board looked like, look by look."""

    def __init__(self, number: int) -> None:
        self.key = hashlib.sha256(f"otto-show|{number}".encode()).digest()
        self.dice = random.Random(self.key)
        self.looks: list[tuple[State, list[Event]]] = []
        self.began = 0

    def look(self, step: int) -> tuple[State, list[Event]]:
        """The state at a step and what led to it; plays on as far as that."""
        while len(self.looks) <= step:
            self._play()
        return self.looks[step]

    def _play(self) -> None:
        """Bots act until the board has changed; when a game is over it stays for a while."""
        if not self.looks or all(state.over for state, _ in self.looks[-HELD:]):
            key = hashlib.sha256(self.key + bytes([self.began])).digest()
            self.began += 1
            self.looks.append(start(Setup(seats=2, key=key)))
            return
        state, told = self.looks[-1]
        if not state.over:
            before, told = state, list[Event]()
            while not state.over and (state.cells, state.match) == (before.cells, before.match):
                seat = state.to_act[0]
                action = choose("greedy", view(state, seat), legal_actions(state, seat), self.dice)
                state, events = apply(state, seat, action)
                told += events
        self.looks.append((state, told))


show = lru_cache(maxsize=2)(Show)


def now_shown(seconds: int) -> tuple[dict[str, Any], list[Event], int]:
    """What is on show at a time in seconds: the view, what just happened, and how long it stays."""
    number, within = divmod(seconds, LENGTH)
    state, events = show(number).look(within // PACE)
    return view(state), events, PACE - within % PACE
