"""Two games that differ only in hidden information are indistinguishable through every function."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    Setup,
    State,
    apply_action,
    build_view,
    legal_actions,
    parse_action,
    start_game,
)
from tests.factories.other_worlds import (
    CARDS,
    build_other_world,
    build_rare_states,
    get_outcome,
    list_hidden_seats,
)
from tests.factories.positions import build_position
from tests.factories.random_games import Step, iter_states, iter_steps, make_game_settings, seeds, setups

TABLES = ("singles", "singles", "pairs")
worlds = make_game_settings(40)

# Canonical actions that a player may try, and texts that a player may type.
TRIED = (
    *("draw", "pass", "8", "CV=8", "TT", "RC", "RA", "RV-cw", "RV-ccw", "ME", "MI-1", "MI-2", "MI-3", "MI-4"),
    *("AK-1", "AK-2", "AK-3", "AK-4", "QL-c2-a1-0", "QL-c3-a1-0", "QL-c2-c2-0", "CV=TT", "CV=RC", "CV=ME"),
    *("CV=MI-1", "CV=MI-2", "CV=AK-1", "CV=AK-2", "CV=QL-c2-a1-0", "CV=RV-cw"),
    *("A-c2-0", "B-c4-90", "E-b3-0", "H-d3-0", "J-c2-0", "D-a1-180", "nonsense"),
)
TYPED = (
    *(
        "draw",
        "pass",
        "resign",
        "8",
        "oo",
        "infinity",
        "tt",
        "time travel",
        "rc",
        "ra",
        "revolution cw",
        "rv ccw",
    ),
    *("me", "mi", "mi 1", "mi 2", "play mi", "magnetic inversion", "ak", "ak 1", "ak 2", "alien kidnapping"),
    *("ql", "ql c2 a1", "ql c2 a1 90", "cv", "jolly", "cv 8", "cv tt", "cv mi", "cv=mi", "cv ak", "cv as ak"),
    *("wildcard ak", "cv ql c2 a1", "c2", "c2 90", "b3 0", "a c2", "H-c4"),
)


# ---------------------------------------------------------------------------------- the other world


def list_viewers(state: State) -> list[int | None]:
    return [None, *range(1, state.setup.seats + 1)]


def iter_other_worlds(state: State, seed: int) -> Iterator[tuple[int | None, State]]:
    rng = random.Random(seed)
    for viewer in list_viewers(state):
        yield viewer, build_other_world(state, viewer, rng)


every_position = pytest.mark.parametrize("number", range(len(build_rare_states())))


# ------------------------------------------------------------------------------- views and refusals


def check_same_view(state: State, seed: int) -> None:
    for viewer, other in iter_other_worlds(state, seed):
        assert json.dumps(build_view(state, viewer)) == json.dumps(build_view(other, viewer)), viewer
        if viewer is not None:
            assert legal_actions(state, viewer) == legal_actions(other, viewer), viewer


def check_same_refusals(state: State, seed: int) -> None:
    for viewer, other in iter_other_worlds(state, seed):
        if viewer is None:
            continue
        legal = legal_actions(state, viewer)
        for action in TRIED:
            if action not in legal:
                first_outcome = get_outcome(lambda: apply_action(state, viewer, action))  # noqa: B023
                second_outcome = get_outcome(lambda: apply_action(other, viewer, action))  # noqa: B023
                assert first_outcome == second_outcome, (viewer, action)


def check_same_reading(state: State, seed: int) -> None:
    for viewer, other in iter_other_worlds(state, seed):
        if viewer is None:
            continue
        for text in TYPED:
            first_outcome = get_outcome(lambda: parse_action(state, viewer, text))  # noqa: B023
            second_outcome = get_outcome(lambda: parse_action(other, viewer, text))  # noqa: B023
            assert first_outcome == second_outcome, (viewer, text)


@worlds
@given(setups(TABLES), seeds)
def test_a_view_and_ones_own_legal_actions_are_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(iter_states(setup, seed, every=2)):
        check_same_view(state, seed + number)


@every_position
@given(seeds)
@make_game_settings(5)
def test_a_view_of_a_rare_phase_is_the_same_in_both_worlds(number: int, seed: int) -> None:
    check_same_view(build_rare_states()[number], seed)


@worlds
@given(setups(TABLES), seeds)
def test_a_refusal_says_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(iter_states(setup, seed, every=25)):
        check_same_refusals(state, seed + number)


@every_position
@given(seeds)
@make_game_settings(3)
def test_a_refusal_in_a_rare_phase_says_the_same_in_both_worlds(number: int, seed: int) -> None:
    check_same_refusals(build_rare_states()[number], seed)


@make_game_settings(20)
@given(setups(TABLES), seeds)
def test_what_is_typed_reads_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(iter_states(setup, seed, every=40)):
        check_same_reading(state, seed + number)


@every_position
@given(seeds)
@make_game_settings(3)
def test_what_is_typed_in_a_rare_phase_reads_the_same_in_both_worlds(number: int, seed: int) -> None:
    check_same_reading(build_rare_states()[number], seed)


@pytest.mark.parametrize("text", ["mi", "ak", "cv mi", "cv ak"])
def test_typing_a_bare_card_does_not_tell_whether_the_seat_on_turn_holds_it(text: str) -> None:
    def type_card(hand: list[str]) -> object:
        state = build_position({"c2": "I"}, phase="start", hands={1: hand, 2: ["OO"]}, table={1: "A", 2: "B"})
        return get_outcome(lambda: apply_action(state, 2, parse_action(state, 2, text)))

    assert type_card(["TT"]) == type_card(["MI"]) == type_card(["AK"]) == type_card(["CV"])


# ------------------------------------------------------------------------------------------- events


def list_shown_cards(step: Step) -> dict[int, tuple[str, ...]]:
    """Return the cards in hands that an action reveals: the played card, the hand of a kidnapping victim."""
    before, action = step.before, step.action
    fixed: dict[int, tuple[str, ...]] = {}
    if before.phase in ("start", "react") and action not in ("draw", "pass", "resign"):
        fixed[step.seat] = ("OO" if action == "8" else action[:2],)
    for event in step.events:
        if event["event"] == "kidnapped":
            fixed[event["victim"]] = before.hands[event["victim"]]
    return fixed


def build_other_world_before(step: Step, viewer: int | None, rng: random.Random) -> State:
    """Build another world in which this action has identical visible results for the viewer."""
    before, later = step.before, step.after
    hidden = list_hidden_seats(before, viewer)
    new_match, robbed = later.match_no != before.match_no, later.kidnap_count != before.kidnap_count
    return build_other_world(
        before,
        viewer,
        rng,
        tiles=len(before.tower) if new_match or later.is_over else len(before.tower) - len(later.tower),
        deals=len(before.deck) - len(later.deck),
        fixed={seat: cards for seat, cards in list_shown_cards(step).items() if seat in hidden},
        same_key=new_match or robbed,
    )


def check_same_events(step: Step, viewer: int | None, rng: random.Random) -> None:
    """Check that an action has identical events and views in both worlds."""
    other_after, events = apply_action(build_other_world_before(step, viewer, rng), step.seat, step.action)
    assert json.dumps(events) == json.dumps(step.events)
    assert json.dumps(build_view(other_after, viewer)) == json.dumps(build_view(step.after, viewer))


@worlds
@given(setups(TABLES), seeds)
def test_what_happens_tells_no_more_than_it_must(setup: Setup, seed: int) -> None:
    rng = random.Random(f"happens {seed}")
    for step in iter_steps(setup, seed):
        check_same_events(step, rng.choice(list_viewers(step.before)), rng)


@every_position
@given(seeds)
@make_game_settings(5)
def test_what_happens_in_a_rare_phase_tells_no_more_than_it_must(number: int, seed: int) -> None:
    before, rng = build_rare_states()[number], random.Random(seed)
    for seat in before.seats_to_act:
        for action in (*rng.sample(legal := legal_actions(before, seat), min(4, len(legal))), "resign"):
            step = Step(before, seat, action, *apply_action(before, seat, action))
            for viewer in list_viewers(before):
                check_same_events(step, viewer, rng)


@make_game_settings(20)
@given(setups(TABLES), st.binary(min_size=32, max_size=32))
def test_the_first_deal_shows_the_open_tiles_and_no_card(setup: Setup, key: bytes) -> None:
    state, events = start_game(replace(setup, key=key))
    dump = json.dumps(events)
    assert not any(f'"{card}"' in dump for card in CARDS)
    assert key.hex() not in dump + json.dumps([build_view(state, viewer) for viewer in list_viewers(state)])
    assert "key" not in repr(state.setup)


def test_the_other_world_really_is_another() -> None:
    """Check that the worlds differ; otherwise the tests above would prove nothing."""
    state, _ = start_game(Setup(seats=3, key=bytes(range(32))))
    other = build_other_world(state, 1, random.Random(1))
    assert other.hands[1] == state.hands[1]
    assert sorted(other.tower) == sorted(state.tower)
    for name in ("setup", "tower", "deck"):
        assert getattr(other, name) != getattr(state, name)
    hands = {build_other_world(state, 1, random.Random(seed)).hands[2:] for seed in range(20)}
    assert len(hands) > 5


# ----------------------------------------------------------------------------------------- duration


def count_calls(state: State, seat: int, action: str, hand: tuple[str, ...]) -> int:
    """Count the function calls while an action is applied to a state without cached values."""
    draft, calls = state.mutable_copy(), 0
    draft.hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    fresh = draft.freeze()

    def count_call(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count_call)
    try:
        apply_action(fresh, seat, action)
    finally:
        sys.setprofile(None)
    return calls


@worlds
@given(setup=setups(TABLES), seed=seeds)
def test_applying_an_action_takes_as_long_whatever_else_is_in_the_hand(setup: Setup, seed: int) -> None:
    """A spectator could measure the time: a Quantum leap in a hand has hundreds of legal actions."""
    for before, seat, action, _, _ in iter_steps(setup, seed):
        if before.phase != "start" or action == "resign":
            continue
        played_cards = () if action == "draw" else (action[:2],)
        rest = len(before.hands[seat]) - len(played_cards)
        counts = {
            count_calls(before, seat, action, (*played_cards, *(card,) * rest))
            for card in ("TT", "QL", "CV", "MI")
        }
        assert len(counts) == 1, (action, counts)
