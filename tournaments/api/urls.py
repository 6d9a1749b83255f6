"""URLs of tournaments and leagues in the API."""

from django.urls import path

from tournaments.leagues.api import views as leagues
from tournaments.ratings import api as ratings

from . import organiser_actions, player_actions, proposals, tournaments

TOURNAMENT_PATH = "tournaments/<slug:code>/"
LEAGUE_PATH = "leagues/<slug:code>/"
PAIRING_PATH = f"{TOURNAMENT_PATH}pairings/<int:pairing>/"

urlpatterns = [
    path("ratings/", ratings.RankingView.as_view()),
    path("players/<str:name>/ratings/", ratings.PlayerRatingsView.as_view()),
    path("tournaments/", tournaments.TournamentListView.as_view()),
    path(TOURNAMENT_PATH, tournaments.TournamentDetailView.as_view()),
    path(f"{TOURNAMENT_PATH}entrants/", tournaments.EntrantListView.as_view()),
    path(f"{TOURNAMENT_PATH}rounds/", tournaments.RoundListView.as_view()),
    path(f"{TOURNAMENT_PATH}pairings/", tournaments.PairingListView.as_view()),
    path(PAIRING_PATH, tournaments.PairingDetailView.as_view()),
    path(f"{TOURNAMENT_PATH}standings/", tournaments.StandingsView.as_view()),
    path(f"{TOURNAMENT_PATH}bracket/", tournaments.BracketView.as_view()),
    path(f"{TOURNAMENT_PATH}fairness/", tournaments.FairnessProofView.as_view()),
    path(f"{TOURNAMENT_PATH}enter/", player_actions.EnterTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}client-seed/", player_actions.TournamentClientSeedView.as_view()),
    path(f"{TOURNAMENT_PATH}leave/", player_actions.LeaveTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}confirm/", player_actions.ConfirmEntryView.as_view()),
    path(f"{TOURNAMENT_PATH}withdraw/", player_actions.WithdrawFromTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}sit-out/", player_actions.SitOutRoundView.as_view()),
    path(f"{PAIRING_PATH}evidence/", player_actions.TimeoutEvidenceView.as_view()),
    path(f"{PAIRING_PATH}appeal/", player_actions.AppealPairingView.as_view()),
    path(f"{TOURNAMENT_PATH}appeals/", player_actions.AppealListView.as_view()),
    path(f"{TOURNAMENT_PATH}appeals/<int:appeal>/answer/", organiser_actions.AnswerAppealView.as_view()),
    path(f"{TOURNAMENT_PATH}publish/", organiser_actions.PublishTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}start/", organiser_actions.StartTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}cancel/", organiser_actions.CancelTournamentView.as_view()),
    path(f"{TOURNAMENT_PATH}seeds/", organiser_actions.SeedOrderView.as_view()),
    path(f"{TOURNAMENT_PATH}invites/", organiser_actions.InviteListView.as_view()),
    path(f"{TOURNAMENT_PATH}invites/<str:name>/", organiser_actions.InviteDetailView.as_view()),
    path(f"{TOURNAMENT_PATH}co-organisers/", organiser_actions.TournamentCoOrganiserListView.as_view()),
    path(
        f"{TOURNAMENT_PATH}co-organisers/<str:name>/",
        organiser_actions.TournamentCoOrganiserDetailView.as_view(),
    ),
    path(f"{TOURNAMENT_PATH}preview/", organiser_actions.RoundPreviewView.as_view()),
    path(f"{TOURNAMENT_PATH}proceed/", organiser_actions.ApproveRoundView.as_view()),
    path(f"{TOURNAMENT_PATH}extend/", organiser_actions.ExtendRoundView.as_view()),
    path(f"{TOURNAMENT_PATH}correct/", organiser_actions.CorrectResultView.as_view()),
    path(f"{TOURNAMENT_PATH}disqualify/", organiser_actions.DisqualifyEntrantView.as_view()),
    path(f"{TOURNAMENT_PATH}remove/", organiser_actions.RemoveEntrantView.as_view()),
    path(f"{TOURNAMENT_PATH}replace/", organiser_actions.ReplacePlayerView.as_view()),
    path(f"{TOURNAMENT_PATH}decisions/", organiser_actions.DecisionListView.as_view()),
    path(f"{TOURNAMENT_PATH}decisions/<int:decision>/undo/", organiser_actions.UndoDecisionView.as_view()),
    path("proposals/", proposals.ProposalListView.as_view()),
    path("proposals/<int:proposal>/accept/", proposals.AcceptProposalView.as_view()),
    path("proposals/<int:proposal>/decline/", proposals.DeclineProposalView.as_view()),
    path("proposals/<int:proposal>/withdraw/", proposals.WithdrawProposalView.as_view()),
    path("leagues/", leagues.LeagueListView.as_view()),
    path(LEAGUE_PATH, leagues.LeagueDetailView.as_view()),
    path(f"{LEAGUE_PATH}members/", leagues.LeagueMemberListView.as_view()),
    path(f"{LEAGUE_PATH}join/", leagues.JoinLeagueView.as_view()),
    path(f"{LEAGUE_PATH}client-seed/", leagues.LeagueClientSeedView.as_view()),
    path(f"{LEAGUE_PATH}leave/", leagues.LeaveLeagueView.as_view()),
    path(f"{LEAGUE_PATH}substitute/", leagues.BecomeSubstituteView.as_view()),
    path(f"{LEAGUE_PATH}seasons/", leagues.SeasonListView.as_view()),
    path(f"{LEAGUE_PATH}seasons/<int:number>/", leagues.SeasonDetailView.as_view()),
    path(f"{LEAGUE_PATH}start/", leagues.StartLeagueView.as_view()),
    path(f"{LEAGUE_PATH}close/", leagues.CloseLeagueView.as_view()),
    path(f"{LEAGUE_PATH}replace/", leagues.SubstitutePlayerView.as_view()),
    path(f"{LEAGUE_PATH}removals/", leagues.LeagueRemovalListView.as_view()),
    path(f"{LEAGUE_PATH}removals/<str:name>/", leagues.LeagueRemovalDetailView.as_view()),
    path(f"{LEAGUE_PATH}co-organisers/", leagues.LeagueCoOrganiserListView.as_view()),
    path(f"{LEAGUE_PATH}co-organisers/<str:name>/", leagues.LeagueCoOrganiserDetailView.as_view()),
]
