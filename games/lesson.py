"""Lessons: small positions in which a newcomer plays one turn each. Nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence

from . import engine
from .engine import GameEvent, IllegalAction, State
from .engine.actions import check_legal
from .engine.phrases import gettext_noop
from .engine.read_models import PositionData
from .lesson_steps import (
    BOARD_SEAT,
    LAST_SEAT,
    LEARNER_SEAT,
    LESSONS,
    PARTNER_SEAT,
    Lesson,
    LessonStep,
    find_edition_step,
)

__all__ = [
    "BOARD_SEAT",
    "LAST_SEAT",
    "LEARNER_SEAT",
    "LESSONS",
    "PARTNER_SEAT",
    "Lesson",
    "LessonStep",
    "build_lesson_view",
    "find_edition_step",
    "list_lesson_actions",
    "play_lesson_actions",
]


def build_lesson_view(step: LessonStep) -> PositionData:
    """A step as the learner sees it."""
    return engine.build_view(step.state, LEARNER_SEAT)


def list_lesson_actions(step: LessonStep, actions: Sequence[str] = ()) -> tuple[str, ...]:
    """The actions that the learner may choose, at first or after some actions; empty when the step is done.

    Raises UnreadableAction, IllegalAction or NotYourTurn if one of the actions is not legal.
    """
    legal_actions = engine.legal_actions(_play_actions(step, actions)[0], LEARNER_SEAT)
    return legal_actions if actions else tuple(a for a in legal_actions if a.startswith(step.wanted))


def play_lesson_actions(step: LessonStep, actions: Sequence[str]) -> tuple[PositionData, list[GameEvent]]:
    """The learner's view after some actions, and their events. Raises as `list_lesson_actions` does."""
    state, events = _play_actions(step, actions)
    return engine.build_view(state, LEARNER_SEAT), events


def _play_actions(step: LessonStep, actions: Sequence[str]) -> tuple[State, list[GameEvent]]:
    """The state after some actions, and their events."""
    state, events = step.state, list[GameEvent]()
    for number, action in enumerate(actions):
        check_legal(state, LEARNER_SEAT, action)  # rejects `resign`, which apply_action would allow
        if number == 0 and not action.startswith(step.wanted):
            raise IllegalAction(
                gettext_noop("that is legal, but not what this step practises: choose something else"),
                rule="lesson",
            )
        state, new_events = engine.apply_action(state, LEARNER_SEAT, action)
        events += new_events
    return state, events
