"""Every operation that creates something honours an Idempotency-Key: a repeated request is executed once."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import retention as accounts_retention
from accounts.models import IdempotentResponse, Token
from accounts.services.idempotency import MAX_STORED_RESPONSES_PER_PLAYER
from common.api.openapi import JSON_FILE
from tests.factories.cast import Api, player
from tests.helpers.documented_fields import format_documented_route
from tournaments.models import League, Tournament

from .request_bodies import build_body
from .route_table import ROUTES
from .route_walker import Walker, fill_address, find_changed_rows, list_tables, roll_back_afterwards
from .world import World, dump_rows

pytestmark = pytest.mark.django_db

# POST operations that create nothing; all others create something.
CHANGES = frozenset(
    [
        "games_cancel",
        "games_chat_report",
        "games_decline",
        "games_eight",
        "games_join",
        "games_leave",
        "games_mute",
        "games_partner",
        "games_pause_agree",
        "games_pause_decline",
        "games_take",
        "leagues_close",
        "leagues_join",
        "leagues_leave",
        "leagues_start",
        "leagues_substitute",
        "me_deliveries_revive",
        "me_feeds_renew",
        "me_webhooks_secret",
        "proposals_accept",
        "proposals_decline",
        "proposals_withdraw",
        "tournaments_answer",
        "tournaments_cancel",
        "tournaments_confirm",
        "tournaments_enter",
        "tournaments_leave",
        "tournaments_publish",
        "tournaments_sitout",
        "tournaments_start",
        "tournaments_withdraw",
    ]
)


@cache
def map_posts() -> dict[str, dict[str, Any]]:
    """Map each path of the document to its POST operation."""
    document = json.loads(JSON_FILE.read_text())
    return {path: methods["post"] for path, methods in document["paths"].items() if "post" in methods}


def takes_key(operation: dict[str, Any]) -> bool:
    return {"$ref": "#/components/parameters/IdempotencyKey"} in operation.get("parameters", ())


def test_every_post_takes_a_key() -> None:
    operations = map_posts().values()
    assert [operation["operationId"] for operation in operations if not takes_key(operation)] == []


def test_every_post_that_makes_something_answers_with_201_and_where_it_is() -> None:
    """A new POST operation that creates nothing must be listed in CHANGES."""
    by_id = {operation["operationId"]: operation["responses"] for operation in map_posts().values()}
    assert by_id.keys() >= CHANGES
    assert by_id.keys() - CHANGES == {name for name, responses in by_id.items() if "201" in responses}
    headers = {name: by_id[name]["201"]["headers"] for name in by_id.keys() - CHANGES}
    assert [name for name, documented in headers.items() if "Location" not in documented] == []


def send_post(walker: Walker, path: str, body: Any, key: str) -> HttpResponse:
    """Send a POST with a token, or from the owner's browser where tokens are not accepted."""
    data = json.dumps(body or {})
    headers = {"Idempotency-Key": key, **walker.headers}
    if walker.name == "ada":
        return walker.client.post(path, data, "application/json", headers={"Idempotency-Key": key})
    answer = Client(raise_request_exception=False).post(path, data, "application/json", headers=headers)
    if answer.status_code == 403 and answer.json()["code"] == "session-only":
        return walker.client.post(path, data, "application/json", headers={"Idempotency-Key": key})
    return answer


@pytest.mark.parametrize("name", ["ada", "bob", "eve"])
def test_sent_twice_with_a_key_it_is_done_once(name: str, world: World) -> None:
    """For every operation open to this viewer, the second response equals the first and writes nothing."""
    walker, keyed = (
        Walker(world, name),
        {path for path, operation in map_posts().items() if takes_key(operation)},
    )
    wrong, done = [], set()
    for route, address, names in ROUTES:
        if format_documented_route(route) not in keyed:
            continue
        path, body = fill_address(address, names, world), build_body(world, "POST", route)
        with roll_back_afterwards():
            first = send_post(walker, path, body, "a key")
            if first.status_code >= 300:
                continue
            done.add(route)
            before = dump_rows()
            with roll_back_afterwards() as written:
                second_response = send_post(walker, path, body, "a key")
                changes = find_changed_rows(before, written) if list_tables(written) else {}
            if (second_response.status_code, second_response.content) != (
                first.status_code,
                first.content,
            ) or changes:
                wrong.append((route, first.status_code, second_response.status_code, changes))
            other = send_post(walker, path, {**(body or {}), "reason": "another request"}, "a key")
            if (other.status_code, other.json().get("code")) not in (
                (409, "idempotency-key-reused"),
                (400, "invalid"),
            ):
                wrong.append((route, "another request", other.status_code))
    assert not wrong, "\n".join(map(str, wrong))
    assert {"ada": 16, "bob": 8, "eve": 6}[name] <= len(done), sorted(done)


def test_what_is_refused_is_not_kept(world: World) -> None:
    walker = Walker(world, "eve")
    path, body = "/api/v1/tournaments/", {"name": "Cup", "format": "double", "table_size": 3}
    assert send_post(walker, path, body, "mine").status_code == 422
    assert send_post(walker, path, body | {"table_size": 2}, "mine").status_code == 201


