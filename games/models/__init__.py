"""What is stored: fields, constraints, one-line properties. All writes are in games.services."""

from .delivery import Delivery, Received, Webhook
from .events import Event
from .games import Action, Game, Seat, Secret
from .pauses import Incident, Pause
from .players import Player
from .seeds import DerivedSeed, EventSeed, SpentCommitment
from .social import Invitation, Message, Note, Report
from .tallies import Tally
from .tokens import Token

__all__ = [
    "Action",
    "Delivery",
    "DerivedSeed",
    "Event",
    "EventSeed",
    "Game",
    "Incident",
    "Invitation",
    "Message",
    "Note",
    "Pause",
    "Player",
    "Received",
    "Report",
    "Seat",
    "Secret",
    "SpentCommitment",
    "Tally",
    "Token",
    "Webhook",
]
