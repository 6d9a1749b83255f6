"""Models of tournaments, leagues and ratings. Only tournaments.services writes them."""

from .decisions import Appeal, Decision
from .game_settings import GameSettings
from .join_requests import JoinRequest
from .leagues import Division, DivisionPlacement, League, LeagueMember, LeagueSecret, Season
from .proposals import Proposal, Replacement
from .ratings import RatedGame, Rating, RatingChange, RatingCursor
from .removals import Removal
from .rounds import Pairing, PairingSeat, PairingState, ResultSource, Round
from .tournaments import Entrant, EntrantPlayer, Invite, Tournament, TournamentSecret

__all__ = [
    "Appeal",
    "Decision",
    "Division",
    "DivisionPlacement",
    "Entrant",
    "EntrantPlayer",
    "GameSettings",
    "Invite",
    "JoinRequest",
    "League",
    "LeagueMember",
    "LeagueSecret",
    "Pairing",
    "PairingSeat",
    "PairingState",
    "Proposal",
    "RatedGame",
    "Rating",
    "RatingChange",
    "RatingCursor",
    "Removal",
    "Replacement",
    "ResultSource",
    "Round",
    "Season",
    "Tournament",
    "TournamentSecret",
]
