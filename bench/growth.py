"""Do games get slower as they grow, or the site as its database fills? POST action and GET game, as ratios.

First games at their 1st, 100th and 1000th action. Then the same games on three sites whose databases hold
1,000, 100,000 and 1,000,000 actions. All servers run together and get one request each in turn; a ratio is
the median over rounds. `--quick` takes smaller numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from _common import (
    ApiPlayer,
    BenchGame,
    BenchServers,
    build_remaining_requests,
    compute_median,
    create_players,
    play_actions,
    print_figure,
    run_management_command,
    set_up_django,
    start_game,
    start_servers,
)
from _load import build_get_request, open_connection

if TYPE_CHECKING:
    from games.engine import State

SERVER_OPTIONS = ["--interface", "wsgi", "--workers", "1", "--blocking-threads", "1"]
GAME_SETTINGS = {"target": 99, "obligation": "lenient"}  # settings of the longest games
ACTIONS_PER_MATCH = 50  # covers boards from empty to full
ACTIONS_PER_FILLER_GAME = 100  # in games that only fill the database
FILLER_PLAYER_COUNT = 2000  # in the games that fill the database
READS_PER_GAME = 20  # per game
WARM_UP_COUNT, ROUND_COUNT = 20, 15
FIRST_FILLER_ID = 1_000_000  # of players and games that fill the database


@dataclass
class GrowthSizes:
    """The sizes that are measured."""

    action_counts: tuple[int, ...] = (1, 100, 1000)
    stored_counts: tuple[int, ...] = (1_000, 100_000, 1_000_000)
    game_count: int = 20

    @classmethod
    def quick_sizes(cls) -> GrowthSizes:
        """Return the sizes for --quick."""
        return cls((1, 50, 200), (1_000, 10_000, 50_000), 4)


# ----------------------------------------------------------------------------------------- long games


def choose_low_scoring_action(state: State, seat: int, rng: random.Random) -> str:
    """Choose, of a few actions, the one with the fewest points, so that games last long."""
    from games.engine import apply_action, legal_actions

    choices = legal_actions(state, seat)
    outcomes = [
        (apply_action(state, seat, action)[0], action) for action in rng.sample(choices, min(3, len(choices)))
    ]
    return min(
        outcomes,
        key=lambda outcome: (max(outcome[0].totals), outcome[0].match_no, len(outcome[0].marked_figures)),
    )[1]


def grow_game(players: list[ApiPlayer], action_count: int, rng: random.Random) -> BenchGame:
    """Start a game with this many actions in its log and at least a match to come. Raises RuntimeError."""
    for _ in range(50):
        bench_game = start_game(players, rng, **GAME_SETTINGS)
        play_actions(bench_game, action_count, rng, choose_low_scoring_action)
        if (
            bench_game.state.seq == action_count
            and len(build_remaining_requests(bench_game, rng, ACTIONS_PER_MATCH, choose_low_scoring_action))
            == ACTIONS_PER_MATCH
        ):
            return bench_game
    raise RuntimeError(f"no game lasted for {action_count} actions")


# ----------------------------------------------------------------------------------------- full databases


def build_copy_columns(model: Any, changed_columns: dict[str, str]) -> tuple[str, str]:
    """Return the columns of a model, and for each the value of a copied row unless it is changed."""
    columns = [f'"{field.column}"' for field in model._meta.concrete_fields if field.column != "id"]
    values = [changed_columns.get(column.strip('"'), f"model.{column}") for column in columns]
    if "id" in changed_columns:
        columns, values = ['"id"', *columns], [changed_columns["id"], *values]
    return ", ".join(columns), ", ".join(values)


def fill_database(
    database_url: str, action_count: int, actions_per_game: int = ACTIONS_PER_FILLER_GAME
) -> None:
    """Fill the database with copies of a real game until this many actions are stored."""
    import psycopg

    from accounts.models import Player
    from games.models import Action, Game, GameSecrets, Seat
    from notifications.models import FeedEntry

    with psycopg.connect(database_url, autocommit=True) as connection:

        def insert_copies(model: Any, series: str, **changed_columns: str) -> None:
            """Insert copies of the first row of a model, one per value of the series."""
            columns, values = build_copy_columns(model, changed_columns)
            table = model._meta.db_table
            connection.execute(
                f"INSERT INTO {table} ({columns}) SELECT {values} FROM {series},"  # type: ignore[arg-type]
                f" (SELECT * FROM {table} LIMIT 1) AS model"
            )

        (count,) = connection.execute("SELECT count(*) FROM games_action").fetchone() or (0,)
        game_series = f"generate_series(1, {max((action_count - count) // actions_per_game, 0)}) nth"
        chair_series, step_series = (
            "generate_series(0, 1) chair",
            f"generate_series(1, {actions_per_game}) step",
        )
        game, code = f"{FIRST_FILLER_ID} + nth", "'f' || lpad(nth::text, 11, '0')"
        player = f"{FIRST_FILLER_ID} + (nth * 2 + chair) % {FILLER_PLAYER_COUNT} + 1"
        name = "'filler ' || nth"
        connection.execute("SET session_replication_role = replica")  # no triggers: all rows are copies
        filler_series = f"generate_series(1, {FILLER_PLAYER_COUNT}) nth"
        insert_copies(
            Player,
            filler_series,
            id=game,
            name=name,
            name_skeleton=name,
            name_folded_skeleton=name,
            email=f"{name} || '@example.org'",
        )
        insert_copies(Game, game_series, id=game, code=code)
        insert_copies(GameSecrets, game_series, game_id=game)
        insert_copies(
            Seat,
            f"{game_series}, {chair_series}",
            game_id=game,
            player_id=player,
            join_order="chair + 1",
            seat_no="chair + 1",
        )
        insert_copies(Action, f"{game_series}, {step_series}", game_id=game, seq="step")
        entry_columns = {
            "player_id": player,
            "topic": f"'game:' || {code}",
            "dedup_key": f"{code} || ':' || step",
            "idempotency_key": "''",
            "request_hash": "''",
            "response_body": "''",
        }
        insert_copies(FeedEntry, f"{game_series}, {step_series}, {chair_series}", **entry_columns)
        connection.execute("SET session_replication_role = DEFAULT")
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


# ------------------------------------------------------------------------------ measurement


async def measure_in_turn(
    ports: list[int], rounds: list[list[tuple[bytes, ...]]], status: int
) -> list[list[float]]:
    """Send one request to each port in turn. Returns the median seconds per port for each round.

    Raises RuntimeError on another status.
    """
    connections = [await open_connection(port) for port in ports]
    status_line = f"HTTP/1.1 {status} ".encode()
    medians = []
    for requests in rounds:
        durations_by_port: list[list[float]] = [[] for _ in ports]
        for number, parallel_requests in enumerate(requests):
            for step in range(len(ports)):
                port_index = (number + step) % len(ports)  # each port is first equally often
                started_at = time.perf_counter()
                response = await connections[port_index].send_request(parallel_requests[port_index])
                durations_by_port[port_index].append(time.perf_counter() - started_at)
                if not response.startswith(status_line):
                    raise RuntimeError(f"not a {status}: {response[:1000].decode(errors='replace')}")
        medians.append([compute_median(durations) for durations in durations_by_port])
    for connection in connections:
        connection.transport.abort()
    return medians


def print_growth(figure: str, names: list[str], rounds: list[list[float]]) -> None:
    """Print every size beside the smallest."""
    for size_index, name in enumerate(names[1:], 1):
        ratio = compute_median([times[size_index] / times[0] for times in rounds])
        small, large = (
            compute_median([times[column] for times in rounds]) * 1000 for column in (0, size_index)
        )
        print_figure(f"{figure} ms {name}", large, names[0], small, ratio)


def build_requests(bench_games: list[BenchGame], rng: random.Random) -> tuple[list[bytes], list[bytes]]:
    """Return the requests that play these games for a match, and those that read them."""
    play_requests = [
        request
        for bench_game in bench_games
        for request in build_remaining_requests(bench_game, rng, ACTIONS_PER_MATCH, choose_low_scoring_action)
    ]
    read_requests = [
        build_get_request(f"/api/v1/games/{bench_game.game.code}/", bench_game.players_by_seat[1].auth_header)
        for bench_game in bench_games
    ]
    return play_requests, read_requests


@dataclass
class GrowthRun:
    """Servers of growing size and their requests, sent row by row."""

    ports: list[int]
    names: list[str]
    play_requests: list[list[bytes]]
    read_requests: list[list[bytes]]


def prepare_by_database_size(
    servers: BenchServers, sizes: GrowthSizes, players: list[ApiPlayer]
) -> GrowthRun:
    """Prepare the same games on sites with more and more stored actions."""
    from django.db import connections

    rng = random.Random("fullness")
    play_requests, read_requests = build_requests(
        [grow_game(players, rng.randrange(10, 40), rng) for _ in range(sizes.game_count)], rng
    )
    connections.close_all()  # a template database must have no connections
    ports, names = [], []
    for action_count in sizes.stored_counts:
        name = f"stored_{action_count}"
        database_url = servers.create_database(name, template="otto")
        fill_database(database_url, action_count)
        ports.append(
            servers.start_web_server(
                name, "otto_site.wsgi:application", servers.build_environment(database_url), SERVER_OPTIONS
            )
        )
        names.append(f"with {action_count:,} actions stored")
    return GrowthRun(
        ports, names, [play_requests] * len(ports), [read_requests * READS_PER_GAME] * len(ports)
    )


def prepare_by_game_length(servers: BenchServers, sizes: GrowthSizes, players: list[ApiPlayer]) -> GrowthRun:
    """Prepare games of growing length on the same site."""
    rng = random.Random("length")
    database_url = servers.database_url("otto")
    port = servers.start_web_server(
        "length", "otto_site.wsgi:application", servers.build_environment(database_url), SERVER_OPTIONS
    )
    play_requests, read_requests = [], []
    for action_count in sizes.action_counts:
        length_plays, length_reads = build_requests(
            [grow_game(players, action_count - 1, rng) for _ in range(sizes.game_count)], rng
        )
        play_requests.append(length_plays)
        read_requests.append(length_reads * READS_PER_GAME)
    names = [f"at action {action_count:,}" for action_count in sizes.action_counts]
    return GrowthRun([port] * len(names), names, play_requests, read_requests)


def measure_run(run: GrowthRun) -> None:
    """Measure POST action and GET game for all sizes, after a warm-up."""
    for figure, requests, status in (
        ("POST action", run.play_requests, 201),
        ("GET game", run.read_requests, 200),
    ):
        request_rows = list(zip(*requests, strict=True))
        warm_up_rows, measured_rows = request_rows[:WARM_UP_COUNT], request_rows[WARM_UP_COUNT:]
        rows_per_round = max(len(measured_rows) // ROUND_COUNT, 1)
        rounds = [
            measured_rows[first : first + rows_per_round]
            for first in range(0, len(measured_rows), rows_per_round)
        ]
        asyncio.run(measure_in_turn(run.ports, [warm_up_rows], status))
        print_growth(figure, run.names, asyncio.run(measure_in_turn(run.ports, rounds, status)))


def main() -> None:
    """Prepare both runs and measure them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller numbers, for a first look")
    sizes = GrowthSizes.quick_sizes() if parser.parse_args().quick else GrowthSizes()
    with start_servers() as servers:
        environment = servers.build_environment(servers.create_database("otto"))
        run_management_command(environment, "migrate", "--verbosity", "0")
        set_up_django(environment)
        players = create_players(2)
        run_by_database_size, run_by_game_length = (
            prepare_by_database_size(servers, sizes, players),
            prepare_by_game_length(servers, sizes, players),
        )
        measure_run(run_by_game_length)
        measure_run(run_by_database_size)


if __name__ == "__main__":
    main()
