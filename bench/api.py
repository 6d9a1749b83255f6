"""POST action and GET game over HTTP, beside the least that Django and REST framework can do.

Starts PostgreSQL, Redis and both sites behind the same kind of server, all on loopback. The sites are
measured in turn, two seconds each; a ratio is the median over the rounds. Ours authenticates, throttles and
runs all middleware; the peer does one indexed SELECT (and one INSERT, in a transaction). Each connection
plays its own games, each action with an idempotency key; reads are of 200 games that do not move. `--quick`
takes shorter turns.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from _common import (
    ApiPlayer,
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
from _load import LoadResult, build_get_request, check_responds, run_load

CONNECTION_COUNTS = (1, 16, 64)
ROUND_COUNT, SECONDS_PER_TURN = 5, 2.0
QUICK_ROUND_COUNT, QUICK_SECONDS_PER_TURN = 3, 0.5
PAIR_COUNT = 32  # pairs of players
WATCHED_GAME_COUNT = 200  # games that are read
RequestFactory = Callable[[], bytes]


@dataclass
class PreparedGames:
    """Games to be played and read. Legal requests are computed in advance."""

    players: list[ApiPlayer]
    rng: random.Random = field(default_factory=lambda: random.Random("api"))
    prepared_games: list[list[bytes]] = field(default_factory=list)
    game_count: int = 0

    def prepare_games(self, wanted_count: int) -> None:
        """Prepare at least this many games; called between the turns, never while one is timed."""
        while len(self.prepared_games) < wanted_count:
            first_index = 2 * (self.game_count % PAIR_COUNT)
            bench_game = start_game(self.players[first_index : first_index + 2], self.rng)
            self.prepared_games.append(build_remaining_requests(bench_game, self.rng))
            self.game_count += 1

    def make_player(self) -> RequestFactory:
        """Return a request factory that plays prepared games one after the other."""

        def iter_requests() -> Iterator[bytes]:
            """Yield the requests of the prepared games."""
            while True:
                yield from self.prepared_games.pop()

        return iter_requests().__next__

    def make_watcher(self, watch_requests: list[bytes]) -> RequestFactory:
        """Return a request factory that reads random games."""
        return lambda: self.rng.choice(watch_requests)


def build_watch_requests(prepared_games: PreparedGames) -> list[bytes]:
    """Return requests that read games in progress, by their players."""
    requests = []
    for number in range(WATCHED_GAME_COUNT):
        first_index = 2 * (number % PAIR_COUNT)
        bench_game = start_game(prepared_games.players[first_index : first_index + 2], prepared_games.rng)
        play_actions(bench_game, prepared_games.rng.randrange(60), prepared_games.rng)
        viewer = prepared_games.rng.choice(list(bench_game.players_by_seat.values()))
        requests.append(build_get_request(f"/api/v1/games/{bench_game.game.code}/", viewer.auth_header))
    return requests


def make_peer_writer() -> RequestFactory:
    """Return a request factory for the peer's POST, with a body like ours."""
    numbers = itertools.count()

    def build_request() -> bytes:
        """Build the next POST."""
        number = next(numbers)
        body = json.dumps({"action": "B-b3-90", "seq": number})
        path = f"/things/thing{number % WATCHED_GAME_COUNT}/lines/"
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n"
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    return build_request


def make_peer_reader() -> RequestFactory:
    """Return a request factory for the peer's GET."""
    numbers = itertools.count()
    return lambda: build_get_request(f"/things/thing{next(numbers) % WATCHED_GAME_COUNT}/")


def start_own_site(servers: BenchServers) -> tuple[int, PreparedGames]:
    """Start our site with players. Returns its port and the games."""
    environment = servers.build_environment(servers.create_database("otto"))
    run_management_command(environment, "migrate", "--verbosity", "0")
    set_up_django(environment)
    port = servers.start_web_server("ours", "otto_site.wsgi:application", environment)
    return port, PreparedGames(create_players(2 * PAIR_COUNT))


