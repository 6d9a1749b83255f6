"""Database models: fields, constraints and one-line properties. All writes are in games.services."""

from .games import Action, Game, GameSecrets, Seat
from .handovers import SeatHandover
from .pauses import Incident, Pause
from .seeds import DerivedSeed, SpentCommitment, TournamentSeed
from .social import Invitation, Message, Note, Report

__all__ = [
    "Action",
    "DerivedSeed",
    "Game",
    "GameSecrets",
    "Incident",
    "Invitation",
    "Message",
    "Note",
    "Pause",
    "Report",
    "Seat",
    "SeatHandover",
    "SpentCommitment",
    "TournamentSeed",
]
