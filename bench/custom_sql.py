"""The gain of custom SQL: our site beside itself without it, POST action and GET game over HTTP.

Custom SQL stays only where a request takes more than a tenth longer without it; the ratios of this script
stand in the docstrings of the modules concerned. Both sites use one database and are measured in turn.
`--quick` takes shorter turns.
"""

from __future__ import annotations

import argparse
import asyncio
import gc

from _common import (
    BenchServers,
    compute_median,
    create_players,
    print_figure,
    run_management_command,
    set_up_django,
    start_servers,
)
from _load import check_responds, run_load
from api import PAIR_COUNT, PreparedGames, RequestFactory, build_watch_requests

CONNECTION_COUNT = 4
ROUND_COUNT, SECONDS_PER_TURN = 9, 2.0
QUICK_ROUND_COUNT, QUICK_SECONDS_PER_TURN = 5, 0.7
GAMES_PER_TURN = 60  # more than any turn plays
PARTS = ("queries", "write")


def start_sites(servers: BenchServers) -> dict[str, int]:
    """Start our site as it is and without each part, on one database. Returns their ports."""
    environment = servers.build_environment(servers.create_database("otto"))
    run_management_command(environment, "migrate", "--verbosity", "0")
    set_up_django(environment)
    ports = {"ours": servers.start_web_server("ours", "otto_site.wsgi:application", environment)}
    for part in PARTS:
        peer_environment = environment | {"BENCH_WITHOUT": part}
        ports[part] = servers.start_web_server(
            part, "bench.minimal.plain_queries:application", peer_environment
        )
    for port in ports.values():
        check_responds(port, "/api/v1/games/")
    return ports


def measure_part(
    figure: str,
    part: str,
    ports: dict[str, int],
    requests: list[RequestFactory],
    status: int,
    prepared_games: PreparedGames,
    round_count: int,
    seconds: float,
) -> None:
    """Measure requests per second with and without one part, and print the ratio."""
    rates: list[tuple[float, float]] = []
    for number in range(round_count + 1):
        pair = []
        for site in ("ours", part) if number % 2 else (part, "ours"):
            prepared_games.prepare_games(CONNECTION_COUNT + GAMES_PER_TURN)
            gc.collect()
            load_result = asyncio.run(run_load(ports[site], requests, seconds, status))
            pair.append(load_result.rate)
        if number:  # the first round warms up
            rates.append((pair[0], pair[1]) if number % 2 else (pair[1], pair[0]))
    own_rate, peer_rate = (compute_median(list(column)) for column in zip(*rates, strict=True))
    print_figure(
        figure, own_rate, f"without custom SQL: {part}", peer_rate, compute_median([a / b for a, b in rates])
    )


def main() -> None:
    """Start the sites and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="half a minute in all")
    arguments = parser.parse_args()
    run_length = (
        (QUICK_ROUND_COUNT, QUICK_SECONDS_PER_TURN) if arguments.quick else (ROUND_COUNT, SECONDS_PER_TURN)
    )
    gc.disable()  # pauses of the client must not count; it collects between turns
    with start_servers() as servers:
        ports = start_sites(servers)
        prepared_games = PreparedGames(create_players(2 * PAIR_COUNT))
        watch_requests = build_watch_requests(prepared_games)
        players = [prepared_games.make_player() for _ in range(CONNECTION_COUNT)]
        readers = [prepared_games.make_watcher(watch_requests) for _ in range(CONNECTION_COUNT)]
        for part in PARTS:
            measure_part("POST action", part, ports, players, 201, prepared_games, *run_length)
        measure_part("GET game", "queries", ports, readers, 200, prepared_games, *run_length)


if __name__ == "__main__":
    main()
