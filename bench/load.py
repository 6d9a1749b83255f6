"""The whole production site under load: hundreds of clients play games by API and by links of mails.

Starts what `make cluster` starts, and a mail server. Pairs of clients play one game after another through the
proxy, at full speed and then at half of it; some play only by the links of their mails. Afterwards it checks
that every due notice was sent once and that every game passes the audit. The peer does the least that Django
can: one read and one insert per move, behind the same servers and PostgreSQL.

Rate limits are those of production, except for pages, which all come from one address here. Sweeps run every
second instead of every five (SWEEP_EVERY), so that a game by mail ends within the minute. Exits with 1 after
any error, a lost or duplicate notice, or a game that differs from its log. `--short` is a smoke test: few
clients, without peer (its figures are ours) and, on a site of its own, without proxy, and players by mail
resign in their second turn. With `--site` it runs on a cluster that is there already, with its limits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from _clients import (
    ApiClient,
    LoadLog,
    MailClient,
    MailSink,
    SiteAddress,
    SiteCaller,
    compute_quantile,
    play_games,
)
from _common import ROOT, UNREACHABLE_RATE, compute_median, create_players, print_figure, set_up_django
from _ledger import (
    NoticeReport,
    audit_games,
    audit_notices,
    list_error_log_lines,
    measure_logs,
    wait_for_empty_outbox,
)
from _sites import THING_COUNT, PeerSite, list_site_addresses

from docker.cluster import Cluster
from tests.services import copy_migrated_data

TIME_CONTROL = {
    "clock": "custom",
    "allowance_seconds": 60,
    "bank_seconds": 3600,
}  # notices are sent after three seconds
FULL_SPEED, HALF_SPEED, FINAL_PHASE = "at full speed", "at half speed", "to the end"
FINISH_TIMEOUT_SECONDS = 240.0  # for running games to end
DRAIN_TIMEOUT_SECONDS = 120.0  # for the last notices to be sent
SWEEP_INTERVAL_SECONDS = 1
ROUND_COUNT, SETTLE_SECONDS = 4, 1.0  # rounds at each pace, and the pause before each


@dataclass
class LoadPlan:
    """The plan of a load run, and the measured moves per second at each pace, by round."""

    client_count: int
    max_games: int
    seconds: float  # at each pace
    mail_share: float
    target: int
    is_short: bool
    rates: dict[str, list[float]] = field(default_factory=lambda: {FULL_SPEED: [], HALF_SPEED: []})
    log: LoadLog = field(default_factory=LoadLog)

    @property
    def table_count(self) -> int:
        """The number of tables."""
        return self.client_count // 2

    @property
    def mail_table_count(self) -> int:
        """The number of tables at which one client plays by mail."""
        return min(round(self.client_count * self.mail_share), self.table_count)

    @property
    def api_table_count(self) -> int:
        """The number of tables at which nobody waits for mails."""
        return max(self.table_count - self.mail_table_count, 1)


def print_progress(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------------------------ our site


def seat_clients(plan: LoadPlan, sites: list[SiteAddress]) -> list[list[ApiClient]]:
    """Create pairs of clients; at the first tables the second plays by mail. The others get no mails."""
    from accounts.models import Player

    pairs: list[list[ApiClient]] = [[] for _ in range(plan.table_count)]
    for number, api_player in enumerate(create_players(2 * plan.table_count)):
        caller = SiteCaller(sites[number % len(sites)], plan.log, api_player.auth_header.split()[-1])
        table_no, is_second = divmod(number, 2)
        if is_second and table_no < plan.mail_table_count:
            resigns_after = 2 if plan.is_short else 0
            pairs[table_no].append(
                MailClient(caller, api_player.player.email, f"load {number}", resigns_after)
            )
        else:
            pairs[table_no].append(ApiClient(caller, api_player.player.email, f"load {number}"))
    mail_addresses = [client.address for pair in pairs for client in pair if isinstance(client, MailClient)]
    other_addresses = {client.address for pair in pairs for client in pair} - set(mail_addresses)
    Player.objects.filter(email__in=other_addresses).update(mail_frequency=Player.MailFrequency.NONE)
    return pairs


async def play_tables(
    plan: LoadPlan, pairs: list[list[ApiClient]], mail_sink: MailSink, measure: Callable[[], Awaitable[None]]
) -> int:
    """Play games at every table until the measurement ends. Returns how many games ended."""
    log, left, ending = plan.log, plan.max_games or sys.maxsize, False
    mail_sink.start_reading(log, [client for pair in pairs for client in pair])

    def iterate_game_starts() -> Iterator[bool]:
        """Yield while new games may begin."""
        nonlocal left
        while left > 0 and not ending:
            left -= 1
            yield True

    async def play_at_table(pair: list[ApiClient]) -> int:
        """Let a pair play one game after another. Returns how many ended."""
        plays_by_mail = isinstance(pair[1], MailClient)
        game_settings = {"seats": 2, "target": 1 if plays_by_mail else plan.target, **TIME_CONTROL}
        with log.collect_errors("a game"):
            return await play_games(pair, game_settings, iterate_game_starts())
        return 0

    log.may_move.set()
    tasks = [asyncio.ensure_future(play_at_table(pair)) for pair in pairs]
    await asyncio.sleep(plan.seconds / 3)
    await measure()
    log.may_move.set()
    log.pause, log.phase, ending = 0.0, FINAL_PHASE, True
    ends_at = time.monotonic() + FINISH_TIMEOUT_SECONDS
    while (unfinished_tasks := [task for task in tasks if not task.done()]) and time.monotonic() < ends_at:
        print_progress(f"  {len(unfinished_tasks)} tables play their last games to the end")
        await asyncio.wait(unfinished_tasks, timeout=10)
    for task in unfinished_tasks:
        log.errors.append("a game did not come to its end")
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for pair in pairs:
        for client in pair:
            client.caller.close()
    return sum(result for result in results if isinstance(result, int))


# ------------------------------------------------------------------------------- the peer, and both in turn


async def write_to_peer(plan: LoadPlan, sites: list[SiteAddress], number: int) -> None:
    """Send a read and a write to the peer, repeatedly."""
    log, rng, seq = plan.log, random.Random(f"peer {number}"), 0
    caller = SiteCaller(sites[number % len(sites)], log)
    try:
        with log.collect_errors("the peer"):
            while True:
                await log.wait_before_move(rng)
                thing_path = f"/things/thing{(number + seq) % THING_COUNT}/"
                await caller.get("look", thing_path)
                await caller.post("move", f"{thing_path}lines/", {"action": "B-b3-90", "seq": seq}, 201)
                seq += 1
    finally:
        caller.close()


async def measure_in_turn(plans: list[LoadPlan]) -> None:
    """Measure both sites at both paces in turn, one at rest while the other is measured.

    At half speed both take the same pause before each move: the one that halves our rate.
    """
    round_count, own_plan = 1 if len(plans) == 1 else ROUND_COUNT, plans[0]
    for pace in (FULL_SPEED, HALF_SPEED):
        if pace == HALF_SPEED:
            pause = 2 * own_plan.api_table_count / max(compute_median(own_plan.rates[FULL_SPEED]), 1.0)
            for plan in plans:
                plan.log.pause = pause
        for _ in range(round_count):
            for plan in plans:
                await measure_pace(plan, pace, own_plan.seconds / round_count)
        print_progress(
            "  "
            + ", ".join(f"{compute_median(plan.rates[pace]):.0f}" for plan in plans)
            + f" moves a second {pace}"
        )


async def measure_pace(plan: LoadPlan, pace: str, seconds: float) -> None:
    """Let all clients of one site play for some seconds and count the moves."""
    log = plan.log
    log.may_move.set()
    await asyncio.sleep(SETTLE_SECONDS)
    log.phase, started_at, moves_before = (
        pace,
        time.perf_counter(),
        len(log.list_durations(pace, "move", "link")),
    )
    await asyncio.sleep(seconds)
    move_count = len(log.list_durations(pace, "move", "link")) - moves_before
    plan.rates[pace].append(move_count / (time.perf_counter() - started_at))
    log.phase = "between"
    log.may_move.clear()


async def run_both_sites(
    own_plan: LoadPlan,
    peer_plan: LoadPlan,
    peer_sites: list[SiteAddress],
    pairs: list[list[ApiClient]],
    mail_sink: MailSink,
) -> int:
    """Run everything. Returns how many games ended."""
    plans = [own_plan, peer_plan] if peer_sites else [own_plan]
    writers = [
        asyncio.ensure_future(write_to_peer(peer_plan, peer_sites, number))
        for number in range(peer_plan.api_table_count if peer_sites else 0)
    ]
    game_count = await play_tables(own_plan, pairs, mail_sink, lambda: measure_in_turn(plans))
    for task in writers:
        task.cancel()
    await asyncio.gather(*writers, return_exceptions=True)
    return game_count


# ------------------------------------------------------------------------------------------------- figures


def print_ratio(figure: str, own_value: float, peer_name: str, peer_value: float) -> None:
    """Print a figure with its ratio to the peer's."""
    print_figure(figure, own_value, peer_name, peer_value, own_value / peer_value if peer_value else 0.0)


