"""URLs of the games API."""

from django.urls import path

from . import bots, clocks, editions, game_extras, game_records, games, streams

GAME_PATH = "games/<slug:code>/"

urlpatterns = [
    # The most requested URLs come first.
    path(GAME_PATH, games.GameDetailView.as_view()),
    path(f"{GAME_PATH}actions/", games.PlayActionView.as_view()),
    path("me/turns/", game_extras.MyTurnListView.as_view()),
    path("me/invitations/", game_extras.MyInvitationListView.as_view()),
    path("me/time/", clocks.TimeOverviewView.as_view()),
    path("me/vacation/", clocks.PlanVacationView.as_view()),
    path("me/games/records/", game_records.OwnGameRecordsView.as_view()),
    path("players/<str:name>/games/records/", game_records.PlayerGameRecordsView.as_view()),
    path("events/stream/", streams.FeedStreamView.as_view()),
    path("editions/", editions.EditionListView.as_view()),
    path("editions/<str:code>/", editions.EditionDetailView.as_view()),
    path("games/", games.GameListView.as_view()),
    path("bots/", bots.BotListView.as_view()),
    path("bots/<str:name>/challenge/", bots.ChallengeBotView.as_view()),
    path(f"{GAME_PATH}join/", games.JoinGameView.as_view()),
    path(f"{GAME_PATH}leave/", games.LeaveGameView.as_view()),
    path(f"{GAME_PATH}cancel/", games.CancelGameView.as_view()),
    path(f"{GAME_PATH}invite/", games.InviteToGameView.as_view()),
    path(f"{GAME_PATH}decline/", games.DeclineInvitationView.as_view()),
    path(f"{GAME_PATH}bots/", games.AddBotView.as_view()),
    path(f"{GAME_PATH}partner/", games.ChoosePartnerView.as_view()),
    path(f"{GAME_PATH}rematch/", games.RematchView.as_view()),
    path(f"{GAME_PATH}actions/legal/", games.LegalActionsView.as_view()),
    path(f"{GAME_PATH}resign/", games.ResignView.as_view()),
    path(f"{GAME_PATH}record/", games.RecordView.as_view()),
    path(f"{GAME_PATH}log/", games.LogView.as_view()),
    path(f"{GAME_PATH}stream/", streams.GameStreamView.as_view()),
    path(f"{GAME_PATH}notes/", game_extras.GameNoteView.as_view()),
    path(f"{GAME_PATH}chat/", game_extras.ChatView.as_view()),
    path(f"{GAME_PATH}chat/<int:message_id>/report/", game_extras.ReportMessageView.as_view()),
    path(f"{GAME_PATH}pause/", clocks.GamePauseView.as_view()),
    path(f"{GAME_PATH}pause/agree/", clocks.AgreePauseView.as_view()),
    path(f"{GAME_PATH}pause/decline/", clocks.DeclinePauseView.as_view()),
    path(f"{GAME_PATH}take-seat/", games.TakeSeatView.as_view()),
    path(f"{GAME_PATH}eight/", clocks.EightPolicyView.as_view()),
    path(f"{GAME_PATH}orders/", clocks.StandingOrdersView.as_view()),
    path(f"{GAME_PATH}mute/", clocks.MuteGameView.as_view()),
    path(f"{GAME_PATH}board.txt", game_extras.BoardTextView.as_view()),
    path(f"{GAME_PATH}board.svg", game_extras.BoardSVGView.as_view()),
    path(f"{GAME_PATH}board.png", game_extras.BoardPNGView.as_view()),
]
