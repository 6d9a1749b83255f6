"""API responses have exactly the keys and types of their read models."""

from __future__ import annotations

import random
import types
from dataclasses import fields
from datetime import datetime, time
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest

from accounts.scopes import SCOPES
from accounts.selectors.read_models import ProfileData, PublicPlayerData, TokenData, TokenWithSecretData
from common.read_model_serializers import is_read_model
from games.engine.read_models import RecordData
from games.selectors.clocks import PauseData
from games.selectors.lists import ChatMessageData, GameNoteData, InvitationData, TurnData
from games.selectors.player_clocks import TimeOverviewData
from games.selectors.read_models import GameData, GameSummaryData, LogData
from notifications.selectors.deliveries import DeliveryData
from notifications.selectors.feed import FeedData
from tests.factories.cast import Api, start_cast_game
from tests.helpers.api_games import map_apis_by_seat, play_on

pytestmark = pytest.mark.django_db


def describe_keys(read_model: type) -> dict[str, Any]:
    """Return the JSON keys of a read model with their types."""
    hints = get_type_hints(read_model, include_extras=True)
    if is_typeddict(read_model):
        return hints
    return {field.metadata.get("key", field.name): hints[field.name] for field in fields(read_model)}


def is_of_part(value: Any, part: Any) -> bool:
    """Return whether a value belongs to this member of a union; events are matched by their name."""
    if value is None or part is type(None):
        return value is None and part is type(None)
    kind = get_type_hints(part).get("event") if is_typeddict(part) else None
    return kind is None or value["event"] in get_args(kind)


def check_value(value: Any, hint: Any, place: str) -> None:
    """Assert that JSON has this type, at any depth."""
    while get_origin(hint) in (Annotated, NotRequired):
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if is_of_part(value, part))
    if is_read_model(hint):
        keys = describe_keys(hint)
        optional_keys = {key for key, part in keys.items() if get_origin(part) is NotRequired}
        assert value.keys() <= keys.keys(), f"{place} has keys that {hint.__name__} lacks"
        assert keys.keys() - optional_keys <= value.keys(), f"{place} lacks keys of {hint.__name__}"
        for key in value:
            check_value(value[key], keys[key], f"{place}.{key}")
    elif get_origin(hint) is list:
        assert isinstance(value, list), place
        for item in value:
            check_value(item, get_args(hint)[0], f"{place}[]")
    elif get_origin(hint) is dict:
        assert isinstance(value, dict), place
        for key in value:
            check_value(value[key], get_args(hint)[1], f"{place}.{key}")
    elif get_origin(hint) is Literal:
        assert value in get_args(hint), place
    elif hint is not Any:
        while hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        is_enum = isinstance(hint, type) and issubclass(hint, Enum)
        if is_enum:
            assert value in [member.value for member in hint], place
        json_type = str if is_enum or hint in (datetime, time) else hint
        assert type(value) is json_type, f"{place} is {value!r}, no {json_type}"


def check_answer(response: Any, hint: Any) -> Any:
    assert response.status_code in (200, 201), response.content
    data = response.json()
    check_value(data, hint, response.request["PATH_INFO"])
    return data


def check_game(api: Api, code: str) -> Any:
    """Check every response of the API about a game."""
    if (data := check_answer(api.get(f"games/{code}/"), GameData))["started_at"]:
        check_answer(api.get(f"games/{code}/log/"), LogData)
        check_answer(api.get(f"games/{code}/record/"), RecordData)
    check_value(api.get("games/").json()["results"], list[GameSummaryData], "games/")
    return data


def test_an_open_game() -> None:
    ada, bob = Api("ada"), Api("bob")
    code = check_answer(ada.post("games/", {}), GameData)["id"]
    check_answer(ada.post(f"games/{code}/join/", {"client_seed": "a"}), GameData)
    check_answer(ada.post(f"games/{code}/invite/", {"name": "bob"}), InvitationData)
    assert check_answer(bob.get("me/invitations/"), list[InvitationData])
    assert check_game(Api(None), code)["status"] == "open"


def test_a_running_game_and_a_finished_one() -> None:
    game = start_cast_game("ada", "bob", target=4)
    ada, bob = Api("ada"), Api("bob")
    assert "you" in check_game(ada, game.code)
    assert "you" not in check_game(Api(None), game.code)
    assert sum(len(check_answer(api.get("me/turns/"), list[TurnData])) for api in (ada, bob)) == 1
    assert check_answer(ada.get("me/time/"), TimeOverviewData)["clocks"]
    check_answer(ada.get(f"games/{game.code}/pause/"), PauseData)
    check_answer(ada.post(f"games/{game.code}/chat/", {"text": "hello"}), ChatMessageData)
    assert check_answer(bob.get(f"games/{game.code}/chat/"), list[ChatMessageData])
    check_answer(ada.get(f"games/{game.code}/notes/"), GameNoteData)
    end = play_on(game.code, map_apis_by_seat(game.code, ada, bob), random.Random("read models"))
    assert end["status"] == "over"
    check_value(end, GameData, "the last view")
    assert check_game(bob, game.code)["matches"]
    assert check_answer(ada.get("events/"), FeedData)


def test_a_game_in_pairs() -> None:
    game = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")
    assert check_game(Api("ada"), game.code)["you"]["partner"]


def test_an_account() -> None:
    ada = Api("ada", scopes=SCOPES)
    assert check_answer(ada.get("me/"), ProfileData)["allow_any_sender"] is not None
    changes = {"quiet_from": "22:00", "quiet_until": "07:30"}
    path, content_type = "/api/v1/me/", "application/json"
    changed = ada.client.patch(path, changes, content_type=content_type, headers=ada.headers)
    assert check_answer(changed, ProfileData)["quiet_until"] == "07:30"
    assert check_answer(Api("bob").get("me/"), ProfileData)["allow_any_sender"] is None
    check_answer(Api(None).get("players/ada/"), PublicPlayerData)
    token = check_answer(ada.post("me/tokens/", {"name": "one", "scopes": ["read"]}), TokenWithSecretData)
    assert len(token["created_at"]) == len("2026-01-01T00:00:00Z")
    assert check_answer(ada.get("me/tokens/"), list[TokenData])
    check_answer(ada.post("me/deliveries/test/", {}), DeliveryData)
    assert check_answer(ada.get("me/deliveries/"), list[DeliveryData])
