"""Health checks and metrics for monitoring."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from redis import Redis

from accounts.models import Player
from common import counters
from common.models import MetricCounter
from games.health import SWEEP_TASK
from games.models import Game
from games.tasks import sweep_due_games
from notifications.models import Delivery
from otto_site import health
from tests.factories.cast import start_cast_game
from tests.proxy import start_proxy

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


def read_metrics(client: Client, **headers: str) -> dict[str, float]:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_a_process_that_answers_is_healthy_and_asks_nobody(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content, len(queries)) == (200, b"ok\n", 0)
    assert "no-store" in answer["Cache-Control"]


def test_ready_is_who_has_database_broker_and_a_sweep_of_late(client: Client, redis: Redis) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["sweep"] == "no sweep has run yet"
    sweep_due_games()
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() | {"sweep_age": 0} == {
        "ready": True,
        "database": "ok",
        "broker": "ok",
        "clock": "ok",
        "sweep": "ok",
        "sweep_age": 0,
    }
    MetricCounter.objects.filter(pk=SWEEP_TASK).update(updated_at=timezone.now() - timedelta(minutes=2))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "the last sweep was 1" in response.json()["sweep"]


def test_a_machine_whose_clock_is_wrong_is_not_ready_and_does_nothing(
    client: Client, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep_due_games()
    swept = MetricCounter.objects.get(pk=SWEEP_TASK).count
    wrong = timezone.now() - timedelta(minutes=2)
    monkeypatch.setattr(timezone, "now", lambda: wrong)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "the database's differ by 0:02:0" in response.json()["clock"]
    sweep_due_games()
    assert MetricCounter.objects.get(pk=SWEEP_TASK).count == swept


def test_without_a_broker_it_is_not_ready(client: Client, settings) -> None:
    sweep_due_games()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["broker"] == (
        "Redis does not answer; people can play, but bots, clocks, mails and tournaments wait until it does"
    )


def test_the_figures_say_what_was_done_and_what_waits(client: Client, redis: Redis) -> None:
    before = read_metrics(client)
    game = start_cast_game("ada", "bob")
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(next_sweep_at=now - timedelta(minutes=5))
    ada = Player.objects.get(name="ada")
    Delivery.objects.create(
        player=ada, kind="test", dedup_key="x", created_at=now, next_attempt_at=now - timedelta(seconds=90)
    )
    counters.increment_counter(name="turns.sweep:autoplay", now=now, count=3)
    counters.increment_counter(name="turns.sweep:resigned", now=now)
    counters.increment_counter(name="mail:sent", now=now, count=2)
    counters.increment_counter(name="turns.sweep", now=now, seconds=0.5)
    redis.lpush("mail", "one", "two")
    after = read_metrics(client)
    assert after["otto_timeouts_total"] == before["otto_timeouts_total"] + 4
    assert after['otto_deliveries_total{by="mail",result="sent"}'] == 2
    assert after['otto_sweep_seconds_total{task="turns.sweep"}'] == 0.5
    assert after['otto_sweep_runs_total{task="turns.sweep"}'] == 1
    assert after["otto_deadlines_overdue"] == 1
    assert 299 < after["otto_deadlines_overdue_seconds"] < 330
    assert after["otto_outbox_waiting"] >= 1
    assert 89 < after["otto_outbox_age_seconds"] < 120
    assert after['otto_queue_length{queue="mail"}'] == 2
    assert after["otto_incident_open"] == 0


def test_asking_for_the_figures_costs_the_same_however_many_games_there_are(client: Client) -> None:
    with CaptureQueriesContext(connection) as few:
        read_metrics(client)
    for _ in range(3):
        start_cast_game("ada", "bob")
    with CaptureQueriesContext(connection) as many:
        read_metrics(client)
    assert len(many) == len(few) <= 6


def test_figures_are_for_the_inside_or_for_who_knows_the_token(client: Client, settings) -> None:
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 404
    settings.METRICS_TOKEN = "a-token-of-the-operator"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 404
    assert read_metrics(client, Authorization="Bearer a-token-of-the-operator")


def test_who_watches_calls_a_server_by_its_own_name_and_nobody_else_does(
    client: Client, redis: Redis, settings
) -> None:
    settings.ALLOWED_HOSTS = ["otto.example.org"]
    sweep_due_games()
    for path in health.HEALTH_PATHS:
        assert client.get(path, headers={"Host": "otto.example.org"}).status_code == 200
    for host in ("web1:8000", "otto_web_1:8000", "127.0.0.1:8000", "[fd00::7]:8000", ""):
        for path in health.HEALTH_PATHS:
            answer = client.get(path, headers={"Host": host})
            assert answer.status_code == 200, (path, host)
            assert answer["X-Content-Type-Options"] == "nosniff"
        for path in ("/", "/api/v1/games/", "/healthz/", "/metrics/x"):
            assert client.get(path, headers={"Host": host}).status_code == 400, (path, host)
    assert client.post("/metrics", headers={"Host": "web1:8000"}).status_code == 405


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "evil.example.", "otto.example.org.evil.example"),
        *("127.0.0.1.evil.example", "127.0.0.1@evil.example", "[::1].evil.example", "no host at all", "a/b"),
    ],
)
def test_no_strangers_name_that_leads_here_gets_anything(client: Client, settings, host: str) -> None:
    """A browser sends such a host after DNS rebinding."""
    settings.ALLOWED_HOSTS = ["otto.example.org"]
    for path in (*health.HEALTH_PATHS, "/", "/api/v1/games/", "/mailbox/"):
        assert client.get(path, headers={"Host": host}).status_code == 400, path


def test_who_watches_is_answered_without_https_and_everybody_else_sent_there(
    client: Client, redis: Redis, settings
) -> None:
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["otto.example.org"], True
    settings.SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    assert client.get("/metrics", headers={"Host": "web1:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "otto.example.org"}).status_code == 301


def test_a_container_asks_its_own_server_how_it_is(live_server: LiveServer) -> None:
    port = live_server.url.rpartition(":")[2]
    script = [sys.executable, str(ROOT / "docker" / "health.py")]
    done = subprocess.run(script, env={"GRANIAN_PORT": port}, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run(script, env={"GRANIAN_PORT": "1"}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "127.0.0.1:1/healthz" in done.stderr


@pytest.mark.parametrize("token", ["", "a-token-of-the-operator"])
def test_through_the_proxy_come_the_figures_for_who_has_the_token_and_nothing_else(
    live_server: LiveServer, settings, tmp_path: Path, token: str
) -> None:
    settings.METRICS_TOKEN = token
    web = int(live_server.url.rpartition(":")[2])
    right = {"Authorization": "Bearer a-token-of-the-operator"}
    with start_proxy(web, folder=tmp_path) as port:
        site = f"http://localhost:{port}"
        for path in ("/healthz", "/readyz"):
            assert httpx.get(site + path, headers=right).status_code == 404
        assert httpx.get(f"{site}/metrics").status_code == 404
        assert httpx.get(f"{site}/metrics", headers={"Authorization": "Bearer x"}).status_code == 404
        response = httpx.get(f"{site}/metrics", headers=right)
        assert response.status_code == (200 if token else 404)
        assert ("otto_moves_total" in response.text) == bool(token)


def test_a_sweep_is_counted_with_what_it_did() -> None:
    sweep_due_games()
    sweep_due_games()
    counter = MetricCounter.objects.get(pk="turns.sweep")
    assert counter.count == 2
    assert counter.seconds > 0
