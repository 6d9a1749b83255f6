"""A machine loses its network without closed connections: the others go on, and it recovers with the line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.cluster.world import World
from tests.example_counts import pick_example_count

from .network_line import Line

# Shorter timeouts than in production, so that tests need not wait.
QUICK_TIMEOUT_OPTIONS = (
    "connect_timeout=2&keepalives_idle=1&keepalives_interval=1&keepalives_count=2&tcp_user_timeout=3000"
)

FAR = {"far web": "web2", "far turns": "turns"}


@pytest.fixture
def line(world: World) -> Iterator[Line]:
    """Start a web server and a worker on another machine, which reaches database and Redis over the line."""
    line, cluster = Line(), world.cluster
    try:
        database = line.to(f"{cluster.folder}/pg/.s.PGSQL.5432")
        redis = line.to(("127.0.0.1", cluster.ports["redis"]))
        far = {
            "DATABASE_URL": f"postgres://postgres@{line.local_address}:{database}/otto?{QUICK_TIMEOUT_OPTIONS}",
            "REDIS_URL": f"redis://{line.local_address}:{redis}/0",
            "GRANIAN_HOST": line.remote_address,
        }
        for name, like in FAR.items():
            cluster.add(name, like, far, line.before)
        cluster.wait_until_ready("far web")
        world.list_servers = lambda: [cluster.web_address("web1"), cluster.web_address("far web")]
        yield line
    finally:
        for name in FAR.keys() & cluster.running.keys():
            cluster.remove(name)
        line.remove()


def test_a_machine_that_is_cut_off_and_comes_back_loses_nothing(world: World, line: Line) -> None:
    """With network namespaces if possible, else with a relay that stops reading (see network_line.py)."""
    world.seat(2, 1)
    for table in world.tables:
        table.timeout = 1.5
    with world.run_players():
        for _ in range(pick_example_count(1)):
            world.wait_for_moves(2, *world.list_servers())
            line.cut()
            world.wait_for_moves(2, world.cluster.web_address("web1"))
            line.restore()
            world.wait_for_moves(2, *world.list_servers())
    world.check()


@pytest.mark.django_db
def test_what_was_locked_over_a_line_that_is_dead_is_free_in_a_minute() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("1min",)
