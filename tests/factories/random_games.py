"""Whole random games: Hypothesis draws the setup and a seed, and the seed determines every choice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import Phase, note, settings
from hypothesis import strategies as st

from games.engine import (
    RULES_VERSIONS,
    GameEvent,
    Setup,
    State,
    apply_action,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from tests.example_counts import pick_example_count

MAX_ACTIONS_PER_GAME = 5000  # a match has about a hundred at most


def make_game_settings(games: int) -> settings:
    """Return settings for so many games, without shrinking: a smaller seed gives no simpler game."""
    return settings(
        max_examples=pick_example_count(games), phases=(Phase.explicit, Phase.reuse, Phase.generate)
    )


class Step(NamedTuple):
    """One action of a game."""

    before: State
    seat: int
    action: str
    after: State
    events: list[GameEvent]


@st.composite
def setups(
    draw: st.DrawFn, modes: tuple[str, ...] = ("singles", "singles", "singles", "pairs", "solo")
) -> Setup:
    """Draw the setup of a game. Low targets lead to blind matches and shoot-outs, high ones to long games."""
    mode = draw(st.sampled_from(modes))
    seats = {"singles": draw(st.sampled_from((2, 3, 4))), "pairs": 4, "solo": 1}[mode]
    edition = draw(st.sampled_from(list_edition_names()))
    rules = draw(st.sampled_from(RULES_VERSIONS[load_edition(edition).first_rules_version - 1 :]))
    seniority_rule = draw(st.sampled_from(("account", "lot"))) if rules > 1 else "account"
    seniority = () if seniority_rule == "lot" else tuple(draw(st.permutations(range(1, seats + 1))))
    return Setup(
        mode=mode,
        seats=seats,
        edition=edition,
        rules=rules,
        cards_from=draw(st.sampled_from((1, 1, 2))) if rules > 1 else 1,
        seniority_rule=seniority_rule,
        cards=draw(st.sampled_from((True, True, True, False))),
        obligation=draw(st.sampled_from(("strict", "strict", "lenient"))),
        target=draw(st.sampled_from((24, 24, 8, 1, 40))),
        seniority=seniority,
        key=draw(st.binary(min_size=32, max_size=32)),
    )


seeds = st.integers(0, 2**32 - 1)


def build_opening(setup: Setup, seed: int) -> State:
    """Start a game; one seed in four starts at the end of a match with all sides level at the target."""
    state, _ = start_game(setup)
    if seed % 4 or setup.mode == "solo":
        return state
    d = state.mutable_copy()
    d.removed_tiles, d.tower = d.removed_tiles + d.tower, ""
    d.totals = (0, *(setup.target for _ in setup.side_numbers))
    return d.freeze()


def choose_seat_and_action(state: State, rng: random.Random, eager: float) -> tuple[int, str]:
    """Choose a seat to act and one of its actions; an eager player chooses a card first."""
    seat = rng.choice(state.seats_to_act)
    legal = legal_actions(state, seat)
    if state.phase == "start" and rng.random() < eager:
        card = rng.choice(sorted({action[:5] for action in legal}))
        legal = tuple(action for action in legal if action.startswith(card))
    return seat, rng.choice(legal)


def iter_steps(setup: Setup, seed: int, *, resigning: float | None = None) -> Iterator[Step]:
    """Yield every step of one random game, in which players resign with a small probability."""
    rng = random.Random(seed)
    eager = rng.choice((0.3, 1))
    if resigning is None:
        resigning = rng.choice((0, 0, 0.003, 0.02))
    state = build_opening(setup, seed)
    note(f"{setup}, key {setup.key.hex()}, seed {seed}")
    while not state.is_over:
        assert state.seq < MAX_ACTIONS_PER_GAME, "this game does not end"
        seat, action = choose_seat_and_action(state, rng, eager)
        if rng.random() < resigning:
            seat = rng.choice(
                [s for s in range(1, setup.seats + 1) if setup.sides[s] not in state.resigned_sides]
            )
            action = "resign"
        after, events = apply_action(state, seat, action)
        yield Step(state, seat, action, after, events)
        state = after


def iter_states(setup: Setup, seed: int, every: int = 1) -> Iterator[State]:
    """Yield the first and the last state of a random game, and one in `every` of the others."""
    rng = random.Random(f"states {seed}")
    state = build_opening(setup, seed)
    yield state
    for step in iter_steps(setup, seed):
        state = step.after
        if state.is_over or rng.randrange(every) == 0:
            yield state
