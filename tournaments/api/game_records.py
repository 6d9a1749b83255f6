"""REST views that stream the records of the games of a tournament or league."""

from __future__ import annotations

from django.http import HttpResponseBase
from rest_framework.request import Request

from games.api.game_records import RecordsAPIView, describe_records
from tournaments.selectors import get_league_for, get_tournament_for
from tournaments.selectors.tournaments import (
    list_recorded_games_of_league,
    list_recorded_games_of_tournament,
)


class TournamentGameRecordsView(RecordsAPIView):
    """The records of the games of a tournament."""

    @describe_records("tournaments.games.records", public=True)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Download records of a tournament.

        Returns the records of a tournament's games, one per line, in the order of creation. You get private
        games only if you play in them. Running games have neither seed nor result. Read it like the records
        of your own games.
        """
        tournament = get_tournament_for(self.viewer, code)
        return self.stream_records(request, list_recorded_games_of_tournament(self.viewer, tournament))


class LeagueGameRecordsView(RecordsAPIView):
    """The records of the games of a league."""

    @describe_records("leagues.games.records", public=True)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Download records of a league.

        Returns the records of the games of all seasons, one per line, in the order of creation. You get
        private games only if you play in them. Read it like the records of your own games.
        """
        league = get_league_for(self.viewer, code)
        return self.stream_records(request, list_recorded_games_of_league(self.viewer, league))