def print_figures(own_plan: LoadPlan, peer_plan: LoadPlan, report: NoticeReport) -> None:
    """Print all figures beside the peer's."""
    own_log, peer_log = own_plan.log, peer_plan.log
    quantiles = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    for pace in (FULL_SPEED, HALF_SPEED):
        figure = f"moves/s {pace}, {own_plan.client_count} clients"
        ratio = compute_median(
            [a / b if b else 0.0 for a, b in zip(own_plan.rates[pace], peer_plan.rates[pace], strict=True)]
        )
        print_figure(
            figure,
            compute_median(own_plan.rates[pace]),
            "minimal insert",
            compute_median(peer_plan.rates[pace]),
            ratio,
        )
        for name, share in quantiles:
            own_ms, peer_ms = (
                compute_quantile(log.list_durations(pace, "move"), share) * 1000
                for log in (own_log, peer_log)
            )
            print_ratio(f"POST action {name} ms {pace}", own_ms, "minimal insert", peer_ms)
    for name, share in quantiles:
        own_ms = compute_quantile(own_log.list_durations(HALF_SPEED, "page", "link"), share) * 1000
        peer_ms = compute_quantile(peer_log.list_durations(HALF_SPEED, "look", "move"), share) * 1000
        print_ratio(f"page of a turn's link {name} ms {HALF_SPEED}", own_ms, "minimal view", peer_ms)
    delay = compute_quantile(report.delays, 0.95)
    print_ratio(
        "notice of a turn, s after it was due, p95", delay, "between two sweeps", SWEEP_INTERVAL_SECONDS
    )
    move_count = len(own_log.played_actions)
    print_ratio(
        "moves that the clock was faster with, turns without a choice",
        own_log.late_moves,
        "moves",
        move_count,
    )
    print_ratio(
        "requests told to wait by a rate limit",
        own_log.rate_limit_waits,
        "requests",
        sum(map(len, own_log.durations.values())),
    )


