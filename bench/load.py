"""The whole production site under load: hundreds of clients play whole games, by API and by links of mails.

Starts what `make cluster` starts, and a mail server of its own. Pairs of clients play one game after another
through the proxy, at full speed and then at half of it; some play only by the links that mails bring them.
When the last game is over: was every notice sent that was due, once; does every game audit clean. The peer
does the least that Django can: a look and an insert for each move, behind the same servers and PostgreSQL.

Rate limits are those of production, but for pages, which all come from one address here; sweeps run every
second instead of every five (SWEEP_EVERY), so that a game by mail ends within the minute. Ends with 1 after
any error, any notice lost or sent twice, any game that differs from its log. `--short` is to see that all of
it works: few clients, past the proxy, without the peer (its figures are ours), and whoever plays by mail
resigns in their second turn.
"""

from __future__ import annotations

import argparse
import asyncio
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

from _clients import Caller, Client, Correspondent, Door, Notes, PostOffice, play_games, quantile
from _common import PLENTY, ROOT, middle, people, print_figure, use_django
from _ledger import Told, audit, complaints, drain, settle
from _sites import THINGS, Peer, doors_of

from docker.cluster import Cluster

CLOCK = {"clock": "custom", "allowance": 60, "bank": 3600}  # a notice goes out after three seconds
FULL, HALF, REST = "at full speed", "at half speed", "to the end"
PATIENCE = 240.0  # seconds for the games that are under way to end
DRAINED = 120.0  # seconds for the last notices to go out
SWEEP_EVERY = 1
ROUNDS, SETTLE = 4, 1.0  # turns of each site at each pace, and seconds before each


@dataclass
class Load:
    """How much is asked of a site, and what it gave: moves a second at each pace, round by round."""

    clients: int
    games: int
    seconds: float  # at each pace
    mail: float
    target: int
    short: bool
    rates: dict[str, list[float]] = field(default_factory=lambda: {FULL: [], HALF: []})
    notes: Notes = field(default_factory=Notes)

    @property
    def tables(self) -> int:
        return self.clients // 2

    @property
    def by_mail(self) -> int:
        """Tables at which one plays by mail."""
        return min(round(self.clients * self.mail), self.tables)

    @property
    def by_api(self) -> int:
        """Tables at which nobody waits for mails, and something is always to be done."""
        return max(self.tables - self.by_mail, 1)


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------- ours


def seated(load: Load, doors: list[Door]) -> list[list[Client]]:
    """Pairs of clients; at the first tables the second plays by mail. Who plays by API wants no mails."""
    from games.models import Player

    pairs: list[list[Client]] = [[] for _ in range(load.tables)]
    for number, person in enumerate(people(2 * load.tables)):
        caller = Caller(doors[number % len(doors)], load.notes, person.header.split()[-1])
        table, second = divmod(number, 2)
        if second and table < load.by_mail:
            turns = 2 if load.short else 0
            pairs[table].append(Correspondent(caller, person.player.email, f"load {number}", turns))
        else:
            pairs[table].append(Client(caller, person.player.email, f"load {number}"))
    mailed = [one.address for pair in pairs for one in pair if isinstance(one, Correspondent)]
    Player.objects.exclude(email__in=mailed).update(mails=Player.Mails.NONE)
    return pairs


async def play(
    load: Load, pairs: list[list[Client]], office: PostOffice, measured: Callable[[], Awaitable[None]]
) -> int:
    """Games one after the other at every table, until all is measured; how many were played to their end."""
    notes, left, ending = load.notes, load.games or sys.maxsize, False
    office.open(notes, [client for pair in pairs for client in pair])

    def begins() -> Iterator[bool]:
        nonlocal left
        while left > 0 and not ending:
            left -= 1
            yield True

    async def at_table(pair: list[Client]) -> int:
        by_mail = isinstance(pair[1], Correspondent)
        terms = {"seats": 2, "target": 1 if by_mail else load.target, **CLOCK}
        with notes.minding("a game"):
            return await play_games(pair, terms, begins())
        return 0

    notes.gate.set()
    playing = [asyncio.ensure_future(at_table(pair)) for pair in pairs]
    await asyncio.sleep(load.seconds / 3)
    await measured()
    notes.gate.set()
    notes.pause, notes.phase, ending = 0.0, REST, True
    until = time.monotonic() + PATIENCE
    while (rest := [task for task in playing if not task.done()]) and time.monotonic() < until:
        say(f"  {len(rest)} tables play their last games to the end")
        await asyncio.wait(rest, timeout=10)
    for task in rest:
        notes.errors.append("a game did not come to its end")
        task.cancel()
    ended = await asyncio.gather(*playing, return_exceptions=True)
    for pair in pairs:
        for client in pair:
            client.caller.close()
    return sum(one for one in ended if isinstance(one, int))


