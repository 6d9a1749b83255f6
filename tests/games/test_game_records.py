"""Records of many games as JSON lines: access, filters, order, and memory."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models.players import FORMER_PLAYER_NAME
from accounts.services import players
from games.engine.record import verify_record
from games.models import Game
from games.selectors import game_records
from games.services import lobby
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.game_records import create_finished_game, list_codes, read_records
from tests.helpers.tokens import check_problem

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def ask(path: str, name: str | None = "ada", **headers: str) -> Any:
    return Api(name).get(path, **headers)


# --------------------------------------------------------------------------------------- access and filters


def test_my_games_are_those_that_i_sit_in_private_ones_too_and_none_that_has_not_begun() -> None:
    finished = create_finished_game()
    private = create_finished_game(private=True)
    running = start_cast_game("bob", "ada")
    create_finished_game("bob", "cleo")
    lobby.join_game(
        player=player("ada"),
        code=lobby.create_game(player=player("ada"), now=NOW, seat_count=2).code,
        now=NOW,
    )
    assert list_codes(ask("me/games/records/")) == [finished.code, private.code, running.code]
    assert list_codes(ask("me/games/records/?finished=true")) == [finished.code, private.code]
    check_problem(ask("me/games/records/", None), 401, "not-authenticated")


def test_each_line_is_the_record_of_the_game_and_running_games_keep_their_secrets() -> None:
    games = [
        create_finished_game(),
        start_cast_game("ada", "bob"),
        create_finished_game("ada", "bob", "cleo"),
    ]
    api = Api("ada")
    records = read_records(api.get("me/games/records/"))
    assert records == [api.get(f"games/{game.code}/record/").json() for game in games]
    assert [verify_record(record).status for record in records] == ["ok", "unfinished", "ok"]
    running = records[1]
    assert (running["fairness"]["server_seed"], running["result"]) == (None, None)
    seed = bytes(games[1].secrets.server_seed).hex()
    assert seed not in json.dumps(records)


def test_of_a_player_everybody_sees_the_public_games_only() -> None:
    public = create_finished_game()
    create_finished_game(private=True)
    start_cast_game("bob", "cleo")
    for viewer in (None, "ada", "cleo"):
        assert list_codes(ask("players/Ada/games/records/", viewer)) == [public.code]
    check_problem(ask("players/nobody/games/records/"), 404, "not-found")


def test_they_are_chosen_by_time_and_mode() -> None:
    first = create_finished_game(now=NOW + DAY)
    second = create_finished_game(now=NOW + 2 * DAY)
    running = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")

    def list_chosen(**query: Any) -> list[str]:
        text = "&".join(f"{name}={value}" for name, value in query.items())
        return list_codes(ask(f"me/games/records/?{text}"))

    def format_day(days: int) -> str:
        return (NOW + days * DAY).strftime("%Y-%m-%dT%H:%M:%SZ")

    assert list_chosen(since=format_day(1)) == [first.code, second.code]
    assert list_chosen(since=format_day(1), until=format_day(2)) == [first.code]
    assert list_chosen(until=format_day(1)) == [running.code]
    assert list_chosen(mode="pairs") == [running.code]
    assert list_chosen(mode="pairs", finished="true") == []
    for bad in (
        "mode=duel",
        "since=yesterday",
        "finished=perhaps",
        "limit=0",
        "limit=1001",
        "after=UP",
        "limit=",
    ):
        check_problem(ask(f"me/games/records/?{bad}"), 400, "invalid")


def test_a_list_goes_on_after_the_last_game_that_came_and_says_where() -> None:
    codes = [create_finished_game().code for _ in range(5)]
    api = Api("ada")
    answer = api.get("me/games/records/?limit=2&finished=true")
    assert list_codes(answer) == codes[:2]
    assert answer["Link"] == (
        f'<http://testserver/api/v1/me/games/records/?limit=2&finished=true&after={codes[1]}>; rel="next"'
    )
    answer = api.get(f"me/games/records/?after={codes[2]}")
    assert list_codes(answer) == codes[3:]
    assert not answer.has_header("Link")
    assert list_codes(api.get(f"me/games/records/?after={codes[4]}")) == []


def test_a_cursor_tells_nothing_of_games_that_one_may_not_see() -> None:
    create_finished_game()
    hidden = create_finished_game("bob", "cleo", private=True)
    for code in (hidden.code, "zzzzzzzzzzzz"):
        problem = check_problem(ask(f"me/games/records/?after={code}"), 400, "invalid")
        assert problem["errors"]["after"] == ["No game in this list has this id."]


def test_a_game_that_becomes_private_while_the_list_is_read_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_records, "RECORD_CHUNK_SIZE", 1)
    first, second = create_finished_game(), create_finished_game()
    answer = ask("players/ada/games/records/", None)
    parts = iter(answer.streaming_content)
    assert json.loads(next(parts))["game"] == first.code
    Game.objects.filter(pk=second.pk).update(private=True)
    assert b"".join(parts) == b""


def test_deleted_accounts_are_anonymous_in_the_language_of_the_reader() -> None:
    create_finished_game("bob", "ada")
    players.remove_player(player=player("bob"), now=NOW)
    names = []
    for language in ("en", "it", "nl"):
        [record] = read_records(ask("players/ada/games/records/", None, **{"Accept-Language": language}))
        with translation.override(language):
            assert [seat["name"] for seat in record["seats"]] == [str(FORMER_PLAYER_NAME), "ada"]
        names.append(record["seats"][0]["name"])
    assert len(set(names)) == 3


def test_a_client_that_takes_no_json_lines_gets_406() -> None:
    create_finished_game()
    for accepted in ("application/x-ndjson", "application/json", "*/*", "text/html, */*;q=0.1"):
        assert len(read_records(ask("me/games/records/", Accept=accepted))) == 1
    assert ask("me/games/records/", Accept="text/html").status_code == 406


# --------------------------------------------------------------------------------------- memory and cost


def test_memory_is_that_of_a_chunk_and_queries_grow_by_chunks_not_by_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A chunk takes four queries, and the next chunk is read only when the last one is consumed."""
    monkeypatch.setattr(game_records, "RECORD_CHUNK_SIZE", 3)
    codes = [create_finished_game().code for _ in range(7)]
    api = Api("ada")
    api.get("me/games/records/")  # the first request writes the last use of the token
    with CaptureQueriesContext(connection) as opening:
        answer = api.get("me/games/records/")
    assert not [query for query in opening if "games_action" in query["sql"]], "no record was read yet"
    parts = iter(answer.streaming_content)
    games_of_parts = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as chunk_queries:
            part = next(parts)
        assert len(chunk_queries) == 4
        games_of_parts.append([json.loads(line)["game"] for line in part.splitlines()])
    assert games_of_parts == [codes[:3], codes[3:6], codes[6:]]
    with CaptureQueriesContext(connection) as last_queries:
        assert next(parts, None) is None
    assert not last_queries
    with CaptureQueriesContext(connection) as one_game:
        api.get("me/games/records/?limit=1")
    assert len(one_game) == len(opening), "however many games there are"


def test_a_long_list_costs_as_much_as_several_requests() -> None:
    for _ in range(game_records.RECORD_CHUNK_SIZE):
        create_finished_game()
    api = Api("ada")

    def read_remaining(path: str) -> int:
        return int(api.get(path)["RateLimit"].split("remaining=")[1].split(",")[0])

    before = read_remaining("me/games/records/?limit=1")
    assert read_remaining("me/games/records/") == before - 2
