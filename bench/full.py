"""Frequent requests and idle sweeps, on a site with 100,000 games beside one with 1,000.

Measures the database time of pages, API responses and sweeps that find nothing; both sites are measured in
turn, and a ratio is the median over the rounds. `--quick` takes smaller numbers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from _common import (
    ApiPlayer,
    BenchServers,
    choose_random_action,
    compute_median,
    create_players,
    print_figure,
    run_management_command,
    set_up_django,
    start_game,
    start_servers,
)
from _meter import record_queries
from growth import fill_database


def spread_game_states() -> None:
    """Make 90% of the games over, 9% running and 1% open."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE games_game SET seat_clocks = '{}', deadline = NULL,
                   expires_at = now() + interval '1 day',
                   created_at = now() - id % 1000000 * interval '1 second',
                   moved_at = now() - id % 1000000 * interval '1 second',
                   next_sweep_at = CASE WHEN id % 100 BETWEEN 1 AND 9
                       THEN now() + id % 1000000 * interval '1 second' END,
                   status = CASE WHEN id % 100 = 0 THEN 'open' WHEN id % 100 < 10 THEN 'running'
                       ELSE 'over' END
               WHERE id > 1000000"""
        )
        cursor.execute("UPDATE notifications_feedentry SET notify_at = NULL WHERE game_id > 1000000")
        cursor.execute("VACUUM ANALYZE")


def build_frequent_requests(api_player: ApiPlayer) -> dict[str, Callable[[], Any]]:
    """Return the requests and sweeps that run most often, by name."""
    from django.test import Client

    from games.services import lobby, sweep
    from notifications.services import notices, outbox

    yesterday = datetime.now(UTC) - timedelta(days=1)
    client = Client(headers={"host": "127.0.0.1"})
    token = {"Authorization": api_player.auth_header.partition(": ")[2].strip()}

    def make_get(path: str) -> Callable[[], Any]:
        """Return a function that sends a GET."""

        def send_get() -> None:
            """Send the GET and check its status."""
            response = client.get(path, headers=token)
            assert response.status_code == 200, (path, response.status_code)

        return send_get

    return {
        "lobby page": make_get("/lobby/"),
        "GET games?status=open": make_get("/api/v1/games/?status=open"),
        "GET me/turns": make_get("/api/v1/me/turns/"),
        "GET events": make_get("/api/v1/events/"),
        "GET metrics": make_get("/metrics"),
        "sweep of clocks, nothing due": lambda: sweep.sweep_games(now=yesterday),
        "sweep of notices, nothing due": lambda: notices.fan_out_notices(now=yesterday),
        "sweep of mails, nothing due": lambda: outbox.find_due_mails(now=yesterday, limit=100),
        "sweep of open games, nothing due": lambda: lobby.expire_open_games(now=yesterday),
    }


def compare_sites(
    servers: BenchServers, api_player: ApiPlayer, sizes: tuple[int, int], repeat_count: int
) -> None:
    """Run the same requests in turn on a site with few games and on one with many."""
    from django.db import connections

    connections.close_all()  # a template database must have no connections
    own_connection, sites = connections["default"], []
    for stored in sizes:
        name = f"stored_{stored}"
        fill_database(servers.create_database(name, template="otto"), stored * 10, actions_per_game=10)
        site = connections.create_connection("default")
        site.settings_dict = {**site.settings_dict, "NAME": name}
        connections["default"] = site
        spread_game_states()
        sites.append(site)
    times: dict[str, tuple[list[float], ...]] = {}
    queries = {}
    for turn in range(repeat_count + 3):
        for request_name, work in build_frequent_requests(api_player).items():
            for site, durations in zip(sites, times.setdefault(request_name, ([], [])), strict=True):
                connections["default"] = site
                recorder = record_queries(work)
                queries[request_name] = recorder.queries
                if turn >= 3:
                    durations.append(recorder.seconds * 1000)
    for site in sites:
        site.close()
    connections["default"] = own_connection
    for request_name, (small_times, large_times) in times.items():
        figure = f"{request_name}: ms of database, {sizes[1]:,} games ({queries[request_name]} queries)"
        ratio = compute_median([large / small for small, large in zip(small_times, large_times, strict=True)])
        print_figure(
            figure, compute_median(large_times), f"{sizes[0]:,} games", compute_median(small_times), ratio
        )


def play_sample_game(players: list[ApiPlayer]) -> None:
    """Play a few moves of the game from which all others are copied."""
    from games.engine import apply_action
    from games.services import turns

    rng = random.Random("full")
    bench_game = start_game(players, rng)
    state, now = bench_game.state, datetime.now(UTC)
    for step in range(10):
        seat = state.seats_to_act[0]
        action = choose_random_action(state, seat, rng)
        play_arguments = {
            "code": bench_game.game.code,
            "text": action,
            "seq": state.seq,
            "key": f"full {step}",
        }
        turns.play_action(player=bench_game.players_by_seat[seat].player, now=now, **play_arguments)
        state, _ = apply_action(state, seat, action)


def main() -> None:
    """Create the sites and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="2,000 games beside 200")
    sizes, repeat_count = ((200, 2_000), 5) if parser.parse_args().quick else ((1_000, 100_000), 30)
    with start_servers() as servers:
        environment = servers.build_environment(servers.create_database("otto"))
        run_management_command(environment, "migrate", "--verbosity", "0")
        set_up_django(environment)
        players = create_players(2)
        play_sample_game(players)
        compare_sites(servers, players[0], sizes, repeat_count)


if __name__ == "__main__":
    main()
