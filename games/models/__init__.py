"""What is stored: fields, constraints, one-line properties. All writes are in games.services."""

from .contacts import ContactCount, RefusedAddress
from .delivery import Delivery, Received, Webhook
from .events import Event
from .games import Action, Game, Seat, Secret
from .handovers import SeatHandover
from .idempotency import IdempotentResponse
from .pauses import Incident, Pause
from .player_tasks import PlayerTask
from .players import Player
from .seeds import DerivedSeed, EventSeed, SpentCommitment
from .social import Invitation, Message, Note, Report
from .tallies import Tally
from .tokens import Token

__all__ = [
    "Action",
    "ContactCount",
    "Delivery",
    "DerivedSeed",
    "Event",
    "EventSeed",
    "Game",
    "IdempotentResponse",
    "Incident",
    "Invitation",
    "Message",
    "Note",
    "Pause",
    "Player",
    "PlayerTask",
    "Received",
    "RefusedAddress",
    "Report",
    "Seat",
    "SeatHandover",
    "Secret",
    "SpentCommitment",
    "Tally",
    "Token",
    "Webhook",
]
