"""The world that the tests of every page share: it takes seconds to build."""

from __future__ import annotations

import os
from pathlib import Path

from django.db import connection
from pytest_django import DjangoDbBlocker
from redis import Redis

from tests import database
from tests.helpers.polling import wait_for

from .world import World, build_world


def wait_until_database_is_idle() -> None:
    """Wait until no other connection is active: emptying the database beside one may deadlock."""

    def is_idle() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            return not cursor.fetchone()[0]

    wait_for(is_idle, "somebody is busy in the database, long after the last test", 20)


class SharedWorld:
    """The shared world of this worker, which no test changes.

    tests/conftest.py runs the tests that use it in a row. It is built for the first of them, and the database
    is emptied before a test that does not use it.
    """

    def __init__(self) -> None:
        self.world: World | None = None
        self.blocker: DjangoDbBlocker | None = None

    def get(self, mails: Path, blocker: DjangoDbBlocker) -> World:
        """Return the world; build it first if necessary."""
        if self.world is None:
            self.blocker = blocker
            with Redis.from_url(os.environ["REDIS_URL"]) as redis:
                redis.flushdb()
            with blocker.unblock():
                try:
                    self.world = build_world(mails)
                except BaseException:
                    database.empty_tables()
                    raise
        return self.world

    def drop(self) -> None:
        """Empty the database if the world exists."""
        if self.world is not None and self.blocker is not None:
            self.world = None
            with self.blocker.unblock():
                wait_until_database_is_idle()
                database.empty_tables()


SHARED = SharedWorld()
