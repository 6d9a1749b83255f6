"""Meters of bench/cost.py and bench/full.py: processes and stores from outside, queries from inside."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from _common import BenchServers

# ----------------------------------------------------------------------------------------- external meters


def measure_cpu_seconds(pid: int) -> float:
    """Return the processor seconds of a process and its descendants; 0 where /proc does not tell."""
    children: dict[int, list[int]] = {}
    seconds_by_pid: dict[int, float] = {}
    for stat_path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat_fields = stat_path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has just ended
        process_id = int(stat_path.parent.name)
        children.setdefault(int(stat_fields[1]), []).append(process_id)
        seconds_by_pid[process_id] = sum(map(int, stat_fields[11:15])) / os.sysconf("SC_CLK_TCK")
    process_ids, total = [pid], 0.0
    while process_ids:
        process_id = process_ids.pop()
        total += seconds_by_pid.get(process_id, 0.0)
        process_ids += children.get(process_id, [])
    return total


def find_server_pid(port: int) -> int:
    """Return the pid of the server with this port in its arguments, or 0."""
    for cmdline_path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"--port\0{port}\0" in cmdline_path.read_text():
                return int(cmdline_path.parent.name)
        except OSError:
            continue
    return 0


class ResourceMeter:
    """Reads what PostgreSQL, Redis and a web server have done so far."""

    def __init__(self, servers: BenchServers, name: str, port: int, tables: tuple[str, ...]) -> None:
        """Connect to the database and Redis, and find the processes."""
        from redis import Redis

        self.database = psycopg.connect(servers.database_url(name), autocommit=True)
        self.redis, self.tables = Redis.from_url(servers.redis), tables
        socket_folder = re.search(r"host=([^&]+)", servers.postgres)
        assert socket_folder
        self.postgres_pid = int(Path(socket_folder[1], "postmaster.pid").read_text().split()[0])
        self.web_pid = find_server_pid(port)

    def fetch_row(self, query: str) -> tuple[Any, ...]:
        """Return the first row of a query."""
        fetched_row = self.database.execute(query).fetchone()  # type: ignore[arg-type]
        assert fetched_row
        return fetched_row

    def read_counts(self) -> dict[str, float]:
        """Return all counts."""
        self.fetch_row("SELECT pg_stat_force_next_flush()")
        redis_info: Any = self.redis.info()
        counts: dict[str, float] = {
            "ms of processor, web": measure_cpu_seconds(self.web_pid) * 1000,
            "ms of processor, PostgreSQL": measure_cpu_seconds(self.postgres_pid) * 1000,
            "bytes of write-ahead log": float(self.fetch_row("SELECT wal_bytes FROM pg_stat_wal")[0]),
            "commands to Redis": redis_info["total_commands_processed"],
            "bytes to Redis": redis_info["total_net_input_bytes"],
            "bytes of rows": 0.0,
            "bytes of indexes": 0.0,
        }
        for table in self.tables:
            rows, indexes = self.fetch_row(f"SELECT pg_table_size('{table}'), pg_indexes_size('{table}')")
            counts["bytes of rows"] += rows
            counts["bytes of indexes"] += indexes
            counts[f"bytes in {table}"] = rows + indexes
        return counts

    def measure_per_item(self, work: Callable[[], int]) -> dict[str, float]:
        """Run some work and return the cost per item; the work returns its number of items."""
        before = self.read_counts()
        count = work()
        return {name: (value - before[name]) / count for name, value in self.read_counts().items()}

    def close(self) -> None:
        """Close the connections."""
        self.database.close()
        self.redis.close()


# ----------------------------------------------------------------------------------------- internal meters


class QueryRecorder:
    """Counts queries and the time that the database takes; an execute wrapper."""

    def __init__(self) -> None:
        """Start at zero."""
        self.queries, self.seconds = 0, 0.0

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        """Run a query and count it."""
        started_at = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - started_at


def record_queries(work: Callable[[], Any]) -> QueryRecorder:
    """Run some work and return its queries."""
    from django.db import connection

    recorder = QueryRecorder()
    with connection.execute_wrapper(recorder):
        work()
    return recorder


def measure_cpu_ms(work: Callable[[], Any]) -> float:
    """Return the processor milliseconds of some work."""
    started_at = time.process_time()
    work()
    return (time.process_time() - started_at) * 1000