# ---------------------------------------------------------------------------------------- peer, and in turn


async def write(load: Load, doors: list[Door], number: int) -> None:
    """What the peer does at a table: a look and a line, over and over."""
    notes, rng, seq = load.notes, random.Random(f"peer {number}"), 0
    caller = Caller(doors[number % len(doors)], notes)
    try:
        with notes.minding("the peer"):
            while True:
                await notes.rest(rng)
                thing = f"/things/thing{(number + seq) % THINGS}/"
                await caller.get("look", thing)
                await caller.post("move", f"{thing}lines/", {"action": "B-b3-90", "seq": seq}, 201)
                seq += 1
    finally:
        caller.close()


async def in_turn(loads: list[Load]) -> None:
    """Both sites at both paces, one resting while the other is measured: so a busy machine is busy for both.

    At half speed both take the same pause before each move: the one that halves ours.
    """
    rounds, ours = 1 if len(loads) == 1 else ROUNDS, loads[0]
    for pace in (FULL, HALF):
        if pace == HALF:
            pause = 2 * ours.by_api / max(middle(ours.rates[FULL]), 1.0)
            for load in loads:
                load.notes.pause = pause
        for _ in range(rounds):
            for load in loads:
                await measured(load, pace, ours.seconds / rounds)
        say("  " + ", ".join(f"{middle(load.rates[pace]):.0f}" for load in loads) + f" moves a second {pace}")


async def measured(load: Load, pace: str, seconds: float) -> None:
    """Let everybody at one site play for a while, and count."""
    notes = load.notes
    notes.gate.set()
    await asyncio.sleep(SETTLE)
    notes.phase, began, before = pace, time.perf_counter(), len(notes.times(pace, "move", "link"))
    await asyncio.sleep(seconds)
    done = len(notes.times(pace, "move", "link")) - before
    load.rates[pace].append(done / (time.perf_counter() - began))
    notes.phase = "between"
    notes.gate.clear()


async def both(
    ours: Load, peer: Load, doors: list[Door], pairs: list[list[Client]], office: PostOffice
) -> int:
    """The whole run; how many games were played to their end."""
    loads = [ours, peer] if doors else [ours]
    writing = [
        asyncio.ensure_future(write(peer, doors, number)) for number in range(peer.by_api if doors else 0)
    ]
    ended = await play(ours, pairs, office, lambda: in_turn(loads))
    for task in writing:
        task.cancel()
    await asyncio.gather(*writing, return_exceptions=True)
    return ended


# ------------------------------------------------------------------------------------------------- figures


def beside(figure: str, ours: float, peer: str, theirs: float) -> None:
    print_figure(figure, ours, peer, theirs, ours / theirs if theirs else 0.0)


def tell(ours: Load, peer: Load, told: Told) -> None:
    """Every figure beside the peer's."""
    mine, theirs = ours.notes, peer.notes
    quantiles = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    for pace in (FULL, HALF):
        figure = f"moves/s {pace}, {ours.clients} clients"
        ratio = middle([a / b if b else 0.0 for a, b in zip(ours.rates[pace], peer.rates[pace], strict=True)])
        print_figure(figure, middle(ours.rates[pace]), "minimal insert", middle(peer.rates[pace]), ratio)
        for name, part in quantiles:
            one, other = (quantile(notes.times(pace, "move"), part) * 1000 for notes in (mine, theirs))
            beside(f"POST action {name} ms {pace}", one, "minimal insert", other)
    for name, part in quantiles:
        one = quantile(mine.times(HALF, "page", "link"), part) * 1000
        other = quantile(theirs.times(HALF, "look", "move"), part) * 1000
        beside(f"page of a turn's link {name} ms {HALF}", one, "minimal view", other)
    late = quantile(told.late, 0.95)
    beside("notice of a turn, s after it was due, p95", late, "between two sweeps", SWEEP_EVERY)
    moves = len(mine.played)
    beside("moves that the clock was faster with, turns without a choice", mine.overtaken, "moves", moves)
    beside("requests told to wait by a rate limit", mine.waits, "requests", sum(map(len, mine.took.values())))


