"""URLs of the pages of games."""

from django.urls import include, path

from . import (
    api_docs,
    create_game,
    endings,
    fairness,
    game_lists,
    game_page,
    home,
    lesson,
    live_updates,
    play_now,
    replay,
    rules,
)

urlpatterns = [
    path("", home.show_home, name="home"),
    path("live/", live_updates.stream_changes, name="live"),
    path("demo-board/", home.show_live_board, name="demo-board"),
    path("play-now/", play_now.play_now, name="play-now"),
    path("games/", game_lists.show_my_games, name="games"),
    path("lobby/", game_lists.show_lobby, name="lobby"),
    path("games/new/", create_game.create_game, name="new-game"),
    path("games/<slug:code>/board.svg", game_lists.show_board_image, name="board"),
    path("games/<slug:code>/", endings.remember_seen_match(game_page.show_game), name="game"),
    path("games/<slug:code>/pulse/", game_page.check_for_changes, name="pulse"),
    path("games/<slug:code>/replay/", replay.show_replay, name="replay"),
    path("games/<slug:code>/fairness/", fairness.show_game_fairness, name="fairness-game"),
    path("", include("games.web.game_commands")),
    path("", include("games.web.standing_orders")),
    path("fairness/", fairness.show_fairness, name="fairness"),
    path("invitations/<str:token>/", create_game.show_invitation, name="invitation"),
    path("rules/", rules.show_rules, name="rules"),
    path("lesson/", lesson.start_lesson, name="lesson"),
    path("lesson/<int:number>/", lesson.show_step, name="lesson-step"),
    path("api/", api_docs.show_api_guide, name="api"),
    path("api/operations/<slug:name>/", api_docs.show_operation, name="api-operation"),
    path("", include("games.web.turn_feed")),
    path("me/time/", include("games.web.my_clocks")),
    path("", include("games.web.turn_link")),
    path("", include("games.web.mute_link")),
]
