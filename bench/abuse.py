"""One client address that uses its rate limit fully, or exceeds it: do other clients notice?

Starts what `make cluster` starts, with the rate limits of production. Pairs of clients play by API at a
steady pace, and readers load pages, each from its own loopback address. Three phases alternate: no abuse;
one address sends expensive requests (pictures, tournament pages, the API schema) exactly at its limit; the
same address sends `--over` times as many and gets 429. Each figure is the others' 95th percentile in
milliseconds with abuse beside that without; its ratio is the median over the rounds, so that other load on
the machine affects both. On a busy machine the figures say little.

An address at its limit must not slow others by more than half: a ratio of at most 1.5.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import logging
import multiprocessing
import os
import random
import signal
import ssl
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from _clients import ApiClient, LoadLog, SiteAddress, SiteCaller, compute_quantile, play_games
from _common import ROOT, compute_median, create_players, print_figure, set_up_django
from _load import HttpConnection
from _sites import list_site_addresses

from docker.cluster import Cluster

QUIET, AT_LIMIT, OVER_LIMIT = "quiet", "at its limit", "over its limit"
FIGURE_NAMES = {"move": "POST of an action", "look": "GET of legal actions", "page": "a page"}
TIME_CONTROL = {"clock": "custom", "allowance_seconds": 3600, "bank_seconds": 3600}
SETTLE_SECONDS = 2.0  # before each phase
MAX_CONNECTIONS = 16  # of the abuser, for the API and again for pages
API_REQUESTS_PER_MINUTE, PAGE_REQUESTS_PER_MINUTE = 120, 300  # per address, the defaults of the settings
PAGE_PATHS = ("/", "/lobby/", "/rules/", "/tournaments/", "/ratings/")


@dataclass
class AbusePlan:
    """The number of tables and readers, the duration, and the factor beyond the limit."""

    table_count: int
    reader_count: int
    pause: float
    seconds: float
    round_count: int
    over_factor: float


@dataclass(frozen=True)
class Abuser:
    """Sends the most expensive requests at a rate from one address, and counts the statuses.

    It runs in its own process, so that it does not delay the measured clients.
    """

    port: int
    host: str
    certificate: Path
    api_paths: list[str]
    page_paths: list[str]

    async def run_in_process(self, address: str, factor: float, seconds: float) -> Counter[int]:
        """Run the abuser in a process for some seconds. Returns the counts by status."""
        loop, spawn = asyncio.get_running_loop(), multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            await loop.run_in_executor(pool, os.getpid)  # waits for its start
            return await loop.run_in_executor(pool, run_abuser, self, address, factor, seconds)

    async def send_requests(self, address: str, factor: float, seconds: float) -> Counter[int]:
        """Send requests at the rate limits times a factor. Returns the counts by status."""
        site = SiteAddress(self.port, self.host, ssl.create_default_context(cafile=str(self.certificate)))
        status_counts: Counter[int] = Counter()
        paths_and_rates = (
            (self.api_paths, API_REQUESTS_PER_MINUTE),
            (self.page_paths, PAGE_REQUESTS_PER_MINUTE),
        )
        senders = [
            send_at_rate(site, address, paths, 60 / rate / factor, seconds, status_counts)
            for paths, rate in paths_and_rates
        ]
        await asyncio.gather(*senders)
        return status_counts


def run_abuser(abuser: Abuser, address: str, factor: float, seconds: float) -> Counter[int]:
    """Run the abuser's event loop; the entry point of its process."""
    return asyncio.run(abuser.send_requests(address, factor, seconds))


async def send_at_rate(
    site: SiteAddress,
    address: str,
    paths: list[str],
    pause: float,
    seconds: float,
    status_counts: Counter[int],
) -> None:
    """Send requests for the paths in turn at a steady rate, with a limited number of connections."""
    idle_connections: list[HttpConnection] = []
    running_tasks: set[asyncio.Task[None]] = set()

    async def send_once(path: str) -> None:
        """Send one request on an idle or new connection, and count its status."""
        connection = idle_connections.pop() if idle_connections else await connect_from(site, address)
        request = f"GET {path} HTTP/1.1\r\n{site.common_headers}Accept-Encoding: gzip\r\n\r\n".encode()
        status_counts[int((await connection.send_request(request))[9:12])] += 1
        if not connection.transport.is_closing():
            idle_connections.append(connection)

    started_at = time.perf_counter()
    for number, path in enumerate(itertools.cycle(paths)):
        await asyncio.sleep(max(0.0, started_at + number * pause - time.perf_counter()))
        if time.perf_counter() - started_at >= seconds:
            break
        if len(running_tasks) < MAX_CONNECTIONS:
            task = asyncio.create_task(send_once(path))
            running_tasks.add(task)
            task.add_done_callback(running_tasks.discard)
    await asyncio.gather(*running_tasks, return_exceptions=True)
    for connection in idle_connections:
        connection.transport.abort()


