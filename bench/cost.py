"""The cost of a move: queries, processor time, write-ahead log, rows, indexes, Redis, and its mail.

Random games are played over HTTP, each action with an idempotency key. Costs are measured from outside: from
the statistics of PostgreSQL and Redis, and from /proc. The peer, the minimal site, inserts one line in a
transaction. Then the mail of a turn beside the smallest mail that Django can write. `--quick` plays fewer
games.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from _common import (
    ApiPlayer,
    BenchServers,
    build_remaining_requests,
    choose_random_action,
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
from _meter import ResourceMeter, measure_cpu_ms, record_queries
from api import make_peer_reader, make_peer_writer, start_peer

MEASURED_TABLES = ("games_game", "games_gamesecrets", "games_seat", "games_action", "notifications_feedentry")
PAIR_COUNT = 10
PEER_NAME = "minimal insert"


async def send_requests(port: int, requests: list[bytes], status: int = 201) -> int:
    """Send requests one after the other over one connection. Returns how many. Raises RuntimeError."""
    connection = await open_connection(port)
    for request in requests:
        response = await connection.send_request(request)
        if not response.startswith(f"HTTP/1.1 {status} ".encode()):
            raise RuntimeError(f"not a {status}: {response[:1000].decode(errors='replace')}")
    connection.transport.abort()
    return len(requests)


def build_whole_games(players: list[ApiPlayer], game_count: int, rng: random.Random) -> list[bytes]:
    """Return the requests of whole games, interleaved as if played side by side."""
    game_requests = []
    for number in range(game_count):
        first_index = 2 * (number % PAIR_COUNT)
        game_requests.append(
            build_remaining_requests(start_game(players[first_index : first_index + 2], rng), rng)
        )
    return [
        requests[step]
        for step in range(max(map(len, game_requests)))
        for requests in game_requests
        if step < len(requests)
    ]


def measure_moves(
    servers: BenchServers, own_port: int, peer_port: int, players: list[ApiPlayer], game_count: int
) -> None:
    """Measure moves on both sites with the same meters; full-page writes are left out of the WAL."""
    rng = random.Random("cost")
    own_meter = ResourceMeter(servers, "otto", own_port, MEASURED_TABLES)
    peer_meter = ResourceMeter(servers, "minimal", peer_port, ("minimal_thing", "minimal_line"))
    build_write = make_peer_writer()
    asyncio.run(send_requests(own_port, build_whole_games(players, 2, rng)))  # warm-up
    asyncio.run(send_requests(peer_port, [build_write() for _ in range(200)]))
    requests = build_whole_games(players, game_count, rng)
    own_costs = own_meter.measure_per_item(lambda: asyncio.run(send_requests(own_port, requests)))
    peer_costs = peer_meter.measure_per_item(
        lambda: asyncio.run(send_requests(peer_port, [build_write() for _ in requests]))
    )
    for name, value in own_costs.items():
        peer_value = peer_costs.get(name, 0.0)
        print_figure(
            f"a move, {name}", value, PEER_NAME, peer_value, value / peer_value if peer_value else 0.0
        )
    print_figure("a whole game, moves", len(requests) / game_count, "a game", 1, len(requests) / game_count)
    measure_reads(own_meter, peer_meter, own_port, peer_port, players, len(requests) // game_count)
    stored_bytes = (own_costs["bytes of rows"] + own_costs["bytes of indexes"]) * len(requests) / game_count
    print_figure("a whole game, kB stored", stored_bytes / 1000, "a game", 1, stored_bytes / 1000)
    print_hot_updates(own_meter)
    measure_size_after_cleanup(own_meter)
    for meter in (own_meter, peer_meter):
        meter.close()


def measure_turns_per_game(game_count: int) -> None:
    """Print how many moves a turn has; mails are sent per turn."""
    from games.engine import Setup, apply_action, start_game

    move_count = turn_count = 0
    for number in range(game_count):
        rng = random.Random(f"turns {number}")
        state, _ = start_game(Setup(mode="singles", seats=2, key=rng.randbytes(32)))
        previous_to_act: tuple[int, ...] = ()
        while not state.is_over:
            turn_count += state.seats_to_act != previous_to_act
            previous_to_act, seat = state.seats_to_act, state.seats_to_act[0]
            state, _ = apply_action(state, seat, choose_random_action(state, seat, rng))
            move_count += 1
    print_figure(
        "a whole game, turns",
        turn_count / game_count,
        "moves",
        move_count / game_count,
        turn_count / move_count,
    )


def measure_reads(
    own_meter: ResourceMeter,
    peer_meter: ResourceMeter,
    own_port: int,
    peer_port: int,
    players: list[ApiPlayer],
    repeat_count: int,
) -> None:
    """Measure reads of the legal actions, each time of another game."""
    rng = random.Random("looks")
    requests = []
    for number in range(PAIR_COUNT):
        bench_game = start_game(players[2 * number :][:2], rng)
        play_actions(bench_game, rng.randrange(60), rng)
        requests.append(
            build_get_request(
                f"/api/v1/games/{bench_game.game.code}/actions/legal/",
                bench_game.players_by_seat[1].auth_header,
            )
        )
    build_read = make_peer_reader()
    own_costs = own_meter.measure_per_item(
        lambda: asyncio.run(send_requests(own_port, requests * repeat_count, 200))
    )
    peer_costs = peer_meter.measure_per_item(
        lambda: asyncio.run(send_requests(peer_port, [build_read() for _ in requests * repeat_count], 200))
    )
    for name in ("ms of processor, web", "ms of processor, PostgreSQL"):
        peer_value = peer_costs[name]
        print_figure(
            f"a look, {name}",
            own_costs[name],
            "minimal select",
            peer_value,
            own_costs[name] / peer_value if peer_value else 0.0,
        )


def print_hot_updates(meter: ResourceMeter) -> None:
    """Print the share of updates that touch no index (HOT)."""
    for table in ("games_game", "games_gamesecrets"):
        hot_updates, all_updates = meter.fetch_row(
            f"SELECT n_tup_hot_upd, n_tup_upd FROM pg_stat_user_tables WHERE relname = '{table}'"
        )
        print_figure(
            f"{table}: updates in place",
            hot_updates,
            "updates",
            all_updates,
            hot_updates / max(all_updates, 1),
        )


def measure_size_after_cleanup(meter: ResourceMeter) -> None:
    """Print what is stored of a move after expired idempotency keys are cleared."""
    from notifications import retention as notifications_retention

    def measure_size() -> tuple[float, float]:
        """Return the stored bytes per action, and the number of actions."""
        meter.database.execute("VACUUM FULL notifications_feedentry")
        stored, count = meter.fetch_row(
            "SELECT sum(pg_total_relation_size(name)), (SELECT count(*) FROM games_action)"
            " FROM unnest(ARRAY['notifications_feedentry', 'games_action']) AS name"
        )
        return float(stored) / count, count

    size_before, _ = measure_size()
    notifications_retention.clear_idempotency_keys(now=datetime.now(UTC) + timedelta(days=30))
    size_after, count = measure_size()
    print_figure(
        f"a move, bytes of log and feeds a day later ({count} moves)",
        size_after,
        "at once",
        size_before,
        size_after / size_before,
    )


def measure_move_queries(players: list[ApiPlayer]) -> None:
    """Count the queries of a move request through all middleware."""
    from django.db import connection
    from django.test import Client

    from games.engine import apply_action

    rng, client = random.Random("queries"), Client(headers={"host": "127.0.0.1"})
    bench_game = start_game(players[:2], rng)
    state = bench_game.state
    query_counts: list[float] = []
    times: list[float] = []
    baseline_times: list[float] = []

    def run_select_one() -> None:
        """Run SELECT 1."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    for _ in range(40):
        seat = state.seats_to_act[0]
        action = choose_random_action(state, seat, rng)
        body = {"action": action, "seq": state.seq}
        headers = {
            "Authorization": bench_game.players_by_seat[seat].auth_header.partition(": ")[2].strip(),
            "Idempotency-Key": f"q{state.seq}",
        }

        def play_action(body: dict[str, Any] = body, headers: dict[str, str] = headers) -> None:
            """Post the action."""
            path = f"/api/v1/games/{bench_game.game.code}/actions/"
            response = client.post(path, body, content_type="application/json", headers=headers)
            assert response.status_code == 201, response.content

        recorder = record_queries(play_action)
        query_counts.append(float(recorder.queries))
        times.append(recorder.seconds * 1000)
        baseline_times.append(record_queries(run_select_one).seconds * 1000)
        state, _ = apply_action(state, seat, action)
        if state.is_over:
            break
    print_figure(
        "a move, queries", compute_median(query_counts), PEER_NAME, 2, compute_median(query_counts) / 2
    )
    print_figure(
        "a move, ms waited for PostgreSQL",
        compute_median(times),
        "SELECT 1",
        compute_median(baseline_times),
        compute_median(times) / compute_median(baseline_times),
    )


