"""Every address of the API."""

from django.urls import path

from . import around, games, me, notices, openapi, schema, time  # noqa: F401  # schema registers itself

game = "games/<slug:code>/"

urlpatterns = [
    # Asked for most, so tried first.
    path(game, games.OneGame.as_view()),
    path(f"{game}actions/", games.Actions.as_view()),
    path("schema/", openapi.Schema.as_view(), name="schema"),
    *me.urlpatterns,
    *notices.urlpatterns,
    path("me/turns/", around.MyTurns.as_view()),
    path("me/invitations/", around.MyInvitations.as_view()),
    path("me/time/", time.MyTime.as_view()),
    path("me/vacation/", time.Vacation.as_view()),
    path("events/", around.Events.as_view()),
    path("games/", games.Games.as_view()),
    path(f"{game}join/", games.JoinGame.as_view()),
    path(f"{game}leave/", games.LeaveGame.as_view()),
    path(f"{game}cancel/", games.CancelGame.as_view()),
    path(f"{game}invite/", games.InviteToGame.as_view()),
    path(f"{game}decline/", games.DeclineGame.as_view()),
    path(f"{game}bots/", games.AddBot.as_view()),
    path(f"{game}partner/", games.ChoosePartner.as_view()),
    path(f"{game}rematch/", games.Rematch.as_view()),
    path(f"{game}actions/legal/", games.LegalActions.as_view()),
    path(f"{game}resign/", games.Resign.as_view()),
    path(f"{game}record/", games.Record.as_view()),
    path(f"{game}log/", games.Log.as_view()),
    path(f"{game}notes/", around.Notes.as_view()),
    path(f"{game}chat/", around.Chat.as_view()),
    path(f"{game}chat/<int:message_id>/report/", around.ReportMessage.as_view()),
    path(f"{game}pause/", time.GamePause.as_view()),
    path(f"{game}pause/agree/", time.AgreePause.as_view()),
    path(f"{game}pause/decline/", time.DeclinePause.as_view()),
    path(f"{game}take-seat/", games.TakeSeat.as_view()),
    path(f"{game}eight/", time.DecideEight.as_view()),
    path(f"{game}mute/", time.Mute.as_view()),
    path(f"{game}board.txt", around.BoardText.as_view()),
    path(f"{game}board.svg", around.BoardSVG.as_view()),
    path(f"{game}board.png", around.BoardPNG.as_view()),
]
