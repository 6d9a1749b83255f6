"""Every operation of the API is documented with a recorded example.

`UPDATE_EXAMPLES=1 pytest -n 0 tests/games/test_examples.py` rewrites the examples.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from games.api import serializers
from games.models import Message
from games.selectors import format_instant
from tests.factories.bots import declare_bot
from tests.factories.cast import Api
from tests.helpers.api_examples import check_schema, generate_schema, list_operations

pytestmark = pytest.mark.django_db
FILE = Path(serializers.__file__).with_name("examples.json")
Pair = dict[str, Any]


def record_morning() -> dict[str, Pair]:
    """Record the requests and responses of some play over the API."""
    ada, bob, cleo = Api("ada", scopes=("read", "play", "account")), Api("bob"), Api("cleo")
    examples: dict[str, Pair] = {}

    def record_call(operation: str, answer: Any, request: Any = None) -> Any:
        assert answer.status_code < 300, (operation, answer.content)
        body = answer.json() if answer.content and "json" in answer["Content-Type"] else None
        examples[operation] = {"request": request} if request is not None else {}
        if body is not None:
            examples[operation]["response"] = body
        elif answer.content and "png" not in answer["Content-Type"]:
            examples[operation]["response"] = answer.content.decode()
        return body

    record_call("editions.list", bob.get("editions/"))
    del examples["editions.list"]["response"][1:]
    record_call("editions.view", bob.get("editions/bannan-nl/"))
    terms = {"mode": "singles", "seats": 2, "clock": "3d", "order": "shuffled"}
    code = record_call("games.create", ada.post("games/", terms), terms)["id"]
    seed = {"client_seed": "a walk in the rain"}
    record_call("games.join", ada.post(f"games/{code}/join/", seed), seed)
    record_call("games.list", bob.get("games/?status=open&mode=singles"))
    guest = {"name": "cleo"}
    record_call("games.invite", ada.post(f"games/{code}/invite/", guest), guest)
    record_call("me.invitations", cleo.get("me/invitations/"))
    record_call("games.decline", cleo.post(f"games/{code}/decline/"))
    bob.post(f"games/{code}/join/", {"client_seed": "seven green apples"})
    record_call("games.leave", leave_new_game(ada, terms))
    record_call("games.cancel", cancel_new_game(ada, terms))
    game_view = record_call("games.view", ada.get(f"games/{code}/"))
    mover = ada if game_view["you"]["seat"] in game_view["to_act"] else bob
    record_call("games.legal", mover.get(f"games/{code}/actions/legal/"))
    move = {"action": "draw", "seq": 0}
    record_call("games.play", mover.play(code, "draw", 0, Idempotency_Key="draw-1"), move)
    record_call("me.turns", mover.get("me/turns/"))
    record_call("events", bob.get("events/?after=0"))
    note = {"text": "keep the D for later"}
    record_call("games.notes.write", put_json(ada, f"games/{code}/notes/", note), note)
    record_call("games.notes", ada.get(f"games/{code}/notes/"))
    words = {"text": "Good luck!"}
    record_call("games.chat.say", ada.post(f"games/{code}/chat/", words), words)
    record_call("games.chat", bob.get(f"games/{code}/chat/"))
    message = Message.objects.latest("pk")
    reason = {"reason": "not kind"}
    record_call("games.chat.report", bob.post(f"games/{code}/chat/{message.pk}/report/", reason), reason)
    record_call("games.log", bob.get(f"games/{code}/log/"))
    record_call("games.take", ada.post(f"games/{code}/take-seat/"))
    eight = {"eight_policy": "keep"}
    record_call("games.eight", ada.post(f"games/{code}/eight/", eight), eight)
    orders = {"draw": True}
    record_call("games.orders", patch_json(ada, f"games/{code}/orders/", orders), orders)
    muted = {"muted": True}
    record_call("games.mute", ada.post(f"games/{code}/mute/", muted), muted)
    until = {"until": format_instant(datetime.now(UTC) + timedelta(days=10))}
    record_call("games.pause.propose", ada.post(f"games/{code}/pause/", until), until)
    record_call("games.pause.view", bob.get(f"games/{code}/pause/"))
    record_call("games.pause.decline", bob.post(f"games/{code}/pause/decline/"))
    ada.post(f"games/{code}/pause/", until)
    record_call("games.pause.agree", bob.post(f"games/{code}/pause/agree/"))
    record_call("me.time", ada.get("me/time/"))
    away = {"until": format_instant(datetime.now(UTC) + timedelta(days=3))}
    record_call("me.vacation.plan", ada.post("me/vacation/", away), away)
    response = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    record_call("me.vacation.end", response)
    record_call("games.board.txt", bob.get(f"games/{code}/board.txt"))
    record_call("games.board.svg", bob.get(f"games/{code}/board.svg"))
    record_call("games.resign", bob.post(f"games/{code}/resign/"))
    record_call("games.record", ada.get(f"games/{code}/record/"))
    rematch = ada.post(f"games/{code}/rematch/").json()
    game_view = {"commitment": rematch["fairness"]["commitment"], "client_seed": "a seed of bob's"}
    record_call("games.rematch", bob.post(f"games/{code}/rematch/", game_view), game_view)
    with_bot = ada.post("games/", {"cards": False}).json()["id"]
    bot = {"policy": "planner"}
    record_call("games.bots", ada.post(f"games/{with_bot}/bots/", bot), bot)
    declare_bot("robo", about="Plays at random.")
    record_call("bots.list", bob.get("bots/"))
    challenge = {"cards": True, "clock": "3d"}
    record_call("bots.challenge", bob.post("bots/robo/challenge/", challenge), challenge)
    pairs = ada.post("games/", {"mode": "pairs"}).json()["id"]
    for api in (ada, bob):
        api.post(f"games/{pairs}/join/")
    partner = {"name": "bob"}
    record_call("games.partner", ada.post(f"games/{pairs}/partner/", partner), partner)
    return examples


def leave_new_game(api: Api, terms: Pair) -> Any:
    code = api.post("games/", terms).json()["id"]
    api.post(f"games/{code}/join/")
    return api.post(f"games/{code}/leave/")


def cancel_new_game(api: Api, terms: Pair) -> Any:
    code = api.post("games/", terms).json()["id"]
    return api.post(f"games/{code}/cancel/")


def patch_json(api: Api, path: str, data: Any) -> Any:
    return api.client.patch(
        f"/api/v1/{path}", json.dumps(data), content_type="application/json", headers=api.headers
    )


def put_json(api: Api, path: str, data: Any) -> Any:
    return api.client.put(
        f"/api/v1/{path}", json.dumps(data), content_type="application/json", headers=api.headers
    )


def test_what_really_happens_fits_the_document() -> None:
    real = record_morning()
    if os.environ.get("UPDATE_EXAMPLES"):
        examples = json.loads(FILE.read_text()) | real
        FILE.write_text(json.dumps(examples, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    schema = generate_schema()
    by_id = dict(list_operations())
    for name, pair in real.items():
        operation = by_id[name.replace(".", "_")]
        if "response" in pair and not isinstance(pair["response"], str):
            status = next(code for code in operation["responses"] if code.startswith("2"))
            shape = operation["responses"][status]["content"]["application/json"]["schema"]
            check_schema(pair["response"], shape, schema)
        if "request" in pair:
            check_schema(
                pair["request"], operation["requestBody"]["content"]["application/json"]["schema"], schema
            )


@pytest.mark.parametrize(("name", "operation"), list_operations())
def test_every_operation_has_an_example(name: str, operation: dict[str, Any]) -> None:
    dump = json.dumps(operation)
    if operation.get("requestBody"):
        assert '"examples"' in json.dumps(operation["requestBody"]), f"{name} has no example of a request"
    if any(status == "204" for status in operation["responses"]) or "image/png" in dump:
        return
    good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    assert '"examples"' in json.dumps(good), f"{name} has no example of an answer"


@pytest.mark.parametrize(("name", "operation"), list_operations())
def test_every_example_fits_what_it_is_an_example_of(name: str, operation: dict[str, Any]) -> None:
    schema = generate_schema()
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        for media in part.get("content", {}).values():
            for example in media.get("examples", {}).values():
                check_schema(example["value"], media["schema"], schema)