def measure_mails(players: list[ApiPlayer], count: int) -> None:
    """Measure the mail of a turn with its board, beside a plain text of the same words."""
    from django.core.mail import EmailMessage

    from games import picture_png, picture_svg, selectors
    from games.mail import game_context
    from games.models import Game, Seat
    from games.selectors.clocks import seat_clock_of
    from games.services import clocks
    from notifications.channels.email import mail_sender
    from notifications.models import Delivery

    rng, now = random.Random("mails"), datetime.now(UTC)
    deliveries = []
    for number in range(count):
        bench_game = start_game(players[2 * (number % PAIR_COUNT) :][:2], rng)
        play_actions(bench_game, rng.randrange(1, 60), rng)
        clocks.recompute_deadline(code=bench_game.game.code, now=now)
        game = Game.objects.get(pk=bench_game.game.pk)
        seat_row = Seat.objects.select_related("player").get(
            game=game, seat_no=bench_game.state.seats_to_act[0]
        )
        assert seat_row.seat_no
        data = {"game": game.code, "seq": seat_clock_of(game, seat_row.seat_no).turn_seq, "deadline": None}
        times = {"created_at": now, "next_attempt_at": now}
        deliveries.append(
            Delivery.objects.create(
                player=seat_row.player, topic=game.topic, kind="turn", data=data, dedup_key=game.code, **times
            )
        )
    for delivery in deliveries:  # warm-up: a worker has the tiles of pictures cached
        mail_sender.compose_mail(delivery, now=now).message().as_bytes()
    sizes, own_times, plain_times, plain_sizes = [], [], [], []
    for delivery in deliveries:
        started_at = time.process_time()
        email = mail_sender.compose_mail(delivery, now=now)
        sizes.append(float(len(email.message().as_bytes())))
        own_times.append((time.process_time() - started_at) * 1000)
        started_at = time.process_time()
        plain_bytes = EmailMessage(email.subject, email.body, to=email.to).message().as_bytes()
        plain_times.append((time.process_time() - started_at) * 1000)
        plain_sizes.append(float(len(plain_bytes)))
    views = [selectors.load_view_for(delivery.player, delivery.data["game"]).view for delivery in deliveries]
    width = int(game_context.BOARD_WIDTH * game_context.PIXEL_RATIO)
    pasted_times = [
        measure_cpu_ms(lambda view=view: picture_png.draw_board_png(view, width=width)) for view in views
    ]
    drawn_times = [
        measure_cpu_ms(lambda view=view: picture_svg.render_png(picture_svg.draw_board_svg(view), width))
        for view in views
    ]
    figure = f"picture of a board {width} wide, ms of processor"
    print_figure(
        figure,
        compute_median(pasted_times),
        "drawn whole by resvg",
        compute_median(drawn_times),
        compute_median(pasted_times) / compute_median(drawn_times),
    )
    queries = record_queries(lambda: mail_sender.compose_mail(deliveries[0], now=now)).queries
    peer = "its text alone"
    print_figure(
        "mail of a turn, ms of processor",
        compute_median(own_times),
        peer,
        compute_median(plain_times),
        compute_median(own_times) / compute_median(plain_times),
    )
    print_figure(
        "mail of a turn, bytes",
        compute_median(sizes),
        peer,
        compute_median(plain_sizes),
        compute_median(sizes) / compute_median(plain_sizes),
    )
    print_figure("mail of a turn, queries to write it", queries, peer, 0, 0)


def main() -> None:
    """Start both sites and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few games")
    quick = parser.parse_args().quick
    game_count = 4 if quick else 40
    with start_servers() as servers:
        environment = servers.build_environment(servers.create_database("otto"))
        run_management_command(environment, "migrate", "--verbosity", "0")
        set_up_django(environment)
        players = create_players(2 * PAIR_COUNT)
        measure_move_queries(players)
        measure_turns_per_game(game_count)
        own_port = servers.start_web_server("ours", "otto_site.wsgi:application", environment)
        peer_port = start_peer(servers)
        measure_moves(servers, own_port, peer_port, players, game_count)
        measure_mails(players, game_count)


if __name__ == "__main__":
    main()
