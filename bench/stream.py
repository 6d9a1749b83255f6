"""Live streams: how soon an action is seen, what idle streams cost, and what they cost others.

An action is posted to a web server and timed until it arrives on the open stream of its game, which another
process serves as in production; the peer is a bare ASGI application that echoes a POST to its streams. Then
many idle streams are opened in the process of the streams, and its memory is read; moves per second at the
web servers are measured with and without them. Asserted limits: 250 ms for the 95th percentile, 400 MB with
5,000 streams, and no more than 10 % fewer moves. `--quick` takes 500 streams.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import time
from typing import NamedTuple

import psutil
from _common import (
    BenchGame,
    BenchServers,
    build_remaining_requests,
    compute_median,
    create_players,
    print_figure,
    run_management_command,
    set_up_django,
    start_game,
    start_servers,
)
from _load import build_get_request, open_connection, run_load

STREAM_COUNT, QUICK_STREAM_COUNT = 5000, 500
ACTION_COUNT = 150  # of which the latency is measured
PLAYER_COUNT, CONNECTION_COUNT, GAMES_PER_CONNECTION = 64, 4, 10
ROUND_COUNT, SECONDS_PER_TURN = 4, 2.0  # turns before, and after; twice as many with idle streams
CLOSING_SECONDS = 5.0
MAX_LATENCY_SECONDS, MAX_MEMORY_MB, MIN_MOVE_RATIO = 0.25, 400, 0.9
OPENING_BATCH = 50  # connections opened at once
ASGI_OPTIONS = ["--interface", "asgi", "--workers", "1", "--no-ws", "--backlog", "4096"]
ASGI_OPTIONS += ["--backpressure", "60000"]  # as in docker/compose.yaml


def raise_file_limit(wanted: int) -> None:
    """Let this process and the servers it starts open this many connections. Raises SystemExit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise SystemExit(f"this needs {wanted} open files, and {hard} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


async def open_stream(
    port: int, path: str, header: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a stream and read its head and its opening."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(build_get_request(path, header))
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
    assert b" 200 " in head.split(b"\r\n")[0], head
    await asyncio.wait_for(reader.readuntil(b"\n\n"), 60)
    return reader, writer


async def measure_latency(
    stream_port: int, stream_path: str, post_port: int, requests: list[bytes], mark: bytes
) -> list[float]:
    """Post one request after the other; return the seconds until each one's event was on the stream."""
    reader, writer = await open_stream(stream_port, stream_path)
    connection, durations = await open_connection(post_port), []
    for request in requests:
        started_at = time.perf_counter()
        answering = asyncio.ensure_future(connection.send_request(request))
        await asyncio.wait_for(reader.readuntil(mark), 30)
        durations.append(time.perf_counter() - started_at)
        response = await answering
        assert b" 201 " in response.split(b"\r\n")[0], response
    writer.close()
    connection.transport.close()
    return durations


def compute_p95(durations: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(durations, n=20)[-1]


def build_peer_requests(count: int) -> list[bytes]:
    """Return POST requests for the peer."""
    return [b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\nhi"] * count


async def open_idle_streams(port: int, paths: list[str]) -> list[asyncio.StreamWriter]:
    """Open idle streams, some at once."""
    writers = []
    for start in range(0, len(paths), OPENING_BATCH):
        batch = paths[start : start + OPENING_BATCH]
        writers += [
            writer for _, writer in await asyncio.gather(*(open_stream(port, path) for path in batch))
        ]
    return writers


def find_process_memory(port: int) -> float:
    """Return the resident memory in MB of the server on a port, with its workers."""
    servers = {
        connection.pid
        for connection in psutil.net_connections("tcp")
        if connection.status == "LISTEN" and connection.laddr.port == port and connection.pid
    }
    processes = {pid: psutil.Process(pid) for pid in servers}
    for process in list(processes.values()):
        processes |= {child.pid: child for child in process.children(recursive=True)}
    return max(process.memory_info().rss for process in processes.values()) / 1e6


class MoveLoad:
    """Moves on the web servers, from games whose requests were computed in advance."""

    def __init__(self, port: int, players: list, rng: random.Random) -> None:  # type: ignore[type-arg]
        """Prepare nothing yet."""
        self.port, self.players, self.rng = port, players, rng

    def measure_rate(self) -> float:
        """Return moves per second."""
        prepared_requests = []
        for number in range(CONNECTION_COUNT * GAMES_PER_CONNECTION):
            first_index = 2 * (number % (PLAYER_COUNT // 2))
            bench_game = start_game(self.players[first_index : first_index + 2], self.rng)
            prepared_requests.append(build_remaining_requests(bench_game, self.rng))
        factories = [
            iter(
                [request for requests in prepared_requests[n::CONNECTION_COUNT] for request in requests]
            ).__next__
            for n in range(CONNECTION_COUNT)
        ]
        return asyncio.run(run_load(self.port, factories, SECONDS_PER_TURN, 201)).rate


class SitePorts(NamedTuple):
    """The ports of the site's pages and API, of its streams, and of the peer."""

    web: int
    stream: int
    peer: int


def start_sites(servers: BenchServers) -> SitePorts:
    """Start web servers, streams and the peer."""
    environment = servers.build_environment(servers.create_database("otto"))
    environment |= {"STREAMS_PER_ADDRESS": "100000", "STREAMS_PER_PLAYER": "100000"}
    run_management_command(environment, "migrate", "--verbosity", "0")
    set_up_django(environment)
    web_port = servers.start_web_server("web", "otto_site.wsgi:application", environment)
    stream_port = servers.start_web_server("streams", "otto_site.asgi:application", environment, ASGI_OPTIONS)
    peer = "bench.minimal.sse_echo:application"
    return SitePorts(web_port, stream_port, servers.start_web_server("peer", peer, environment, ASGI_OPTIONS))


def report_latency(bench_game: BenchGame, rng: random.Random, ports: SitePorts) -> None:
    """Measure and print how soon an action is on the stream."""
    web_port, stream_port, peer_port = ports.web, ports.stream, ports.peer
    requests = build_remaining_requests(bench_game, rng, ACTION_COUNT)
    path = f"/api/v1/games/{bench_game.game.code}/stream/"
    own_durations = asyncio.run(measure_latency(stream_port, path, web_port, requests, b"event: action"))
    peer_requests = build_peer_requests(len(requests))
    peer_durations = asyncio.run(measure_latency(peer_port, "/", peer_port, peer_requests, b"data: hi"))
    own, peer = compute_p95(own_durations), compute_p95(peer_durations)
    print_figure("POST to event, p95 in ms", own * 1000, "a bare SSE echo", peer * 1000, own / peer)
    assert own < MAX_LATENCY_SECONDS, f"{own * 1000:.0f} ms"


def report_idle_streams(move_load: MoveLoad, ports: SitePorts, codes: list[str], count: int) -> None:
    """Measure and print the memory of idle streams, and moves per second with and without them."""
    stream_port = ports.stream
    empty_memory = find_process_memory(stream_port)
    paths = [f"/api/v1/games/{codes[n % len(codes)]}/stream/" for n in range(count)]
    move_load.measure_rate()  # so that both sides are warm
    rates_without = [move_load.measure_rate() for _ in range(ROUND_COUNT)]
    with asyncio.Runner() as runner:
        writers = runner.run(open_idle_streams(stream_port, paths))
        memory = find_process_memory(stream_port)
        figure = f"memory in MB with {count} idle streams"
        print_figure(figure, memory, "without", empty_memory, memory / empty_memory)
        rates_with = [move_load.measure_rate() for _ in range(2 * ROUND_COUNT)]
        for writer in writers:
            writer.close()
        runner.run(asyncio.sleep(CLOSING_SECONDS))
    rates_without += [move_load.measure_rate() for _ in range(ROUND_COUNT)]
    rate_with, rate_without = compute_median(rates_with), compute_median(rates_without)
    ratio = rate_with / rate_without
    print_figure(f"moves per second with {count} idle streams", rate_with, "without", rate_without, ratio)
    assert memory < MAX_MEMORY_MB, f"{memory:.0f} MB"
    assert ratio > MIN_MOVE_RATIO, f"{ratio:.2f}"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    count = QUICK_STREAM_COUNT if parser.parse_args().quick else STREAM_COUNT
    raise_file_limit(count * 2 + 1000)
    rng = random.Random("stream")
    with start_servers() as servers:
        ports = start_sites(servers)
        players = create_players(PLAYER_COUNT)
        watched_games = [start_game(players[n : n + 2], rng) for n in range(0, 16, 2)]
        report_latency(watched_games[0], rng, ports)
        codes = [bench_game.game.code for bench_game in watched_games[1:]]
        report_idle_streams(MoveLoad(ports[0], players, rng), ports, codes, count)


if __name__ == "__main__":
    main()
