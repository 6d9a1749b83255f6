"""Does a game get slower as it grows, or the site as it fills? POST action and GET game, as ratios.

First one game after another at its 1st, 100th and 1000th action. Then one and the same game on three sites
whose databases hold 1,000, 100,000 and 1,000,000 actions. All are up together and asked in turn, one request
each; a ratio is the median over rounds. `--quick` takes smaller numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from _common import (
    Machines,
    Match,
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
from _load import dial, get

if TYPE_CHECKING:
    from games.engine import State

SERVER = ["--interface", "wsgi", "--workers", "1", "--blocking-threads", "1"]
TERMS = {"target": 99, "obligation": "lenient"}  # the longest game there is
A_MATCH = 50  # actions: boards of every fullness are among them
A_GAME = 100  # actions of each game that only fills the database
FILLERS = 2000  # players of those games
LOOKS = 20  # at each game
WARM, ROUNDS = 20, 15
FIRST = 1_000_000  # of their ids


@dataclass
class Size:
    """How much is measured."""

    actions: tuple[int, ...] = (1, 100, 1000)
    stored: tuple[int, ...] = (1_000, 100_000, 1_000_000)
    games: int = 20

    @classmethod
    def small(cls) -> Size:
        return cls((1, 50, 200), (1_000, 10_000, 50_000), 4)


# -------------------------------------------------------------------------------- games that are long


def shyly(state: State, seat: int, rng: random.Random) -> str:
    """The least that one can do for one's points, of a few: games of shy players last."""
    from games.engine import apply, legal_actions

    legal = legal_actions(state, seat)
    tried = [(apply(state, seat, action)[0], action) for action in rng.sample(legal, min(3, len(legal)))]
    return min(tried, key=lambda one: (max(one[0].totals), one[0].match, len(one[0].marked)))[1]


def grown(pair: list[Person], length: int, rng: random.Random) -> Match:
    """A game with so many actions in its log, and at least a match to come."""
    for _ in range(50):
        match = deal(pair, rng, **TERMS)
        advance(match, length, rng, shyly)
        if match.state.seq == length and len(future(match, rng, A_MATCH, shyly)) == A_MATCH:
            return match
    raise RuntimeError(f"no game lasted for {length} actions")


# -------------------------------------------------------------------------------- databases that are full


def copied(model: Any, changed: dict[str, str]) -> tuple[str, str]:
    """The columns of a table, and what to put into each: a model row's own value, unless it is changed."""
    columns = [f'"{field.column}"' for field in model._meta.concrete_fields if field.column != "id"]
    values = [changed.get(column.strip('"'), f"model.{column}") for column in columns]
    if "id" in changed:
        columns, values = ['"id"', *columns], [changed["id"], *values]
    return ", ".join(columns), ", ".join(values)


def fill(address: str, stored: int, each: int = A_GAME) -> None:
    """Other people's games until so many actions are stored, each row a copy of one that a real game made."""
    import psycopg

    from games.models import Action, Event, Game, Player, Seat, Secret

    with psycopg.connect(address, autocommit=True) as connection:

        def many(model: Any, series: str, **changed: str) -> None:
            columns, values = copied(model, changed)
            table = model._meta.db_table
            connection.execute(
                f"INSERT INTO {table} ({columns}) SELECT {values} FROM {series},"  # type: ignore[arg-type]
                f" (SELECT * FROM {table} LIMIT 1) AS model"
            )

        (count,) = connection.execute("SELECT count(*) FROM games_action").fetchone() or (0,)
        games = f"generate_series(1, {max((stored - count) // each, 0)}) nth"
        chairs, steps = "generate_series(0, 1) chair", f"generate_series(1, {each}) step"
        game, code = f"{FIRST} + nth", "'f' || lpad(nth::text, 11, '0')"
        player = f"{FIRST} + (nth * 2 + chair) % {FILLERS} + 1"
        name = "'filler ' || nth"
        connection.execute("SET session_replication_role = replica")  # nothing to check: all of it is copied
        others = f"generate_series(1, {FILLERS}) nth"
        many(Player, others, id=game, name=name, email=f"{name} || '@example.org'")
        many(Game, games, id=game, code=code)
        many(Secret, games, game_id=game)
        many(
            Seat, f"{games}, {chairs}", game_id=game, player_id=player, joined="chair + 1", number="chair + 1"
        )
        many(Action, f"{games}, {steps}", game_id=game, seq="step")
        told = {
            "player_id": player,
            "reason": f"{code} || ':' || step",
            "key": "''",
            "asked": "''",
            "answer": "''",
        }
        many(Event, f"{games}, {steps}, {chairs}", game_id=game, **told)
        connection.execute("SET session_replication_role = DEFAULT")
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


