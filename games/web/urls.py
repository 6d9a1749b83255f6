from django.urls import include, path

from . import docs, games, lists, making, people, views

urlpatterns = [
    path("", views.home, name="home"),
    path("games/", lists.games, name="games"),
    path("lobby/", lists.lobby, name="lobby"),
    path("players/<str:name>/", people.player, name="player"),
    path("games/new/", making.new_game, name="new-game"),
    path("games/<slug:code>/board.svg", lists.board, name="board"),
    path("games/<slug:code>/", games.game, name="game"),
    path("games/<slug:code>/<slug:deed>/", games.act, name="act"),
    path("invitations/<str:token>/", making.invitation, name="invitation"),
    path("api/", docs.api, name="api"),
    path("me/", include("games.web.me")),
    path("me/", include("games.web.notices")),
    path("", include("games.web.feeds")),
    path("me/time/", include("games.web.time")),
    path("", include("games.web.turn")),
    path("", include("games.web.stop")),
    path("mailbox/", include("games.web.mailbox")),
]
