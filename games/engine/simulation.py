"""Simulated games between bots, as records. The same settings give the same bytes."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from . import fairness, record
from .actions import legal_actions
from .bots import choose_action
from .choices import ActionSource, Mode, SeatOrder
from .edition import DEFAULT_EDITION
from .game import apply_action, start_game
from .read_models import RecordActionData, RecordData
from .state import MODES, RULES_VERSION, Setup, State
from .view import build_view

SIMULATION_POLICIES = ("random", "greedy", "planner", "mixed")
MIXED_POLICIES = ("random", "random", "greedy", "planner")
RESIGN_PROBABILITY = 0.002  # per decision of a mixed game
FIRST_ACTION_TIME = datetime(2026, 1, 1, 12, tzinfo=UTC)  # fixed, so that records are reproducible
PLAYER_NAMES = ("ada", "bob", "cleo", "dirk")


@dataclass(frozen=True)
class SimulationSettings:
    """The settings that all games of a simulation share."""

    mode: str = "singles"
    seats: int = 2
    edition: str = DEFAULT_EDITION
    policy: str = "random"
    cards: bool = True
    obligation: str = "strict"
    target: int = 24
    seed: str = "0"
    rules: int = RULES_VERSION
    cards_from: int = 1
    seniority_rule: str = "account"


def resolve_seat_count(mode: str, seats: int | None) -> int:
    """The number of seats, by default the least of the mode. Raises ValueError if it does not fit."""
    if seats is None:
        return MODES[mode][0]
    if seats not in MODES[mode]:
        raise ValueError(f"{mode} is played by {' or '.join(map(str, MODES[mode]))} seats, not {seats}")
    return seats


def simulate_game(settings: SimulationSettings, game_number: int) -> RecordData:
    """Play the game with this number of a simulation, and return its record.

    1. Draw seeds and seating from a generator seeded with the settings and the number.
    2. Let bots decide until the game is over, with invented times.
    3. Build the record.
    """
    rng = random.Random(f"{settings}/{game_number}")
    server_seed = rng.randbytes(fairness.SEED_LENGTH_BYTES)
    seeds_by_joining = [
        str(i + 1) for i in range(settings.seats)
    ]  # the client seed of a bot is its joining number
    seat_order = rng.choice(tuple(SeatOrder))
    seats_by_joining = list(range(1, settings.seats + 1))
    if seat_order == SeatOrder.SHUFFLED:
        couples = [(0, 1)] if settings.mode == Mode.PAIRS and rng.random() < 0.5 else []
        seats_by_joining = fairness.assign_seats(server_seed, seeds_by_joining, couples=couples)
    client_seeds = [seeds_by_joining[seats_by_joining.index(seat)] for seat in range(1, settings.seats + 1)]
    setup = Setup(
        mode=settings.mode,
        seats=settings.seats,
        edition=settings.edition,
        cards=settings.cards,
        obligation=settings.obligation,
        target=settings.target,
        seniority=()
        if settings.seniority_rule == "lot"
        else tuple(rng.sample(range(1, settings.seats + 1), settings.seats)),
        key=fairness.derive_game_key(server_seed, client_seeds),
        rules=settings.rules,
        cards_from=settings.cards_from,
        seniority_rule=settings.seniority_rule,
    )
    state, _ = start_game(setup)
    actions: list[RecordActionData] = []
    while not state.is_over:
        seat, action = _choose_decision(settings, state, rng)
        state, _ = apply_action(state, seat, action)
        acted_at = FIRST_ACTION_TIME + timedelta(minutes=state.seq)
        actions.append(
            {
                "seq": state.seq,
                "seat": seat,
                "action": action,
                "by": ActionSource.BOT,
                "at": acted_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )
    return record.build_record(
        game_code=f"simulated-{settings.seed}-{game_number}",
        setup=setup,
        names=PLAYER_NAMES[: settings.seats],
        commitment=fairness.compute_commitment(server_seed),
        server_seed=server_seed,
        client_seeds=client_seeds,
        seat_order=seat_order,
        seats_by_joining=seats_by_joining,
        actions=actions,
        result=state.result,
    )


def _choose_decision(settings: SimulationSettings, state: State, rng: random.Random) -> tuple[int, str]:
    """The next decision: a random seat to act, and the action that its policy chooses or `resign`."""
    policy = settings.policy
    if policy == "mixed":
        if rng.random() < RESIGN_PROBABILITY:
            setup = state.setup
            return rng.choice(
                [s for s in range(1, setup.seats + 1) if setup.sides[s] not in state.resigned_sides]
            ), "resign"
        policy = rng.choice(MIXED_POLICIES)
    seat = rng.choice(state.seats_to_act)
    return seat, choose_action(policy, build_view(state, seat), legal_actions(state, seat), rng)


def format_record(record: RecordData) -> str:
    """A record as the text of its file."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
