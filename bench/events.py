"""Large tournaments: pairing 512 by Swiss rules, settling a round of 256 tables, showing a bracket of 512.

Pairing is beside the same matchings without our weights, tables of 3 and 4 beside what could be if nobody had
met yet, settling beside the same rows written plainly, pages and API beside an empty Django view on the same
kind of server. Queries are counted for 16 and for 512 entrants: they must be the same. What is asserted is
what we promise: 5 seconds for a late round of 512, and for any of 64 at tables of 3 and 4, and that neither a
page nor an answer asks more of the database because more people play.
`--quick` takes 64 entrants instead of 512.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from _common import ROOT, Machines, machines, manage, middle, print_figure, use_django
from _load import Block, block, check, get

if TYPE_CHECKING:
    from tournaments.models import Event
    from tournaments.pairing import Round

FEW = 16
LATE, PROMISED = 9, 5.0  # the round that is measured, and seconds for it
AROUND, SHOWN = 64, (3, 6, LATE)  # entrants at tables of 3 and 4, and rounds of which figures are shown
TIMES = 3
MOST_CPU = 1000  # milliseconds for any answer
SECONDS = 1.0  # of asking for one address
EMPTY = "an empty Django view"
ADDRESSES = {
    "page": "/tournaments/{code}/",
    "page of the standings": "/tournaments/{code}/standings/",
    "page of the bracket": "/tournaments/{code}/bracket/",
    "picture of the bracket": "/tournaments/{code}/bracket.svg",
    "API of the bracket": "/api/v1/tournaments/{code}/bracket/",
    "API of the standings": "/api/v1/tournaments/{code}/standings/",
    "API of the tables": "/api/v1/tournaments/{code}/tables/",
    "API of the entrants": "/api/v1/tournaments/{code}/entrants/",
}


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


# ------------------------------------------------------------------------------------------------- pairing


def pair(entrants: int) -> None:
    """A late Swiss round, and its matchings again on the same edges, each as long as its ends are apart."""
    import networkx as nx

    from tournaments import pairing

    rng = random.Random("swiss")
    event = pairing.Event(
        "swiss", tuple(pairing.Entrant(n) for n in range(1, entrants + 1)), bytes(32), rounds=LATE
    )
    results: list[pairing.Result] = []
    graphs: list[nx.Graph] = []
    match = nx.max_weight_matching

    def noted(graph: nx.Graph, **options: Any) -> Any:
        graphs.append(graph)
        return match(graph, **options)

    def coming() -> Round:
        found = pairing.next_round(event, results)
        assert isinstance(found, pairing.Round)
        return found

    for _round in range(1, LATE):
        results += [
            pairing.Result(one.match, one.round, one.seats, rng.choice(((1, 2), (2, 1), (1, 1))))
            for one in coming().pairings
        ]
    ours = [timed(coming) for _ in range(TIMES)]
    nx.max_weight_matching = noted
    coming()
    nx.max_weight_matching = match
    for graph in graphs:
        nx.set_edge_attributes(graph, {(a, b): -abs(a - b) for a, b in graph.edges}, "weight")
    theirs = [timed(lambda: [match(graph, maxcardinality=True) for graph in graphs]) for _ in range(TIMES)]
    mine, other = middle(ours), middle(theirs)
    print_figure(
        f"Swiss pairing of {entrants}, round {LATE}, s",
        mine,
        "the same matchings, weighted by distance alone",
        other,
        mine / other,
    )
    assert mine < PROMISED, f"{mine:.1f} s for a round of {entrants}"


def pair_tables(table: int) -> None:
    """A round of 64 at tables of 3 or 4: how long it takes, and how far it is from scores alone."""
    from tournaments import pairing
    from tournaments.pairing.outcomes import history
    from tournaments.pairing.partition import bound_differences

    rng = random.Random("tables")
    event = pairing.Event(
        "swiss", tuple(pairing.Entrant(n) for n in range(1, AROUND + 1)), bytes(32), table=table, rounds=LATE
    )
    results: list[pairing.Result] = []
    for number in range(1, LATE + 1):
        began = time.process_time()
        coming = pairing.next_round(event, results)
        took = time.process_time() - began
        assert isinstance(coming, pairing.Round)
        assert took < PROMISED, f"{took:.1f} s for round {number} of {AROUND} at tables of {table}"
        if number in SHOWN:
            past = history(event, results)
            tables = [[round(2 * past[id].points) for id in one.seats] for one in coming.pairings]
            apart = sum((a - b) ** 2 for scores in tables for a, b in combinations(scores, 2))
            scores = sorted((score for one in tables for score in one), reverse=True)
            sizes = dict(sorted(Counter(map(len, tables)).items(), reverse=True))
            least = bound_differences(scores, sizes)
            name = f"round {number} of {AROUND} at tables of {table}"
            print_figure(f"CPU for {name}, s", took, "promised", PROMISED, took / PROMISED)
            print_figure(
                f"score differences, {name}", apart, "if nobody had met", least, apart / max(least, 1)
            )
        results += [
            pairing.Result(
                one.match,
                one.round,
                one.seats,
                tuple(rng.sample(range(1, len(one.seats) + 1), len(one.seats))),
            )
            for one in coming.pairings
        ]


# ------------------------------------------------------------------------------------------------- settling


class Spent:
    """Queries and seconds of every deed of a sweep."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.queries: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    def each(self, word: str) -> tuple[float, float]:
        """Milliseconds and queries of one such deed."""
        return self.seconds[word] * 1000 / self.times[word], self.queries[word] / self.times[word]


