"""The site is restarted part by part while people play, and none of them notices."""

from __future__ import annotations

import json
import os
import random
import shutil
import ssl
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import psycopg
import pytest

from docker.cluster import ROOT, Cluster
from tests.effort import SOAK
from tests.services import cannot_be_had, require

PLAYERS = 6 if SOAK else 3
# In this order, each while all others serve; beat and inbound mail stop as Celery and Python do.
PARTS = ("web1", "web2", "turns", "mail", "beat", "inbound") if SOAK else ("web1", "web2", "turns")
REST = 2.0 if SOAK else 0.5  # seconds of play between two restarts
CAST = """
import json
from django.utils import timezone
from games.models import Player
from games.services import tokens
now, made = timezone.now(), []
for number in range({players}):
    player = Player.objects.create_user(email=f"r{{number}}@example.org", name=f"r{{number}}", joined_at=now)
    made.append(tokens.create(player=player, name="x", scopes=["read", "play"], now=now)[1])
print(json.dumps(made))
"""


def manage(cluster: Cluster, *words: str) -> str:
    """A command beside the site."""
    around = cluster.surroundings("web1") | cluster.environment("web1")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", *words],
        cwd=ROOT,
        env=around,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Person(threading.Thread):
    """Somebody who plays against a bot, game after game; whatever goes wrong is noted, nothing repeated."""

    def __init__(self, cluster: Cluster, token: str, number: int) -> None:
        super().__init__()
        verify = ssl.create_default_context(cafile=str(cluster.certificate))
        self.client = httpx.Client(
            base_url=f"{cluster.address}/api/v1/",
            verify=verify,
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        self.dice = random.Random(number)
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
                time.sleep(0.05)
                continue
            legal = self.ask("GET", f"games/{code}/actions/legal/")
            action = self.dice.choice(legal)
            self.ask("POST", f"games/{code}/actions/", {"action": action, "seq": game["seq"]})
            self.moves += 1


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    require("PostgreSQL")
    if not (os.environ.get("CADDY") or shutil.which("caddy")):
        cannot_be_had("caddy", "it is not on the PATH")
    without = () if SOAK else ("mail", "inbound")
    more = {"PYTHONPATH": str(ROOT), "API_RATE": "1000000"}
    made = Cluster(tmp_path_factory.mktemp("restarted"), without=without, more=more)
    with warnings.catch_warnings(), ExitStack() as stack:
        warnings.simplefilter("ignore")  # of the wheel that PostgreSQL comes from
        stack.enter_context(made)
        yield made


def test_nobody_notices_that_everything_is_restarted(cluster: Cluster) -> None:
    tokens = json.loads(manage(cluster, "shell", "--no-imports", "-c", CAST.format(players=PLAYERS)))
    people = [Person(cluster, token, number) for number, token in enumerate(tokens)]
    for one in people:
        one.start()
    try:
        for part in PARTS:
            time.sleep(REST)
            cluster.stop(part)
            cluster.start(part)
            cluster.wait_ready()
        time.sleep(REST)
    finally:
        for one in people:
            one.enough.set()
        for one in people:
            one.join()
    print([one.moves for one in people])
    assert [one.wrong for one in people] == [[]] * PLAYERS
    assert all(one.moves > 3 for one in people)
    with psycopg.connect(cluster.database_url) as database:
        (moved,) = database.execute("SELECT count(*) FROM games_action WHERE by = 'player'").fetchone() or ()
        assert moved == sum(one.moves for one in people), "each once, and none is lost"
    assert ", 0 differ" in manage(cluster, "audit_games")
