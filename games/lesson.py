"""The first lesson: four small positions in which a newcomer plays one turn each, against "the board".

They are ordinary states: the engine decides what is legal, obligatory and what follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from . import engine
from .engine import GameEvent, State
from .engine.actions import check_legal
from .engine.read_models import MatchResultData, PositionData
from .positions import play_placements, set_up_turn

LEARNER_SEAT, BOARD_SEAT = 1, 2  # seat numbers


@dataclass(frozen=True)
class LessonStep:
    """One step of the lesson: its name and its position."""

    name: str
    state: State


def _build_step(
    name: str,
    *placements: str,
    table_tile: str,
    drawn_tile: str = "",
    next_tile: str = "",
    hand: tuple[str, ...] = (),
    matches_won: int = 0,
) -> LessonStep:
    """A position after placements, with these tiles and cards for a learner who won some matches by an 8."""
    state = play_placements(*placements)
    edition, board_tile = state.setup.edition_data, "H"
    used_tiles = Counter(
        [*(placement[0] for placement in placements), table_tile, drawn_tile, board_tile, next_tile]
    )
    remaining_tiles = Counter(edition.all_tiles) - used_tiles
    new_state = set_up_turn(
        state, drawn_tile=drawn_tile, tower=next_tile + "".join(remaining_tiles.elements())
    ).mutable_copy()
    new_state.table_tiles, new_state.hands = ("", table_tile, board_tile), ((), hand, ())
    new_state.match_no, new_state.totals = matches_won + 1, (0, 8 * matches_won, 0)
    won_match: MatchResultData = {
        "kind": "normal",
        "ended": "infinity",
        "scores": {"1": 8, "2": 0},
        "silly": [],
    }
    new_state.match_results = (won_match,) * matches_won
    return LessonStep(name, new_state.freeze())


# An even number of placements each, so that it is the learner's turn.
_THREE_QUARTER_CIRCLE = ("E-c4-0", "B-d3-180")  # three quarters of a circle
LESSON_STEPS = (
    _build_step("place", "E-d3-0", "A-c4-0", table_tile="C", drawn_tile="B"),
    _build_step("circle", *_THREE_QUARTER_CIRCLE, table_tile="A", drawn_tile="B"),
    _build_step(
        "eight",
        *_THREE_QUARTER_CIRCLE,
        "C-d4-0",
        "D-c5-0",
        "H-b5-0",
        "A-b3-0",
        table_tile="A",
        drawn_tile="H",
        matches_won=2,
    ),
    # The card can only answer an 8, so the learner can only draw.
    _build_step("dark", "E-c4-0", "I-c2-0", table_tile="C", next_tile="J", hand=("OO",)),
)


def build_lesson_view(step: LessonStep) -> PositionData:
    """A step as the learner sees it."""
    return engine.build_view(step.state, LEARNER_SEAT)


def list_lesson_actions(step: LessonStep, actions: Sequence[str] = ()) -> tuple[str, ...]:
    """The legal actions of the learner, at first or after some actions; empty when the step is done.

    Raises UnreadableAction, IllegalAction or NotYourTurn if one of the actions is not legal.
    """
    return engine.legal_actions(_play_actions(step, actions)[0], LEARNER_SEAT)


def play_lesson_actions(step: LessonStep, actions: Sequence[str]) -> tuple[PositionData, list[GameEvent]]:
    """The learner's view after some actions, and their events. Raises as `list_lesson_actions` does."""
    state, events = _play_actions(step, actions)
    return engine.build_view(state, LEARNER_SEAT), events


def _play_actions(step: LessonStep, actions: Sequence[str]) -> tuple[State, list[GameEvent]]:
    """The state after some actions, and their events."""
    state, events = step.state, list[GameEvent]()
    for action in actions:
        check_legal(state, LEARNER_SEAT, action)  # rejects `resign`, which apply_action would allow
        state, new_events = engine.apply_action(state, LEARNER_SEAT, action)
        events += new_events
    return state, events
