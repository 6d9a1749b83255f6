"""Cursors that a list has not given are refused, instead of answered with an empty page."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from notifications.models import FeedEntry
from tests.factories.cast import Api, open_cast_game, player, start_cast_game
from tests.helpers.first_moves import play_any_action
from tests.helpers.tokens import check_problem

pytestmark = pytest.mark.django_db


def test_the_feed_knows_which_entries_there_have_been() -> None:
    start_cast_game("ada", "bob")
    api = Api("ada")
    last_id = max(FeedEntry.objects.values_list("pk", flat=True))
    assert api.get(f"events/?after={last_id}").status_code == 200
    for path in ("events/", "events/stream/"):
        problem = check_problem(api.get(f"{path}?after={last_id + 1000}"), 400, "invalid")
        assert [*problem["errors"]] == ["after"]
    assert check_problem(api.get("events/stream/", **{"Last-Event-ID": f"{last_id + 1000}"}), 400, "invalid")
    FeedEntry.objects.all().delete()  # whoever comes back after a long time loses nothing
    assert api.get(f"events/?after={last_id}").json() == {"results": [], "after": last_id}


def test_a_game_knows_which_actions_there_have_been() -> None:
    game = start_cast_game("ada", "bob")
    play_any_action(game)
    api = Api("ada")
    assert api.get(f"games/{game.code}/log/?after=1").json()["results"] == []
    for path in ("log/?after=2", "stream/?after=2", "stream/?after=2.0"):
        problem = check_problem(api.get(f"games/{game.code}/{path}"), 400, "invalid")
        assert [*problem["errors"]] == ["after"]


def test_a_message_of_another_game_is_no_cursor() -> None:
    game, other_game = start_cast_game("ada", "bob"), start_cast_game("ada", "bob")
    api = Api("ada")
    own, other = (
        api.post(f"games/{code}/chat/", {"text": "hello"}).json()["id"]
        for code in (game.code, other_game.code)
    )
    chat = f"games/{game.code}/chat/?before="
    assert api.get(f"{chat}{own}").json() == []
    assert [*check_problem(api.get(f"{chat}{other}"), 400, "invalid")["errors"]] == ["before"]
    check_problem(api.get(f"games/{game.code}/stream/?after=0.{other}"), 400, "invalid")


def test_a_page_of_one_list_is_no_cursor_of_another() -> None:
    for _ in range(3):
        open_cast_game("ada")
    player("bob")
    page = Api("bob").get("games/?page_size=1").json()
    (cursor,) = parse_qs(urlsplit(page["next"]).query)["cursor"]
    second = Api("bob").get(f"games/?page_size=1&cursor={cursor}").json()
    assert len(second["results"]) == 1
    assert second["results"] != page["results"]
    assert second["previous"]
    problem = check_problem(Api("bob").get(f"tournaments/?cursor={cursor}"), 400, "invalid")
    assert [*problem["errors"]] == ["cursor"]


def test_what_an_open_game_has_not_yet_is_said() -> None:
    code = open_cast_game("ada").code
    problem = check_problem(Api("ada").get(f"games/{code}/record/"), 404, "not-found")
    assert problem["detail"] == "The game has not started, so it has no record yet."
    problem = check_problem(Api("ada").get(f"games/{code}/chat/"), 404, "not-found")
    assert problem["detail"] == "Only the players of a game can read its chat."
    problem = check_problem(Api("ada").get("games/nothing/chat/"), 404, "not-found")
    assert problem["detail"] == "There is no such game."


@pytest.mark.parametrize("clock", ["bogus", "", "5d"])
def test_the_list_of_games_refuses_an_unknown_clock(clock: str) -> None:
    problem = check_problem(Api(None).get(f"games/?clock={clock}"), 400, "invalid")
    assert [*problem["errors"]] == ["clock"]
    assert Api(None).get("games/?clock=custom").status_code == 200


def test_a_cursor_tells_nothing_of_a_game_out_of_sight() -> None:
    game = start_cast_game("ada", "bob", private=True)
    for path in ("log/", "stream/"):
        for after in ("0", "999"):
            check_problem(Api("eve").get(f"games/{game.code}/{path}?after={after}"), 404, "not-found")
