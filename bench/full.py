"""What is asked most often, on a site that holds 100,000 games beside one that holds 1,000.

Pages, answers and sweeps that find nothing: the database time of each, both sites asked in turn; a ratio is
the median over the rounds. `--quick` takes smaller numbers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from _common import (
    Machines,
    Person,
    at_random,
    deal,
    machines,
    manage,
    middle,
    people,
    print_figure,
    use_django,
)
from _meter import watched
from growth import fill


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


def play(pair: list[Person]) -> None:
    """A game with a few moves, of which all others are copies."""
    from games.engine import apply
    from games.services import turns

    rng = random.Random("full")
    match = deal(pair, rng)
    state, now = match.state, datetime.now(UTC)
    for step in range(10):
        seat = state.to_act[0]
        action = at_random(state, seat, rng)
        terms = {"code": match.game.code, "text": action, "seq": state.seq, "key": f"full {step}"}
        turns.play(player=match.seats[seat].player, now=now, **terms)
        state, _ = apply(state, seat, action)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="2,000 games beside 200")
    sizes, looks = ((200, 2_000), 5) if words.parse_args().quick else ((1_000, 100_000), 30)
    with machines() as on:
        environment = on.environment(on.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        pair = people(2)
        play(pair)
        full_site(on, pair[0], sizes, looks)


if __name__ == "__main__":
    main()