def test_a_player_keeps_only_so_many_answers(world: World) -> None:
    rows = [
        IdempotentResponse(
            player=player("eve"), key=f"k{number}", request_hash="", status_code=200, created_at=world.now
        )
        for number in range(MAX_STORED_RESPONSES_PER_PLAYER)
    ]
    IdempotentResponse.objects.bulk_create(rows)
    before, body = Tournament.objects.count(), {"name": "Cup", "format": "swiss"}
    answer = send_post(Walker(world, "eve"), "/api/v1/tournaments/", body, "one more")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-keys")
    assert answer.headers["Retry-After"]
    assert Tournament.objects.count() == before
    assert send_post(Walker(world, "bob"), "/api/v1/tournaments/", body, "one more").status_code == 201


def test_each_player_has_keys_of_their_own(world: World) -> None:
    body = {"name": "Cup", "format": "swiss"}
    responses = [send_post(Walker(world, name), "/api/v1/tournaments/", body, "k") for name in ("eve", "bob")]
    assert [response.status_code for response in responses] == [201, 201]
    assert responses[0].json()["id"] != responses[1].json()["id"]


def test_without_a_key_it_is_done_each_time(world: World) -> None:
    before = League.objects.count()
    for _ in range(2):
        send_post(Walker(world, "eve"), "/api/v1/leagues/", {"name": "League", "division_size": 4}, "")
    assert League.objects.count() == before + 2


@pytest.mark.parametrize("key", ["x" * 101, "a\tb", "é"])
def test_a_key_that_is_none_is_refused(key: str, world: World) -> None:
    before = Tournament.objects.count()
    answer = Client().post(
        "/api/v1/tournaments/",
        json.dumps({"name": "Cup", "format": "swiss"}),
        "application/json",
        headers={"Idempotency-Key": key, **world.program("eve")},
    )
    assert answer.status_code == 400
    assert Tournament.objects.count() == before


def test_answers_are_kept_as_long_as_keys_and_go_with_the_account(world: World, settings: Any) -> None:
    walker = Walker(world, "eve")
    send_post(walker, "/api/v1/tournaments/", {"name": "Cup", "format": "swiss"}, "k")
    assert IdempotentResponse.objects.filter(player=player("eve")).count() == 1
    now = timezone.now()
    accounts_retention.delete_idempotent_responses(
        now=now + timedelta(days=settings.RETENTION_DAYS["keys"], seconds=-60)
    )
    assert IdempotentResponse.objects.exists()
    accounts_retention.delete_idempotent_responses(
        now=now + timedelta(days=settings.RETENTION_DAYS["keys"], seconds=60)
    )
    assert not IdempotentResponse.objects.exists()


def test_a_token_is_made_once_and_its_secret_is_stored_nowhere_in_plain_text(world: World) -> None:
    api = Api("ada", scopes=("read", "play", "account"))
    body = {"name": "bot", "scopes": ["read"]}
    before = Token.objects.count()
    answers = [api.post("me/tokens/", body, Idempotency_Key="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Token.objects.count() == before + 1
    plain_token = answers[0].json()["token"]
    assert plain_token not in IdempotentResponse.objects.get(key="once").body
    assert "bot" not in IdempotentResponse.objects.get(key="once").body
    client = Client(headers={"Authorization": f"Bearer {answers[1].json()['token']}"})
    assert client.get("/api/v1/me/").status_code == 200


def test_a_secret_answer_is_given_again_only_to_the_token_that_got_it(world: World) -> None:
    body = {"name": "bot", "scopes": ["play"]}
    strong, weak = (Api("ada", scopes=scopes) for scopes in (("account", "play"), ("account",)))
    assert strong.post("me/tokens/", body, Idempotency_Key="once").status_code == 201
    for other in (weak, Api("ada", in_person=True)):
        refused = other.post("me/tokens/", body, Idempotency_Key="once")
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency-key-reused")


def test_a_secret_answer_outlives_a_change_of_the_secret_key_while_the_old_one_is_a_fallback(
    world: World, settings: Any
) -> None:
    api, body = Api("ada", in_person=True), {"url": "https://example.com/hook"}
    first = api.post("me/webhooks/", body, Idempotency_Key="once").json()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key of this site"
    api = Api("ada", in_person=True)
    assert api.post("me/webhooks/", body, Idempotency_Key="once").json() == first
    settings.SECRET_KEY_FALLBACKS = []
    api = Api("ada", in_person=True)
    lost = api.post("me/webhooks/", body, Idempotency_Key="once")
    assert (lost.status_code, lost.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize("name", ["ada", "bob", "eve"])
def test_what_is_made_says_where_it_is(name: str, world: World) -> None:
    """Every 201 has a Location that its creator can read; the response to a repeated request has it, too."""
    walker, location_count = Walker(world, name), 0
    for route, address, names in ROUTES:
        if "201" not in map_posts().get(format_documented_route(route), {}).get("responses", {}):
            continue
        path, body = fill_address(address, names, world), build_body(world, "POST", route)
        with roll_back_afterwards():
            answers = [send_post(walker, path, body, "a key") for _ in range(2)]
            if answers[0].status_code != 201:
                continue
            location = answers[0]["Location"]
            assert answers[1]["Location"] == location, route
            read = Client().get(location, headers=walker.headers)
            if read.status_code in (401, 403, 404):  # not readable with a token
                read = walker.client.get(location)
            assert read.status_code == 200, (route, location)
            location_count += 1
    assert location_count >= {"ada": 10, "bob": 5, "eve": 4}[name]
