"""Meters of bench/cost.py and bench/full.py: from outside, of whole processes; from inside, of queries."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from _common import Machines

# --------------------------------------------------------------------------------------- seen from outside


def processor(pid: int) -> float:
    """Seconds that a process and all that came of it have computed; 0 where the system does not tell."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for found in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = found.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        one = int(found.parent.name)
        children.setdefault(int(words[1]), []).append(one)
        spent[one] = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    family, total = [pid], 0.0
    while family:
        one = family.pop()
        total += spent.get(one, 0.0)
        family += children.get(one, [])
    return total


def server_at(port: int) -> int:
    """The process that was told to serve at a port."""
    for found in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"--port\0{port}\0" in found.read_text():
                return int(found.parent.name)
        except OSError:
            continue
    return 0


class Meter:
    """What PostgreSQL, Redis and a web server have done so far."""

    def __init__(self, on: Machines, name: str, port: int, tables: tuple[str, ...]) -> None:
        from redis import Redis

        self.database = psycopg.connect(on.address(name), autocommit=True)
        self.redis, self.tables = Redis.from_url(on.redis), tables
        folder = re.search(r"host=([^&]+)", on.postgres)
        assert folder
        self.postgres = int(Path(folder[1], "postmaster.pid").read_text().split()[0])
        self.web = server_at(port)

    def ask(self, text: str) -> tuple[Any, ...]:
        found = self.database.execute(text).fetchone()  # type: ignore[arg-type]
        assert found
        return found

    def read(self) -> dict[str, float]:
        self.ask("SELECT pg_stat_force_next_flush()")
        heard: Any = self.redis.info()
        counts: dict[str, float] = {
            "ms of processor, web": processor(self.web) * 1000,
            "ms of processor, PostgreSQL": processor(self.postgres) * 1000,
            "bytes of write-ahead log": float(self.ask("SELECT wal_bytes FROM pg_stat_wal")[0]),
            "commands to Redis": heard["total_commands_processed"],
            "bytes to Redis": heard["total_net_input_bytes"],
            "bytes of rows": 0.0,
            "bytes of indexes": 0.0,
        }
        for table in self.tables:
            rows, indexes = self.ask(f"SELECT pg_table_size('{table}'), pg_indexes_size('{table}')")
            counts["bytes of rows"] += rows
            counts["bytes of indexes"] += indexes
            counts[f"bytes in {table}"] = rows + indexes
        return counts

    def measured(self, work: Callable[[], int]) -> dict[str, float]:
        """What each of so many took."""
        before = self.read()
        count = work()
        return {name: (value - before[name]) / count for name, value in self.read().items()}

    def close(self) -> None:
        self.database.close()
        self.redis.close()


# ---------------------------------------------------------------------------------------- seen from inside


class Watched:
    """The queries of a block, and the time that the database took for them."""

    def __init__(self) -> None:
        self.queries, self.seconds = 0, 0.0

    def __call__(self, execute: Any, *rest: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(*rest)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - began


def watched(work: Callable[[], Any]) -> Watched:
    from django.db import connection

    seen = Watched()
    with connection.execute_wrapper(seen):
        work()
    return seen


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds of processor."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
