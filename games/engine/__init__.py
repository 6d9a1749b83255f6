"""What OTTO is: pure rules, standard library only.

state, events = start(Setup(seats=2, key=key))
state, events = apply(state, seat, action)
"""

from .actions import legal_actions
from .edition import DEFAULT as DEFAULT_EDITION
from .edition import edition
from .edition import names as edition_names
from .errors import Illegal, NotYours, Refused, Unfit, Unreadable
from .game import apply, landed, start
from .reading import read
from .state import MODES, OBLIGATIONS, RULES, Setup, State, dump, load
from .turns import Event
from .view import view

__all__ = [
    "DEFAULT_EDITION",
    "MODES",
    "OBLIGATIONS",
    "RULES",
    "Event",
    "Illegal",
    "NotYours",
    "Refused",
    "Setup",
    "State",
    "Unfit",
    "Unreadable",
    "apply",
    "dump",
    "edition",
    "edition_names",
    "landed",
    "legal_actions",
    "load",
    "read",
    "start",
    "view",
]
