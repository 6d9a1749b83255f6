"""Setting and ending standing orders: permissions, entry points, and visibility."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.service_errors import Conflict, Denied, NotFound
from games import engine
from games.engine import IllegalAction
from games.selectors import load_game
from games.selectors.orders import list_order_log
from games.services import turns
from games.stream_topics import find_own_version
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.factories.order_games import SOON_AFTER, get_orders, give_orders, start_game_with_order
from tests.factories.timing import (
    MINUTE,
    get_name_to_act,
    get_seat_no,
    get_state,
    list_feed_entries,
    list_waiting_names,
    play_first_legal,
    reload_player,
    start_quick_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db


def test_who_may_give_orders() -> None:
    game = start_quick_game("ada", "bob")
    with pytest.raises(Denied):
        give_orders(game, "cleo", draw=True)
    open_game = start_cast_game("ada", seat_count=2)
    with pytest.raises(Conflict, match="not started"):
        give_orders(open_game, "ada", draw=True)
    solo = start_cast_game("ada", mode="solo", seat_count=1)
    with pytest.raises(Conflict, match="solo"):
        give_orders(solo, "ada", only=True)
    private = start_cast_game("ada", seat_count=2, private=True)
    with pytest.raises(NotFound):
        give_orders(private, "cleo", draw=True)
    three = start_cast_game("ada", "bob", "cleo")
    turns.play_action(player=player("ada"), code=three.code, text="resign", seq=None, key="", now=NOW)
    with pytest.raises(IllegalAction, match="resigned"):
        give_orders(three, "ada", draw=True)
    turns.play_action(player=player("bob"), code=three.code, text="resign", seq=None, key="", now=NOW)
    with pytest.raises(Conflict, match="over"):
        give_orders(three, "cleo", draw=True)


def test_the_api_changes_what_is_given_and_shows_it_to_the_player_alone() -> None:
    game = start_quick_game("ada", "bob")
    ada, bob = Api("ada"), Api("bob")

    def patch(api: Api, body: dict[str, Any]) -> Any:
        return api.client.patch(
            f"/api/v1/games/{game.code}/orders/", body, content_type="application/json", headers=api.headers
        )

    assert ada.get(f"games/{game.code}/").json()["you"]["orders"] == {"draw": False, "only": False}
    seen_by_bob = bob.get(f"games/{game.code}/").json()
    answer = patch(ada, {"only": True})
    assert (answer.status_code, answer.json()) == (200, {"draw": False, "only": True})
    assert patch(ada, {"draw": True}).json() == {"draw": True, "only": True}
    assert patch(ada, {}).json() == {"draw": True, "only": True}
    view = ada.get(f"games/{game.code}/").json()
    assert view["you"]["orders"] == {"draw": True, "only": True}
    assert "set-orders" in view["permissions"]
    assert bob.get(f"games/{game.code}/").json() == seen_by_bob
    for body, field in (({"draw": "yes"}, "draw"), ({"only": 1}, "only"), ({"resign": True}, "resign")):
        answer = patch(ada, body)
        assert answer.status_code == 400
        assert field in answer.content.decode()
    assert get_orders(game, "ada") == (True, True)
    assert patch(Api("cleo"), {"draw": True}).status_code == 403
    assert patch(Api("ada", scopes=("read",)), {"draw": False}).status_code == 403
    assert get_orders(game, "ada") == (True, True)


def test_the_page_gives_ends_and_explains_them() -> None:
    game = start_quick_game("ada", "bob")
    (name,) = list_waiting_names(game)
    browser = open_browser(name)
    page = browser.get(f"/games/{game.code}/").content.decode()
    assert "Draw for me" in page
    assert "If somebody makes an 8" in page
    answer = browser.post(f"/games/{game.code}/orders/", {"draw": "1"}, follow=True)
    assert "Standing orders saved." in answer.content.decode()
    assert get_orders(game, name) == (True, False)
    assert "You set the order to draw." in answer.content.decode()
    take_turn(game)
    sweep_games(SOON_AFTER)
    page = browser.get(f"/games/{game.code}/").content.decode()
    assert "Your standing order played: draw" in page
    answer = browser.post(f"/games/{game.code}/orders/", {}, follow=True)
    assert "You have no standing orders." in answer.content.decode()
    assert get_orders(game, name) == (False, False)
    (other,) = (who for who in ("ada", "bob") if who != name)
    page = open_browser(other).get(f"/games/{game.code}/").content.decode()
    assert "Your standing order played" not in page
    assert "Standing orders" not in open_browser().get(f"/games/{game.code}/").content.decode()


def test_a_move_takes_as_many_queries_with_orders_as_without() -> None:
    counts = []
    for orders in ({}, {"draw": True, "only": True}):
        game = start_quick_game("ada", "bob")
        (name,) = list_waiting_names(game)
        if orders:
            give_orders(game, name, **orders)
        play_first_legal(game, "draw")
        other = get_name_to_act(game)
        action = engine.legal_actions(get_state(game), get_seat_no(game, other))[0]
        mover = reload_player(other)
        with CaptureQueriesContext(connection) as queries:
            turns.play_action(player=mover, code=game.code, text=action, seq=game.seq, key="", now=NOW)
        counts.append(len([query for query in queries.captured_queries if "SAVEPOINT" not in query["sql"]]))
    assert counts == [2, 2]  # a read and a write; a request takes a third query for its player


def test_a_repeated_request_with_the_same_key_changes_nothing() -> None:
    game = start_quick_game("ada", "bob")
    give_orders(game, "ada", draw=True, key="mail:1", text="auto draw")
    give_orders(game, "ada", draw=False)
    give_orders(game, "ada", draw=True, key="mail:1", text="auto draw")
    assert get_orders(game, "ada") == (False, False)


def test_the_log_of_the_orders_is_the_players_own() -> None:
    game, name = start_game_with_order()
    (other,) = (who for who in ("ada", "bob") if who != name)
    assert [line.event for line in list_order_log(player(name), game.code)] == ["changed"]
    assert list_order_log(player(other), game.code) == []


def test_partners_do_not_see_each_others_orders() -> None:
    game = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")
    partner = next(
        seat.player.name
        for seat in load_game(game.code).seats
        if seat.player and seat.seat_no == (get_seat_no(game, "ada") + 1) % 4 + 1
    )
    before = Api(partner).get(f"games/{game.code}/").content
    page_before = strip_tokens(open_browser(partner).get(f"/games/{game.code}/").content.decode())
    versions_before = [find_own_version(player(name), "") for name in ("bob", "cleo", "dirk")]
    give_orders(game, "ada", draw=True, only=True)
    assert [find_own_version(player(name), "") for name in ("bob", "cleo", "dirk")] == versions_before
    assert Api(partner).get(f"games/{game.code}/").content == before
    assert strip_tokens(open_browser(partner).get(f"/games/{game.code}/").content.decode()) == page_before


def strip_tokens(page: str) -> str:
    """Remove the values that are random in each response."""
    return re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"|data-countdown="[^"]*"', "", page)


def test_setting_the_same_orders_again_writes_nothing_new() -> None:
    game = start_quick_game("ada", "bob")
    give_orders(game, "ada", draw=True)
    changes = game.seat_changes
    give_orders(game, "ada", draw=True, now=NOW + MINUTE)
    assert game.seat_changes == changes
    assert len(list_feed_entries("ada", "orders")) == 1
