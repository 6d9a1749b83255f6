"""Database models: fields, constraints and one-line properties. All writes are in games.services."""

from .contacts import ContactCount, RefusedAddress
from .counters import MetricCounter
from .deliveries import Delivery, InboundMail, Webhook
from .feed import FeedEntry
from .games import Action, Game, GameSecrets, Seat
from .handovers import SeatHandover
from .idempotency import IdempotentResponse
from .pauses import Incident, Pause
from .player_tasks import PlayerTask
from .players import Player
from .seeds import DerivedSeed, SpentCommitment, TournamentSeed
from .social import Invitation, Message, Note, Report
from .tokens import Token

__all__ = [
    "Action",
    "ContactCount",
    "Delivery",
    "DerivedSeed",
    "FeedEntry",
    "Game",
    "GameSecrets",
    "IdempotentResponse",
    "InboundMail",
    "Incident",
    "Invitation",
    "Message",
    "MetricCounter",
    "Note",
    "Pause",
    "Player",
    "PlayerTask",
    "RefusedAddress",
    "Report",
    "Seat",
    "SeatHandover",
    "SpentCommitment",
    "Token",
    "TournamentSeed",
    "Webhook",
]
