"""What is stored of tournaments and leagues. All writes are in tournaments.services."""

from .decisions import Appeal, Decision
from .events import Entrant, Event, EventSecret, Invite, Member
from .knocks import Knock
from .leagues import Division, League, LeagueSecret, Membership, Place, Season
from .proposals import Proposal, Replacement
from .ratings import RatedGame, Rating, RatingBook, RatingChange
from .removals import Removal
from .rounds import Round, Sitting, Table
from .terms import Terms

__all__ = [
    "Appeal",
    "Decision",
    "Division",
    "Entrant",
    "Event",
    "EventSecret",
    "Invite",
    "Knock",
    "League",
    "LeagueSecret",
    "Member",
    "Membership",
    "Place",
    "Proposal",
    "RatedGame",
    "Rating",
    "RatingBook",
    "RatingChange",
    "Removal",
    "Replacement",
    "Round",
    "Season",
    "Sitting",
    "Table",
    "Terms",
]
