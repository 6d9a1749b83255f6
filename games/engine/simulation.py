"""Whole games played by bots, written down as records. The same seed gives the same bytes."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from . import fairness, record
from .actions import legal_actions
from .bots import choose
from .edition import DEFAULT
from .game import apply, start
from .state import MODES, Setup
from .view import view

POLICIES = ("random", "greedy", "planner", "mixed")
MIXTURE = ("random", "random", "greedy", "planner")
RESIGNING = 0.002  # how often a decision of a mixed game is to give up
FIRST_MOVE = datetime(2026, 1, 1, 12, tzinfo=UTC)  # an invented time, so that records repeat to the byte
NAMES = ("ada", "bob", "cleo", "dirk")


@dataclass(frozen=True)
class Terms:
    """What all games of a simulation have in common."""

    mode: str = "singles"
    seats: int = 2
    edition: str = DEFAULT
    policy: str = "random"
    cards: bool = True
    obligation: str = "strict"
    target: int = 24
    seed: str = "0"


def seats_for(mode: str, seats: int | None) -> int:
    """The number of seats, or the least that the mode allows. Raises ValueError if it does not fit."""
    if seats is None:
        return MODES[mode][0]
    if seats not in MODES[mode]:
        raise ValueError(f"{mode} is played by {' or '.join(map(str, MODES[mode]))} seats, not {seats}")
    return seats


def play(terms: Terms, number: int) -> dict[str, Any]:
    """The record of the simulation's game of that number."""
    rng = random.Random(f"{terms}/{number}")
    server_seed = rng.randbytes(fairness.SEED_BYTES)
    by_joining = [str(i + 1) for i in range(terms.seats)]  # as for every bot: its joining number
    order = rng.choice(("as-joined", "shuffled"))
    joined = list(range(1, terms.seats + 1))
    if order == "shuffled":
        couples = [(0, 1)] if terms.mode == "pairs" and rng.random() < 0.5 else []
        joined = fairness.seating(server_seed, by_joining, couples=couples)
    client_seeds = [by_joining[joined.index(seat)] for seat in range(1, terms.seats + 1)]
    setup = Setup(
        mode=terms.mode,
        seats=terms.seats,
        edition=terms.edition,
        cards=terms.cards,
        obligation=terms.obligation,
        target=terms.target,
        seniority=tuple(rng.sample(range(1, terms.seats + 1), terms.seats)),
        key=fairness.game_key(server_seed, client_seeds),
    )
    state, _ = start(setup)
    actions = []
    while not state.over:
        seat, action = _decide(terms, state, rng)
        state, _ = apply(state, seat, action)
        at = FIRST_MOVE + timedelta(minutes=state.seq)
        actions.append(
            {
                "seq": state.seq,
                "seat": seat,
                "action": action,
                "by": "bot",
                "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )
    return record.build(
        game=f"simulated-{terms.seed}-{number}",
        setup=setup,
        names=NAMES[: terms.seats],
        commitment=fairness.commitment(server_seed),
        server_seed=server_seed,
        client_seeds=client_seeds,
        order=order,
        joined=joined,
        actions=actions,
        result=state.result,
    )


def _decide(terms: Terms, state: Any, rng: random.Random) -> tuple[int, str]:
    policy = terms.policy
    if policy == "mixed":
        if rng.random() < RESIGNING:
            setup = state.setup
            return rng.choice(
                [s for s in range(1, setup.seats + 1) if setup.sides[s] not in state.out]
            ), "resign"
        policy = rng.choice(MIXTURE)
    seat = rng.choice(state.to_act)
    return seat, choose(policy, view(state, seat), legal_actions(state, seat), rng)


def written(record: dict[str, Any]) -> str:
    """A record as the text of its file."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
