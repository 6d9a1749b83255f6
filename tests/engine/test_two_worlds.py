"""Two games that differ only in what a viewer cannot know look the same to that viewer, at every door."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    ActionError,
    Setup,
    State,
    apply_action,
    build_view,
    legal_actions,
    parse_action,
    start_game,
)

from .positions import after, position
from .random_games import Step, playing, seeds, setups, states, walk

TABLES = ("singles", "singles", "pairs")
CARDS = ("TT", "MI", "RC", "RA", "RV", "QL", "ME", "AK", "OO", "CV")
worlds = playing(40)

# Canonical actions that somebody might try, and things that somebody might type.
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


def strangers(state: State, viewer: int | None) -> list[int]:
    """The seats whose hands the viewer may not see."""
    sides = state.setup.sides
    return [s for s in range(1, state.setup.seats + 1) if viewer is None or sides[s] != sides[viewer]]


def other_world(
    state: State,
    viewer: int | None,
    rng: random.Random,
    *,
    tiles: int = 0,
    deals: int = 0,
    fixed: dict[int, tuple[str, ...]] | None = None,
    same_key: bool = False,
) -> State:
    """The state with all that the viewer cannot know mixed up.

    What the next action is about to show stays: so many tiles on top of the tower, so many cards on top of
    the deck, some cards in some hands.
    """
    d, fixed = state.mutable_copy(), fixed or {}
    if not same_key:
        d.setup = replace(state.setup, key=rng.randbytes(32))
    bottom = list(state.tower[tiles:])
    rng.shuffle(bottom)
    d.tower = state.tower[:tiles] + "".join(bottom)
    hidden = strangers(state, viewer)
    pool = [
        *state.deck[deals:],
        *state.discarded_cards,
        *(card for seat in hidden for card in state.hands[seat]),
    ]
    for cards in fixed.values():
        for card in cards:
            pool.remove(card)
    rng.shuffle(pool)

    def dealt(number: int) -> tuple[str, ...]:
        cards = tuple(pool[:number])
        del pool[:number]
        return cards

    hands = list(state.hands)
    for seat in hidden:
        kept = fixed.get(seat, ())
        hands[seat] = kept if len(kept) == len(hands[seat]) else kept + dealt(len(hands[seat]) - len(kept))
    d.hands = tuple(hands)
    d.deck = state.deck[:deals] + dealt(len(state.deck) - deals)
    d.discarded_cards = dealt(len(state.discarded_cards))
    assert not pool
    return d.freeze()


def outcome(door: Callable[[], object]) -> object:
    """What a door answers, or everything that its refusal says."""
    try:
        return door()
    except ActionError as refusal:
        return type(refusal).__name__, str(refusal), refusal.rule, refusal.alternatives


def viewers(state: State) -> list[int | None]:
    return [None, *range(1, state.setup.seats + 1)]


def pairs_of_worlds(state: State, seed: int) -> Iterator[tuple[int | None, State]]:
    rng = random.Random(seed)
    for viewer in viewers(state):
        yield viewer, other_world(state, viewer, rng)


def hand_made() -> list[State]:
    """Phases that random games seldom come to, with enough unseen cards to mix."""
    deck = ["TT", "CV", "OO", "RA", "QL", "ME", "AK", "MI", "RC"]
    hands = {1: ["AK", "MI"], 2: ["ME", "OO"], 3: ["QL", "TT"], 4: ["CV", "AK"]}
    table = {1: "A", 2: "B", 3: "C", 4: "E"}
    eight = {"a2": "H", "b2": "D0", "a5": "E", "e5": "E"}
    marked = {("frame+a5", 2): 1, ("frame+e5", 2): 2}
    found = []
    for mode in ("singles", "pairs"):
        terms: dict[str, Any] = {"mode": mode, "seats": 4, "hands": hands, "table": table, "deck": deck}
        begun = position({"c2": "I"}, phase="start", tower="ABCDEFGHIJ", **terms)
        made = position(eight, drawn="H", marked=marked, tower="ABCDE", **terms)
        reacting = after(made, "H-c2-0")
        found += [begun, reacting, apply_action(reacting, 2, "pass")[0]]
        found += [position({"c2": "I"}, phase="stolen", stolen=card, tower="ABC", **terms) for card in CARDS]
    two = position(
        {"c2": "I"}, phase="start", hands={1: ["AK"], 2: ["MI"]}, table={1: "A", 2: "B"}, deck=deck
    )
    return [*found, two, apply_action(two, 1, "resign")[0]]


every_position = pytest.mark.parametrize("number", range(len(hand_made())))


# --------------------------------------------------------------------------------------- what shows


def same_view(state: State, seed: int) -> None:
    for viewer, other in pairs_of_worlds(state, seed):
        assert json.dumps(build_view(state, viewer)) == json.dumps(build_view(other, viewer)), viewer
        if viewer is not None:
            assert legal_actions(state, viewer) == legal_actions(other, viewer), viewer


def same_refusals(state: State, seed: int) -> None:
    for viewer, other in pairs_of_worlds(state, seed):
        if viewer is None:
            continue
        legal = legal_actions(state, viewer)
        for action in TRIED:
            if action not in legal:
                here = outcome(lambda: apply_action(state, viewer, action))  # noqa: B023
                there = outcome(lambda: apply_action(other, viewer, action))  # noqa: B023
                assert here == there, (viewer, action)


def same_reading(state: State, seed: int) -> None:
    for viewer, other in pairs_of_worlds(state, seed):
        if viewer is None:
            continue
        for text in TYPED:
            here = outcome(lambda: parse_action(state, viewer, text))  # noqa: B023
            there = outcome(lambda: parse_action(other, viewer, text))  # noqa: B023
            assert here == there, (viewer, text)


@worlds
@given(setups(TABLES), seeds)
def test_a_view_and_ones_own_legal_actions_are_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(states(setup, seed, every=2)):
        same_view(state, seed + number)


@every_position
@given(seeds)
@playing(5)
def test_a_view_of_a_rare_phase_is_the_same_in_both_worlds(number: int, seed: int) -> None:
    same_view(hand_made()[number], seed)


@worlds
@given(setups(TABLES), seeds)
def test_a_refusal_says_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(states(setup, seed, every=25)):
        same_refusals(state, seed + number)


@every_position
@given(seeds)
@playing(3)
def test_a_refusal_in_a_rare_phase_says_the_same_in_both_worlds(number: int, seed: int) -> None:
    same_refusals(hand_made()[number], seed)


@playing(20)
@given(setups(TABLES), seeds)
def test_what_is_typed_reads_the_same_in_both_worlds(setup: Setup, seed: int) -> None:
    for number, state in enumerate(states(setup, seed, every=40)):
        same_reading(state, seed + number)


@every_position
@given(seeds)
@playing(3)
def test_what_is_typed_in_a_rare_phase_reads_the_same_in_both_worlds(number: int, seed: int) -> None:
    same_reading(hand_made()[number], seed)


@pytest.mark.parametrize("text", ["mi", "ak", "cv mi", "cv ak"])
def test_typing_a_bare_card_does_not_tell_whether_the_seat_on_turn_holds_it(text: str) -> None:
    def typed(hand: list[str]) -> object:
        state = position({"c2": "I"}, phase="start", hands={1: hand, 2: ["OO"]}, table={1: "A", 2: "B"})
        return outcome(lambda: apply_action(state, 2, parse_action(state, 2, text)))

    assert typed(["TT"]) == typed(["MI"]) == typed(["AK"]) == typed(["CV"])


# ------------------------------------------------------------------------------------- what happens


def shown_by(step: Step) -> dict[int, tuple[str, ...]]:
    """The cards in hands that an action is about to show: the one played, the hand that is robbed."""
    before, action = step.before, step.action
    fixed: dict[int, tuple[str, ...]] = {}
    if before.phase in ("start", "react") and action not in ("draw", "pass", "resign"):
        fixed[step.seat] = ("OO" if action == "8" else action[:2],)
    for event in step.events:
        if event["event"] == "kidnapped":
            fixed[event["victim"]] = before.hands[event["victim"]]
    return fixed


def other_world_before(step: Step, viewer: int | None, rng: random.Random) -> State:
    """Another world in which the same action shows the same, and deals the viewer the same."""
    before, later = step.before, step.after
    hidden = strangers(before, viewer)
    new_match, robbed = later.match_no != before.match_no, later.kidnap_count != before.kidnap_count
    return other_world(
        before,
        viewer,
        rng,
        tiles=len(before.tower) if new_match or later.is_over else len(before.tower) - len(later.tower),
        deals=len(before.deck) - len(later.deck),
        fixed={seat: cards for seat, cards in shown_by(step).items() if seat in hidden},
        same_key=new_match or robbed,
    )


def same_events(step: Step, viewer: int | None, rng: random.Random) -> None:
    """Whatever an action shows in one world it shows in the other, and nothing beside."""
    there, events = apply_action(other_world_before(step, viewer, rng), step.seat, step.action)
    assert json.dumps(events) == json.dumps(step.events)
    assert json.dumps(build_view(there, viewer)) == json.dumps(build_view(step.after, viewer))


@worlds
@given(setups(TABLES), seeds)
def test_what_happens_tells_no_more_than_it_must(setup: Setup, seed: int) -> None:
    rng = random.Random(f"happens {seed}")
    for step in walk(setup, seed):
        same_events(step, rng.choice(viewers(step.before)), rng)


@every_position
@given(seeds)
@playing(5)
def test_what_happens_in_a_rare_phase_tells_no_more_than_it_must(number: int, seed: int) -> None:
    before, rng = hand_made()[number], random.Random(seed)
    for seat in before.seats_to_act:
        for action in (*rng.sample(legal := legal_actions(before, seat), min(4, len(legal))), "resign"):
            step = Step(before, seat, action, *apply_action(before, seat, action))
            for viewer in viewers(before):
                same_events(step, viewer, rng)


@playing(20)
@given(setups(TABLES), st.binary(min_size=32, max_size=32))
def test_the_first_deal_shows_the_open_tiles_and_no_card(setup: Setup, key: bytes) -> None:
    state, events = start_game(replace(setup, key=key))
    told = json.dumps(events)
    assert not any(f'"{card}"' in told for card in CARDS)
    assert key.hex() not in told + json.dumps([build_view(state, viewer) for viewer in viewers(state)])
    assert "key" not in repr(state.setup)


def test_the_other_world_really_is_another() -> None:
    """Guards the tests above: were the worlds the same, they would prove nothing."""
    state, _ = start_game(Setup(seats=3, key=bytes(range(32))))
    other = other_world(state, 1, random.Random(1))
    assert other.hands[1] == state.hands[1]
    assert sorted(other.tower) == sorted(state.tower)
    for name in ("setup", "tower", "deck"):
        assert getattr(other, name) != getattr(state, name)
    hands = {other_world(state, 1, random.Random(seed)).hands[2:] for seed in range(20)}
    assert len(hands) > 5


# -------------------------------------------------------------------------------- how long it takes


def count_calls(state: State, seat: int, action: str, hand: tuple[str, ...]) -> int:
    """How many functions run while an action is applied to a state that nobody has looked at before."""
    draft, calls = state.mutable_copy(), 0
    draft.hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    fresh = draft.freeze()

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        apply_action(fresh, seat, action)
    finally:
        sys.setprofile(None)
    return calls


@worlds
@given(setup=setups(TABLES), seed=seeds)
def test_applying_an_action_takes_as_long_whatever_else_is_in_the_hand(setup: Setup, seed: int) -> None:
    """Whoever replays a game of others could measure it: a Quantum leap in a hand has hundreds of ways."""
    for before, seat, action, _, _ in walk(setup, seed):
        if before.phase != "start" or action == "resign":
            continue
        played = () if action == "draw" else (action[:2],)
        rest = len(before.hands[seat]) - len(played)
        counts = {
            count_calls(before, seat, action, (*played, *(card,) * rest)) for card in ("TT", "QL", "CV", "MI")
        }
        assert len(counts) == 1, (action, counts)