# -------------------------------------------------------------------------------- measuring


async def in_turn(ports: list[int], rounds: list[list[tuple[bytes, ...]]], status: int) -> list[list[float]]:
    """Each round's median times, in seconds, of asking the ports in turn, one request each."""
    lines = [await dial(port) for port in ports]
    wanted = f"HTTP/1.1 {status} ".encode()
    medians = []
    for requests in rounds:
        took: list[list[float]] = [[] for _ in ports]
        for number, together in enumerate(requests):
            for step in range(len(ports)):
                place = (number + step) % len(ports)  # everybody is first as often as last
                began = time.perf_counter()
                answer = await lines[place].ask(together[place])
                took[place].append(time.perf_counter() - began)
                if not answer.startswith(wanted):
                    raise RuntimeError(f"not a {status}: {answer[:1000].decode(errors='replace')}")
        medians.append([middle(times) for times in took])
    for line in lines:
        line.transport.abort()
    return medians


def tell(figure: str, names: list[str], rounds: list[list[float]]) -> None:
    """Every size beside the smallest."""
    for place, name in enumerate(names[1:], 1):
        ratio = middle([times[place] / times[0] for times in rounds])
        small, large = (middle([times[which] for times in rounds]) * 1000 for which in (0, place))
        print_figure(f"{figure} ms {name}", large, names[0], small, ratio)


def requests_for(matches: list[Match], rng: random.Random) -> tuple[list[bytes], list[bytes]]:
    """What plays each of these games for the length of a match, and what looks at them."""
    plays = [request for match in matches for request in future(match, rng, A_MATCH, shyly)]
    looks = [get(f"/api/v1/games/{match.game.code}/", match.seats[1].header) for match in matches]
    return plays, looks


@dataclass
class Contest:
    """Servers of growing size, and what each is asked: all their first requests in turn, then the second."""

    ports: list[int]
    names: list[str]
    plays: list[list[bytes]]
    looks: list[list[bytes]]


def by_fullness(on: Machines, size: Size, pair: list[Person]) -> Contest:
    """The same games, on sites that hold more and more of others."""
    from django.db import connections

    rng = random.Random("fullness")
    plays, looks = requests_for([grown(pair, rng.randrange(10, 40), rng) for _ in range(size.games)], rng)
    connections.close_all()  # a database that is copied must be nobody's at that moment
    ports, names = [], []
    for stored in size.stored:
        name = f"stored_{stored}"
        address = on.database(name, template="otto")
        fill(address, stored)
        ports.append(on.serve(name, "otto_site.wsgi:application", on.environment(address), SERVER))
        names.append(f"with {stored:,} actions stored")
    return Contest(ports, names, [plays] * len(ports), [looks * LOOKS] * len(ports))


def by_length(on: Machines, size: Size, pair: list[Person]) -> Contest:
    """The same site, games of every length."""
    rng = random.Random("length")
    address = on.address("otto")
    port = on.serve("length", "otto_site.wsgi:application", on.environment(address), SERVER)
    plays, looks = [], []
    for length in size.actions:
        played, looked = requests_for([grown(pair, length - 1, rng) for _ in range(size.games)], rng)
        plays.append(played)
        looks.append(looked * LOOKS)
    names = [f"at action {length:,}" for length in size.actions]
    return Contest([port] * len(names), names, plays, looks)


def measure(contest: Contest) -> None:
    for figure, requests, status in (("POST action", contest.plays, 201), ("GET game", contest.looks, 200)):
        together = list(zip(*requests, strict=True))
        warm, rest = together[:WARM], together[WARM:]
        length = max(len(rest) // ROUNDS, 1)
        rounds = [rest[first : first + length] for first in range(0, len(rest), length)]
        asyncio.run(in_turn(contest.ports, [warm], status))
        tell(figure, contest.names, asyncio.run(in_turn(contest.ports, rounds, status)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller numbers, for a first look")
    size = Size.small() if parser.parse_args().quick else Size()
    with machines() as on:
        environment = on.environment(on.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        pair = people(2)
        full, long = by_fullness(on, size, pair), by_length(on, size, pair)
        measure(long)
        measure(full)


if __name__ == "__main__":
    main()
