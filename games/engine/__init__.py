"""The rules of OTTO: pure functions, standard library only.

state, events = start_game(Setup(seats=2, key=key))
state, events = apply_action(state, seat, action)
"""

from .action_parser import parse_action
from .actions import legal_actions, list_offered_actions
from .choices import ActionSource, Mode, SeatOrder
from .edition import DEFAULT_EDITION, list_edition_names, load_edition
from .errors import ActionError, IllegalAction, InvalidSetup, NotYourTurn, UnreadableAction
from .game import apply_action, apply_without_consequences, start_game
from .state import (
    CARDS_FROM_MATCHES,
    MODES,
    OBLIGATIONS,
    RULES_VERSION,
    RULES_VERSIONS,
    SENIORITY_RULES,
    Setup,
    State,
    dump_state,
    load_state,
)
from .turns import GameEvent
from .view import build_view

__all__ = [
    "CARDS_FROM_MATCHES",
    "DEFAULT_EDITION",
    "MODES",
    "OBLIGATIONS",
    "RULES_VERSION",
    "RULES_VERSIONS",
    "SENIORITY_RULES",
    "ActionError",
    "ActionSource",
    "GameEvent",
    "IllegalAction",
    "InvalidSetup",
    "Mode",
    "NotYourTurn",
    "SeatOrder",
    "Setup",
    "State",
    "UnreadableAction",
    "apply_action",
    "apply_without_consequences",
    "build_view",
    "dump_state",
    "legal_actions",
    "list_edition_names",
    "list_offered_actions",
    "load_edition",
    "load_state",
    "parse_action",
    "start_game",
]
