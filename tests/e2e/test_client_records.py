"""The client library reads lists of records to their end, even if the connection breaks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "clients" / "python"))

from otto_client import Client, NotFound, Unreachable

from accounts.services import tokens
from games.api import game_records
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.events import create_started_tournament
from tests.helpers.game_records import create_finished_game
from tests.services import require
from tournaments.models import Pairing

pytestmark = pytest.mark.django_db(transaction=True)


class CutStream(httpx.SyncByteStream):
    """A response body that breaks off after so many bytes."""

    def __init__(self, body: Any, byte_count: int) -> None:
        self.body, self.byte_count = body, byte_count

    def __iter__(self) -> Iterator[bytes]:
        for part in self.body:
            yield part[: self.byte_count]
            self.byte_count -= len(part)
            if self.byte_count <= 0:
                raise httpx.ReadError("the line went dead")

    def close(self) -> None:
        self.body.close()


class CuttingTransport(httpx.BaseTransport):
    """A transport on which the first responses break off."""

    def __init__(self, byte_counts: list[int]) -> None:
        self.real, self.byte_counts, self.queries = httpx.HTTPTransport(), byte_counts, list[str]()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.queries.append(request.url.query.decode())
        answer = self.real.handle_request(request)
        if self.byte_counts:
            answer.stream = CutStream(answer.stream, self.byte_counts.pop(0))
        return answer


@pytest.fixture
def site(live_server: Any) -> str:
    require("PostgreSQL")
    return str(live_server.url)


def test_records_are_read_page_after_page_and_resumed(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [create_finished_game().code for _ in range(5)]
    _, token = tokens.create_token(player=player("ada"), name="client", scopes=("read",), now=NOW)
    with Client(site, token) as ada:
        records = list(ada.me.game_records(finished=True))
    assert [record["game"] for record in records] == codes
    line_bytes = httpx.get(f"{site}/api/v1/players/ada/games/records/?limit=1").content
    network, delays = CuttingTransport([len(line_bytes) * 5 // 2, 10]), list[float]()
    with Client(site, token, transport=network, sleep=delays.append) as ada:
        assert list(ada.me.game_records()) == records, "none is missing, none doubled"
    assert network.queries == ["", f"after={codes[1]}", f"after={codes[1]}"]
    assert len(delays) == 2
    with (
        Client(site, token, transport=CuttingTransport([0] * 9), sleep=delays.append) as ada,
        pytest.raises(Unreachable),
    ):
        list(ada.me.game_records())

    monkeypatch.setitem(game_records.GameRecordsQuerySerializer._declared_fields, "limit", LIMIT_OF_TWO)
    network = CuttingTransport([])
    with Client(site, token, transport=network) as ada:
        assert [record["game"] for record in ada.me.game_records(after=codes[0])] == codes[1:]
    assert network.queries == [f"after={codes[0]}", f"after={codes[2]}"]


LIMIT_OF_TWO = game_records.serializers.IntegerField(required=False, default=2)


def test_every_list_has_its_method(site: str) -> None:
    game = create_finished_game(now=NOW + timedelta(days=1))
    running = start_cast_game("ada", "bob")
    tournament = create_started_tournament("swiss", 2)
    with Client(site) as client:
        assert [record["game"] for record in client.players.game_records("ada", mode="singles")] == [
            game.code,
            running.code,
        ]
        later = NOW + timedelta(hours=1)
        assert [record["game"] for record in client.players.game_records("ada", since=later)] == [game.code]
        [record] = client.tournaments.game_records(tournament.code)
        assert record["game"] == Pairing.objects.get(tournament=tournament).game.code
        with pytest.raises(NotFound):
            list(client.leagues.game_records("nothing"))
