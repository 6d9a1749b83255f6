from django.urls import include, path

from . import docs, games, language, views

urlpatterns = [
    path("", views.home, name="home"),
    path("games/", games.games, name="games"),
    path("games/new/", games.new_game, name="new-game"),
    path("games/<slug:code>/", games.game, name="game"),
    path("games/<slug:code>/<slug:deed>/", games.act, name="act"),
    path("invitations/<str:token>/", games.invitation, name="invitation"),
    path("language/", language.choose, name="language"),
    path("api/", docs.api, name="api"),
    path("api/operations/<slug:name>/", docs.operation, name="api-operation"),
    path("me/", include("games.web.me")),
    path("me/", include("games.web.notices")),
    path("", include("games.web.feeds")),
    path("me/time/", include("games.web.time")),
    path("", include("games.web.turn")),
    path("", include("games.web.stop")),
    path("mailbox/", include("games.web.mailbox")),
]