def verdict(figures: list[tuple[str, int, str, int]], wrong: list[str]) -> None:
    """What must be so; ends with 1 if it is not."""
    for figure, ours, peer, theirs in figures:
        print_figure(figure, ours, peer, theirs, ours / theirs if theirs else 1.0 + ours)
    for words in wrong[:20]:
        say(f"WRONG: {words}")
    if wrong:
        say(f"{len(wrong)} things are wrong.")
        sys.exit(1)


def measure(ours: Load, folder: Path) -> None:
    without: tuple[str, ...] = ("proxy", "inbound") if ours.short else ()
    office = PostOffice()
    more = {"SWEEP_EVERY": str(SWEEP_EVERY), "PYTHONPATH": str(ROOT), "STOP_AFTER": "0"}
    more["PAGE_RATE_ANONYMOUS"] = PLENTY  # who plays by mail has an address of their own, but not here
    with office, Cluster(folder, smtp=(office.host, office.port), without=without, more=more) as cluster:
        environment = cluster.surroundings("web1") | cluster.environment("web1")
        use_django(environment)
        logging.disable(logging.INFO)  # the mail server of this process would tell all it hears
        pairs = seated(ours, doors_of(cluster))
        say(f"{ours.clients} clients, {ours.by_mail} of them by mail, play one game after another.")
        began = time.monotonic()
        peer = ours if ours.short else replace(ours, rates={FULL: [], HALF: []}, notes=Notes())
        site = None if ours.short else Peer(cluster)
        try:
            ended = asyncio.run(both(ours, peer, site.doors if site else [], pairs, office))
        finally:
            if site:
                site.stop()
        drained = drain(DRAINED)
        took = time.monotonic() - began
        addresses = {one.address for pair in pairs for one in pair if isinstance(one, Correspondent)}
        told = settle(ours.notes, addresses)
        count, mails = len(ours.notes.played), ours.notes.mails.total()
        say(f"  {ended} games in {took:.0f} s: {count} moves, {mails} mails")
        games, differ, said = audit()
        wrong = ours.notes.errors + peer.notes.errors * (peer is not ours)
        wrong += told.wrong + complaints(cluster)
        tell(ours, peer, told)
        wrong += [] if drained else ["the outbox was not empty in the end"]
        wrong += [said] if differ else []
        verdict(
            [
                ("errors", len(ours.notes.errors), "allowed", 0),
                ("notices sent", told.sent, "due", told.due),
                ("mails received", ours.notes.mails.total(), "different ones", len(ours.notes.mails)),
                ("games audited clean", games - differ, "games begun and ended", ended),
            ],
            wrong + (["not every game was audited"] if games != ended else []),
        )


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--clients", type=int, default=200)
    words.add_argument("--games", type=int, default=0, help="at most so many in all")
    words.add_argument("--seconds", type=float, default=16.0, help="at each of the two paces")
    words.add_argument("--mail", type=float, default=0.15, help="share of the clients who play by links")
    words.add_argument("--target", type=int, default=12, help="points of a game by API; by mail it is 1")
    words.add_argument("--short", action="store_true", help="8 clients, a second or two")
    asked = words.parse_args()
    if asked.short:
        asked.clients, asked.seconds, asked.mail = 8, 1.5, 0.25
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    load = Load(asked.clients, asked.games, asked.seconds, asked.mail, asked.target, asked.short)
    with tempfile.TemporaryDirectory(prefix="otto-load-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # PostgreSQL may run as another user
        measure(load, Path(folder))


if __name__ == "__main__":
    main()
