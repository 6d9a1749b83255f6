"""Rate limit costs of work on a whole tournament, which grows with its entrants and pairings."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from common.rate_limits import charge_request
from tournaments.models import Tournament
from tournaments.selectors import TournamentState

ROWS_PER_REQUEST = 40  # entrants and pairings that cost as much as one small request
MAX_TOURNAMENT_COST = 15  # the largest tournaments stay readable every few seconds
PREVIEW_COST = 20  # pairing a large round takes seconds of CPU time


def charge_and_load_state(request: HttpRequest | Request, tournament: Tournament) -> TournamentState:
    """Load the state of a tournament; a large one costs several requests. Raises Throttled."""
    state = TournamentState(tournament)
    row_count = len(state.entrants) + len(state.pairings)
    if cost := min(row_count // ROWS_PER_REQUEST, MAX_TOURNAMENT_COST):
        charge_request(request, cost=cost)
    return state


def charge_preview(request: HttpRequest | Request) -> None:
    """Charge a request that pairs a round. Raises Throttled."""
    charge_request(request, cost=PREVIEW_COST)
