"""A player's public page: what their public games came to, and nothing that is nobody's business."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from games import selectors
from games.engine import text as engine_text
from games.game_text import build_translator
from games.models import Game, Player
from games.selectors.deliveries import describe_other_players

from .cast import NOW, Api, game_of, player
from .test_lists import browser, codes, page, resigned, section, started

pytestmark = pytest.mark.django_db


def over(winner: int | None, *names: str, **terms: Any) -> Game:
    """A game that ended like this."""
    game = started(*names, **terms)
    totals = {str(side): 20 + side for side in range(1, 3)}
    Game.objects.filter(pk=game.pk).update(
        status="over", finished_at=timezone.now(), result={"winner": winner, "totals": totals}, deadline=None
    )
    return game


def side_of(game: Game, name: str) -> int:
    number = game.places.get(player__name=name).number
    assert number
    return (number - 1) % 2 + 1


def standing(text: str) -> dict[str, list[str]]:
    rows = re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', section(text, "standing"))
    return {kind: re.findall("<td>([^<]*)</td>", cells) for kind, cells in rows}


def test_results_are_counted_by_kind_and_side() -> None:
    for winner in (1, 1, 2, None):
        over(winner, "ada", "bob")
    mine = over(1, "bob", "cleo", "ada", "dirk", mode="pairs")
    over(3, "bob", "cleo", "ada")
    over(None, "ada", mode="solo")
    over(1, "ada", mode="solo")
    assert side_of(mine, "ada") == 1
    table = standing(page("/players/ada/"))
    seats = [place.number for place in player("ada").places.filter(game__mode="singles", game__seats=2)]
    assert seats == [1] * 4
    assert table == {
        "Two players": ["4", "2", "1", "1"],
        "Three players": ["1", "1", "0", "0"],
        "Pairs, two against two": ["1", "1", "0", "0"],
        "Solo": ["2", "1", "–", "1"],
    }
    assert standing(page("/players/bob/"))["Two players"] == ["4", "1", "1", "2"]


def test_a_player_is_found_however_the_name_is_written() -> None:
    Player.objects.create_user(email="x@example.org", name="Åsa O'Neil", joined_at=NOW)
    for path in ("/players/Åsa O'Neil/", "/players/åSA o'neil/", "/players/%C3%85sa%20O'Neil/"):
        assert "<h1>Åsa O&#x27;Neil</h1>" in page(path)
    assert "With us since March 2026" in page("/players/Åsa O'Neil/")


def test_nobody_else_has_a_page() -> None:
    gone = player("bob")
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    for name in ("nobody", "bob", "ad", "ada%25", "a_a", "a%00b", "-", "a" * 5000):
        player("ada")
        assert browser().get(f"/players/{name}/").status_code == 404


def test_private_games_are_told_to_nobody_and_counted_only_for_oneself() -> None:
    hidden = [started("ada", "bob", private=True), over(1, "ada", "bob", private=True)]
    for name in (None, "bob", "cleo"):
        text = page("/players/ada/", name)
        assert not any(game.code in text for game in hidden)
        assert standing(text) == {}
        assert "private game" not in text
    assert "And 2 private games, which only you see counted." in page("/players/ada/", "ada")


def test_neither_an_address_nor_when_somebody_was_here_is_told() -> None:
    Player.objects.filter(pk=player("ada").pk).update(seen_at=timezone.now() - timedelta(days=3))
    over(1, "ada", "bob")
    for name in (None, "ada"):
        text = page("/players/ada/", name)
        assert "@" not in text
        assert "seen" not in re.sub('class="unseen"', "", text)


def test_public_games_that_run_and_that_ended_are_listed_with_their_result() -> None:
    running, ended = started("ada", "bob"), started("ada", "bob")
    resigned(ended, "ada")
    text = page("/players/ada/", "bob")
    assert codes(section(text, "current")) == [running.code]
    assert codes(section(text, "finished")) == [ended.code]
    assert ">Lost</a>" in section(text, "finished")
    assert ">Won</a>" in section(page("/players/bob/"), "finished")
    assert f'href="/games/{ended.code}/replay/"' in text
    assert 'href="/players/bob/"' in text


def test_a_player_is_looked_up_by_an_index() -> None:
    for number in range(300):
        Player.objects.create_user(email=f"{number}@example.org", name=f"player {number}", joined_at=NOW)
    with CaptureQueriesContext(connection) as queries:
        found = selectors.find_player_by_name("PLAYER 7")
    assert found
    assert found.name == "player 7"
    (query,) = queries
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_player")
        cursor.execute("EXPLAIN " + query["sql"])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "player_name_unique" in plan


# ------------------------------------------------------------------------------------------------------ names


def test_names_lead_to_their_pages_and_bots_have_names_in_words() -> None:
    started("ada", "bob", bots=("greedy", "planner"))
    text = page("/lobby/")
    assert '<a class="name" href="/players/bob/">bob</a>' in text
    assert '<span class="name bot">greedy bot</span>' in text


def test_only_what_people_read_is_translated_of_a_bots_name(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("ada", bots=("greedy",))
    told = {"greedy bot": "bot ingordo", "and": "e", "with %(names)s": "con %(names)s"}
    api = Api("ada").get(f"games/{game.code}/", **{"Accept-Language": "it"}).json()
    record = selectors.build_record_for(player("ada"), game.code)
    assert [seat["name"] for seat in api["seats"] if seat["bot"]] == ["greedy bot"]
    assert [seat["name"] for seat in record["seats"]] == ["ada", "greedy bot"]
    monkeypatch.setattr("games.game_text.gettext", lambda message: told.get(message, message))
    shown = selectors.load_view_for(player("ada"), game.code).view
    assert "bot ingordo" in "\n".join(engine_text.summarise_position(shown, build_translator(shown)))
    assert "bot ingordo" in describe_other_players(game.places.all(), player("ada"))
    assert [seat["name"] for seat in shown["seats"] if seat["bot"]] == ["greedy bot"]


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_every_page_can_be_read_in_every_language(language: str) -> None:
    over(1, "ada", "bob")
    started("ada", bots=("random",))
    Player.objects.filter(name="ada").update(language=language)
    client: Client = browser("ada")
    with translation.override(language):
        for path in ("/games/", "/lobby/", "/players/ada/", "/games/new/", "/next/"):
            assert client.get(path, follow=True)["Content-Language"] == language
