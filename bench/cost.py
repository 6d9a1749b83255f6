"""What one move costs: queries, processor time, write-ahead log, rows, indexes, Redis, and the mail about it.

Whole games are played over HTTP at random, each action with a key; what they took is read from outside: from
the counts and sizes of PostgreSQL and Redis, and from what Linux says of each process. The peer, the minimal
site, inserts one line in a transaction. Then the mail of a turn beside the least mail that Django can
write, and what is asked most often of a site with 100,000 games beside one with 1,000. `--quick`: less of it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from _common import (
    Machines,
    Person,
    advance,
    at_random,
    deal,
    future,
    machines,
    manage,
    middle,
    people,
    print_figure,
    use_django,
)
from _load import dial
from api import start_peer, writer
from growth import fill

TABLES = ("games_game", "games_secret", "games_seat", "games_action", "games_event")
PAIRS = 10
PEER = "minimal insert"


# --------------------------------------------------------------------------------------- seen from outside


def processor(pid: int) -> float:
    """Seconds that a process and all that came of it have computed; 0 where the system does not tell."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for found in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = found.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        one = int(found.parent.name)
        children.setdefault(int(words[1]), []).append(one)
        spent[one] = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    family, total = [pid], 0.0
    while family:
        one = family.pop()
        total += spent.get(one, 0.0)
        family += children.get(one, [])
    return total


def server_at(port: int) -> int:
    """The process that was told to serve at a port."""
    for found in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"--port\0{port}\0" in found.read_text():
                return int(found.parent.name)
        except OSError:
            continue
    return 0


class Meter:
    """What PostgreSQL, Redis and a web server have done so far."""

    def __init__(self, on: Machines, name: str, port: int, tables: tuple[str, ...]) -> None:
        from redis import Redis

        self.database = psycopg.connect(on.address(name), autocommit=True)
        self.redis, self.tables = Redis.from_url(on.redis), tables
        folder = re.search(r"host=([^&]+)", on.postgres)
        assert folder
        self.postgres = int(Path(folder[1], "postmaster.pid").read_text().split()[0])
        self.web = server_at(port)

    def ask(self, text: str) -> tuple[Any, ...]:
        found = self.database.execute(text).fetchone()  # type: ignore[arg-type]
        assert found
        return found

    def read(self) -> dict[str, float]:
        self.ask("SELECT pg_stat_force_next_flush()")
        heard: Any = self.redis.info()
        counts: dict[str, float] = {
            "ms of processor, web": processor(self.web) * 1000,
            "ms of processor, PostgreSQL": processor(self.postgres) * 1000,
            "bytes of write-ahead log": float(self.ask("SELECT wal_bytes FROM pg_stat_wal")[0]),
            "commands to Redis": heard["total_commands_processed"],
            "bytes to Redis": heard["total_net_input_bytes"],
            "bytes of rows": 0.0,
            "bytes of indexes": 0.0,
        }
        for table in self.tables:
            rows, indexes = self.ask(f"SELECT pg_table_size('{table}'), pg_indexes_size('{table}')")
            counts["bytes of rows"] += rows
            counts["bytes of indexes"] += indexes
            counts[f"bytes in {table}"] = rows + indexes
        return counts

    def measured(self, work: Callable[[], int]) -> dict[str, float]:
        """What each of so many took."""
        before = self.read()
        count = work()
        return {name: (value - before[name]) / count for name, value in self.read().items()}

    def close(self) -> None:
        self.database.close()
        self.redis.close()


async def ask_all(port: int, requests: list[bytes]) -> int:
    """One after the other over one connection; how many."""
    line = await dial(port)
    for request in requests:
        answer = await line.ask(request)
        if not answer.startswith(b"HTTP/1.1 201 "):
            raise RuntimeError(f"not a 201: {answer[:1000].decode(errors='replace')}")
    line.transport.abort()
    return len(requests)


def whole_games(cast: list[Person], games: int, rng: random.Random) -> list[bytes]:
    """The requests of whole games, side by side as they would be played."""
    lines = []
    for number in range(games):
        first = 2 * (number % PAIRS)
        lines.append(future(deal(cast[first : first + 2], rng), rng))
    return [line[step] for step in range(max(map(len, lines))) for line in lines if step < len(line)]


