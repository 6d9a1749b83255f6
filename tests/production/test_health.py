"""What whoever watches the site is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from games.models import Delivery, Game, Player, Tally
from games.services import tallies
from games.tasks import turns_sweep
from otto_site import health
from tests.games.cast import game_of

pytestmark = pytest.mark.django_db


def figures(client: Client, **headers: str) -> dict[str, float]:
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
    told = client.get("/readyz")
    assert told.status_code == 503
    assert told.json()["sweep"] == "no sweep has run yet"
    turns_sweep()
    told = client.get("/readyz")
    assert told.status_code == 200
    assert told.json() | {"sweep_age": 0} == {
        "ready": True,
        "database": "ok",
        "broker": "ok",
        "clock": "ok",
        "sweep": "ok",
        "sweep_age": 0,
    }
    Tally.objects.filter(pk=health.SWEEP).update(at=timezone.now() - timedelta(minutes=2))
    told = client.get("/readyz")
    assert told.status_code == 503
    assert "the last sweep was 1" in told.json()["sweep"]


def test_a_machine_whose_clock_is_wrong_is_not_ready_and_does_nothing(
    client: Client, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns_sweep()
    swept = Tally.objects.get(pk=health.SWEEP).count
    wrong = timezone.now() - timedelta(minutes=2)
    monkeypatch.setattr(timezone, "now", lambda: wrong)
    told = client.get("/readyz")
    assert told.status_code == 503
    assert "the database's differ by 0:02:0" in told.json()["clock"]
    turns_sweep()
    assert Tally.objects.get(pk=health.SWEEP).count == swept


def test_without_a_broker_it_is_not_ready(client: Client, settings) -> None:
    turns_sweep()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    told = client.get("/readyz")
    assert told.status_code == 503
    assert told.json()["broker"] == "Redis does not answer"


def test_the_figures_say_what_was_done_and_what_waits(client: Client, redis: Redis) -> None:
    before = figures(client)
    game = game_of("ada", "bob")
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(due_at=now - timedelta(minutes=5))
    ada = Player.objects.get(name="ada")
    Delivery.objects.create(
        player=ada, kind="test", reason="x", made_at=now, due_at=now - timedelta(seconds=90)
    )
    tallies.add(name="turns.sweep:autoplay", now=now, count=3)
    tallies.add(name="turns.sweep:resigned", now=now)
    tallies.add(name="mail:sent", now=now, count=2)
    tallies.add(name="turns.sweep", now=now, seconds=0.5)
    redis.lpush("mail", "one", "two")
    after = figures(client)
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
        figures(client)
    for _ in range(3):
        game_of("ada", "bob")
    with CaptureQueriesContext(connection) as many:
        figures(client)
    assert len(many) == len(few) <= 6


def test_figures_are_for_the_inside_or_for_who_knows_the_token(client: Client, settings) -> None:
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 404
    settings.METRICS_TOKEN = "a-token-of-the-operator"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 404
    assert figures(client, Authorization="Bearer a-token-of-the-operator")


def test_a_sweep_is_counted_with_what_it_did() -> None:
    turns_sweep()
    turns_sweep()
    told = Tally.objects.get(pk="turns.sweep")
    assert told.count == 2
    assert told.seconds > 0
