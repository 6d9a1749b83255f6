"""What is stored: fields, constraints, one-line properties. All writes are in games.services."""

from .events import Event
from .games import Action, Game, Seat, Secret
from .players import Player
from .social import Invitation, Message, Note, Report
from .tokens import Token

__all__ = [
    "Action",
    "Event",
    "Game",
    "Invitation",
    "Message",
    "Note",
    "Player",
    "Report",
    "Seat",
    "Secret",
    "Token",
]
