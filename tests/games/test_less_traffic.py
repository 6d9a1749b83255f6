"""A client needs one request per move, and lists and events contain what it would otherwise request."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from common.instants import format_instant
from games import selectors
from games.models import Game, Seat
from games.services import standing_orders
from tests.factories.cast import Api, player, start_cast_game
from tests.helpers.api_games import map_apis_by_seat, play_on
from tests.helpers.feed_types import check_feed_types
from tests.helpers.feed_waiting import wait_for_feed

pytestmark = pytest.mark.django_db


def play_by_answers(api: Api, code: str) -> tuple[dict[str, Any], int]:
    """Play a solo game from the data of each response, and count the requests."""
    rng, view, request_count = random.Random("one request"), api.get(f"games/{code}/").json(), 1
    while view["status"] != "over":
        answer = api.play(code, rng.choice(view["you"]["legal"]), view["seq"])
        assert answer.status_code == 201, answer.content
        view, request_count = answer.json(), request_count + 1
    return view, request_count


def test_a_bot_needs_one_request_a_move() -> None:
    ada = Api("ada")
    game = start_cast_game("ada", mode="solo")
    view, request_count = play_by_answers(ada, game.code)
    assert request_count == view["seq"] + 1
    assert view["you"]["legal"] == []


def test_the_view_has_the_legal_actions_of_who_looks_and_of_nobody_else() -> None:
    game = start_cast_game("ada", "bob", cards=True)
    path = f"games/{game.code}/"
    apis = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    for _ in range(30):
        views = {seat: api.get(path).json() for seat, api in apis.items()}
        (mover,) = views[1]["to_act"] if len(views[1]["to_act"]) == 1 else views[1]["to_act"][:1]
        for seat, view in views.items():
            own_legal = apis[seat].get(f"{path}actions/legal/").json()
            assert view["you"]["legal"] == own_legal
            assert view["you"]["legal_count"] == len(own_legal)
            assert bool(own_legal) == (seat in view["to_act"])
        assert '"legal"' not in json.dumps(Api(None).get(path).json())
        assert '"legal"' not in json.dumps(Api("cleo").get(path).json())
        answer = apis[mover].play(game.code, views[mover]["you"]["legal"][0], views[mover]["seq"]).json()
        assert answer["you"]["legal"] == apis[mover].get(f"{path}actions/legal/").json()
        if answer["status"] == "over":
            break


def test_a_hidden_hand_has_no_legal_actions() -> None:
    game = start_cast_game("ada", "bob")
    Seat.objects.filter(game=game).update(hand_hidden=True)
    for name in ("ada", "bob"):
        own = Api(name).get(f"games/{game.code}/").json()["you"]
        assert (own["legal"], own["legal_count"], own["hand"]) == ([], 0, [])


def test_legal_actions_cost_no_query() -> None:
    game = start_cast_game("ada", "bob")
    api = Api("ada")
    api.get(f"games/{game.code}/")
    with CaptureQueriesContext(connection) as queries:
        api.get(f"games/{game.code}/")
    assert len(queries) <= 3, [query["sql"] for query in queries]


def read_feed(api: Api) -> list[dict[str, Any]]:
    assert api.name
    wait_for_feed(api.name)
    entries: list[dict[str, Any]] = api.get("events/?limit=200").json()["results"]
    return entries


@pytest.mark.django_db(transaction=True)
def test_started_comes_to_everybody_also_to_who_is_on_turn() -> None:
    game = start_cast_game("ada", "bob", "cleo", bots=("greedy",))
    for name in ("ada", "bob", "cleo"):
        entries = read_feed(Api(name))
        assert [entry["kind"] for entry in entries].count("started") == 1, name
        assert entries[0]["kind"] == "started"
        assert (entries[0]["game"], entries[0]["data"]["seq"]) == (game.code, 0)
    api = map_apis_by_seat(game.code, Api("ada"), Api("bob"), Api("cleo"))
    to_act = api[1].get(f"games/{game.code}/").json()["to_act"]
    for seat in set(to_act) & api.keys():
        assert [entry["kind"] for entry in read_feed(api[seat])] == ["started", "turn"]


@pytest.mark.django_db(transaction=True)
def test_over_says_who_won_and_for_what_reason() -> None:
    game = start_cast_game("ada", "bob")
    apis = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    end = apis[1].post(f"games/{game.code}/resign/").json()
    for api in apis.values():
        last_entry = read_feed(api)[-1]
        assert last_entry["kind"] == "over"
        data = last_entry["data"]
        assert (data["winner"], data["reason"]) == (2, "resigned")
        assert data["totals"] == end["totals"]
        assert data["finished_at"] == end["finished_at"]
        first_data = read_feed(api)[0]["data"]  # no player has acted: null, not absent
        assert (first_data["seat"], first_data["action"], first_data["by"]) == (None, None, None)
    assert end["reason"] == "resigned"
    assert {"started", "turn", "over"} <= check_feed_types()


@pytest.mark.django_db(transaction=True)
def test_a_game_played_to_its_end_says_the_same_in_event_view_and_list() -> None:
    game = start_cast_game("ada", "bob", target=4)
    apis = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    end = play_on(game.code, apis, random.Random("to the end"))
    (row,) = Api(None).get("games/?status=over").json()["results"]
    data = read_feed(apis[1])[-1]["data"]
    for name in ("winner", "totals", "reason", "finished_at"):
        assert end[name] == row[name] == data[name], name
    assert row["reason"] in {"target", "blind match", "blind eight", "shoot-out", "level"}
    assert {"moved", "over"} <= check_feed_types()


def test_what_people_do_at_a_table_fits_the_types_of_feed_entries() -> None:
    ada, bob = Api("ada"), Api("bob")
    open_game = ada.post("games/", {"seats": 2}).json()["id"]
    ada.post(f"games/{open_game}/invite/", {"name": "bob"})
    bob.post(f"games/{open_game}/decline/")
    game = start_cast_game("ada", "bob")
    ada.post(f"games/{game.code}/chat/", {"text": "Good luck."})
    until = format_instant(timezone.now() + timedelta(days=3))
    ada.post(f"games/{game.code}/pause/", {"until": until})
    bob.post(f"games/{game.code}/pause/decline/")
    ada.post(f"games/{game.code}/pause/", {"until": until})
    bob.post(f"games/{game.code}/pause/agree/")
    standing_orders.set_standing_orders(player=player("ada"), code=game.code, draw=True, now=timezone.now())
    kinds = {"invited", "declined", "chat", "pause", "pause-declined", "paused", "orders"}
    assert kinds <= check_feed_types()


def test_a_row_of_a_running_game_has_sides_and_totals() -> None:
    pairs = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")
    waiting = Api("ada").post("games/", {"seats": 2}).json()["id"]
    rows = {row["id"]: row for row in Api("ada").get("games/").json()["results"]}
    assert [(seat["seat"], seat["side"]) for seat in rows[pairs.code]["seats"]] == [
        (1, 1),
        (2, 2),
        (3, 1),
        (4, 2),
    ]
    assert rows[pairs.code]["totals"] == {"1": 0, "2": 0}
    assert rows[pairs.code]["started_at"]
    for name in ("reason", "winner", "finished_at"):
        assert rows[pairs.code][name] is None
    assert rows[waiting]["totals"] == {}
    assert rows[waiting]["started_at"] is None


def test_a_list_takes_as_many_queries_for_twenty_games_as_for_one() -> None:
    counts = []
    for number in (1, 4):
        for _ in range(number):
            start_cast_game("ada", "bob")
        with CaptureQueriesContext(connection) as queries:
            selectors.list_game_summaries(list(selectors.list_visible_games(None)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_what_a_game_has_not_yet_is_null_and_no_missing_key() -> None:
    ada = Api("ada")
    code = ada.post("games/", {"seats": 2}).json()["id"]
    ada.post(f"games/{code}/join/")
    waiting = ada.get(f"games/{code}/").json()
    Api("bob").post(f"games/{code}/join/")
    running = ada.get(f"games/{code}/").json()
    assert running.keys() - waiting.keys() == {"you"}
    assert waiting["seats"][0].keys() == running["seats"][0].keys()
    assert (waiting["kind"], waiting["turn"], waiting["seats"][0]["side"]) == (None, None, None)


@pytest.mark.django_db(transaction=True)
def test_latest_is_where_the_feed_ends() -> None:
    game: Game = start_cast_game("ada", "bob")
    api = Api("ada")
    wait_for_feed("ada")
    latest = api.get("events/?after=latest").json()
    assert latest["results"] == []
    assert latest["after"] == read_feed(api)[-1]["id"]
    api.post(f"games/{game.code}/resign/")
    wait_for_feed("ada")
    (entry,) = api.get(f"events/?after={latest['after']}").json()["results"]
    assert entry["kind"] == "over"
    assert Api("cleo").get("events/?after=latest").json() == {"results": [], "after": 0}
    for wrong in ("last", "-1", "", "1.5"):
        assert api.get(f"events/?after={wrong}").status_code == 400, wrong
