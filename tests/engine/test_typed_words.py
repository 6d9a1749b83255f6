"""Any typed text is read as an action or refused, and a refusal reveals no hidden information."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.engine import (
    UnreadableAction,
    apply_action,
    parse_action,
)
from tests.example_counts import pick_example_count
from tests.factories.answer_positions import build_answer_position, build_choice_position
from tests.factories.other_worlds import build_other_world, build_rare_states, get_outcome
from tests.factories.positions import build_position
from tests.factories.random_games import seeds

from .typed_texts import split_texts

VOCABULARY = split_texts("""\
i|a|e|the|l|play|place|draw|pass|resign|8|oo|∞|or|cv|as|come|tt|me|mi|ak|ql|rc|ra|rv|cw|ccw
revolution|clockwise|anti|wild|card|tile|b|h|d|b3|c4|d5|bb3|mi3|0|90|180|45|-90|3|2|with|player|to|on|at
degrees|>|>>|-|--|–|=|#|.|«|»|?|_|\r|\u200b|é|٣""")
texts = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join))
STATES = [
    build_choice_position(),
    build_choice_position("bannan-nl"),
    build_position(drawn="B", table={1: "H"}),
    build_answer_position(["OO", "CV"]),
]


@settings(max_examples=pick_example_count(200))
@given(texts)
@example("ﷺ" * 200)
@example("-" * 200)
@example("- " * 100)
@example("a " * 100)
@example("i play " * 28)
@example("\n" * 200)
@example(">" * 200)
@example("=" + " " * 199)
@example("anti " * 40)
def test_what_is_read_is_an_action_and_all_else_is_refused(text: str) -> None:
    for state in STATES:
        for seat in (1, 2):
            try:
                action = parse_action(state, seat, text)
            except UnreadableAction:
                continue
            assert parse_action(state, seat, action) == action
            answer = get_outcome(lambda: apply_action(state, seat, action))  # noqa: B023
            assert answer[0] != "UnreadableAction"  # type: ignore[index]


HINTED = """b3|b3 90|c2|c2 a 0|b3 b 90|MI|AK|cv as mi|mi 0|ak with player|ql|ql c2|ql c2 90|ql c2 a1 45|rv|cv
revolution|the 8|jolly|cv as the 8|i draw|i pass|mi -3|> resign"""


@pytest.mark.parametrize("number", range(0, len(build_rare_states()), 3))
@settings(max_examples=pick_example_count(2))
@given(seeds)
def test_what_is_said_to_be_missing_tells_nothing_that_is_hidden(number: int, seed: int) -> None:
    state, rng = build_rare_states()[number], random.Random(seed)
    for seat in range(1, state.setup.seats + 1):
        other = build_other_world(state, seat, rng)
        for text in split_texts(HINTED):
            outcome_here = get_outcome(lambda: parse_action(state, seat, text))  # noqa: B023
            outcome_there = get_outcome(lambda: parse_action(other, seat, text))  # noqa: B023
            assert outcome_here == outcome_there, (seat, text)
