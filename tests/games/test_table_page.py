"""The page of a table: its content for each viewer, its cost, and how it detects changes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from games.selectors import load_game
from games.services import pauses, social
from tests.factories.cast import open_browser, player, start_cast_game
from tests.factories.positions import build_position
from tests.factories.stored_positions import store_position
from tests.helpers.first_moves import play_any_action

pytestmark = pytest.mark.django_db
MAX_ASSET_BYTES = 60_000


def check_for_changes(client: Client, game: Game, tag: str = "") -> tuple[int, str]:
    headers = {"If-None-Match": tag} if tag else {}
    answer = client.get(f"/games/{game.code}/version/", headers=headers)
    return answer.status_code, answer.get("ETag", "")


def test_a_version_is_the_same_until_something_happens() -> None:
    game = start_cast_game("ada", "bob")
    ada = open_browser("ada")
    _, tag = check_for_changes(ada, game)
    assert check_for_changes(ada, game, tag) == (304, tag)
    assert f'data-version="{tag.replace(chr(34), "&quot;")}"' in ada.get(f"/games/{game.code}/").text
    tags = {tag}
    for happens in (
        lambda: play_any_action(game),
        lambda: social.post_chat_message(
            player=player("bob"), code=game.code, text="hello", now=timezone.now()
        ),
        lambda: pauses.propose_pause(
            player=player("bob"),
            code=game.code,
            until=timezone.now() + timedelta(days=3),
            now=timezone.now(),
        ),
        lambda: pauses.decline_pause(player=player("ada"), code=game.code, now=timezone.now()),
    ):
        happens()
        status, tag = check_for_changes(ada, game, tag)
        assert status == 200
        tags.add(tag)
    assert len(tags) == 4, "declined, things stand as they did before"


def test_where_nothing_is_collected_the_game_page_has_small_scripts_and_style_sheets() -> None:
    """The embedded site of `make run` serves them like this."""
    game = start_cast_game("ada", "bob")
    ada = open_browser("ada")
    page = ada.get(f"/games/{game.code}/").text
    paths = re.findall(r'(?:src|href)="(/static/\w+\.(?:js|css))"', page)
    paths.append("/static/endings.css")  # on the page after a match
    texts: dict[str, str] = {}
    while paths:
        path = paths.pop()
        if path in texts or path == "/static/demo_board.js":  # of the home page
            continue
        texts[path] = ada.get(path).getvalue().decode()  # type: ignore[attr-defined]
        paths += [f"/static/{name}" for name in re.findall(r'"\./(\w+\.js)"', texts[path])]
    assert {"/static/table.css", "/static/otto.js", "/static/move_picker.js", "/static/tone.js"} <= {*texts}
    assert sum(len(text.encode()) for text in texts.values()) < MAX_ASSET_BYTES
    assert texts["/static/otto.js"].startswith("import{"), "its comments are trimmed"


def test_who_only_watches_is_not_woken_by_what_the_table_says_among_itself() -> None:
    game = start_cast_game("ada", "bob")
    eve = open_browser("eve")
    _, tag = check_for_changes(eve, game)
    social.post_chat_message(player=player("bob"), code=game.code, text="hello", now=timezone.now())
    assert check_for_changes(eve, game, tag)[0] == 304
    play_any_action(game)
    assert check_for_changes(eve, game, tag)[0] == 200


def test_a_private_table_has_no_version_for_others() -> None:
    game = start_cast_game("ada", bots=("random",), private=True)
    assert check_for_changes(open_browser("eve"), game)[0] == 404
    assert check_for_changes(open_browser(), game)[0] == 404
    assert check_for_changes(open_browser("ada"), game)[0] == 200


def test_a_game_that_is_over_is_watched_for_news_by_those_who_played_it() -> None:
    game = start_cast_game("ada", "bob")
    open_browser("ada").post(f"/games/{game.code}/play/", {"action": "resign"})
    text = open_browser("ada").get(f"/games/{game.code}/").text
    assert "data-version" in text
    assert "data-version" not in open_browser("cleo").get(f"/games/{game.code}/").text
    assert "You lost" in text
    assert "ada resigned; the score was 0 : 0." in text
    assert "/replay/" in text


def test_a_busy_table_costs_at_most_twelve_queries() -> None:
    game = start_cast_game("ada", "bob")
    for n in range(30):
        social.post_chat_message(player=player("bob"), code=game.code, text=f"line {n}", now=timezone.now())
        if not load_game(game.code).state.is_over:  # type: ignore[union-attr]
            play_any_action(game)
    social.write_note(player=player("ada"), code=game.code, text="mine", now=timezone.now())
    pauses.propose_pause(
        player=player("bob"), code=game.code, until=timezone.now() + timedelta(days=3), now=timezone.now()
    )
    ada = open_browser("ada")
    ada.get("/")
    with CaptureQueriesContext(connection) as queries:
        answer = ada.get(f"/games/{game.code}/")
    assert answer.status_code == 200
    assert len(queries) <= 12
    with CaptureQueriesContext(connection) as queries:
        check_for_changes(ada, game)
    assert len(queries) <= 6


def test_partners_see_each_others_cards_and_opponents_do_not() -> None:
    game = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")
    store_position(
        game,
        build_position(
            {"b3": "B"},
            phase="start",
            mode="pairs",
            seats=4,
            hands={1: ["TT"], 2: ["ME"], 3: ["QL"], 4: ["AK"]},
            table={1: "C", 2: "A", 3: "E", 4: "E"},
        ),
    )
    own_card, partner, other_cards = "Time travel", "Quantum leap", ("Meteorite", "Alien kidnapping")
    text = open_browser("ada").get(f"/games/{game.code}/").text
    assert own_card in text
    assert "Cards of cleo" in text
    assert partner in text
    assert not any(card in text for card in other_cards)
    watched = open_browser().get(f"/games/{game.code}/").text
    assert not any(card in watched for card in (own_card, partner, *other_cards))


def test_in_pairs_every_name_has_its_number_in_the_order_of_turns() -> None:
    names = ("ada", "bob", "cleo", "dirk")
    game = start_cast_game(*names, mode="pairs")
    text = " ".join(re.sub("<[^>]+>", " ", open_browser().get(f"/games/{game.code}/").text).split())
    for seat in game.seats.select_related("player"):
        assert seat.player
        assert f"Number {seat.seat_no} in the order of turns: {seat.player.name}" in text
    singles = start_cast_game("ada", "bob")
    assert "in the order of turns" not in open_browser().get(f"/games/{singles.code}/").text


def test_the_story_is_that_of_the_match_with_the_latest_first() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    for _ in range(6):
        play_any_action(game)
    text = open_browser("ada").get(f"/games/{game.code}/").text
    story = text[text.index('class="story"') :]
    assert "put tile" in story.split("</li>")[0] or "drew" in story.split("</li>")[0]
    assert "lines before that" in story


def test_the_first_page_offers_a_game_and_shows_one() -> None:
    text = open_browser().get("/").text
    assert "Play a bot now" in text
    assert 'data-live="/demo-board/"' in text
    assert open_browser().get("/demo-board/", headers={"Sec-Fetch-Dest": "document"})["Location"] == "/"
    live = open_browser().get("/demo-board/")
    assert live["Cache-Control"] == "no-store"
    assert "<svg" in live.text
    with CaptureQueriesContext(connection) as queries:
        open_browser().get("/")
    assert len(queries) == 0
