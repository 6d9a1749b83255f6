"""URLs of tournaments and leagues in the API."""

from django.urls import path

from tournaments.leagues.api import views as leagues
from tournaments.leagues.api.commands import LEAGUE_COMMANDS
from tournaments.ratings import api as ratings

from . import decisions, game_records, proposals, tournaments
from .commands import build_command_path
from .organiser_commands import ORGANISER_COMMANDS
from .player_commands import PLAYER_COMMANDS

TOURNAMENT_PATH = "tournaments/<slug:code>/"
LEAGUE_PATH = "leagues/<slug:code>/"
PAIRING_PATH = f"{TOURNAMENT_PATH}pairings/<int:pairing>/"
PROPOSAL_PATH = "proposals/<int:proposal>/"

urlpatterns = [
    path("ratings/", ratings.RankingView.as_view()),
    path("players/<str:name>/ratings/", ratings.PlayerRatingsView.as_view()),
    path("tournaments/", tournaments.TournamentListView.as_view()),
    path(TOURNAMENT_PATH, tournaments.TournamentDetailView.as_view()),
    path(f"{TOURNAMENT_PATH}entrants/", tournaments.EntrantListView.as_view()),
    path(f"{TOURNAMENT_PATH}rounds/", tournaments.RoundListView.as_view()),
    path(f"{TOURNAMENT_PATH}pairings/", tournaments.PairingListView.as_view()),
    path(PAIRING_PATH, tournaments.PairingDetailView.as_view()),
    path(f"{PAIRING_PATH}evidence/", decisions.TimeoutEvidenceView.as_view()),
    path(f"{TOURNAMENT_PATH}standings/", tournaments.StandingsView.as_view()),
    path(f"{TOURNAMENT_PATH}bracket/", tournaments.BracketView.as_view()),
    path(f"{TOURNAMENT_PATH}fairness/", tournaments.FairnessProofView.as_view()),
    path(f"{TOURNAMENT_PATH}games/records/", game_records.TournamentGameRecordsView.as_view()),
    path(f"{TOURNAMENT_PATH}appeals/", decisions.AppealListView.as_view()),
    path(f"{TOURNAMENT_PATH}invites/", decisions.InviteListView.as_view()),
    path(f"{TOURNAMENT_PATH}preview/", decisions.RoundPreviewView.as_view()),
    path(f"{TOURNAMENT_PATH}decisions/", decisions.DecisionListView.as_view()),
    path("proposals/", proposals.ProposalListView.as_view()),
    path(f"{PROPOSAL_PATH}accept/", proposals.AcceptProposalView.as_view()),
    path("leagues/", leagues.LeagueListView.as_view()),
    path(LEAGUE_PATH, leagues.LeagueDetailView.as_view()),
    path(f"{LEAGUE_PATH}members/", leagues.LeagueMemberListView.as_view()),
    path(f"{LEAGUE_PATH}seasons/", leagues.SeasonListView.as_view()),
    path(f"{LEAGUE_PATH}seasons/<int:number>/", leagues.SeasonDetailView.as_view()),
    path(f"{LEAGUE_PATH}games/records/", game_records.LeagueGameRecordsView.as_view()),
    path(f"{LEAGUE_PATH}removals/", leagues.LeagueRemovalListView.as_view()),
    *(
        build_command_path(f"{subject_path}{route}", command)
        for subject_path, commands in (
            (TOURNAMENT_PATH, PLAYER_COMMANDS | ORGANISER_COMMANDS),
            (PROPOSAL_PATH, proposals.PROPOSAL_COMMANDS),
            (LEAGUE_PATH, LEAGUE_COMMANDS),
        )
        for route, command in commands.items()
    ),
]
