"""Every bot at a table has its own fixed name, shown beside the word for what it is."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.name_validation import MAX_NAME_LENGTH
from games.bot_names import GIVEN_NAMES, choose_given_name
from games.game_text import seat_display_name
from games.models import Game
from games.models.games import generate_public_code
from games.selectors import build_record_for, load_view_for
from games.selectors.waiting_turns import describe_other_players
from tests.factories.cast import Api, open_browser, player, start_cast_game


def test_every_name_is_listed_once_and_short() -> None:
    assert len(set(GIVEN_NAMES)) == len(GIVEN_NAMES) >= 20
    assert all(name.isalpha() and len(name) <= MAX_NAME_LENGTH for name in GIVEN_NAMES)


def test_bots_of_one_game_have_different_names_and_games_differ() -> None:
    random.seed(1)
    first_names = set()
    for _number in range(200):
        code = generate_public_code()
        names = [choose_given_name(code, join_order) for join_order in range(1, 5)]
        assert len(set(names)) == 4
        assert names == [choose_given_name(code, join_order) for join_order in range(1, 5)]
        first_names.add(names[0])
    assert len(first_names) > 10


@pytest.mark.django_db
def test_pages_mails_and_texts_show_the_name_and_the_kind() -> None:
    game = start_cast_game("ada", bots=("planner", "planner", "planner"))
    view = load_view_for(player("ada"), game.code).view
    names = {seat["bot_name"] for seat in view["seats"] if seat["bot"]}
    assert len(names) == 3
    page = open_browser("ada").get(f"/games/{game.code}/").content.decode()
    other_players = describe_other_players(Game.objects.get(pk=game.pk).seats.all(), player("ada"))
    for seat in view["seats"]:
        if seat["bot"]:
            text = f"{seat['bot_name']} (planner bot)"
            assert seat_display_name(seat) == text
            assert text in page
            assert text in other_players
    assert "(planner bot), " in other_players


@pytest.mark.django_db
def test_the_api_and_records_keep_the_name_of_the_policy() -> None:
    game = start_cast_game("ada", bots=("greedy",))
    bot = Api("ada").get(f"games/{game.code}/").json()["seats"][1]
    assert (bot["bot"], bot["name"], bot["bot_name"]) == (
        "greedy",
        "greedy bot",
        choose_given_name(game.code, 2),
    )
    own = Api("ada").get(f"games/{game.code}/").json()["seats"][0]
    assert (own["bot"], own["bot_name"]) == (None, None)
    assert [seat["name"] for seat in build_record_for(None, game.code)["seats"]] == ["ada", "greedy bot"]


@pytest.mark.django_db
def test_lists_ask_no_query_for_a_name() -> None:
    api = Api(None)

    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert api.get("games/?status=running").status_code == 200
        return len(queries)

    start_cast_game("ada", bots=("greedy", "greedy"))
    first_count = count_queries()
    for _game in range(3):
        start_cast_game("ada", bots=("greedy", "greedy"))
    assert count_queries() == first_count
