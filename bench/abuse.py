"""One address that asks as much as it may, and more, for what costs most: do the others notice?

Starts what `make cluster` starts, with the limits of production. Pairs of clients play by API at an even
pace, and readers load pages, each from a loopback address of their own. In turn nobody disturbs them; one
address asks evenly as often as it may, for pictures, pages of a tournament, the API's document; or it asks
`--over` times as often and hears 429. Each figure is the others' 95th percentile in milliseconds with the
abuser beside that without, and its ratio the median over the rounds: so a busy machine is busy for both. A
machine that others keep busy says little all the same: what is left of its processors fills up sooner.

One address at its limit shall move nobody else's by more than half: a ratio of at most 1.5.
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

from _clients import Caller, Client, Door, Notes, play_games, quantile
from _common import ROOT, middle, people, print_figure, use_django
from _load import Line
from _sites import doors_of

from docker.cluster import Cluster

QUIET, AT_LIMIT, OVER_LIMIT = "quiet", "at its limit", "over its limit"
KINDS = {"move": "POST of an action", "look": "GET of legal actions", "page": "a page"}
CLOCK = {"clock": "custom", "allowance": 3600, "bank": 3600}
SETTLE = 2.0  # seconds before each phase
CONNECTIONS = 16  # of the abuser to the API, and as many for pages
API_RATE, PAGE_RATE = 120, 300  # requests a minute of an address: the settings' own
PAGES = ("/", "/lobby/", "/rules/", "/tournaments/", "/ratings/")


@dataclass
class Plan:
    """How many play, for how long, and how much more than its limit the abuser asks for."""

    tables: int
    readers: int
    pause: float
    seconds: float
    rounds: int
    over: float


@dataclass(frozen=True)
class Abuser:
    """Asks for what costs most, at a rate, from one address; what it hears is only counted.

    It is a process of its own: what others wait for must not wait for it in ours.
    """

    port: int
    host: str
    certificate: Path
    api: list[str]
    pages: list[str]

    async def disturb(self, address: str, factor: float, seconds: float) -> Counter[int]:
        """Let it ask for some seconds; gives how often it heard which status."""
        loop, spawn = asyncio.get_running_loop(), multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            await loop.run_in_executor(pool, os.getpid)  # it has started by now
            return await loop.run_in_executor(pool, abuse, self, address, factor, seconds)

    async def ask(self, address: str, factor: float, seconds: float) -> Counter[int]:
        """As often as the limits say, times a factor."""
        door = Door(self.port, self.host, ssl.create_default_context(cafile=str(self.certificate)))
        heard: Counter[int] = Counter()
        kinds = ((self.api, API_RATE), (self.pages, PAGE_RATE))
        asking = [
            keep_asking(door, address, paths, 60 / rate / factor, seconds, heard) for paths, rate in kinds
        ]
        await asyncio.gather(*asking)
        return heard


def abuse(abuser: Abuser, address: str, factor: float, seconds: float) -> Counter[int]:
    return asyncio.run(abuser.ask(address, factor, seconds))


async def keep_asking(
    door: Door, address: str, paths: list[str], pause: float, seconds: float, heard: Counter[int]
) -> None:
    """One path after the other; an answer that is late keeps no other one waiting, up to a point."""
    idle: list[Line] = []
    under_way: set[asyncio.Task[None]] = set()

    async def once(path: str) -> None:
        line = idle.pop() if idle else await dial_from(door, address)
        request = f"GET {path} HTTP/1.1\r\n{door.head}Accept-Encoding: gzip\r\n\r\n".encode()
        heard[int((await line.ask(request))[9:12])] += 1
        if not line.transport.is_closing():
            idle.append(line)

    began = time.perf_counter()
    for number, path in enumerate(itertools.cycle(paths)):
        await asyncio.sleep(max(0.0, began + number * pause - time.perf_counter()))
        if time.perf_counter() - began >= seconds:
            break
        if len(under_way) < CONNECTIONS:
            task = asyncio.create_task(once(path))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
    await asyncio.gather(*under_way, return_exceptions=True)
    for line in idle:
        line.transport.abort()


async def dial_from(door: Door, address: str) -> Line:
    """A connection to the proxy from another address of this machine."""
    _, line = await asyncio.get_running_loop().create_connection(
        *(Line, "127.0.0.1", door.port),
        ssl=door.tls,
        server_hostname=door.host if door.tls else None,
        local_addr=(address, 0),
    )
    return line


async def read_pages(door: Door, notes: Notes, number: int, pause: float) -> None:
    """A reader with an address of their own, who loads a page now and then."""
    rng, caller = random.Random(f"reader {number}"), Caller(door, notes)
    caller.line = await dial_from(door, f"127.0.2.{number + 1}")
    while True:
        await asyncio.sleep(pause * rng.expovariate(1))
        with notes.minding("a reader"):
            if caller.line is None or caller.line.transport.is_closing():
                caller.line = await dial_from(door, f"127.0.2.{number + 1}")
            await caller.get("page", rng.choice(PAGES))


# ----------------------------------------------------------------------------------------------- the phases


async def take_turns(
    plan: Plan, notes: Notes, abuser: Abuser, heard: Counter[int]
) -> dict[str, list[dict[str, float]]]:
    """Each phase in turn, round after round; the 95th percentiles of what others waited for."""
    found: dict[str, list[dict[str, float]]] = {QUIET: [], AT_LIMIT: [], OVER_LIMIT: []}
    numbers = itertools.count(1)
    for number in range(plan.rounds):
        for phase in (QUIET, AT_LIMIT, OVER_LIMIT):
            await asyncio.sleep(SETTLE)
            notes.phase = f"{phase} {number}"
            # From a new address each time: its minute has just begun.
            address = f"127.0.1.{next(numbers)}"
            if phase == QUIET:
                await asyncio.sleep(plan.seconds)
            else:
                factor = plan.over if phase == OVER_LIMIT else 1.0
                heard += await abuser.disturb(address, factor, plan.seconds)
            took = {kind: quantile(notes.times(notes.phase, kind), 0.95) * 1000 for kind in KINDS}
            found[phase].append(took)
            notes.phase = "between"
            told = ", ".join(f"{kind} {took[kind]:.0f}" for kind in KINDS)
            print(f"  round {number + 1}, {phase}: p95 ms of {told}", file=sys.stderr, flush=True)
    return found


async def measure_all(
    plan: Plan,
    door: Door,
    notes: Notes,
    pairs: list[list[Client]],
    abuser: Abuser,
    heard: Counter[int],
) -> dict[str, list[dict[str, float]]]:
    """Let everybody play and read, and disturb them."""
    ending = False

    def begins() -> Iterator[bool]:
        while not ending:
            yield True

    async def at_table(pair: list[Client]) -> None:
        with notes.minding("a game"):
            await play_games(pair, {"seats": 2, "target": 24, **CLOCK}, begins())

    notes.gate.set()
    notes.pause = plan.pause
    busy = [asyncio.ensure_future(at_table(pair)) for pair in pairs]
    busy += [
        asyncio.ensure_future(read_pages(door, notes, number, plan.pause)) for number in range(plan.readers)
    ]
    await asyncio.sleep(3 * SETTLE)
    found = await take_turns(plan, notes, abuser, heard)
    ending = True
    for task in busy:
        task.cancel()
    await asyncio.gather(*busy, return_exceptions=True)
    return found


# ------------------------------------------------------------------------------------------------- the site


def costly_doors() -> tuple[list[str], list[str]]:
    """What costs most, of the API and of the pages: a long game and a tournament with its standings."""
    from games.models import Game
    from tournaments.models import Event

    game = Game.objects.filter(status="over").order_by("-seq").first()
    event = Event.objects.order_by("-pk").first()
    assert game
    assert event
    api = ["/api/v1/schema/", f"/api/v1/games/{game.code}/board.png"]
    api += [f"/api/v1/tournaments/{event.code}/standings/", f"/api/v1/tournaments/{event.code}/bracket/"]
    pages = [f"/tournaments/{event.code}/", f"/tournaments/{event.code}/standings/"]
    pages += [f"/games/{game.code}/replay/", f"/games/{game.code}/fairness/", "/leagues/", "/lobby/"]
    return api, pages


def populate() -> None:
    """A tournament that bots have played."""
    from django.core.management import call_command

    words = ["--format", "swiss", "--entrants", "32", "--table", "4", "--seed", "3", "--keep"]
    with open(os.devnull, "w") as nowhere:
        call_command("simulate_event", *words, stdout=nowhere)


def measure(plan: Plan, folder: Path) -> None:
    notes = Notes()
    more = {"PYTHONPATH": str(ROOT), "STOP_AFTER": "0"}
    with Cluster(folder, without=("inbound",), more=more) as cluster:
        use_django(cluster.surroundings("web1") | cluster.environment("web1"))
        logging.disable(logging.INFO)
        from games.models import Player

        populate()
        [door] = doors_of(cluster)
        persons = people(2 * plan.tables)
        Player.objects.update(mails=Player.Mails.NONE)
        clients = [
            Client(Caller(door, notes, one.header.split()[-1]), one.player.email, f"abuse {number}")
            for number, one in enumerate(persons)
        ]
        pairs = [clients[2 * number : 2 * number + 2] for number in range(plan.tables)]
        abuser = Abuser(door.port, door.host, cluster.certificate, *costly_doors())
        heard: Counter[int] = Counter()
        found = asyncio.run(measure_all(plan, door, notes, pairs, abuser, heard))
    report(found, notes, heard)


def report(found: dict[str, list[dict[str, float]]], notes: Notes, heard: Counter[int]) -> None:
    """Every figure; ends with 1 after an error of the site's."""
    for phase in (AT_LIMIT, OVER_LIMIT):
        for kind, name in KINDS.items():
            pairs = [(a[kind], b[kind]) for a, b in zip(found[phase], found[QUIET], strict=True)]
            ratio = middle([one / other if other else 0.0 for one, other in pairs])
            ours, theirs = (middle([*column]) for column in zip(*pairs, strict=True))
            print_figure(f"others' p95 ms, {name}, one address {phase}", ours, "nobody abuses", theirs, ratio)
    total, refused = heard.total(), heard[429]
    wrong = total - refused - heard[200]
    print_figure("answers of 429 to the abuser", refused, "its requests", total, refused / max(total, 1))
    print_figure("errors that the abuser heard", wrong, "allowed", 0, 1.0 + wrong)
    print_figure("errors that others heard", len(notes.errors), "allowed", 0, 1.0 + len(notes.errors))
    print_figure("others' requests told to wait", notes.waits, "allowed", 0, 1.0 + notes.waits)
    for words in notes.errors[:10]:
        print(f"WRONG: {words}", file=sys.stderr)
    if notes.errors or wrong:
        sys.exit(1)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--tables", type=int, default=4, help="of two who play by API")
    words.add_argument("--readers", type=int, default=4, help="who load pages")
    words.add_argument("--pause", type=float, default=0.7, help="seconds before each move and page, mean")
    words.add_argument("--seconds", type=float, default=60.0, help="of each phase")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--over", type=float, default=5.0, help="times its limit, in the third phase")
    asked = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    plan = Plan(asked.tables, asked.readers, asked.pause, asked.seconds, asked.rounds, asked.over)
    with tempfile.TemporaryDirectory(prefix="otto-abuse-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # PostgreSQL may run as another user
        measure(plan, Path(folder))


if __name__ == "__main__":
    main()
