"""All reads of tournaments and leagues. Doors get a tournament by `get_tournament_for`."""

from tournaments.ratings.selectors import display_rating, display_uncertainty, get_rating, list_best_ratings

from .tournament_state import (
    TournamentState,
    get_entrant_name,
    list_players_of_entrant,
    list_seated_entrant_ids,
)
from .tournaments import (
    NoSuchLeague,
    NoSuchTournament,
    can_organise_league,
    can_organise_tournament,
    get_league_for,
    get_tournament_for,
    list_leagues,
    list_tournaments,
    list_tournaments_of,
)

__all__ = [
    "NoSuchLeague",
    "NoSuchTournament",
    "TournamentState",
    "can_organise_league",
    "can_organise_tournament",
    "display_rating",
    "display_uncertainty",
    "get_entrant_name",
    "get_league_for",
    "get_rating",
    "get_tournament_for",
    "list_best_ratings",
    "list_leagues",
    "list_players_of_entrant",
    "list_seated_entrant_ids",
    "list_tournaments",
    "list_tournaments_of",
]
