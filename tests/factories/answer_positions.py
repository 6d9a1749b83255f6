"""Positions in which a seat may play a card or answers an 8."""

from __future__ import annotations

from games.engine import State, apply_action
from tests.factories.positions import build_position


def build_choice_position(edition: str = "arcastudio-2.2") -> State:
    """Build a position in which seat 1 may play a card, with a B on b3 and a zero tile on c4."""
    return build_position(
        {"b3": "B0", "c4": "I"},
        phase="start",
        hands={1: ["CV", "TT"], 2: ["TT"], 3: ["ME"]},
        table={1: "A", 2: "B", 3: "C"},
        seats=3,
        edition=edition,
    )


def build_answer_position(hand: list[str]) -> State:
    """Build a position in which seat 1 has made an 8 and is asked to answer it."""
    state = build_position({"b4": "H", "d4": "H", "c5": "H"}, drawn="D", hands={1: hand})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert state.phase == "react"
    return state
