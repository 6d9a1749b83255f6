"""PostgreSQL and Redis are stopped or killed and restarted; Redis loses its contents."""

from __future__ import annotations

import signal

import pytest
from redis import Redis

from tests.cluster.world import World
from tests.example_counts import pick_example_count
from tests.helpers.polling import STEP_TIMEOUT_SECONDS


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGQUIT], ids=["asked to end", "torn out"])
def test_postgresql_is_started_again(word: signal.Signals, world: World) -> None:
    world.seat(pick_example_count(1, 2), 1)
    with world.run_players():
        for _ in range(pick_example_count(1)):
            world.wait_for_moves(2)
            world.resent += 2  # a mail may be sent without being recorded
            store = world.cluster.stores["db"].process
            store.send_signal(word)  # SIGQUIT: immediate end, with recovery at the next start
            store.wait(STEP_TIMEOUT_SECONDS)
            for name in ("web1", "web2"):
                response = world.cluster.get_from_server(name, "/readyz")
                assert response.status_code == 503
                assert response.json()["database"] == "the database does not answer"
                assert world.cluster.get_from_server(name, "/healthz").status_code == 200
            world.cluster.start_store("db")
            world.wait_for_moves(2, *world.list_servers())
    world.check()
    world.cluster.wait_until_ready()


@pytest.mark.parametrize("kind", ["killed", "flushed"])
def test_redis_loses_all_that_it_held(kind: str, world: World) -> None:
    world.seat(pick_example_count(1, 2), 1)
    with world.run_players():
        for _ in range(pick_example_count(1)):
            world.wait_for_moves(2)
            if kind == "killed":
                store = world.cluster.stores["redis"].process
                store.kill()
                store.wait()
                # Games between people need no Redis.
                world.wait_for_moves(2, tables=[table for table in world.tables if len(table.tokens) > 1])
                world.cluster.start_store("redis")
            else:
                with Redis.from_url(world.cluster.build_environment("web1")["REDIS_URL"]) as client:
                    client.flushall()
            world.wait_for_moves(2, *world.list_servers())
    world.check()
    world.cluster.wait_until_ready()
