"""A short match to watch: a record that the engine replays, with remarks for newcomers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .engine import GameEvent, Setup, apply_action, apply_without_consequences, build_view, start_game
from .engine.read_models import PositionData

SAMPLE_SETUP = Setup(key=hashlib.sha256(b"sample match 623").digest())
SAMPLE_PLAYER_NAMES = ("Anna", "Bruno")
SAMPLE_ACTIONS = (
    *("draw", "B-d3-0", "QL-d3-a5-90", "H-b5-0", "draw", "E-b4-0", "D-c5-90", "draw", "I-d5-0", "G-e5-90"),
    *("draw", "B-e4-90", "B-c2-180", "draw", "E-d4-0", "D-c4-90", "draw", "A-d3-0", "RA", "F-b3-180"),
    *("TT", "D-a3-90", "I-c1-0", "C-b1-0", "H-a1-0", "H-a2-0", "D-a4-0"),
)


@dataclass(frozen=True)
class Remark:
    """A remark for newcomers about an event: its kind, and the position at which it happens."""

    step: int
    event: str
    text: str | Promise


REMARKS = (
    Remark(0, "match began", _("Both have a table tile, open to all. The higher one begins.")),
    Remark(1, "drew", _("J is a dark tile. You never place it, so it becomes the table tile.")),
    Remark(3, "played", _("You may play a secret card before you draw. This one moves a tile on the board.")),
    Remark(7, "closed", _("Two half circles meet: a small circle, 1 point.")),
    Remark(8, "drew", _("I is the zero tile. It closes nothing, and you must place it.")),
    Remark(10, "closed", _("In a corner one tile and the frame close a circle: 2 points.")),
    Remark(12, "closed", _("Two tiles and the frame close a square: 4 points.")),
    Remark(18, "dark tiles left", _("With a second dark tile both leave, and the turn is over.")),
    Remark(19, "played", _("This card passes all table tiles on, the dark ones too.")),
    Remark(21, "played", _("This card gives two turns in a row.")),
    Remark(26, "closed", _("If you can close a figure, you must.")),
    Remark(27, "infinity", _("An 8 ends the match: 8 points for its maker, nothing for the others.")),
)


@dataclass(frozen=True)
class SamplePosition:
    """A position of the match: what lies there, what has just happened, and a remark about it."""

    view: PositionData
    events: tuple[GameEvent, ...]
    remark: str | Promise


@cache
def list_sample_positions() -> tuple[SamplePosition, ...]:
    """All positions, from the deal to the end of the match."""
    remarks = {remark.step: remark.text for remark in REMARKS}
    state, events = start_game(SAMPLE_SETUP)
    positions = [SamplePosition(build_view(state), tuple(events), remarks.get(0, ""))]
    for step, action in enumerate(SAMPLE_ACTIONS, 1):
        seat = state.seats_to_act[0]
        before, (state, events) = state, apply_action(state, seat, action)
        view = build_view(state)
        if state.match_no != before.match_no:  # the board of the match that has ended, not of the next one
            view = build_view(apply_without_consequences(before, seat, action))
            end = next(n for n, event in enumerate(events) if event["event"] == "match ended")
            events = events[: end + 1]
        positions.append(SamplePosition(view, tuple(events), remarks.get(step, "")))
    return tuple(positions)