def moves(on: Machines, ours: int, peer: int, cast: list[Person], games: int) -> None:
    """Both sites, by the same meters. The write-ahead log is without the whole pages after a checkpoint."""
    rng = random.Random("cost")
    mine = Meter(on, "otto", ours, TABLES)
    theirs = Meter(on, "minimal", peer, ("minimal_thing", "minimal_line"))
    write = writer()
    asyncio.run(ask_all(ours, whole_games(cast, 2, rng)))  # to warm up
    asyncio.run(ask_all(peer, [write() for _ in range(200)]))
    requests = whole_games(cast, games, rng)
    took = mine.measured(lambda: asyncio.run(ask_all(ours, requests)))
    least = theirs.measured(lambda: asyncio.run(ask_all(peer, [write() for _ in requests])))
    for name, value in took.items():
        other = least.get(name, 0.0)
        print_figure(f"a move, {name}", value, PEER, other, value / other if other else 0.0)
    print_figure("a whole game, moves", len(requests) / games, "a game", 1, len(requests) / games)
    grown = (took["bytes of rows"] + took["bytes of indexes"]) * len(requests) / games
    print_figure("a whole game, kB stored", grown / 1000, "a game", 1, grown / 1000)
    updates(mine)
    a_day_later(mine)
    for meter in (mine, theirs):
        meter.close()


def updates(meter: Meter) -> None:
    """Rows that were changed in place, without a word to any index."""
    for table in ("games_game", "games_secret"):
        hot, all_of_them = meter.ask(
            f"SELECT n_tup_hot_upd, n_tup_upd FROM pg_stat_user_tables WHERE relname = '{table}'"
        )
        print_figure(f"{table}: updates in place", hot, "updates", all_of_them, hot / max(all_of_them, 1))


def a_day_later(meter: Meter) -> None:
    """What is left of a move once the answers kept for repeated requests are forgotten."""
    from games.services import clearing

    def size() -> tuple[float, float]:
        meter.database.execute("VACUUM FULL games_event")
        stored, count = meter.ask(
            "SELECT sum(pg_total_relation_size(name)), (SELECT count(*) FROM games_action)"
            " FROM unnest(ARRAY['games_event', 'games_action']) AS name"
        )
        return float(stored) / count, count

    before, _ = size()
    clearing.keys(now=datetime.now(UTC) + timedelta(days=30))
    after, count = size()
    print_figure(
        f"a move, bytes of log and feeds a day later ({count} moves)",
        after,
        "at once",
        before,
        after / before,
    )


# ---------------------------------------------------------------------------------------- seen from inside


class Watched:
    """The queries of a block, and the time that the database took for them."""

    def __init__(self) -> None:
        self.queries, self.seconds = 0, 0.0

    def __call__(self, execute: Any, *rest: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(*rest)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - began


def watched(work: Callable[[], Any]) -> Watched:
    from django.db import connection

    seen = Watched()
    with connection.execute_wrapper(seen):
        work()
    return seen


def queries_of_a_move(cast: list[Person]) -> None:
    """Through every middleware, as a request."""
    from django.db import connection
    from django.test import Client

    from games.engine import apply

    rng, client = random.Random("queries"), Client(headers={"host": "127.0.0.1"})
    match = deal(cast[:2], rng)
    state = match.state
    counts: list[float] = []
    times: list[float] = []
    least: list[float] = []

    def nothing() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    for _ in range(40):
        seat = state.to_act[0]
        action = at_random(state, seat, rng)
        body = {"action": action, "seq": state.seq}
        headers = {
            "Authorization": match.seats[seat].header.partition(": ")[2].strip(),
            "Idempotency-Key": f"q{state.seq}",
        }

        def play(body: dict[str, Any] = body, headers: dict[str, str] = headers) -> None:
            path = f"/api/v1/games/{match.game.code}/actions/"
            done = client.post(path, body, content_type="application/json", headers=headers)
            assert done.status_code == 201, done.content

        seen = watched(play)
        counts.append(float(seen.queries))
        times.append(seen.seconds * 1000)
        least.append(watched(nothing).seconds * 1000)
        state, _ = apply(state, seat, action)
        if state.over:
            break
    print_figure("a move, queries", middle(counts), PEER, 2, middle(counts) / 2)
    print_figure(
        "a move, ms waited for PostgreSQL",
        middle(times),
        "SELECT 1",
        middle(least),
        middle(times) / middle(least),
    )


def mails(cast: list[Person], count: int) -> None:
    """The mail of a turn, with its board, beside a text of the same words."""
    from django.core.mail import EmailMessage

    from games.mail import compose
    from games.models import Delivery, Game, Seat
    from games.selectors.clocks import watch_of
    from games.services import clocks

    rng, now = random.Random("mails"), datetime.now(UTC)
    made = []
    for number in range(count):
        match = deal(cast[2 * (number % PAIRS) :][:2], rng)
        advance(match, rng.randrange(1, 60), rng)
        clocks.rewind(code=match.game.code, now=now)
        game = Game.objects.get(pk=match.game.pk)
        place = Seat.objects.select_related("player").get(game=game, number=match.state.to_act[0])
        assert place.number
        told = {"game": game.code, "seq": watch_of(game, place.number).turn, "deadline": None}
        times = {"made_at": now, "due_at": now}
        made.append(
            Delivery.objects.create(
                player=place.player, game=game, kind="turn", data=told, reason=game.code, **times
            )
        )
    compose.message(made[0], now=now).message().as_bytes()
    sizes, ours, theirs, small = [], [], [], []
    for delivery in made:
        began = time.process_time()
        letter = compose.message(delivery, now=now)
        sizes.append(float(len(letter.message().as_bytes())))
        ours.append((time.process_time() - began) * 1000)
        began = time.process_time()
        plain = EmailMessage(letter.subject, letter.body, to=letter.to).message().as_bytes()
        theirs.append((time.process_time() - began) * 1000)
        small.append(float(len(plain)))
    queries = watched(lambda: compose.message(made[0], now=now)).queries
    peer = "its text alone"
    print_figure(
        "mail of a turn, ms of processor", middle(ours), peer, middle(theirs), middle(ours) / middle(theirs)
    )
    print_figure("mail of a turn, bytes", middle(sizes), peer, middle(small), middle(sizes) / middle(small))
    print_figure("mail of a turn, queries to write it", queries, peer, 0, 0)


# ------------------------------------------------------------------------------------------- a full site


def crowd() -> None:
    """Of a hundred, ninety are over, nine are played, one waits for players."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE games_game SET clocks = '{}', deadline = NULL, expires_at = now() + interval '1 day',
                   created_at = now() - id % 1000000 * interval '1 second',
                   moved_at = now() - id % 1000000 * interval '1 second',
                   due_at = CASE WHEN id % 100 BETWEEN 1 AND 9
                       THEN now() + id % 1000000 * interval '1 second' END,
                   status = CASE WHEN id % 100 = 0 THEN 'open' WHEN id % 100 < 10 THEN 'running'
                       ELSE 'over' END
               WHERE id > 1000000"""
        )
        cursor.execute("UPDATE games_event SET due_at = NULL WHERE game_id > 1000000")
        cursor.execute("VACUUM ANALYZE")


