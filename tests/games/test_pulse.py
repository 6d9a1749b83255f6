"""Whether a table has changed: told in a few bytes, to each viewer only what is new for them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils import timezone

from games.models import Game, Message
from games.services import lobby, social, turns

from .cast import NOW, game_of, player
from .test_pages import browser, open_game

pytestmark = pytest.mark.django_db


def pulse(name: str | None, game: Game) -> str:
    answer = browser(name).get(f"/games/{game.code}/pulse/")
    assert answer.status_code == 200
    assert answer["ETag"] == answer.json()["pulse"]
    return str(answer["ETag"])


def on_page(name: str | None, game: Game) -> str:
    page = browser(name).get(f"/games/{game.code}/").text
    return unescape(re.search(r'data-pulse="([^"]+)"', page)[1])  # type: ignore[index]


@pytest.mark.parametrize("name", ["ada", "cleo", None])
def test_a_page_knows_the_pulse_that_its_door_tells(name: str | None) -> None:
    game = game_of("ada", "bob")
    social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    tag = pulse(name, game)
    assert on_page(name, game) == tag
    same = browser(name).get(f"/games/{game.code}/pulse/", headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")


def test_a_move_is_new_for_all_and_talk_only_for_those_at_the_table() -> None:
    game = game_of("ada", "bob", cards=False)
    seen = {name: pulse(name, game) for name in ("ada", "bob", "cleo", None)}
    social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    assert {name for name in seen if pulse(name, game) != seen[name]} == {"ada", "bob"}
    seen = {name: pulse(name, game) for name in seen}
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    assert {name for name in seen if pulse(name, game) != seen[name]} == set(seen)


def test_another_player_on_the_same_seat_is_new() -> None:
    game, now = open_game(seats=3), timezone.now()
    lobby.join_game(player=player("bob"), code=game.code, now=now)
    before = pulse("ada", game)
    lobby.leave_game(player=player("bob"), code=game.code, now=now)
    lobby.join_game(player=player("cleo"), code=game.code, now=now)
    assert pulse("ada", game) != before


def test_nobody_feels_the_pulse_of_a_private_game_of_others() -> None:
    game = game_of("ada", bots=("greedy",), private=True)
    assert pulse("ada", game)
    for name in ("cleo", None):
        assert browser(name).get(f"/games/{game.code}/pulse/").status_code == 404


def test_a_line_that_is_taken_down_is_new_for_those_at_the_table() -> None:
    game = game_of("ada", "bob")
    line = social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=NOW)
    social.post_chat_message(player=player("ada"), code=game.code, text="hm", now=NOW)
    seen = {name: pulse(name, game) for name in ("ada", "bob", "cleo", None)}
    Message.objects.filter(pk=line.pk).update(hidden=True)
    assert {name for name in seen if pulse(name, game) != seen[name]} == {"ada", "bob"}
    assert on_page("ada", game) == pulse("ada", game)
