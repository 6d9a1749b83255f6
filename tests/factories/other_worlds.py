"""States that differ only in what is hidden from a viewer."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.engine import (
    ActionError,
    State,
    apply_action,
)
from tests.factories.positions import build_position, play_actions

CARDS = ("TT", "MI", "RC", "RA", "RV", "QL", "ME", "AK", "OO", "CV")


def list_hidden_seats(state: State, viewer: int | None) -> list[int]:
    """List the seats whose hands the viewer may not see."""
    sides = state.setup.sides
    return [s for s in range(1, state.setup.seats + 1) if viewer is None or sides[s] != sides[viewer]]


def build_other_world(
    state: State,
    viewer: int | None,
    rng: random.Random,
    *,
    tiles: int = 0,
    deals: int = 0,
    fixed: dict[int, tuple[str, ...]] | None = None,
    same_key: bool = False,
) -> State:
    """Return the state with everything hidden from the viewer shuffled.

    Parts that the next action reveals are kept: `tiles` on top of the tower, `deals` on top of the deck, and
    the `fixed` cards in hands.
    """
    d, fixed = state.mutable_copy(), fixed or {}
    if not same_key:
        d.setup = replace(state.setup, key=rng.randbytes(32))
    bottom = list(state.tower[tiles:])
    rng.shuffle(bottom)
    d.tower = state.tower[:tiles] + "".join(bottom)
    hidden = list_hidden_seats(state, viewer)
    pool = [
        *state.deck[deals:],
        *state.discarded_cards,
        *(card for seat in hidden for card in state.hands[seat]),
    ]
    for cards in fixed.values():
        for card in cards:
            pool.remove(card)
    rng.shuffle(pool)

    def deal_cards(number: int) -> tuple[str, ...]:
        cards = tuple(pool[:number])
        del pool[:number]
        return cards

    hands = list(state.hands)
    for seat in hidden:
        fixed_hand = fixed.get(seat, ())
        hands[seat] = (
            fixed_hand
            if len(fixed_hand) == len(hands[seat])
            else fixed_hand + deal_cards(len(hands[seat]) - len(fixed_hand))
        )
    d.hands = tuple(hands)
    d.deck = state.deck[:deals] + deal_cards(len(state.deck) - deals)
    d.discarded_cards = deal_cards(len(state.discarded_cards))
    assert not pool
    return d.freeze()


def get_outcome(call: Callable[[], object]) -> object:
    """Return the result of a call, or all fields of its error."""
    try:
        return call()
    except ActionError as error:
        return type(error).__name__, str(error), error.rule, error.alternatives


def build_rare_states() -> list[State]:
    """Build states in phases that random games seldom reach, with enough unseen cards to shuffle."""
    deck = ["TT", "CV", "OO", "RA", "QL", "ME", "AK", "MI", "RC"]
    hands = {1: ["AK", "MI"], 2: ["ME", "OO"], 3: ["QL", "TT"], 4: ["CV", "AK"]}
    table = {1: "A", 2: "B", 3: "C", 4: "E"}
    eight = {"a2": "H", "b2": "D0", "a5": "E", "e5": "E"}
    marked = {("frame+a5", 2): 1, ("frame+e5", 2): 2}
    states = []
    for mode in ("singles", "pairs"):
        terms: dict[str, Any] = {"mode": mode, "seats": 4, "hands": hands, "table": table, "deck": deck}
        start_state = build_position({"c2": "I"}, phase="start", tower="ABCDEFGHIJ", **terms)
        before_eight = build_position(eight, drawn="H", marked=marked, tower="ABCDE", **terms)
        reacting = play_actions(before_eight, "H-c2-0")
        states += [start_state, reacting, apply_action(reacting, 2, "pass")[0]]
        states += [
            build_position({"c2": "I"}, phase="stolen", stolen=card, tower="ABC", **terms) for card in CARDS
        ]
    two = build_position(
        {"c2": "I"}, phase="start", hands={1: ["AK"], 2: ["MI"]}, table={1: "A", 2: "B"}, deck=deck
    )
    return [*states, two, apply_action(two, 1, "resign")[0]]
