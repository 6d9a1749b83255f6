"""POST action and GET game over HTTP, beside the least that Django and REST framework can do.

Starts PostgreSQL, Redis and both sites behind the same kind of server, all up together on loopback. The sites
are asked in turn, two seconds each; a ratio is the median over the rounds. Ours authenticates, throttles, and
runs every middleware; the peer does one indexed SELECT (and one INSERT, in a transaction) and nothing else.
Each connection plays games of its own, each action with a key; looks are at 200 games that rest meanwhile.
`--quick` takes shorter turns.
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
    Machines,
    Person,
    advance,
    deal,
    future,
    machines,
    manage,
    middle,
    people,
    print_figure,
    use_django,
)
from _load import Block, block, check, get

CONNECTIONS = (1, 16, 64)
ROUNDS, SECONDS = 5, 2.0
QUICK_ROUNDS, QUICK_SECONDS = 3, 0.5
PAIRS = 32  # of players
CROWD = 200  # games to look at
Asking = Callable[[], bytes]


@dataclass
class Games:
    """Games to be played and looked at. What is played must be legal, so it is worked out in advance."""

    cast: list[Person]
    rng: random.Random = field(default_factory=lambda: random.Random("api"))
    ready: list[list[bytes]] = field(default_factory=list)
    dealt: int = 0

    def stock(self, games: int) -> None:
        """Have at least so many games in store; done between the turns, never while one is timed."""
        while len(self.ready) < games:
            first = 2 * (self.dealt % PAIRS)
            match = deal(self.cast[first : first + 2], self.rng)
            self.ready.append(future(match, self.rng))
            self.dealt += 1

    def player(self) -> Asking:
        """One connection's games, played forward one after the other."""

        def requests() -> Iterator[bytes]:
            while True:
                yield from self.ready.pop()

        return requests().__next__

    def onlooker(self, watched: list[bytes]) -> Asking:
        return lambda: self.rng.choice(watched)


def crowd(games: Games) -> list[bytes]:
    """Requests for games in the middle of their lives, by those who play them."""
    asked = []
    for number in range(CROWD):
        first = 2 * (number % PAIRS)
        match = deal(games.cast[first : first + 2], games.rng)
        advance(match, games.rng.randrange(60), games.rng)
        viewer = games.rng.choice(list(match.seats.values()))
        asked.append(get(f"/api/v1/games/{match.game.code}/", viewer.header))
    return asked


def writer() -> Asking:
    """The peer's POST, with a body like ours."""
    numbers = itertools.count()

    def ask() -> bytes:
        number = next(numbers)
        body = json.dumps({"action": "B-b3-90", "seq": number})
        head = f"POST /things/thing{number % CROWD}/lines/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n"
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    return ask


def reader() -> Asking:
    numbers = itertools.count()
    return lambda: get(f"/things/thing{next(numbers) % CROWD}/")


def start_ours(on: Machines) -> tuple[int, Games]:
    environment = on.environment(on.database("otto"))
    manage(environment, "migrate", "--verbosity", "0")
    use_django(environment)
    port = on.serve("ours", "otto_site.wsgi:application", environment)
    return port, Games(people(2 * PAIRS))


def start_peer(on: Machines) -> int:
    """The minimal site, with a database of its own on the same PostgreSQL."""
    import psycopg

    address = on.database("minimal")
    environment = {
        "DJANGO_SETTINGS_MODULE": "bench.minimal.settings",
        "PGDATABASE": "minimal",
        "PGHOST": address.partition("host=")[2],
        "PGUSER": "postgres",
        "PYTHONPATH": on.environment(address)["PYTHONPATH"],
    }
    manage(environment, "migrate", "--run-syncdb", "--verbosity", "0")
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        rows = [(f"thing{number}", "as many words as a small row would have") for number in range(CROWD)]
        cursor.executemany("INSERT INTO minimal_thing (code, text) VALUES (%s, %s)", rows)
    return on.serve("peer", "bench.minimal.wsgi:application", environment)


def tell(figure: str, peer: str, rounds: list[tuple[Block, Block]], tail: bool) -> None:
    """The figures of one kind of request with so many connections."""

    def line(name: str, of: Callable[[Block], float]) -> None:
        ratio = middle([of(ours) / of(theirs) for ours, theirs in rounds])
        mine, other = (middle([of(one) for one in column]) for column in zip(*rounds, strict=True))
        print_figure(name, mine, peer, other, ratio)

    line(figure, lambda one: one.rate)
    line(f"{figure} p50 ms", lambda one: one.quantile(0.5) * 1000)
    line(f"{figure} p99 ms", lambda one: one.quantile(0.99) * 1000)
    if tail:
        line(f"{figure} p99/p50", lambda one: one.quantile(0.99) / one.quantile(0.5))


def measure(ours: int, peer: int, games: Games, counts: list[int], rounds: int, seconds: float) -> None:
    watched = crowd(games)
    need = 30.0  # games that one turn may use; raised to what they turn out to use

    def turn(port: int, asking: list[Asking], status: int, length: float = seconds) -> Block:
        gc.collect()
        return asyncio.run(block(port, asking, length, status))

    for connections in counts:
        players = [games.player() for _ in range(connections)]
        onlookers = [games.onlooker(watched) for _ in range(connections)]
        writers, readers = [writer()] * connections, [reader()] * connections
        for figure, name, mine, theirs, status in (
            (f"POST action c={connections}", "minimal insert view", players, writers, 201),
            (f"GET game c={connections}", "minimal select view", onlookers, readers, 200),
        ):
            results = []
            for number in range(rounds + 1):
                games.stock(connections + int(need * 2))
                before = len(games.ready)
                length = seconds if number else min(seconds, 0.5)  # the first turn is to warm up
                pair = (turn(ours, mine, status, length), turn(peer, theirs, status, length))
                need = max(need, (before - len(games.ready)) * seconds / length)
                if number:
                    results.append(pair)
            tell(figure, name, results, tail=connections == 16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="turns of twenty seconds in all")
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS, metavar="N")
    asked = parser.parse_args()
    length = (QUICK_ROUNDS, QUICK_SECONDS) if asked.quick else (ROUNDS, SECONDS)
    gc.disable()  # the asker's own pauses are not the servers'; it collects between the turns
    with machines() as on:
        ours, games = start_ours(on)
        peer = start_peer(on)
        check(ours, "/api/v1/games/")
        check(peer, "/things/thing1/")
        measure(ours, peer, games, asked.connections, *length)


if __name__ == "__main__":
    main()