def start_peer(servers: BenchServers) -> int:
    """Start the minimal site with its own database on the same PostgreSQL. Returns its port."""
    import psycopg

    database_url = servers.create_database("minimal")
    environment = {
        "DJANGO_SETTINGS_MODULE": "bench.minimal.settings",
        "PGDATABASE": "minimal",
        "PGHOST": database_url.partition("host=")[2],
        "PGUSER": "postgres",
        "PYTHONPATH": servers.build_environment(database_url)["PYTHONPATH"],
    }
    run_management_command(environment, "migrate", "--run-syncdb", "--verbosity", "0")
    with psycopg.connect(database_url) as connection, connection.cursor() as cursor:
        rows = [
            (f"thing{number}", "as many words as a small row would have")
            for number in range(WATCHED_GAME_COUNT)
        ]
        cursor.executemany("INSERT INTO minimal_thing (code, text) VALUES (%s, %s)", rows)
    return servers.start_web_server("peer", "bench.minimal.wsgi:application", environment)


def print_results(figure: str, peer: str, rounds: list[tuple[LoadResult, LoadResult]], tail: bool) -> None:
    """Print the figures of one kind of request with this many connections."""

    def print_line(name: str, get_value: Callable[[LoadResult], float]) -> None:
        """Print one figure."""
        ratio = compute_median(
            [get_value(own_result) / get_value(peer_result) for own_result, peer_result in rounds]
        )
        own_value, peer_value = (
            compute_median([get_value(load_result) for load_result in column])
            for column in zip(*rounds, strict=True)
        )
        print_figure(name, own_value, peer, peer_value, ratio)

    print_line(figure, lambda load_result: load_result.rate)
    print_line(f"{figure} p50 ms", lambda load_result: load_result.compute_quantile(0.5) * 1000)
    print_line(f"{figure} p99 ms", lambda load_result: load_result.compute_quantile(0.99) * 1000)
    if tail:
        print_line(
            f"{figure} p99/p50",
            lambda load_result: load_result.compute_quantile(0.99) / load_result.compute_quantile(0.5),
        )


def measure_sites(
    own_port: int,
    peer_port: int,
    prepared_games: PreparedGames,
    connection_counts: list[int],
    round_count: int,
    seconds: float,
) -> None:
    """Measure POST action and GET game for every number of connections."""
    watch_requests = build_watch_requests(prepared_games)
    games_per_turn = 30.0  # games used per turn; raised to the observed number

    def run_turn(
        port: int, request_factories: list[RequestFactory], status: int, turn_seconds: float = seconds
    ) -> LoadResult:
        """Run one turn on a site."""
        gc.collect()
        return asyncio.run(run_load(port, request_factories, turn_seconds, status))

    for connections in connection_counts:
        players = [prepared_games.make_player() for _ in range(connections)]
        onlookers = [prepared_games.make_watcher(watch_requests) for _ in range(connections)]
        writers, readers = [make_peer_writer()] * connections, [make_peer_reader()] * connections
        for figure, name, own_requests, peer_requests, status in (
            (f"POST action c={connections}", "minimal insert view", players, writers, 201),
            (f"GET game c={connections}", "minimal select view", onlookers, readers, 200),
        ):
            results = []
            for number in range(round_count + 1):
                prepared_games.prepare_games(connections + int(games_per_turn * 2))
                before = len(prepared_games.prepared_games)
                length = seconds if number else min(seconds, 0.5)  # the first turn warms up
                pair = (
                    run_turn(own_port, own_requests, status, length),
                    run_turn(peer_port, peer_requests, status, length),
                )
                games_per_turn = max(
                    games_per_turn, (before - len(prepared_games.prepared_games)) * seconds / length
                )
                if number:
                    results.append(pair)
            print_results(figure, name, results, tail=connections == 16)


def main() -> None:
    """Start both sites and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="turns of twenty seconds in all")
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTION_COUNTS, metavar="N")
    arguments = parser.parse_args()
    run_length = (
        (QUICK_ROUND_COUNT, QUICK_SECONDS_PER_TURN) if arguments.quick else (ROUND_COUNT, SECONDS_PER_TURN)
    )
    gc.disable()  # pauses of the client must not count; it collects between turns
    with start_servers() as servers:
        own_port, prepared_games = start_own_site(servers)
        peer_port = start_peer(servers)
        check_responds(own_port, "/api/v1/games/")
        check_responds(peer_port, "/things/thing1/")
        measure_sites(own_port, peer_port, prepared_games, arguments.connections, *run_length)


if __name__ == "__main__":
    main()
