"""Optimised code gives the results of the plain implementation."""

from __future__ import annotations

import random
import time

import psycopg
import pytest
from django.db import connection
from django.utils import translation

from accounts.models.players import FORMER_PLAYER_NAME
from common import rate_limits
from games import selectors
from games.api import serializers
from games.models import Game, Seat
from games.services import action_log_sql, game_audit
from tests.factories.cast import Api, player, start_cast_game
from tests.helpers.api_games import map_apis_by_seat, play_on

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("writer_name", ["write_in_one_statement", "write_with_orm"])
def test_both_ways_to_write_an_action_write_the_same(
    writer_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action_log_sql, "write_in_one_statement", getattr(action_log_sql, writer_name))
    game = start_cast_game("ada", "bob", target=4)
    end = play_on(game.code, map_apis_by_seat(game.code, Api("ada"), Api("bob")), random.Random("ways"))
    assert end["status"] == "over"
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(pk=game.pk)) is None


def test_a_kept_view_is_never_shown_to_another_viewer_or_after_a_change() -> None:
    game = start_cast_game("ada", "bob")
    Game.objects.update(private=True)
    path = f"games/{game.code}/"
    ada, bob, cleo = Api("ada"), Api("bob"), Api("cleo")
    for _ in range(2):
        assert ada.get(path).json()["you"]["seat"] == 1
        assert bob.get(path).json()["you"]["seat"] == 2
        assert cleo.get(path).status_code == Api(None).get(path).status_code == 404
    for api in (ada, bob):
        assert api.get(path).json() == selectors.load_view_for(player(api.name or ""), game.code).view
    mover = (ada, bob)[ada.get(path).json()["to_act"][0] - 1]
    data = mover.play(game.code, "draw", 0).json()
    assert mover.get(path).json() == data
    Seat.objects.filter(game=game, seat_no=2).update(player=None)
    tongues = [{"Accept-Language": language} for language in ("en", "it")]
    names = [ada.get(path, **tongue).json()["seats"][1]["name"] for tongue in tongues]
    with translation.override("it"):
        assert names == ["a former player", str(FORMER_PLAYER_NAME)]


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_closed_is_found_and_replaced() -> None:
    connection.ensure_connection()
    assert connection.is_usable()
    pid = connection.connection.info.backend_pid
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
    stop_by = time.monotonic() + 10
    while connection.is_usable():
        assert time.monotonic() < stop_by
        time.sleep(0.01)
    connection.close()
    assert connection.is_usable() is False
    connection.ensure_connection()
    assert connection.is_usable()


def test_of_many_requests_few_are_written_to_the_shared_count_and_near_the_limit_every_one() -> None:
    counts: list[int] = []

    def count_writes(key: str, count: int) -> int:
        counts.append(count)
        return sum(counts)

    rate_limits.reset_counts()
    before, rate_limits.add_to_shared_count = rate_limits.add_to_shared_count, count_writes
    try:
        assert [rate_limits.count_in_window("somebody", 100, 0) for _ in range(110)] == list(range(1, 111))
    finally:
        rate_limits.add_to_shared_count = before
        rate_limits.reset_counts()
    assert counts[:5] == [1, 10, 10, 10, 10]
    assert set(counts[6:]) == {1}


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        ({"action": "B-b3-90", "seq": 3}, True),
        ({"action": " draw ", "seq": 0}, True),
        ({"action": "", "seq": 0}, False),
        ({"action": "  ", "seq": 0}, False),
        ({"action": "draw", "seq": True}, False),
        ({"action": "draw", "seq": -1}, False),
        ({"action": "draw", "seq": 2**31}, False),
        ({"action": "draw\0", "seq": 0}, False),
        ({"action": "d" * 31, "seq": 0}, False),
        ({"action": "résign", "seq": 0}, False),
        ({"action": "draw"}, False),
        (["action", "seq"], False),
        (None, False),
    ],
)
def test_what_is_plainly_a_play_is_one(body: object, plain: bool) -> None:
    assert serializers.is_simple_play(body) is plain
    if plain:
        serializer = serializers.PlayActionSerializer(data=body)
        assert serializer.is_valid()
        assert dict(serializer.validated_data) == body