async def connect_from(site: SiteAddress, address: str) -> HttpConnection:
    """Open a connection to the proxy from another loopback address."""
    _, connection = await asyncio.get_running_loop().create_connection(
        *(HttpConnection, "127.0.0.1", site.port),
        ssl=site.tls,
        server_hostname=site.host if site.tls else None,
        local_addr=(address, 0),
    )
    return connection


async def read_pages(site: SiteAddress, log: LoadLog, number: int, pause: float) -> None:
    """Load random pages from an own address, with pauses."""
    rng, caller = random.Random(f"reader {number}"), SiteCaller(site, log)
    caller.connection = await connect_from(site, f"127.0.2.{number + 1}")
    while True:
        await asyncio.sleep(pause * rng.expovariate(1))
        with log.collect_errors("a reader"):
            if caller.connection is None or caller.connection.transport.is_closing():
                caller.connection = await connect_from(site, f"127.0.2.{number + 1}")
            await caller.get("page", rng.choice(PAGE_PATHS))


# ----------------------------------------------------------------------------------------------- the phases


async def measure_phases(
    plan: AbusePlan, log: LoadLog, abuser: Abuser, status_counts: Counter[int]
) -> dict[str, list[dict[str, float]]]:
    """Run all phases in every round. Returns the 95th percentiles that others measured, by phase."""
    percentiles_by_phase: dict[str, list[dict[str, float]]] = {QUIET: [], AT_LIMIT: [], OVER_LIMIT: []}
    numbers = itertools.count(1)
    for round_index in range(plan.round_count):
        for phase in (QUIET, AT_LIMIT, OVER_LIMIT):
            await asyncio.sleep(SETTLE_SECONDS)
            log.phase = f"{phase} {round_index}"
            # A new address each time, whose rate limit is unused.
            address = f"127.0.1.{next(numbers)}"
            if phase == QUIET:
                await asyncio.sleep(plan.seconds)
            else:
                factor = plan.over_factor if phase == OVER_LIMIT else 1.0
                status_counts += await abuser.run_in_process(address, factor, plan.seconds)
            percentiles = {
                kind: compute_quantile(log.list_durations(log.phase, kind), 0.95) * 1000
                for kind in FIGURE_NAMES
            }
            percentiles_by_phase[phase].append(percentiles)
            log.phase = "between"
            summary = ", ".join(f"{kind} {percentiles[kind]:.0f}" for kind in FIGURE_NAMES)
            print(f"  round {round_index + 1}, {phase}: p95 ms of {summary}", file=sys.stderr, flush=True)
    return percentiles_by_phase


async def run_measurement(
    plan: AbusePlan,
    site: SiteAddress,
    log: LoadLog,
    pairs: list[list[ApiClient]],
    abuser: Abuser,
    status_counts: Counter[int],
) -> dict[str, list[dict[str, float]]]:
    """Run the phases while everybody plays and reads."""
    ending = False

    def iterate_game_starts() -> Iterator[bool]:
        """Yield until the measurement ends."""
        while not ending:
            yield True

    async def play_at_table(pair: list[ApiClient]) -> None:
        """Let a pair play one game after another."""
        with log.collect_errors("a game"):
            await play_games(pair, {"seats": 2, "target": 24, **TIME_CONTROL}, iterate_game_starts())

    log.may_move.set()
    log.pause = plan.pause
    tasks = [asyncio.ensure_future(play_at_table(pair)) for pair in pairs]
    tasks += [
        asyncio.ensure_future(read_pages(site, log, number, plan.pause))
        for number in range(plan.reader_count)
    ]
    await asyncio.sleep(3 * SETTLE_SECONDS)
    percentiles_by_phase = await measure_phases(plan, log, abuser, status_counts)
    ending = True
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return percentiles_by_phase


# ------------------------------------------------------------------------------------------------- the site


