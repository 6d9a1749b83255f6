"""A player's public page shows the results of public games and nothing private."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import Player
from games import selectors
from games.bot_names import choose_given_name
from games.engine import text as engine_text
from games.game_text import build_translator
from games.models import Game
from games.selectors.waiting_turns import describe_other_players
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.helpers.game_lists import cut_section, list_codes, read_page, resign_game, start_game
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db


def create_finished_game(winner: int | None, *names: str, **terms: Any) -> Game:
    """Return a finished game with this winner."""
    game = start_game(*names, **terms)
    totals = {str(side): 20 + side for side in range(1, 3)}
    Game.objects.filter(pk=game.pk).update(
        status="over", finished_at=timezone.now(), result={"winner": winner, "totals": totals}, deadline=None
    )
    return game


def get_side(game: Game, name: str) -> int:
    number = game.seats.get(player__name=name).seat_no
    assert number
    return (number - 1) % 2 + 1


def read_standing(text: str) -> dict[str, list[str]]:
    rows = re.findall(
        r'<th scope="row">([^<]+)</th>(.*?)</tr>', normalise_html(cut_section(text, "standing"))
    )
    return {kind: re.findall("<td>([^<]*)</td>", cells) for kind, cells in rows}


def test_results_are_counted_by_kind_and_side() -> None:
    for winner in (1, 1, 2, None):
        create_finished_game(winner, "ada", "bob")
    pairs_game = create_finished_game(1, "bob", "cleo", "ada", "dirk", mode="pairs")
    create_finished_game(3, "bob", "cleo", "ada")
    create_finished_game(None, "ada", mode="solo")
    create_finished_game(1, "ada", mode="solo")
    assert get_side(pairs_game, "ada") == 1
    table = read_standing(read_page("/players/ada/"))
    seats = [place.seat_no for place in player("ada").seats.filter(game__mode="singles", game__seat_count=2)]
    assert seats == [1] * 4
    assert table == {
        "Two players": ["4", "2", "1", "1"],
        "Three players": ["1", "1", "0", "0"],
        "Pairs, two against two": ["1", "1", "0", "0"],
        "Solo": ["2", "1", "–", "1"],
    }
    assert read_standing(read_page("/players/bob/"))["Two players"] == ["4", "1", "1", "2"]


def test_a_player_is_found_however_the_name_is_written() -> None:
    Player.objects.create_user(email="x@example.org", name="Åsa O'Neil", joined_at=NOW)
    for path in ("/players/Åsa O'Neil/", "/players/åSA o'neil/", "/players/%C3%85sa%20O'Neil/"):
        assert "<h1>Åsa O&#x27;Neil</h1>" in read_page(path)
    assert "Joined March 2026" in read_page("/players/Åsa O'Neil/")


def test_nobody_else_has_a_page() -> None:
    deleted_player = player("bob")
    Player.objects.filter(pk=deleted_player.pk).update(is_active=False)
    for name in ("nobody", "bob", "ad", "ada%25", "a_a", "a%00b", "-", "a" * 5000):
        player("ada")
        assert open_browser().get(f"/players/{name}/").status_code == 404


def test_private_games_are_shown_to_nobody_and_counted_only_for_oneself() -> None:
    hidden = [start_game("ada", "bob", private=True), create_finished_game(1, "ada", "bob", private=True)]
    for name in (None, "bob", "cleo"):
        text = read_page("/players/ada/", name)
        assert not any(game.code in text for game in hidden)
        assert read_standing(text) == {}
        assert "private game" not in text
    assert "And 2 private games, which only you see." in read_page("/players/ada/", "ada")


def test_neither_an_address_nor_when_somebody_was_here_is_shown() -> None:
    Player.objects.filter(pk=player("ada").pk).update(last_seen_at=timezone.now() - timedelta(days=3))
    create_finished_game(1, "ada", "bob")
    for name in (None, "ada"):
        text = read_page("/players/ada/", name)
        assert "@" not in text
        assert "seen" not in re.sub('class="visually-hidden"', "", text)


def test_public_games_that_run_and_that_ended_are_listed_with_their_result() -> None:
    running, finished = start_game("ada", "bob"), start_game("ada", "bob")
    resign_game(finished, "ada")
    text = read_page("/players/ada/", "bob")
    assert list_codes(cut_section(text, "current")) == [running.code]
    assert list_codes(cut_section(text, "finished")) == [finished.code]
    assert ">Lost</a>" in cut_section(text, "finished")
    assert ">Won</a>" in cut_section(read_page("/players/bob/"), "finished")
    assert f'href="/games/{finished.code}/replay/"' in text
    assert 'href="/players/bob/"' in text


def test_a_player_is_looked_up_by_an_index() -> None:
    for number in range(300):
        Player.objects.create_user(email=f"{number}@example.org", name=f"player {number}", joined_at=NOW)
    with CaptureQueriesContext(connection) as queries:
        match = selectors.find_player_by_name("PLAYER 7")
    assert match
    assert match.name == "player 7"
    (query,) = queries
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE accounts_player")
        cursor.execute("EXPLAIN " + query["sql"])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "player_name_unique" in plan


# ------------------------------------------------------------------------------------------------------ names


def test_names_lead_to_their_pages_and_bots_have_names_in_words() -> None:
    game = start_game("ada", "bob", bots=("greedy", "planner"))
    text = read_page("/lobby/")
    assert '<a class="name" href="/players/bob/">bob</a>' in text
    assert f'<span class="name bot">{choose_given_name(game.code, 3)} (greedy bot)</span>' in text


def test_only_what_people_read_is_translated_of_a_bots_name(monkeypatch: pytest.MonkeyPatch) -> None:
    game = start_cast_game("ada", bots=("greedy",))
    translations = {"greedy bot": "bot ingordo", "and": "e", "with %(names)s": "con %(names)s"}
    api = Api("ada").get(f"games/{game.code}/", **{"Accept-Language": "it"}).json()
    record = selectors.build_record_for(player("ada"), game.code)
    assert [seat["name"] for seat in api["seats"] if seat["bot"]] == ["greedy bot"]
    assert [seat["name"] for seat in record["seats"]] == ["ada", "greedy bot"]
    monkeypatch.setattr("games.game_text.gettext", lambda message: translations.get(message, message))
    view = selectors.load_view_for(player("ada"), game.code).view
    assert "bot ingordo" in "\n".join(engine_text.summarise_position(view, build_translator(view)))
    assert "bot ingordo" in describe_other_players(game.seats.all(), player("ada"))
    assert [seat["name"] for seat in view["seats"] if seat["bot"]] == ["greedy bot"]


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_every_page_can_be_read_in_every_language(language: str) -> None:
    create_finished_game(1, "ada", "bob")
    start_game("ada", bots=("random",))
    Player.objects.filter(name="ada").update(language=language)
    client: Client = open_browser("ada")
    with translation.override(language):
        for path in ("/games/", "/lobby/", "/players/ada/", "/games/new/", "/next/"):
            assert client.get(path, follow=True)["Content-Language"] == language
