"""The cached JSON of a game is shared only by requests that may see the same data."""

from __future__ import annotations

import pytest

from accounts.models import Player
from games.models import Seat
from games.selectors.game_views import MAX_CACHED_VIEWS, cached_view_json
from tests.factories.cast import Api, player, start_cast_game

pytestmark = pytest.mark.django_db


def count_misses() -> int:
    return cached_view_json.cache_info().misses


def test_a_game_that_did_not_change_is_built_once_for_each_viewer() -> None:
    path, ada = f"games/{start_cast_game('ada', 'bob').code}/", Api("ada")
    before, first = count_misses(), ada.get(path).content
    assert ada.get(path).content == first
    assert count_misses() == before + 1
    assert Api("bob").get(path).json()["you"] != ada.get(path).json()["you"]
    assert "you" not in Api(None).get(path).json()
    assert count_misses() == before + 3


def test_whatever_changes_in_the_rows_is_seen_at_once() -> None:
    game, ada = start_cast_game("ada", "bob"), Api("ada")
    path = f"games/{game.code}/"
    assert not ada.get(path).json()["you"]["muted"]
    Seat.objects.filter(game=game, player=player("ada")).update(muted=True)
    assert ada.get(path).json()["you"]["muted"]
    Player.objects.filter(name="bob").update(name="bobby")
    assert "bobby" in [seat["name"] for seat in ada.get(path).json()["seats"]]
    data = ada.get(path).json()
    mover = ada if data["you"]["seat"] in data["to_act"] else Api("bobby")
    legal = mover.get(f"{path}actions/legal/").json()
    assert mover.play(game.code, legal[0], data["seq"]).status_code == 201
    assert ada.get(path).json()["seq"] == data["seq"] + 1


def test_the_cache_is_bounded() -> None:
    assert cached_view_json.cache_info().maxsize == MAX_CACHED_VIEWS
