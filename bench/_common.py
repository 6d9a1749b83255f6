"""What the benchmarks over HTTP share: servers of their own, and games with known futures."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.services import ROOT, Service, free_port, listens, start_postgres, start_redis

if TYPE_CHECKING:
    from games.engine import State

# As in production: two workers for two cores. A second thread in each lets others go on while one waits for a
# lock or draws a picture; the server's own choice, hundreds, would be as many connections to the database.
GRANIAN = ["--interface", "wsgi", "--workers", "2", "--blocking-threads", "2"]
PLENTY = "1000000000"  # requests a minute: throttling stays on, and nobody reaches it


# --------------------------------------------------------------------------------------------- the servers


@dataclass
class Machines:
    """A PostgreSQL, a Redis and any number of web servers, all ended with the block that opened them."""

    folder: Path
    stack: ExitStack
    postgres: str
    redis: str

    def database(self, name: str, template: str | None = None) -> str:
        """A new database on the one server; gives its address."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))  # type: ignore[arg-type]
        return self.address(name)

    def address(self, name: str) -> str:
        """The address of a database by its name."""
        return self.postgres.replace("/otto?", f"/{name}?")

    def environment(self, database: str) -> dict[str, str]:
        """The production settings, for a database."""
        return {
            "DATABASE_URL": database,
            "REDIS_URL": self.redis,
            "VAR_DIR": str(self.folder / "var"),
            "SECRET_KEY": "only for a benchmark on this loopback interface",
            "DEBUG": "",
            "ALLOWED_HOSTS": "127.0.0.1",
            "API_RATE": PLENTY,
            "API_RATE_ANONYMOUS": PLENTY,
            "PAGE_RATE": PLENTY,
            "PAGE_RATE_ANONYMOUS": PLENTY,
            "PYTHONPATH": str(ROOT),
        }

    def serve(self, name: str, app: str, environment: dict[str, str], options: list[str] = GRANIAN) -> int:
        """Start a web server; gives its port."""
        port = free_port()
        granian = [sys.executable, "-m", "granian", *options, "--host", "127.0.0.1", "--port", str(port)]
        command = [*granian, "--no-access-log", "--log-level", "error", app]
        log = self.folder / f"{name}.log"
        url = f"http://127.0.0.1:{port}"
        service = Service(url, command, lambda: listens(port), log, environment=environment)
        self.stack.callback(service.stop)
        return port


@contextmanager
def machines() -> Iterator[Machines]:
    """Start what every benchmark needs; end it all, whatever happens."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="otto-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        postgres = start_postgres(folder)
        stack.callback(postgres.stop)
        redis = start_redis(folder)
        stack.callback(redis.stop)
        yield Machines(folder, stack, postgres.url, redis.url)


def manage(environment: dict[str, str], *words: str) -> None:
    """Run a management command in a process of its own."""
    subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=os.environ | environment, check=True, timeout=300
    )


def use_django(environment: dict[str, str]) -> None:
    """Let this process call the services on the same database."""
    import django

    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "otto_site.settings"
    django.setup()


# ------------------------------------------------------------------------------------- games and their future


@dataclass
class Person:
    """A player and the header that says so."""

    player: Any
    header: str


def people(count: int) -> list[Person]:
    """Players with tokens."""
    from datetime import UTC, datetime

    from games.models import Player
    from games.services import tokens

    now, made = datetime.now(UTC), []
    for number in range(count):
        name = f"player {number}"
        player = Player.objects.create_user(email=f"{number}@example.org", name=name, joined_at=now)
        _, plain = tokens.create(player=player, name="bench", scopes=("read", "play"), now=now)
        made.append(Person(player, f"Authorization: Bearer {plain}\r\n"))
    return made


@dataclass
class Match:
    """A running game, who sits where, and its state as this process knows it."""

    game: Any
    seats: dict[int, Person]
    state: State


def deal(pair: list[Person], rng: random.Random, **terms: Any) -> Match:
    """A new game of these people, through the services."""
    from datetime import UTC, datetime

    from games.engine import load
    from games.models import Seat, Secret
    from games.services import lobby

    now = datetime.now(UTC)
    game = lobby.create(player=pair[0].player, seats=len(pair), now=now, **terms)
    for person in pair:
        seed = f"{rng.getrandbits(64):x}"
        lobby.join(player=person.player, code=game.code, client_seed=seed, now=now)
    by_player = {person.player.pk: person for person in pair}
    places = Seat.objects.filter(game=game)
    seats = {place.number: by_player[place.player_id] for place in places}
    return Match(game, seats, load(Secret.objects.get(game=game).state))


def post(code: str, person: Person, action: str, seq: int) -> bytes:
    """The request that plays an action, with a key as clients send it."""
    body = json.dumps({"action": action, "seq": seq})
    return (
        f"POST /api/v1/games/{code}/actions/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{person.header}"
        f"Idempotency-Key: {code}-{seq}\r\nContent-Type: application/json\r\nAccept: */*\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


Choice = Callable[["State", int, random.Random], str]


def at_random(state: State, seat: int, rng: random.Random) -> str:
    from games.engine import legal_actions

    return rng.choice(legal_actions(state, seat))


def future(match: Match, rng: random.Random, most: int = 10_000, choose: Choice = at_random) -> list[bytes]:
    """The requests that play a game on: so that its server need not be asked what is legal."""
    from games.engine import apply

    state, requests = match.state, []
    while not state.over and len(requests) < most:
        seat = state.to_act[0]
        action = choose(state, seat, rng)
        requests.append(post(match.game.code, match.seats[seat], action, state.seq))
        state, _ = apply(state, seat, action)
    return requests


def advance(match: Match, length: int, rng: random.Random, choose: Choice = at_random) -> None:
    """Play so many actions, or all but the last, and write the log in one go instead of line by line."""
    from datetime import UTC, datetime, timedelta

    from games.engine import apply, dump
    from games.models import Action, Game, Secret
    from games.selectors import table
    from games.services import log

    found = table(match.game.code)
    game, chain, at, lines = found.game, found.game.chain, datetime.now(UTC) - timedelta(days=1), []
    for _ in range(length):
        seat = match.state.to_act[0]
        action = choose(match.state, seat, rng)
        state, events = apply(match.state, seat, action)
        if state.over:
            break
        match.state = state
        said = {"seq": state.seq, "seat": seat, "action": action, "by": "player", "at": at}
        chain = log.chained(chain, code=game.code, **said)
        lines.append(Action(game=game, hash=chain, events=events, **said))
    Action.objects.bulk_create(lines)
    Game.objects.filter(pk=game.pk).update(chain=chain, **log.snapshot(found, match.state, at))
    Secret.objects.filter(game=game).update(state=dump(match.state))


# --------------------------------------------------------------------------------------------- the figures


def print_figure(figure: str, ours: float, peer: str, theirs: float, ratio: float) -> None:
    line = {
        "figure": figure,
        "ours": round(ours, 2),
        "peer": peer,
        "theirs": round(theirs, 2),
        "ratio": round(ratio, 3),
    }
    print(json.dumps(line), flush=True)


def middle(values: list[float]) -> float:
    return statistics.median(values)
