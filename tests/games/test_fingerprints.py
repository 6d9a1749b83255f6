"""The state fingerprint says in a few bytes whether a table has changed for a viewer."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils import timezone

from games.models import Game, Message
from games.selectors.game_stream import find_game_marks
from games.services import invitations, lobby, social, turns
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.factories.open_games import create_open_game

pytestmark = pytest.mark.django_db


def read_fingerprint(name: str | None, game: Game) -> str:
    answer = open_browser(name).get(f"/games/{game.code}/version/")
    assert answer.status_code == 200
    assert answer["ETag"] == answer.json()["version"]
    return str(answer["ETag"])


def read_page_fingerprint(name: str | None, game: Game) -> str:
    page = open_browser(name).get(f"/games/{game.code}/").text
    return unescape(re.search(r'data-version="([^"]+)"', page)[1])  # type: ignore[index]


@pytest.mark.parametrize("name", ["ada", "cleo", None])
def test_a_page_knows_the_version_that_its_address_tells(name: str | None) -> None:
    game = start_cast_game("ada", "bob")
    social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    tag = read_fingerprint(name, game)
    assert read_page_fingerprint(name, game) == tag
    same = open_browser(name).get(f"/games/{game.code}/version/", headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")


def test_a_move_is_new_for_all_and_talk_only_for_those_at_the_table() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    tags = {name: read_fingerprint(name, game) for name in ("ada", "bob", "cleo", None)}
    social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    assert {name for name in tags if read_fingerprint(name, game) != tags[name]} == {"ada", "bob"}
    tags = {name: read_fingerprint(name, game) for name in tags}
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    assert {name for name in tags if read_fingerprint(name, game) != tags[name]} == set(tags)


def test_a_rematch_is_new_on_the_page_of_the_game_before_for_those_who_played_it() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    names = ("ada", "bob", "cleo", None)

    def read_all() -> tuple[list[str], dict[str, str]]:
        return [read_fingerprint(name, game) for name in names], find_game_marks([game.code])

    before, marks_before = read_all()
    rematch = invitations.request_rematch(player=player("ada"), code=game.code, now=NOW)
    requested, marks = read_all()
    assert [tag != old for tag, old in zip(requested, before, strict=True)] == [True, True, False, False]
    assert marks != marks_before
    lobby.join_game(player=player("ada"), code=rematch.code, now=NOW)
    joined, joined_marks = read_all()
    assert [tag != old for tag, old in zip(joined, requested, strict=True)] == [True, True, False, False]
    assert joined_marks != marks
    lobby.cancel_game_by_host(player=player("ada"), code=rematch.code, now=NOW)
    assert read_all()[0] == before
    assert read_page_fingerprint("bob", game) == read_fingerprint("bob", game)


def test_another_player_on_the_same_seat_is_new() -> None:
    game, now = create_open_game(seat_count=3), timezone.now()
    lobby.join_game(player=player("bob"), code=game.code, now=now)
    before = read_fingerprint("ada", game)
    lobby.leave_game(player=player("bob"), code=game.code, now=now)
    lobby.join_game(player=player("cleo"), code=game.code, now=now)
    assert read_fingerprint("ada", game) != before


def test_nobody_learns_the_version_of_a_private_game_of_others() -> None:
    game = start_cast_game("ada", bots=("greedy",), private=True)
    assert read_fingerprint("ada", game)
    for name in ("cleo", None):
        assert open_browser(name).get(f"/games/{game.code}/version/").status_code == 404


def test_a_line_that_is_taken_down_is_new_for_those_at_the_table() -> None:
    game = start_cast_game("ada", "bob")
    line = social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    social.post_chat_message(player=player("ada"), code=game.code, text="hm", now=NOW)
    tags = {name: read_fingerprint(name, game) for name in ("ada", "bob", "cleo", None)}
    Message.objects.filter(pk=line.pk).update(hidden=True)
    assert {name for name in tags if read_fingerprint(name, game) != tags[name]} == {"ada", "bob"}
    assert read_page_fingerprint("ada", game) == read_fingerprint("ada", game)
