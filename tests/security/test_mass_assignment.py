"""Undocumented fields are refused by name and change nothing, for every write of the API.

Each request is sent with its own fields, with one extra field at a time, and with all extra fields.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from accounts.models import Player
from common.api.openapi import JSON_FILE
from tests.factories.cast import player
from tests.helpers.documented_fields import format_documented_route

from .request_bodies import build_body
from .route_table import ROUTES, find_line
from .route_walker import Walker, fill_address, list_tables, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db

MORE: dict[str, Any] = {
    "id": 1,
    "pk": 1,
    "code": "aaaaaaaaaaaa",
    "is_staff": True,
    "is_superuser": True,
    "is_active": False,
    "email": "mine@example.net",
    "password": "mine",
    "feed_token": "mine",
    "mail_token": "mine",
    "server_seed": "00" * 32,
    "seed": "00" * 32,
    "commitment": "mine",
    "state": "{}",
    "seat": 1,
    "number_of_seat": 1,
    "player_id": 1,
    "owner": "ada",
    "creator": 1,
    "creator_id": 1,
    "organiser": "eve",
    "organiser_id": 1,
    "created_by": "ada",
    "rating": 9999,
    "mu": 99.0,
    "rated_games": 99,
    "status": "finished",
    "result": {"winner": 1},
    "deadline": "2099-01-01T00:00:00Z",
    "joined_at": "1999-01-01T00:00:00Z",
    "created_at": "1999-01-01T00:00:00Z",
    "is_guest": True,
    "email_bounced_at": None,
    "vacation_balance": "999 00:00:00",
    "digest": "mine",
    "signing_secret": "mine",
    "hidden": True,
    "hold_reason": "",
    "approved_round": 99,
    "next_sweep_at": "1999-01-01T00:00:00Z",
}


def list_writes() -> list[tuple[str, str, list[str], str]]:
    """List every API write in routes.txt."""
    return [
        (route, address, names, method)
        for route, address, names in ROUTES
        for method in ("POST", "PUT", "PATCH")
        if route.startswith("api/v1/") and find_line(route, method) is not None
    ]


def test_there_are_writes_to_look_at() -> None:
    assert len(list_writes()) > 40


def map_body_fields() -> dict[tuple[str, str], set[str]]:
    """Map each documented write to its body fields; an operation without a body has none."""
    document = json.loads(JSON_FILE.read_text())
    parts, fields_by_operation = document["components"]["schemas"], {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if content := operation.get("requestBody", {}).get("content"):
                name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
                fields_by_operation[path, method.upper()] = {
                    field for field, schema in parts[name]["properties"].items() if not schema.get("readOnly")
                }
    return fields_by_operation


def send_request(walker: Walker, method: str, path: str, body: dict[str, Any]) -> HttpResponse:
    """Send a request; as the owner, from her browser."""
    if walker.name != "ada":
        return walker.ask(method, path, body)
    sent = {"data": body, "content_type": "application/json"}
    return getattr(walker.client, method.lower())(path, **sent)


@pytest.mark.parametrize("name", ["eve", "bob", "ada"])
def test_more_fields_than_an_operation_takes_are_refused(name: str, world: World) -> None:
    fields_by_operation = map_body_fields()
    walker, wrong, refused = Walker(world, name), [], 0
    if name == "ada":
        walker.headers = {}  # browser session: operations that tokens may not use
    for route, address, names, method in list_writes():
        path, body = fill_address(address, names, world), build_body(world, method, route) or {}
        fields = fields_by_operation.get((format_documented_route(route), method), set())
        more = {key: value for key, value in MORE.items() if key not in fields}
        statuses = []
        for extra in ({}, more):
            with roll_back_afterwards() as written:
                answer = send_request(walker, method, path, {**extra, **body})
                statuses.append(answer.status_code)
        is_accepted = statuses[0] < 400  # otherwise refused for another reason, such as permission or state
        if is_accepted:
            refused += 1
            errors = answer.json().get("errors", {}) if statuses[1] == 400 else {}
            if statuses[1] != 400 or not set(errors) <= set(more) or list_tables(written):
                wrong.append((method, route, statuses[1], sorted(errors)))
            for key, value in list(more.items())[:3]:
                with roll_back_afterwards():
                    answer = send_request(walker, method, path, {key: value, **body})
                if answer.status_code != 400 or list(answer.json()["errors"]) != [key]:
                    wrong.append((method, route, key, answer.status_code, answer.content[:200]))
        elif statuses[1] < 400:
            wrong.append((method, route, statuses[0], statuses[1]))
    assert refused >= (5 if name != "ada" else 15)
    assert not wrong, "\n".join(map(str, wrong))


def test_every_body_of_the_document_is_closed() -> None:
    """Every request body of the document forbids additional properties."""
    document = json.loads(JSON_FILE.read_text())
    parts, open_schemas = document["components"]["schemas"], []
    for path, method in map_body_fields():
        content = document["paths"][path][method.lower()]["requestBody"]["content"]
        name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
        if parts[name].get("additionalProperties") is not False:
            open_schemas.append((path, method, name))
    assert not open_schemas


def test_a_refusal_names_few_fields_and_no_long_ones(world: World) -> None:
    body = {"seats": 2, "x" * 500: 1, **{f"field{n}": n for n in range(1000)}}
    answer = Walker(world, "eve").ask("POST", "/api/v1/games/", body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert len(answer.json()["errors"]) <= 20
    assert all(len(name) <= 100 for name in answer.json()["errors"])


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/me/profile/", {"language": "nl", "time_zone": "UTC"}),
        ("/me/notices/", {"mail_frequency": "each", "tournament_mails": "all", "digest_hour": "8"}),
    ],
)
def test_a_page_takes_no_more_than_its_form_shows(path: str, form: dict[str, str], world: World) -> None:
    fields = (
        "is_staff",
        "is_superuser",
        "email",
        "name",
        "feed_token",
        "is_guest",
        "joined_at",
        "password",
        "email_bounced_at",
    )
    before = Player.objects.filter(name="eve").values(*fields).get()
    more = {name: str(value) for name, value in MORE.items()} | {"name": "ada2", "is_staff": "on"}
    assert world.browser("eve").post(path, more | form).status_code == 302
    assert Player.objects.filter(pk=player("eve").pk).values(*fields).get() == before


def test_signing_up_makes_nobody_an_operator(world: World, client: Any) -> None:
    form = {"email": "new@example.net", "username": "newcomer", "password1": "a long walk by the canal"}
    more = {name: str(value) for name, value in MORE.items() if name != "email"}
    client.post("/accounts/signup/", more | form)
    player = Player.objects.get(name="newcomer")
    assert (player.is_staff, player.is_superuser, player.is_guest, player.is_active) == (
        False,
        False,
        False,
        True,
    )
    assert player.pk != 1
    assert not player.emailaddress_set.filter(verified=True).exists()  # type: ignore[attr-defined]
