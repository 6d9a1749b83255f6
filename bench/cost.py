"""What one move costs: queries, processor time, write-ahead log, rows, indexes, Redis, and the mail about it.

Whole games are played over HTTP at random, each action with a key; what they took is read from outside: from
the counts and sizes of PostgreSQL and Redis, and from what Linux says of each process. The peer, the minimal
site, inserts one line in a transaction. Then the mail of a turn beside the least mail that Django can write.
`--quick` plays fewer games.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from datetime import UTC, datetime, timedelta
from typing import Any

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
from _load import dial, get
from _meter import Meter, timed, watched
from api import reader, start_peer, writer

TABLES = ("games_game", "games_secret", "games_seat", "games_action", "games_event")
PAIRS = 10
PEER = "minimal insert"


async def ask_all(port: int, requests: list[bytes], status: int = 201) -> int:
    """One after the other over one connection; how many."""
    line = await dial(port)
    for request in requests:
        answer = await line.ask(request)
        if not answer.startswith(f"HTTP/1.1 {status} ".encode()):
            raise RuntimeError(f"not a {status}: {answer[:1000].decode(errors='replace')}")
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
    looks(mine, theirs, ours, peer, cast, len(requests) // games)
    grown = (took["bytes of rows"] + took["bytes of indexes"]) * len(requests) / games
    print_figure("a whole game, kB stored", grown / 1000, "a game", 1, grown / 1000)
    updates(mine)
    a_day_later(mine)
    for meter in (mine, theirs):
        meter.close()


def turns_of_a_game(games: int) -> None:
    """How many moves a turn has: what a mail is for is a turn."""
    from games.engine import Setup, apply, start

    made = turns = 0
    for number in range(games):
        rng = random.Random(f"turns {number}")
        state, _ = start(Setup(mode="singles", seats=2, key=rng.randbytes(32)))
        before: tuple[int, ...] = ()
        while not state.over:
            turns += state.to_act != before
            before, seat = state.to_act, state.to_act[0]
            state, _ = apply(state, seat, at_random(state, seat, rng))
            made += 1
    print_figure("a whole game, turns", turns / games, "moves", made / games, turns / made)


def looks(mine: Meter, theirs: Meter, ours: int, peer: int, cast: list[Person], each: int) -> None:
    """What is legal, asked for by those who sit: each time for another game than the last."""
    rng = random.Random("looks")
    asked = []
    for number in range(PAIRS):
        match = deal(cast[2 * number :][:2], rng)
        advance(match, rng.randrange(60), rng)
        asked.append(get(f"/api/v1/games/{match.game.code}/actions/legal/", match.seats[1].header))
    read = reader()
    took = mine.measured(lambda: asyncio.run(ask_all(ours, asked * each, 200)))
    least = theirs.measured(lambda: asyncio.run(ask_all(peer, [read() for _ in asked * each], 200)))
    for name in ("ms of processor, web", "ms of processor, PostgreSQL"):
        other = least[name]
        print_figure(
            f"a look, {name}", took[name], "minimal select", other, took[name] / other if other else 0.0
        )


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

    from games import picture, picture_pixels, selectors
    from games.mail import compose, scene
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
    for delivery in made:  # whoever writes mails all day has all pieces of pictures at hand
        compose.message(delivery, now=now).message().as_bytes()
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
    seen = [selectors.game_for(one.player, one.game.code).view for one in made if one.game]
    width = int(scene.BOARD * scene.SHARP)
    pasted = [timed(lambda view=view: picture_pixels.board_png(view, width=width)) for view in seen]
    whole = [timed(lambda view=view: picture.png(picture.svg(view), width)) for view in seen]
    figure = f"picture of a board {width} wide, ms of processor"
    print_figure(
        figure, middle(pasted), "drawn whole by resvg", middle(whole), middle(pasted) / middle(whole)
    )
    queries = watched(lambda: compose.message(made[0], now=now)).queries
    peer = "its text alone"
    print_figure(
        "mail of a turn, ms of processor", middle(ours), peer, middle(theirs), middle(ours) / middle(theirs)
    )
    print_figure("mail of a turn, bytes", middle(sizes), peer, middle(small), middle(sizes) / middle(small))
    print_figure("mail of a turn, queries to write it", queries, peer, 0, 0)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="a few games")
    quick = words.parse_args().quick
    games = 4 if quick else 40
    with machines() as on:
        environment = on.environment(on.database("otto"))
        manage(environment, "migrate", "--verbosity", "0")
        use_django(environment)
        cast = people(2 * PAIRS)
        queries_of_a_move(cast)
        turns_of_a_game(games)
        ours = on.serve("ours", "otto_site.wsgi:application", environment)
        peer = start_peer(on)
        moves(on, ours, peer, cast, games)
        mails(cast, games)


if __name__ == "__main__":
    main()
