"""Rolling restart: services restart one by one while people play, and no request fails."""

from __future__ import annotations

import random
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import psycopg
from django.test import Client

from tests.cluster.world import HEADERS, World
from tests.example_counts import SOAK
from tests.helpers.polling import wait_for
from tests.services import is_port_open

PLAYERS = 6 if SOAK else 1
# Restarted one after the other, while all others serve.
PARTS = (
    ("web2", "turns", "web1", "web2", "tournaments", "mail", "beat", "inbound") if SOAK else ("web2", "turns")
)
REST = 2.0  # seconds of play between two restarts; the proxy checks every second which servers are back


def create_token(world: World) -> str:
    """Create a player, and return a token."""
    return str(world.clerk("create_token", name=uuid.uuid4().hex[:12]))


class Person(threading.Thread):
    """A client that plays against a bot, game after game; it records errors and repeats no request."""

    def __init__(self, world: World, number: int) -> None:
        super().__init__()
        self.client = httpx.Client(
            base_url=f"{world.cluster.address}/api/v1/",
            verify=world.verify,
            headers={"Authorization": f"Bearer {create_token(world)}"},
            timeout=60,
        )
        self.rng = random.Random(number)
        self.codes: list[str] = []
        self.enough = threading.Event()
        self.moves = 0
        self.wrong: list[str] = []

    def run(self) -> None:
        try:
            while not self.enough.is_set():
                self.play_one()
        except Exception as error:
            self.wrong.append(repr(error))
        finally:
            self.client.close()

    def ask(self, method: str, path: str, data: Any = None) -> Any:
        answer = self.client.request(method, path, json=data)
        if answer.status_code >= 400:
            raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()

    def play_one(self) -> None:
        code = self.ask("POST", "games/", {"seats": 2, "cards": False, "private": True})["id"]
        self.codes.append(code)
        self.ask("POST", f"games/{code}/join/", {})
        self.ask("POST", f"games/{code}/bots/", {"policy": "greedy"})
        while not self.enough.is_set():
            game = self.ask("GET", f"games/{code}/")
            if game["status"] == "over":
                return
            if game["you"]["seat"] not in game["to_act"]:
                time.sleep(0.2)
                continue
            legal = self.ask("GET", f"games/{code}/actions/legal/")
            action = self.rng.choice(legal)
            self.ask("POST", f"games/{code}/actions/", {"action": action, "seq": game["seq"]})
            self.moves += 1


class Scribbler(Person):
    """A client that sends refused actions without pause; no request may be lost."""

    def play_one(self) -> None:
        code = self.ask("POST", "games/", {"seats": 2})["id"]
        while not self.enough.is_set():
            answer = self.client.post(f"games/{code}/actions/", json={"action": "rubbish", "seq": 0})
            assert answer.status_code == 403, answer.text[:300]
            self.moves += 1
            time.sleep(0.04)


def stop_during_move(world: World, name: str) -> None:
    """Stop a web server while a move waits for a lock: the move is written and the client answered."""
    cluster = world.cluster
    headers = HEADERS | {"Authorization": f"Bearer {create_token(world)}"}
    address = f"{cluster.web_address(name)}/api/v1/games/"
    answers: list[httpx.Response] = []
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        code = client.post("", json={"seats": 1, "mode": "solo"}).json()["id"]
        client.post(f"{code}/join/", json={})
        action = client.get(f"{code}/actions/legal/").json()[0]

        def post_move() -> None:
            answers.append(client.post(f"{code}/actions/", json={"action": action, "seq": 0}))

        moving = threading.Thread(target=post_move)
        stopping = threading.Thread(target=cluster.stop, args=(name,))
        with psycopg.connect(cluster.database_url) as locked_connection:
            locked_connection.execute("SELECT 1 FROM games_game WHERE code = %s FOR UPDATE", [code])
            moving.start()
            wait_for(lambda: count_lock_waiters(cluster.database_url) > 0, "the move is not being written")
            stopping.start()
            wait_for(lambda: not is_port_open(cluster.ports[name]), "others are still let in")
            assert not answers
            locked_connection.rollback()
        moving.join()
        stopping.join()
    assert answers[0].status_code == 201, answers[0].text
    assert len(world.clerk("list_log", code=code)) == 1


def count_lock_waiters(database_url: str) -> int:
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        (count,) = row.fetchone() or (0,)
    return int(count)


def test_nobody_notices_that_everything_is_restarted(proxied_world: World) -> None:
    world, cluster = proxied_world, proxied_world.cluster
    players = [Person(world, number) for number in range(PLAYERS)]
    people = [*players, *(Scribbler(world, number) for number in range(PLAYERS))]
    for player in people:
        player.start()
    try:
        wait_for(
            lambda: all(player.moves for player in people),
            lambda: f"nobody plays: {[player.wrong for player in people]}",
        )
        stop_during_move(world, "web1")
        cluster.start("web1")
        cluster.wait_until_ready()
        for part in PARTS:
            time.sleep(REST)
            before = [player.moves for player in people]
            cluster.stop(part)
            cluster.start(part)
            cluster.wait_until_ready()
            wait_for(
                lambda before=before: all(
                    player_row.moves > had for player_row, had in zip(people, before, strict=True)
                ),
                lambda: f"they do not play on: {[player.wrong for player in people]}",
            )
    finally:
        for player in people:
            player.enough.set()
        for player in people:
            player.join()
    assert [wrong for player in people for wrong in player.wrong] == []
    for player in players:
        log = [line for code in player.codes for line in world.clerk("list_log", code=code)]
        moved = sum(by == "player" for _seq, _seat, _action, by in log)
        assert moved == player.moves, "each once, and none is lost"
    codes = [code for player in players for code in player.codes]
    wait_for(lambda: not world.clerk("list_waiting_bots", codes=codes), "a task was lost with its worker")
    assert world.clerk("list_audit_findings") == []


def test_who_is_about_to_stop_says_so(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.STOPPING_FILE = str(tmp_path / "stopping")
    assert client.get("/healthz").status_code == 200
    (tmp_path / "stopping").touch()
    assert client.get("/healthz").status_code == 503
