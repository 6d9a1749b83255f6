from django.urls import include, path

from . import docs, fairness, guests, home, language, lesson, lists, making, people, replay, rules, table

urlpatterns = [
    path("", home.home, name="home"),
    path("live/", home.show, name="live"),
    path("play-now/", guests.play_now, name="play-now"),
    path("games/", lists.games, name="games"),
    path("lobby/", lists.lobby, name="lobby"),
    path("players/<str:name>/", people.player, name="player"),
    path("games/new/", making.new_game, name="new-game"),
    path("games/<slug:code>/board.svg", lists.board, name="board"),
    path("games/<slug:code>/", table.game, name="game"),
    path("games/<slug:code>/pulse/", table.pulse, name="pulse"),
    path("games/<slug:code>/replay/", replay.replay, name="replay"),
    path("games/<slug:code>/fairness/", fairness.of_game, name="fairness-game"),
    path("games/<slug:code>/<slug:deed>/", table.act, name="act"),
    path("fairness/", fairness.any_record, name="fairness"),
    path("invitations/<str:token>/", making.invitation, name="invitation"),
    path("rules/", rules.rules, name="rules"),
    path("lesson/", lesson.first, name="lesson"),
    path("lesson/<int:number>/", lesson.step, name="lesson-step"),
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
