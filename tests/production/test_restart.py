"""The site is restarted part by part while people play, and none of them notices."""

from __future__ import annotations

import os
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import tokens
from docker.cluster import ROOT, Cluster
from games.models import Action, Game
from games.services import game_audit
from tests.example_counts import SOAK
from tests.services import is_port_open, require

PLAYERS = 6 if SOAK else 1
# One after the other, each while all others serve.
PARTS = (
    ("web2", "turns", "web1", "web2", "tournaments", "mail", "beat", "inbound") if SOAK else ("web2", "turns")
)
REST = 2.0  # seconds of play between two restarts; the proxy looks once a second for who is back
STOP_AFTER = 6  # seconds in which a server says that it will stop; this machine may be busy


class ClusterOnTestStores(Cluster):
    """With the database of these tests, which is migrated already."""

    def start_store(self, name: str) -> None:
        if name != "db":
            super().start_store(name)
            return
        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        self.database_url = url.geturl()

    def create_database(self) -> None:
        """It is there."""


def wait_for(done: Callable[[], object], message: str, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, message
        time.sleep(0.1)


def create_token(name: str) -> str:
    now = timezone.now()
    player = Player.objects.create_user(email=f"{name}@example.org", name=name, joined_at=now)
    return tokens.create_token(player=player, name="x", scopes=["read", "play"], now=now)[1]


class Person(threading.Thread):
    """Somebody who plays against a bot, game after game; whatever goes wrong is noted, nothing repeated."""

    def __init__(self, cluster: Cluster, token: str, number: int) -> None:
        super().__init__()
        verify = ssl.create_default_context(cafile=str(cluster.certificate_path))
        self.client = httpx.Client(
            base_url=f"{cluster.address}/api/v1/",
            verify=verify,
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        self.rng = random.Random(number)
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
    """Somebody who sends something every moment that is refused, but never lost."""

    def play_one(self) -> None:
        code = self.ask("POST", "games/", {"seats": 2})["id"]
        while not self.enough.is_set():
            answer = self.client.post(f"games/{code}/actions/", json={"action": "rubbish", "seq": 0})
            assert answer.status_code == 403, answer.text[:300]
            self.moves += 1
            time.sleep(0.04)


@pytest.fixture
def cluster(transactional_db: None, tmp_path: Path) -> Iterator[Cluster]:
    require("Redis")
    without = () if SOAK else ("mail", "inbound")
    more = {"PYTHONPATH": str(ROOT), "API_RATE": "1000000", "STOP_AFTER": str(STOP_AFTER)}
    more |= {"PAGE_RATE": "1000000", "PAGE_RATE_ANONYMOUS": "1000000"}
    with ClusterOnTestStores(tmp_path, without=without, extra_environment=more) as cluster:
        yield cluster
        for name in ("web1", "web2"):  # nobody is left who would have to be told that they will stop
            cluster.kill(name, keep_stopped=True)


def stop_during_move(cluster: Cluster, name: str) -> None:
    """A web server is stopped while a move is being written: it is, and its player hears of it."""
    headers = {
        "Authorization": f"Bearer {create_token('slow')}",
        "Host": "localhost",
        "X-Forwarded-Proto": "https",
    }
    address = f"http://127.0.0.1:{cluster.ports[name]}/api/v1/games/"
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
            wait_for(lambda: count_lock_waiters() > 0, "the move is being written")
            stopping.start()
            wait_for(lambda: not is_port_open(cluster.ports[name]), "nobody else is let in")
            assert not answers
            locked_connection.rollback()
        moving.join()
        stopping.join()
    assert answers[0].status_code == 201, answers[0].text
    assert Action.objects.filter(game__code=code).count() == 1


def count_lock_waiters() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        (count,) = cursor.fetchone()
    return int(count)


def test_nobody_notices_that_everything_is_restarted(cluster: Cluster) -> None:
    players = [Person(cluster, create_token(f"p{number}"), number) for number in range(PLAYERS)]
    people = [
        *players,
        *(Scribbler(cluster, create_token(f"s{number}"), number) for number in range(PLAYERS)),
    ]
    for player in people:
        player.start()
    try:
        wait_for(
            lambda: all(player.moves for player in people),
            f"they play: {[player.wrong for player in people]}",
        )
        stop_during_move(cluster, "web1")
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
                f"they play on: {[player.wrong for player in people]}",
            )
    finally:
        for player in people:
            player.enough.set()
        for player in people:
            player.join()
    assert [wrong for player in people for wrong in player.wrong] == []
    moved = Action.objects.filter(by="player", game__seats__player__name__startswith="p").count()
    assert moved == sum(player.moves for player in players), "each once, and none is lost"
    wait_for(lambda: not Game.objects.filter(bot_to_act=True).exists(), "no task is lost with its worker")
    assert not any(game_audit.audit_games())


def test_who_is_about_to_stop_says_so(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.STOPPING_FILE = str(tmp_path / "stopping")
    assert client.get("/healthz").status_code == 200
    (tmp_path / "stopping").touch()
    assert client.get("/healthz").status_code == 503