def list_costly_paths() -> tuple[list[str], list[str]]:
    """Return the most expensive API paths and page paths: of a long game and a tournament."""
    from games.models import Game
    from tournaments.models import Tournament

    game = Game.objects.filter(status="over").order_by("-seq").first()
    tournament = Tournament.objects.order_by("-pk").first()
    assert game
    assert tournament
    api = ["/api/v1/schema/", f"/api/v1/games/{game.code}/board.png"]
    api += [
        f"/api/v1/tournaments/{tournament.code}/standings/",
        f"/api/v1/tournaments/{tournament.code}/bracket/",
    ]
    pages = [f"/tournaments/{tournament.code}/", f"/tournaments/{tournament.code}/standings/"]
    pages += [f"/games/{game.code}/replay/", f"/games/{game.code}/fairness/", "/leagues/", "/lobby/"]
    return api, pages


def create_tournament() -> None:
    """Create a tournament played by bots."""
    from django.core.management import call_command

    arguments = ["--format", "swiss", "--entrants", "32", "--table", "4", "--seed", "3", "--keep"]
    with open(os.devnull, "w") as null_file:
        call_command("simulate_tournament", *arguments, stdout=null_file)


def measure_abuse(plan: AbusePlan, folder: Path) -> None:
    """Start the site, measure and print the report."""
    log = LoadLog()
    extra_environment = {"PYTHONPATH": str(ROOT), "STOP_AFTER": "0"}
    with Cluster(folder, without=("inbound",), extra_environment=extra_environment) as cluster:
        set_up_django(cluster.build_base_environment("web1") | cluster.build_environment("web1"))
        logging.disable(logging.INFO)
        from accounts.models import Player

        create_tournament()
        [site] = list_site_addresses(cluster)
        players = create_players(2 * plan.table_count)
        Player.objects.update(mail_frequency=Player.MailFrequency.NONE)
        clients = [
            ApiClient(
                SiteCaller(site, log, api_player.auth_header.split()[-1]),
                api_player.player.email,
                f"abuse {number}",
            )
            for number, api_player in enumerate(players)
        ]
        pairs = [clients[2 * number : 2 * number + 2] for number in range(plan.table_count)]
        abuser = Abuser(site.port, site.host, cluster.certificate_path, *list_costly_paths())
        status_counts: Counter[int] = Counter()
        percentiles_by_phase = asyncio.run(run_measurement(plan, site, log, pairs, abuser, status_counts))
    print_report(percentiles_by_phase, log, status_counts)


def print_report(
    percentiles_by_phase: dict[str, list[dict[str, float]]], log: LoadLog, status_counts: Counter[int]
) -> None:
    """Print all figures; exit with 1 after an error of the site."""
    for phase in (AT_LIMIT, OVER_LIMIT):
        for kind, name in FIGURE_NAMES.items():
            pairs = [
                (a[kind], b[kind])
                for a, b in zip(percentiles_by_phase[phase], percentiles_by_phase[QUIET], strict=True)
            ]
            ratio = compute_median([abused / quiet if quiet else 0.0 for abused, quiet in pairs])
            abused_ms, quiet_ms = (compute_median([*column]) for column in zip(*pairs, strict=True))
            print_figure(
                f"others' p95 ms, {name}, one address {phase}", abused_ms, "nobody abuses", quiet_ms, ratio
            )
    total, refused_count = status_counts.total(), status_counts[429]
    error_count = total - refused_count - status_counts[200]
    print_figure(
        "answers of 429 to the abuser", refused_count, "its requests", total, refused_count / max(total, 1)
    )
    print_figure("errors that the abuser heard", error_count, "allowed", 0, 1.0 + error_count)
    print_figure("errors that others heard", len(log.errors), "allowed", 0, 1.0 + len(log.errors))
    print_figure(
        "others' requests told to wait", log.rate_limit_waits, "allowed", 0, 1.0 + log.rate_limit_waits
    )
    for error in log.errors[:10]:
        print(f"WRONG: {error}", file=sys.stderr)
    if log.errors or error_count:
        sys.exit(1)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=4, help="of two who play by API")
    parser.add_argument("--readers", type=int, default=4, help="who load pages")
    parser.add_argument("--pause", type=float, default=0.7, help="seconds before each move and page, mean")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each phase")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--over", type=float, default=5.0, help="times its limit, in the third phase")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    plan = AbusePlan(
        arguments.tables,
        arguments.readers,
        arguments.pause,
        arguments.seconds,
        arguments.rounds,
        arguments.over,
    )
    with tempfile.TemporaryDirectory(prefix="otto-abuse-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # PostgreSQL may run as another user
        measure_abuse(plan, Path(folder))


if __name__ == "__main__":
    main()
