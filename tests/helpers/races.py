"""Run several commands at once, and observe which of them wait for locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from games.models import Game
from tests.factories.timing import check_all_games_are_sound

# The outcome of a race varies, so that each race runs several times.
again_and_again = pytest.mark.parametrize("run", range(2))


def run_at_once(*commands: Callable[[], Any]) -> list[Any]:
    """Run all commands at once, each in a thread with its own connection; return their results."""
    ready = threading.Barrier(len(commands))

    def run(command: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            ready.wait(30)
            return command()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(commands)) as pool:
        return [future.result(60) for future in [pool.submit(run, command) for command in commands]]


def start_blocked(
    pool: ThreadPoolExecutor, *commands: Callable[[], Any], other_waiters: int = 0
) -> list[Future[Any]]:
    """Start commands in threads; return when all of them and the `other_waiters` wait for a lock."""

    def run(command: Callable[[], Any]) -> Any:
        try:
            return command()
        finally:
            connections.close_all()

    answers = [pool.submit(run, command) for command in commands]
    stop_by = time.monotonic() + 30
    while count_lock_waiters() < len(commands) + other_waiters:
        assert time.monotonic() < stop_by, "nobody waits for the lock"
        time.sleep(0.01)
    return answers


def count_lock_waiters() -> int:
    """Count the connections to this database that wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def check_game_is_sound(code: str) -> None:
    """Check one game by its code as `check_all_games_are_sound` does."""
    check_all_games_are_sound(Game.objects.get(code=code))
