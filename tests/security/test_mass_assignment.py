"""Fields that nobody asks for are refused by name and change nothing: every write of the API, with more.

Each request is made with the fields that it takes, with one more at a time, and with all of them. Where an
operation takes no body at all, what is stored afterwards differs in chance and time alone.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse

from games.api.openapi import JSON_FILE
from games.models import Player
from tests.games.cast import player

from .deeds import body_for
from .test_others import ROUTES, line_for
from .walking import Walker, filled, tables_of, taken_back
from .world import Rows, World, everything

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
    "key": "mine",
    "mail_key": "mine",
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
    "by": "ada",
    "rating": 9999,
    "mu": 99.0,
    "rated_games": 99,
    "status": "finished",
    "result": {"winner": 1},
    "deadline": "2099-01-01T00:00:00Z",
    "joined_at": "1999-01-01T00:00:00Z",
    "created_at": "1999-01-01T00:00:00Z",
    "guest": True,
    "dead_at": None,
    "vacation_saved": "999 00:00:00",
    "digest": "mine",
    "secret": "mine",
    "hidden": True,
    "held": "",
    "accepted": 99,
    "due_at": "1999-01-01T00:00:00Z",
}
# What differs between two rows that were made alike: names drawn by lot, and what follows from the minute.
CHANCE = {
    *(
        "pk",
        "id",
        "code",
        "key",
        "mail_key",
        "commitment",
        "digest",
        "secret",
        "seed",
        "server_seed",
        "reason",
    ),
    *(
        "state",
        "clocks",
        "data",
        "hash",
        "chain",
        "game_id",
        "event_id",
        "league_id",
        "entrant_id",
        "before",
        "after",
    ),
}


def plain(value: Any, now: datetime) -> Any:
    """A value, a time of about now being as good as another."""
    if isinstance(value, timedelta):
        return round(value / timedelta(minutes=10))
    near = isinstance(value, datetime) and abs(value - now) < timedelta(days=200)
    return "a time" if near else value


def rows(written: set[str] | None = None) -> Rows:
    """All that is stored, or all in what was written to; players, too."""
    found = everything(tables_of(written) if written is not None else None)
    return found | {"games_player": {one["id"]: one for one in Player.objects.values()}}


def stored(before: Rows, written: set[str], now: datetime) -> list[str]:
    """The rows that are new or other than before, without chance and time."""
    return sorted(
        f"{table}: { {name: plain(value, now) for name, value in row.items() if name not in CHANCE} }"
        for table, found in rows(written).items()
        for pk, row in found.items()
        if before[table].get(pk) != row
    )


def writes() -> list[tuple[str, str, list[str], str]]:
    """Every write of the API that routes.txt knows."""
    return [
        (route, address, names, method)
        for route, address, names in ROUTES
        for method in ("POST", "PUT", "PATCH")
        if route.startswith("api/v1/") and line_for(route, method, "") is not None
    ]


def test_there_are_writes_to_look_at() -> None:
    assert len(writes()) > 40


def bodies() -> dict[tuple[str, str], set[str]]:
    """The fields that each write of the document takes; an operation without a body is not there."""
    document = json.loads(JSON_FILE.read_text())
    parts, found = document["components"]["schemas"], {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if content := operation.get("requestBody", {}).get("content"):
                name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
                found[path, method.upper()] = {
                    field for field, told in parts[name]["properties"].items() if not told.get("readOnly")
                }
    return found


def documented(route: str) -> str:
    """A route as the document writes it."""
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)


def send(walker: Walker, method: str, path: str, body: dict[str, Any]) -> HttpResponse:
    """One request; the owner's from her browser."""
    if walker.name != "ada":
        return walker.ask(method, path, body)
    sent = {"data": body, "content_type": "application/json"}
    return getattr(walker.client, method.lower())(path, **sent)


@pytest.mark.parametrize("name", ["eve", "bob", "ada"])
def test_more_fields_than_asked_for_are_refused_or_change_nothing(name: str, world: World) -> None:
    before, taken = rows(), bodies()
    walker, wrong, refused = Walker(world, name), [], 0
    if name == "ada":
        walker.headers = {}  # her browser: what an organiser and an owner may do
    for route, address, names, method in writes():
        path, body = filled(address, names, world), body_for(world, method, route) or {}
        fields = taken.get((documented(route), method))
        more = {key: value for key, value in MORE.items() if key not in (fields or body)}
        seen = []
        for extra in ({}, more):
            with taken_back() as written:
                answer = send(walker, method, path, {**extra, **body})
                status = answer.status_code
                seen.append((status, stored(before, set(written), world.now) if status < 400 else []))
        heard = seen[0][0] < 400  # otherwise something else was wrong first: not theirs, or not now
        if fields is None:
            if seen[0] != seen[1]:
                wrong.append((method, route, *({*seen[0][1]} ^ {*seen[1][1]}), seen[0][0], seen[1][0]))
        elif heard:
            refused += 1
            errors = answer.json().get("errors", {}) if seen[1][0] == 400 else {}
            if seen[1][0] != 400 or not set(errors) <= set(more) or tables_of(written):
                wrong.append((method, route, seen[1][0], sorted(errors)))
            for key, value in list(more.items())[:3]:
                with taken_back():
                    answer = send(walker, method, path, {key: value, **body})
                if answer.status_code != 400 or list(answer.json()["errors"]) != [key]:
                    wrong.append((method, route, key, answer.status_code, answer.content[:200]))
        elif seen[1][0] < 400:
            wrong.append((method, route, seen[0][0], seen[1][0]))
    assert refused >= (5 if name != "ada" else 15)
    assert not wrong, "\n".join(map(str, wrong))


def test_every_body_of_the_document_is_closed() -> None:
    """The document says for every request body that it takes no other fields."""
    document = json.loads(JSON_FILE.read_text())
    parts, open_ones = document["components"]["schemas"], []
    for path, method in bodies():
        content = document["paths"][path][method.lower()]["requestBody"]["content"]
        name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
        if parts[name].get("additionalProperties") is not False:
            open_ones.append((path, method, name))
    assert not open_ones


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
        ("/me/notices/", {"mails": "each", "tournament_mails": "all", "digest_hour": "8"}),
    ],
)
def test_a_page_takes_no_more_than_its_form_shows(path: str, form: dict[str, str], world: World) -> None:
    fields = ("is_staff", "is_superuser", "email", "name", "key", "guest", "joined_at", "password", "dead_at")
    before = Player.objects.filter(name="eve").values(*fields).get()
    more = {name: str(value) for name, value in MORE.items()} | {"name": "ada2", "is_staff": "on"}
    assert world.browser("eve").post(path, more | form).status_code == 302
    assert Player.objects.filter(pk=player("eve").pk).values(*fields).get() == before


def test_signing_up_makes_nobody_an_operator(world: World, client: Any) -> None:
    form = {"email": "new@example.net", "username": "newcomer", "password1": "a long walk by the canal"}
    more = {name: str(value) for name, value in MORE.items() if name != "email"}
    client.post("/accounts/signup/", more | form)
    made = Player.objects.get(name="newcomer")
    assert (made.is_staff, made.is_superuser, made.guest, made.is_active) == (False, False, False, True)
    assert made.pk != 1
    assert not made.emailaddress_set.filter(verified=True).exists()  # type: ignore[attr-defined]
