"""Two identical requests at once: one is carried out, and both get its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import IdempotentResponse
from tests.factories.cast import Api
from tests.helpers.races import again_and_again, run_at_once
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@again_and_again
def test_one_tournament_is_made_of_two_requests_with_one_key(run: int) -> None:
    headers = {**Api("ada", scopes=("read", "play", "organise")).headers, "Idempotency-Key": f"cup {run}"}
    body = json.dumps({"name": "The cup", "format": "swiss"})

    def send() -> Any:
        return Client().post("/api/v1/tournaments/", body, "application/json", headers=headers)

    answers = run_at_once(*[send] * 4)
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.content for answer in answers}) == 1
    assert Tournament.objects.count() == 1
    assert IdempotentResponse.objects.count() == 1


def test_workers_are_woken_behind_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker woken before the commit finds nothing to do, and the bot acts only at the next sweep."""
    woken: list[bool] = []
    monkeypatch.setattr(
        "otto_site.celery.app.send_task", lambda *args, **more: woken.append(connection.in_atomic_block)
    )
    api = Api("ada")
    for number in range(12):  # until a bot is the first to act
        code = api.post("games/", {"seats": 2}).json()["id"]
        api.post(f"games/{code}/join/")
        answer = api.post(f"games/{code}/bots/", {"policy": "random"}, Idempotency_Key=f"key {number}")
        assert answer.status_code < 300, answer.content
        if woken:
            break
    assert woken == [False]