def asked_often(person: Person) -> dict[str, Callable[[], Any]]:
    """What is looked at or looked for again and again."""
    from django.test import Client

    from games.services import lobby, notices, outbox, sweep

    early = datetime.now(UTC) - timedelta(days=1)
    client = Client(headers={"host": "127.0.0.1"})
    token = {"Authorization": person.header.partition(": ")[2].strip()}

    def get(path: str) -> Callable[[], Any]:
        def asked() -> None:
            answer = client.get(path, headers=token)
            assert answer.status_code == 200, (path, answer.status_code)

        return asked

    return {
        "lobby page": get("/lobby/"),
        "GET games?status=open": get("/api/v1/games/?status=open"),
        "GET me/turns": get("/api/v1/me/turns/"),
        "GET events": get("/api/v1/events/"),
        "GET metrics": get("/metrics"),
        "sweep of clocks, nothing due": lambda: sweep.sweep(now=early),
        "sweep of notices, nothing due": lambda: notices.spread(now=early),
        "sweep of mails, nothing due": lambda: outbox.due(now=early, limit=100),
        "sweep of open games, nothing due": lambda: lobby.expire(now=early),
    }


def full_site(on: Machines, person: Person, sizes: tuple[int, int], looks: int) -> None:
    """The same looks at a site with few games and at one with many, in turn."""
    from django.db import connections

    connections.close_all()  # a database that is copied must be nobody's at that moment
    ours, sites = connections["default"], []
    for stored in sizes:
        name = f"stored_{stored}"
        fill(on.database(name, template="otto"), stored * 10, each=10)
        site = connections.create_connection("default")
        site.settings_dict = {**site.settings_dict, "NAME": name}
        connections["default"] = site
        crowd()
        sites.append(site)
    times: dict[str, tuple[list[float], ...]] = {}
    queries = {}
    for turn in range(looks + 3):
        for what, work in asked_often(person).items():
            for site, taken in zip(sites, times.setdefault(what, ([], [])), strict=True):
                connections["default"] = site
                seen = watched(work)
                queries[what] = seen.queries
                if turn >= 3:
                    taken.append(seen.seconds * 1000)
    for site in sites:
        site.close()
    connections["default"] = ours
    for what, (few, many) in times.items():
        figure = f"{what}: ms of database, {sizes[1]:,} games ({queries[what]} queries)"
        ratio = middle([large / small for small, large in zip(few, many, strict=True)])
        print_figure(figure, middle(many), f"{sizes[0]:,} games", middle(few), ratio)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="a few games")
    quick = words.parse_args().quick
    games, letters, sizes, looks = (4, 4, (200, 2_000), 5) if quick else (40, 40, (1_000, 100_000), 30)
    with machines() as on:
        environment = on.environment(on.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        cast = people(2 * PAIRS)
        queries_of_a_move(cast)
        full_site(on, cast[0], sizes, looks)
        ours = on.serve("ours", "otto_site.wsgi:application", environment)
        peer = start_peer(on)
        moves(on, ours, peer, cast, games)
        mails(cast, letters)


if __name__ == "__main__":
    main()