def swept(event: Event, now: Any) -> Spent:
    """All that is due in an event, deed by deed as a sweep does it."""
    from django.db import connection

    from tournaments.services import sweep

    sweep.wake(now, pk=event.pk)
    spent, asked = Spent(), 0

    def count(execute: Any, *rest: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*rest)

    with connection.execute_wrapper(count):
        while True:
            asked, began = 0, time.perf_counter()
            word = sweep.step(event.pk, now)
            if not word:
                break
            spent.times[word] += 1
            spent.queries[word] += asked
            spent.seconds[word] += time.perf_counter() - began
    event.refresh_from_db()
    return spent


def knockout(entrants: int) -> tuple[Event, Spent, Spent, float]:
    """A knock-out, played to its end; what its first round cost to open and settle, and the same plainly."""
    from tests.tournaments.crowd import end_games, large
    from tests.tournaments.play import DAY, NOW

    event, strength = large("knockout", entrants)
    opening = swept(event, NOW)
    end_games(event, strength, NOW)
    plain = plainly(event)
    settling = swept(event, NOW + DAY)
    now = NOW + DAY
    while event.status == "running":
        assert end_games(event, strength, now)
        now += DAY
        swept(event, now)
    return event, opening, settling, plain


def plainly(event: Event) -> float:
    """Seconds to write a round's results and lines, with nothing read or checked; it leaves nothing."""
    from django.db import transaction
    from django.utils import timezone

    from games.models import Event as Line
    from tournaments.models import Table

    tables = list(event.tables.all())
    players = list(event.members.values_list("player_id", flat=True))
    now = timezone.now()
    for table in tables:
        table.result = {"ranks": [1, 2], "points": [24, 12], "eights": [0, 0], "forfeits": [], "by": "game"}
        table.settled_at = now
    lines = [
        Line(player_id=player, kind="event-result", reason=f"plain:{number}", data={"by": "game"}, at=now)
        for number, player in enumerate(players)
    ]
    with transaction.atomic():
        took = timed(
            lambda: (
                Table.objects.bulk_update(tables, ["result", "settled_at"]),
                Line.objects.bulk_create(lines),
            )
        )
        transaction.set_rollback(True)
    return took