def print_verdict(figures: list[tuple[str, int, str, int]], faults: list[str]) -> None:
    """Print the required figures and the faults; exit with 1 if there are any."""
    for figure, own_value, expected_name, expected_value in figures:
        print_figure(
            figure,
            own_value,
            expected_name,
            expected_value,
            own_value / expected_value if expected_value else 1.0 + own_value,
        )
    for fault in faults[:20]:
        print_progress(f"WRONG: {fault}")
    if faults:
        print_progress(f"{len(faults)} things are wrong.")
        sys.exit(1)


def run_on_own_site(own_plan: LoadPlan, folder: Path) -> None:
    """Start the site in a folder, and run there."""
    left_out_services: tuple[str, ...] = ("proxy", "inbound") if own_plan.is_short else ()
    if own_plan.is_short:
        copy_migrated_data(folder)
    mail_sink = MailSink()
    extra_environment = {
        "SWEEP_EVERY": str(SWEEP_INTERVAL_SECONDS),
        "PYTHONPATH": str(ROOT),
        "STOP_AFTER": "0",
    }
    extra_environment["PAGE_RATE_ANONYMOUS"] = UNREACHABLE_RATE  # all clients share one address here
    with (
        mail_sink,
        Cluster(
            folder,
            smtp=(mail_sink.host, mail_sink.port),
            without=left_out_services,
            extra_environment=extra_environment,
        ) as cluster,
    ):
        run_load_test(own_plan, cluster, mail_sink)


