"""Every operation of the API is described with an example that really happened.

`UPDATE_EXAMPLES=1 pytest -n 0 tests/games/test_examples.py` writes the examples anew.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from drf_spectacular.generators import SchemaGenerator

from games.api import operations as api_operations
from games.models import Message
from games.selectors import format_instant

from .cast import Api

pytestmark = pytest.mark.django_db
FILE = Path(api_operations.__file__).with_name("examples.json")
Pair = dict[str, Any]


@cache
def document() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def operations() -> list[tuple[str, dict[str, Any]]]:
    methods = [method for path in document()["paths"].values() for method in path.values()]
    return [(operation["operationId"], operation) for operation in methods]


def happened() -> dict[str, Pair]:
    """What a morning of play looks like over the API."""
    ada, bob, cleo = Api("ada", scopes=("read", "play", "account")), Api("bob"), Api("cleo")
    found: dict[str, Pair] = {}

    def did(operation: str, answer: Any, request: Any = None) -> Any:
        assert answer.status_code < 300, (operation, answer.content)
        body = answer.json() if answer.content and "json" in answer["Content-Type"] else None
        found[operation] = {"request": request} if request is not None else {}
        if body is not None:
            found[operation]["response"] = body
        elif answer.content and "png" not in answer["Content-Type"]:
            found[operation]["response"] = answer.content.decode()
        return body

    terms = {"mode": "singles", "seats": 2, "clock": "3d", "order": "shuffled"}
    code = did("games.create", ada.post("games/", terms), terms)["id"]
    seed = {"client_seed": "a walk in the rain"}
    did("games.join", ada.post(f"games/{code}/join/", seed), seed)
    did("games.list", bob.get("games/?status=open&mode=singles"))
    guest = {"name": "cleo"}
    did("games.invite", ada.post(f"games/{code}/invite/", guest), guest)
    did("me.invitations", cleo.get("me/invitations/"))
    did("games.decline", cleo.post(f"games/{code}/decline/"))
    bob.post(f"games/{code}/join/", {"client_seed": "seven green apples"})
    did("games.leave", leave(ada, terms))
    did("games.cancel", cancel(ada, terms))
    seen = did("games.view", ada.get(f"games/{code}/"))
    mover = ada if seen["you"]["seat"] in seen["to_act"] else bob
    did("games.legal", mover.get(f"games/{code}/actions/legal/"))
    move = {"action": "draw", "seq": 0}
    did("games.play", mover.play(code, "draw", 0, Idempotency_Key="draw-1"), move)
    did("me.turns", mover.get("me/turns/"))
    did("events", bob.get("events/?after=0"))
    note = {"text": "keep the D for later"}
    did("games.notes.write", put(ada, f"games/{code}/notes/", note), note)
    did("games.notes", ada.get(f"games/{code}/notes/"))
    words = {"text": "Good luck!"}
    did("games.chat.say", ada.post(f"games/{code}/chat/", words), words)
    did("games.chat", bob.get(f"games/{code}/chat/"))
    message = Message.objects.latest("pk")
    why = {"why": "not kind"}
    did("games.chat.report", bob.post(f"games/{code}/chat/{message.pk}/report/", why), why)
    did("games.log", bob.get(f"games/{code}/log/"))
    did("games.take", ada.post(f"games/{code}/take-seat/"))
    eight = {"eight": "keep"}
    did("games.eight", ada.post(f"games/{code}/eight/", eight), eight)
    muted = {"muted": True}
    did("games.mute", ada.post(f"games/{code}/mute/", muted), muted)
    until = {"until": format_instant(datetime.now(UTC) + timedelta(days=10))}
    did("games.pause.propose", ada.post(f"games/{code}/pause/", until), until)
    did("games.pause.view", bob.get(f"games/{code}/pause/"))
    did("games.pause.decline", bob.post(f"games/{code}/pause/decline/"))
    ada.post(f"games/{code}/pause/", until)
    did("games.pause.agree", bob.post(f"games/{code}/pause/agree/"))
    did("me.time", ada.get("me/time/"))
    away = {"until": format_instant(datetime.now(UTC) + timedelta(days=3))}
    did("me.vacation.plan", ada.post("me/vacation/", away), away)
    gone = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    did("me.vacation.end", gone)
    did("games.board.txt", bob.get(f"games/{code}/board.txt"))
    did("games.board.svg", bob.get(f"games/{code}/board.svg"))
    did("games.resign", bob.post(f"games/{code}/resign/"))
    did("games.record", ada.get(f"games/{code}/record/"))
    again = ada.post(f"games/{code}/rematch/").json()
    seen = {"commitment": again["fairness"]["commitment"], "client_seed": "a seed of bob's"}
    did("games.rematch", bob.post(f"games/{code}/rematch/", seen), seen)
    with_bot = ada.post("games/", {"cards": False}).json()["id"]
    bot = {"policy": "planner"}
    did("games.bots", ada.post(f"games/{with_bot}/bots/", bot), bot)
    pairs = ada.post("games/", {"mode": "pairs"}).json()["id"]
    for api in (ada, bob):
        api.post(f"games/{pairs}/join/")
    partner = {"name": "bob"}
    did("games.partner", ada.post(f"games/{pairs}/partner/", partner), partner)
    return found


def leave(api: Api, terms: Pair) -> Any:
    code = api.post("games/", terms).json()["id"]
    api.post(f"games/{code}/join/")
    return api.post(f"games/{code}/leave/")


def cancel(api: Api, terms: Pair) -> Any:
    code = api.post("games/", terms).json()["id"]
    return api.post(f"games/{code}/cancel/")


def put(api: Api, path: str, data: Any) -> Any:
    return api.client.put(
        f"/api/v1/{path}", json.dumps(data), content_type="application/json", headers=api.headers
    )


def test_what_really_happens_fits_the_document() -> None:
    real = happened()
    if os.environ.get("UPDATE_EXAMPLES"):
        kept = json.loads(FILE.read_text()) | real
        FILE.write_text(json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    schema = document()
    by_id = dict(operations())
    for name, pair in real.items():
        operation = by_id[name.replace(".", "_")]
        if "response" in pair and not isinstance(pair["response"], str):
            status = next(code for code in operation["responses"] if code.startswith("2"))
            shape = operation["responses"][status]["content"]["application/json"]["schema"]
            check(pair["response"], shape, schema)
        if "request" in pair:
            check(pair["request"], operation["requestBody"]["content"]["application/json"]["schema"], schema)


def check(value: Any, shape: dict[str, Any], schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator({**shape, "components": schema["components"]}).validate(value)


@pytest.mark.parametrize(("name", "operation"), operations())
def test_every_operation_has_an_example(name: str, operation: dict[str, Any]) -> None:
    told = json.dumps(operation)
    if operation.get("requestBody"):
        assert '"examples"' in json.dumps(operation["requestBody"]), f"{name} has no example of a request"
    if any(status == "204" for status in operation["responses"]) or "image/png" in told:
        return
    good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    assert '"examples"' in json.dumps(good), f"{name} has no example of an answer"


@pytest.mark.parametrize(("name", "operation"), operations())
def test_every_example_fits_what_it_is_an_example_of(name: str, operation: dict[str, Any]) -> None:
    schema = document()
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        for media in part.get("content", {}).values():
            for example in media.get("examples", {}).values():
                check(example["value"], media["schema"], schema)
