"""The first lesson: four small positions in which a newcomer plays one turn each, against "the board".

They are states like any other: what may be done, what must be, and what comes of it, the engine says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import engine
from .engine import Event, State, Unreadable
from .engine.phrases import gettext_noop
from .positions import holding, played

YOU, BOARD = 1, 2  # the seats


@dataclass(frozen=True)
class Step:
    """One thing to learn, and the position in which it is done."""

    name: str
    state: State


def _step(
    name: str,
    *placements: str,
    table: str,
    drawn: str = "",
    next_tile: str = "",
    hand: tuple[str, ...] = (),
    won: int = 0,
) -> Step:
    """A position after placements, with these things before a learner who won so many matches by an 8."""
    state = played(*placements)
    box, theirs = state.setup.box, "H"
    used = Counter([*(placement[0] for placement in placements), table, drawn, theirs, next_tile])
    rest = Counter(box.all_tiles) - used
    d = holding(state, drawn=drawn, tower=next_tile + "".join(rest.elements())).draft()
    d.table, d.hands = ("", table, theirs), ((), hand, ())
    d.match, d.totals = won + 1, (0, 8 * won, 0)
    d.matches = ({"kind": "normal", "ended": "infinity", "scores": {"1": 8, "2": 0}, "silly": []},) * won
    return Step(name, d.freeze())


# Each has an even number of placements: it is the learner's turn.
_CIRCLE = ("E-c4-0", "B-d3-180")  # three quarters of one
STEPS = (
    _step("place", "E-d3-0", "A-c4-0", table="C", drawn="B"),
    _step("circle", *_CIRCLE, table="A", drawn="B"),
    _step("eight", *_CIRCLE, "C-d4-0", "D-c5-0", "H-b5-0", "A-b3-0", table="A", drawn="H", won=2),
    # The card can only answer an 8: there is nothing to do with it but to draw.
    _step("dark", "E-c4-0", "I-c2-0", table="C", next_tile="J", hand=("OO",)),
)


def view(step: Step) -> dict[str, Any]:
    """A step as the learner sees it."""
    return engine.view(step.state, YOU)


def legal(step: Step, actions: Sequence[str] = ()) -> tuple[str, ...]:
    """What the learner may do, at first or after some actions; nothing when the step is done.

    Raises Unreadable, Illegal or NotYours if one of the actions was not allowed.
    """
    return engine.legal_actions(_played(step, actions)[0], YOU)


def after(step: Step, actions: Sequence[str]) -> tuple[dict[str, Any], list[Event]]:
    """What the learner sees after some actions, and what happened. Raises as `legal` does."""
    state, events = _played(step, actions)
    return engine.view(state, YOU), events


def _played(step: Step, actions: Sequence[str]) -> tuple[State, list[Event]]:
    state, events = step.state, list[Event]()
    for action in actions:
        if action == "resign":  # which would end the step as if its task had been done
            raise Unreadable(gettext_noop("{text} is not an action"), text=action)
        state, more = engine.apply(state, YOU, action)
        events += more
    return state, events
