"""The asynchronous client over a live server: whole games, lists, streams, and a network that fails."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import httpx
import pytest
from django.utils import timezone

from clients.python.otto_client import (
    AsyncClient,
    Client,
    Conflict,
    NotFound,
    ServerError,
    Throttled,
    Unreachable,
)
from games.engine import record
from games.models import Game
from games.services import sweep
from tests.helpers.streams import create_bearer

WHOLE_GAME_SECONDS = 90.0


@pytest.fixture
def site(stream_server: str, transactional_db: None) -> str:
    return stream_server


def read_token(name: str) -> str:
    return create_bearer(name)["Authorization"].removeprefix("Bearer ")


async def play_on(otto: AsyncClient, game: str, rng: random.Random) -> None:
    """Play any legal action whenever it is this player's turn, until the game is over."""
    async for event in otto.games.stream(game):
        if event["event"] == "game":
            legal = await otto.games.legal(game)
            if legal["actions"]:
                try:
                    await otto.games.play(game, rng.choice(legal["actions"]), legal["seq"])
                except Conflict:
                    continue  # the game has changed: the next event reports it


async def sweep_level_games(task: asyncio.Task[None]) -> None:
    """Start the blind match of a level game, as a worker would."""
    while not task.done():
        await asyncio.sleep(0.2)
        await asyncio.to_thread(sweep_once)


def sweep_once() -> None:
    from django.db import connection

    try:
        if Game.objects.filter(status="tiebreak").exists():
            sweep.sweep_games(now=timezone.now())
    finally:
        connection.close()


def test_two_players_in_one_loop_play_a_game_to_its_end(site: str) -> None:
    async def play_game() -> str:
        rng = random.Random("async")
        async with AsyncClient(site, ada_token) as ada, AsyncClient(site, bob_token) as bob:
            game = (await ada.games.create(seats=2, target=4))["id"]
            await ada.games.join(game)
            await ada.games.invite(game, name="bob")
            assert [invitation["game"] for invitation in await bob.me.invitations()] == [game]
            await bob.games.join(game)

            async def play_both() -> None:
                await asyncio.gather(play_on(ada, game, rng), play_on(bob, game, rng))

            task = asyncio.create_task(play_both())
            await asyncio.wait_for(asyncio.gather(task, sweep_level_games(task)), WHOLE_GAME_SECONDS)
            end = await ada.games.view(game)
            assert end == await ada.games.view(game)  # from the cache: the server answers 304
            assert end["status"] == "over"
            assert [line["seq"] async for line in bob.games.log(game)] == list(range(1, end["seq"] + 1))
            assert [row["id"] async for row in ada.games.find(own=True)] == [game]
            verdict = record.verify_record(await ada.games.record(game))
            assert verdict.is_ok, verdict.text
            kinds = []
            # Entries wait for older transactions on the same database server, also those of other tests.
            async for entry in ada.events.follow(every=0.01, quiet=WHOLE_GAME_SECONDS):
                kinds.append(entry["kind"])
                if kinds[-1] == "over":
                    break
            assert kinds[-1] == "over"
            entries = ada.events.stream(after=0)
            assert (await anext(entries))["kind"] == kinds[0]
            await entries.aclose()  # type: ignore[attr-defined]
        return game

    ada_token, bob_token = read_token("ada"), read_token("bob")
    asyncio.run(play_game())


def test_refusals_and_retries_are_those_of_the_other_client(site: str) -> None:
    async def ask(otto: AsyncClient, call: Callable[[], Awaitable[object]]) -> object:
        async with otto:
            return await call()

    anonymous = AsyncClient(site)
    with pytest.raises(NotFound):
        asyncio.run(ask(anonymous, lambda: anonymous.games.view("nosuchgame")))
    wait_seconds: list[float] = []

    async def note_wait(seconds: float) -> None:
        wait_seconds.append(seconds)

    def build_client(answer: httpx.Response, max_wait: float = 90.0) -> AsyncClient:
        transport = httpx.MockTransport(lambda request: answer)
        return AsyncClient("http://otto.invalid", transport=transport, sleep=note_wait, max_wait=max_wait)

    busy = build_client(httpx.Response(429, headers={"Retry-After": "7"}, json={"code": "throttled"}))
    with pytest.raises(Throttled):
        asyncio.run(ask(busy, lambda: busy.me.turns()))
    assert wait_seconds == [7, 7, 7, 7]
    wait_seconds.clear()
    broken = build_client(httpx.Response(502, text="<h1>Bad gateway</h1>"))
    with pytest.raises(ServerError):
        asyncio.run(ask(broken, lambda: broken.games.play("k3", "draw", 0)))
    assert len(wait_seconds) == 4
    wait_seconds.clear()
    undone = build_client(httpx.Response(502))
    with pytest.raises(ServerError):
        asyncio.run(ask(undone, lambda: undone.games.decline("k3")))
    assert len(wait_seconds) == 4, "every POST has a key"


def test_a_date_in_retry_after_is_understood() -> None:
    wait_seconds: list[float] = []

    async def note_wait(seconds: float) -> None:
        wait_seconds.append(seconds)

    headers = {"Retry-After": "Wed, 18 Nov 2026 12:00:09 GMT", "Date": "Wed, 18 Nov 2026 12:00:00 GMT"}
    transport = httpx.MockTransport(lambda request: httpx.Response(503, headers=headers))

    async def ask() -> None:
        async with AsyncClient(
            "http://otto.invalid", transport=transport, sleep=note_wait, max_attempts=2
        ) as otto:
            await otto.me.turns()

    with pytest.raises(ServerError):
        asyncio.run(ask())
    assert wait_seconds == [9.0]


def test_a_stream_that_nobody_answers_is_given_up() -> None:
    wait_seconds: list[float] = []

    async def note_wait(seconds: float) -> None:
        wait_seconds.append(seconds)

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody listens")

    async def follow() -> None:
        transport = httpx.MockTransport(refuse)
        async with AsyncClient(
            "http://otto.invalid", transport=transport, sleep=note_wait, max_attempts=3
        ) as otto:
            async for _ in otto.stream_game("k3"):
                pass

    with pytest.raises(Unreachable):
        asyncio.run(follow())
    assert len(wait_seconds) == 2


def test_a_stream_waits_as_long_as_the_server_asks_but_not_for_hours() -> None:
    def build_client(*answers: httpx.Response) -> tuple[Client, list[float]]:
        wait_seconds: list[float] = []
        queue = list(answers)
        transport = httpx.MockTransport(lambda request: queue.pop(0) if len(queue) > 1 else queue[0])
        return Client("http://otto.invalid", transport=transport, sleep=wait_seconds.append), wait_seconds

    def refuse(retry_after: str) -> httpx.Response:
        headers = {"Retry-After": retry_after}
        return httpx.Response(429, headers=headers, json={"code": "too-many-streams"})

    end = httpx.Response(200, text='{"event": "end", "id": null, "data": {"reason": "over"}}\n')
    otto, wait_seconds = build_client(refuse("7"), end)
    assert [event["event"] for event in otto.stream_game("k3")] == ["end"]
    assert wait_seconds == [7]
    otto, wait_seconds = build_client(refuse("7200"))
    with pytest.raises(Throttled):
        next(otto.stream_game("k3"))
    assert wait_seconds == []