def settle(few: int, many: int) -> tuple[Event, Event]:
    """Two knock-outs, and what their first rounds cost."""
    small, _opening, small_settling, _plain = knockout(few)
    event, opening, settling, plain = knockout(many)
    tables = many // 2
    took, queries = settling.each("settled")
    print_figure(
        f"settling {tables} tables, ms",
        took,
        "the same rows written plainly",
        plain * 1000,
        took / plain / 1000,
    )
    before = small_settling.each("settled")[1]
    print_figure(
        f"queries to settle {tables} tables", queries, f"{few // 2} tables", before, queries / before
    )
    assert queries - before <= tables / 16, "settling asks more for every table"
    took, queries = settling.each("paired")
    before = small_settling.each("paired")[1]
    print_figure(
        f"queries to pair the next {tables // 2} tables",
        queries,
        f"{few // 4} tables",
        before,
        queries / before,
    )
    assert queries - before <= tables / 16, "pairing asks more for every table"
    took, queries = opening.each("opened")
    bare, rows = bare_game()
    print_figure("opening the game of a table, ms", took, "its rows inserted plainly", bare, took / bare)
    print_figure("queries to open the game of a table", queries, "rows", rows, queries / rows)
    return small, event


def bare_game() -> tuple[float, int]:
    """Milliseconds to insert the rows of a game one by one in a transaction, and how many they are."""
    from django.db import transaction

    from games.models import Event as Line
    from games.models import Game, Seat, Secret
    from games.models.games import new_code

    game = Game.objects.order_by("-pk")[0]
    secret, seats = Secret.objects.get(game=game), list(Seat.objects.filter(game=game))
    lines = list(Line.objects.filter(game=game))
    rows = [game, *seats, *lines]
    times = []
    for _ in range(50):
        with transaction.atomic():
            game.code = new_code()

            def insert() -> None:
                for row in rows:
                    row.pk = None
                    if row is not game:
                        row.game = game
                    row.save(force_insert=True)
                secret.pk, secret.game = None, game
                secret.save(force_insert=True)

            for line in lines:
                line.reason = f"bare:{game.code}:{line.pk}"
            times.append(timed(insert) * 1000)
            transaction.set_rollback(True)
    return middle(times), len(rows) + 1


# --------------------------------------------------------------------------------------------------- showing


def asked_for(path: str) -> tuple[int, float]:
    """How many queries an answer takes, and milliseconds of our processor, whatever else the machine does."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client, times = Client(SERVER_NAME="127.0.0.1"), []
    for _ in range(TIMES + 1):
        began = time.process_time()
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(path)
        times.append((time.process_time() - began) * 1000)
    assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return len(queries), middle(times[1:])  # the first is to warm up


def start_empty(on: Machines) -> int:
    environment = {"DJANGO_SETTINGS_MODULE": "bench.minimal.empty", "PYTHONPATH": str(ROOT)}
    return on.serve("empty", "bench.minimal.wsgi:application", environment)


def show(small: Event, event: Event, ours: int, empty: int, entrants: int) -> None:
    """Queries for few and for many, and how long an answer takes."""

    def turn(port: int, path: str) -> Block:
        return asyncio.run(block(port, [lambda: get(path)], SECONDS, 200))

    for name, address in ADDRESSES.items():
        path = address.format(code=event.code)
        (many, spent), (few, little) = asked_for(path), asked_for(address.format(code=small.code))
        print_figure(f"queries for {name} of {entrants}", many, f"of {FEW}", few, many / max(few, 1))
        assert many <= few + 1, f"{path} asks {many} times, with {FEW} entrants {few} times"
        print_figure(f"CPU for {name} of {entrants}, ms", spent, f"of {FEW}", little, spent / little)
        assert spent < MOST_CPU, f"{spent:.0f} ms for {path}"
        check(ours, path)
        mine, theirs = (middle(turn(port, where).took) * 1000 for port, where in ((ours, path), (empty, "/")))
        print_figure(f"{name} of {entrants}, ms", mine, EMPTY, theirs, mine / theirs)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="64 entrants instead of 512")
    entrants = 64 if words.parse_args().quick else 512
    with machines() as on:
        environment = on.environment(on.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        pair(entrants)
        pair_tables(3)
        pair_tables(4)
        small, event = settle(FEW, entrants)
        ours = on.serve("ours", "otto_site.wsgi:application", environment)
        show(small, event, ours, start_empty(on), entrants)


if __name__ == "__main__":
    main()