def run_on_running_site(own_plan: LoadPlan, description: Path, mail_port: int) -> None:
    """Run on a cluster that another process has started and whose mails arrive at this port."""
    cluster = Cluster.attach(json.loads(description.read_text()))
    with MailSink(port=mail_port) as mail_sink:
        assert isinstance(mail_sink, MailSink)
        run_load_test(own_plan, cluster, mail_sink)


def run_load_test(own_plan: LoadPlan, cluster: Cluster, mail_sink: MailSink) -> None:
    """Measure, audit and print the verdict; on a short run without the peer."""
    environment = cluster.build_base_environment("web1") | cluster.build_environment("web1")
    set_up_django(environment)
    from games.services.game_audit import count_started_games

    logging.disable(logging.INFO)  # the mail server of this process logs every mail
    log_sizes, games_before = measure_logs(cluster), count_started_games()
    pairs = seat_clients(own_plan, list_site_addresses(cluster))
    print_progress(
        f"{own_plan.client_count} clients, {own_plan.mail_table_count} of them by mail,"
        " play one game after another."
    )
    started_at = time.monotonic()
    peer_plan = (
        own_plan
        if own_plan.is_short
        else replace(own_plan, rates={FULL_SPEED: [], HALF_SPEED: []}, log=LoadLog())
    )
    peer_site = None if own_plan.is_short else PeerSite(cluster)
    try:
        game_count = asyncio.run(
            run_both_sites(own_plan, peer_plan, peer_site.addresses if peer_site else [], pairs, mail_sink)
        )
    finally:
        if peer_site:
            peer_site.stop()
    all_addresses = {client.address for pair in pairs for client in pair}
    is_drained = wait_for_empty_outbox(all_addresses, DRAIN_TIMEOUT_SECONDS)
    seconds = time.monotonic() - started_at
    addresses = {client.address for pair in pairs for client in pair if isinstance(client, MailClient)}
    report = audit_notices(own_plan.log, addresses, all_addresses)
    move_count, mail_count = len(own_plan.log.played_actions), own_plan.log.mail_counts.total()
    print_progress(f"  {game_count} games in {seconds:.0f} s: {move_count} moves, {mail_count} mails")
    audit = audit_games()
    audited_count = audit.audited_count - games_before
    faults = own_plan.log.errors + peer_plan.log.errors * (peer_plan is not own_plan)
    faults += report.faults + list_error_log_lines(cluster, log_sizes)
    print_figures(own_plan, peer_plan, report)
    faults += [] if is_drained else ["the outbox was not empty in the end"]
    faults += [audit.output] if audit.differing_count else []
    print_verdict(
        [
            ("errors", len(own_plan.log.errors), "allowed", 0),
            ("notices sent", report.sent_count, "due", report.due_count),
            (
                "mails received",
                own_plan.log.mail_counts.total(),
                "different ones",
                len(own_plan.log.mail_counts),
            ),
            (
                "games audited clean",
                audited_count - audit.differing_count,
                "games begun and ended",
                game_count,
            ),
        ],
        faults + (["not every game was audited"] if audited_count != game_count else []),
    )


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--games", type=int, default=0, help="at most so many in all")
    parser.add_argument("--seconds", type=float, default=16.0, help="at each of the two paces")
    parser.add_argument("--mail", type=float, default=0.15, help="share of the clients who play by links")
    parser.add_argument("--target", type=int, default=12, help="points of a game by API; by mail it is 1")
    parser.add_argument("--short", action="store_true", help="8 clients, a second or two")
    parser.add_argument("--site", type=Path, help="`Cluster.describe` of a cluster that runs")
    parser.add_argument("--mail-port", type=int, default=0, help="where the mails of --site come to")
    arguments = parser.parse_args()
    if arguments.short:
        arguments.clients, arguments.seconds, arguments.mail = 8, 1.5, 0.25
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    plan = LoadPlan(
        arguments.clients,
        arguments.games,
        arguments.seconds,
        arguments.mail,
        arguments.target,
        arguments.short,
    )
    if arguments.site:
        run_on_running_site(plan, arguments.site, arguments.mail_port)
        return
    with tempfile.TemporaryDirectory(prefix="otto-load-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # PostgreSQL may run as another user
        run_on_own_site(plan, Path(folder))


if __name__ == "__main__":
    main()
