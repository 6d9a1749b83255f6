"""The same request at the same moment: done once, and both get the one answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.models import IdempotentResponse
from tests.games.cast import Api
from tournaments.models import Event

from .test_races import again_and_again, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@again_and_again
def test_one_tournament_is_made_of_two_requests_with_one_key(run: int) -> None:
    headers = {**Api("ada", scopes=("read", "play", "organise")).headers, "Idempotency-Key": f"cup {run}"}
    body = json.dumps({"name": "The cup", "format": "swiss"})

    def send() -> Any:
        return Client().post("/api/v1/tournaments/", body, "application/json", headers=headers)

    answers = at_once(*[send] * 4)
    assert [one.status_code for one in answers] == [201] * 4
    assert len({one.content for one in answers}) == 1
    assert Event.objects.count() == 1
    assert IdempotentResponse.objects.count() == 1
