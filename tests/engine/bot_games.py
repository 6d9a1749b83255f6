"""Whole games between bots, with the states in which their matches are scored."""

from __future__ import annotations

import random
from typing import Any

from games.engine import Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.bots import choose_action
from games.engine.game import AUTOMATIC_PHASES, _carry_out_action

SCORING_PHASES = ("eight", "full", "tower", "won")
GAMES = [
    Setup(mode=mode, seats=seats, edition=edition, target=40, key=bytes([number]) * 32)
    for edition in ("arcastudio-2.2", "bannan-nl")
    for mode, seats in (("singles", 2), ("singles", 3), ("singles", 4), ("pairs", 4), ("solo", 1))
    for number in (1, 2)
]


def find_state_before_scoring(state: State, seat: int, action: str) -> State | None:
    """Return the state in which the match is scored after this action, None if the match goes on."""
    events: list[Any] = []
    new_state = _carry_out_action(state, seat, action, events)
    while new_state.phase in AUTOMATIC_PHASES and new_state.phase not in SCORING_PHASES:
        AUTOMATIC_PHASES[new_state.phase](new_state, events)
    return new_state.freeze() if new_state.phase in SCORING_PHASES else None


def play_game(setup: Setup, policy: str) -> tuple[list[dict[str, Any]], list[State], State]:
    """Return all events of a game between bots, its states right before each scoring, and its last state."""
    rng = random.Random(f"{setup}{policy}")
    state, events = start_game(setup)
    scored_states = []
    for _ in range(2000):
        if state.is_over:
            break
        seat = state.seats_to_act[0]
        legal = legal_actions(state, seat)
        action = choose_action(policy, build_view(state, seat), legal, rng)
        if (
            setup.seats > 2
            and len(setup.side_numbers) - len(state.resigned_sides) > 2
            and rng.random() < 0.01
        ):
            action = "resign"
        if before := find_state_before_scoring(state, seat, action):
            scored_states.append(before)
        state, new_events = apply_action(state, seat, action)
        events += new_events
    return events, scored_states, state
