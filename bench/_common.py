"""Shared by the benchmarks over HTTP: their own servers, and games with precomputed requests."""

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

from tests.services import ROOT, Service, free_port, is_port_open, start_postgres, start_redis

if TYPE_CHECKING:
    from games.engine import State

# As in production: two workers for two cores. A second thread in each serves others while one waits for a
# lock or draws a picture; the server's default, hundreds, would open as many database connections.
GRANIAN_OPTIONS = ["--interface", "wsgi", "--workers", "2", "--blocking-threads", "2"]
UNREACHABLE_RATE = "1000000000"  # requests per minute: throttling is on but never reached


# --------------------------------------------------------------------------------------------- the servers


@dataclass
class BenchServers:
    """A PostgreSQL, a Redis and any number of web servers, stopped with the stack."""

    folder: Path
    stack: ExitStack
    postgres: str
    redis: str

    def create_database(self, name: str, template: str | None = None) -> str:
        """Create a database, optionally from a template. Returns its URL."""
        import psycopg

        with psycopg.connect(self.database_url("postgres"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))  # type: ignore[arg-type]
        return self.database_url(name)

    def database_url(self, name: str) -> str:
        """Return the URL of a database."""
        return self.postgres.replace("/otto?", f"/{name}?")

    def build_environment(self, database: str) -> dict[str, str]:
        """Return the production settings for a database."""
        return {
            "DATABASE_URL": database,
            "REDIS_URL": self.redis,
            "VAR_DIR": str(self.folder / "var"),
            "SECRET_KEY": "only for a benchmark on this loopback interface",
            "DEBUG": "",
            "ALLOWED_HOSTS": "127.0.0.1",
            "API_RATE": UNREACHABLE_RATE,
            "API_RATE_ANONYMOUS": UNREACHABLE_RATE,
            "PAGE_RATE": UNREACHABLE_RATE,
            "PAGE_RATE_ANONYMOUS": UNREACHABLE_RATE,
            "PYTHONPATH": str(ROOT),
        }

    def start_web_server(
        self, name: str, app: str, environment: dict[str, str], options: list[str] = GRANIAN_OPTIONS
    ) -> int:
        """Start a web server. Returns its port."""
        port = free_port()
        granian = [sys.executable, "-m", "granian", *options, "--host", "127.0.0.1", "--port", str(port)]
        command = [*granian, "--no-access-log", "--log-level", "error", app]
        log = self.folder / f"{name}.log"
        url = f"http://127.0.0.1:{port}"
        service = Service(url, command, lambda: is_port_open(port), log, environment=environment)
        self.stack.callback(service.stop)
        return port


@contextmanager
def start_servers() -> Iterator[BenchServers]:
    """Start PostgreSQL and Redis, and stop everything at the end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="otto-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        postgres = start_postgres(folder)
        stack.callback(postgres.stop)
        redis = start_redis(folder)
        stack.callback(redis.stop)
        yield BenchServers(folder, stack, postgres.url, redis.url)


def run_management_command(environment: dict[str, str], *arguments: str) -> None:
    """Run a management command in a process."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        check=True,
        timeout=300,
    )


def set_up_django(environment: dict[str, str]) -> None:
    """Set up Django in this process on the same database."""
    import django

    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "otto_site.settings"
    django.setup()


# ------------------------------------------------------------------------------------- games and their future


@dataclass
class ApiPlayer:
    """A player with the header that authenticates them."""

    player: Any
    auth_header: str


def create_players(count: int) -> list[ApiPlayer]:
    """Create players with tokens."""
    from datetime import UTC, datetime

    from accounts.models import Player
    from accounts.services import tokens

    now, players = datetime.now(UTC), []
    for number in range(count):
        name = f"player {number}"
        player = Player.objects.create_user(email=f"{number}@example.org", name=name, joined_at=now)
        _, plain_token = tokens.create_token(player=player, name="bench", scopes=("read", "play"), now=now)
        players.append(ApiPlayer(player, f"Authorization: Bearer {plain_token}\r\n"))
    return players


@dataclass
class BenchGame:
    """A running game, its players by seat, and its state in this process."""

    game: Any
    players_by_seat: dict[int, ApiPlayer]
    state: State


def start_game(players: list[ApiPlayer], rng: random.Random, **game_settings: Any) -> BenchGame:
    """Create and start a game of these players through the services."""
    from datetime import UTC, datetime

    from games.engine import load_state
    from games.models import GameSecrets, Seat
    from games.services import lobby

    now = datetime.now(UTC)
    game = lobby.create_game(player=players[0].player, seat_count=len(players), now=now, **game_settings)
    for api_player in players:
        seed = f"{rng.getrandbits(64):x}"
        lobby.join_game(player=api_player.player, code=game.code, client_seed=seed, now=now)
    by_player = {api_player.player.pk: api_player for api_player in players}
    seat_rows = Seat.objects.filter(game=game)
    players_by_seat = {seat_row.seat_no: by_player[seat_row.player_id] for seat_row in seat_rows}
    return BenchGame(game, players_by_seat, load_state(GameSecrets.objects.get(game=game).state))


def build_action_request(code: str, api_player: ApiPlayer, action: str, seq: int) -> bytes:
    """Build the request that plays an action, with an idempotency key."""
    body = json.dumps({"action": action, "seq": seq})
    return (
        f"POST /api/v1/games/{code}/actions/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{api_player.auth_header}"
        f"Idempotency-Key: {code}-{seq}\r\nContent-Type: application/json\r\nAccept: */*\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


ActionChooser = Callable[["State", int, random.Random], str]


def choose_random_action(state: State, seat: int, rng: random.Random) -> str:
    """Choose a random legal action."""
    from games.engine import legal_actions

    return rng.choice(legal_actions(state, seat))


def build_remaining_requests(
    bench_game: BenchGame,
    rng: random.Random,
    max_requests: int = 10_000,
    choose_action: ActionChooser = choose_random_action,
) -> list[bytes]:
    """Build the requests that play a game on, so that legal actions need not be requested."""
    from games.engine import apply_action

    state, requests = bench_game.state, []
    while not state.is_over and len(requests) < max_requests:
        seat = state.seats_to_act[0]
        action = choose_action(state, seat, rng)
        requests.append(
            build_action_request(bench_game.game.code, bench_game.players_by_seat[seat], action, state.seq)
        )
        state, _ = apply_action(state, seat, action)
    return requests


def play_actions(
    bench_game: BenchGame,
    action_count: int,
    rng: random.Random,
    choose_action: ActionChooser = choose_random_action,
) -> None:
    """Play this many actions, but not the last of the game, and write them in bulk."""
    from datetime import UTC, datetime, timedelta

    from games.engine import apply_action, dump_state
    from games.models import Action, Game, GameSecrets
    from games.selectors import load_game
    from games.services import action_log

    loaded_game = load_game(bench_game.game.code)
    game, head_hash, at, actions = (
        loaded_game.game,
        loaded_game.game.head_hash,
        datetime.now(UTC) - timedelta(days=1),
        [],
    )
    for _ in range(action_count):
        seat = bench_game.state.seats_to_act[0]
        action = choose_action(bench_game.state, seat, rng)
        state, game_events = apply_action(bench_game.state, seat, action)
        if state.is_over:
            break
        bench_game.state = state
        fields = {"seq": state.seq, "action": action, "by": "player", "at": at}
        head_hash = action_log.chain_hash(head_hash, code=game.code, seat_no=seat, **fields)
        actions.append(Action(game=game, seat=seat, hash=head_hash, events=game_events, **fields))
    Action.objects.bulk_create(actions)
    Game.objects.filter(pk=game.pk).update(
        head_hash=head_hash, **action_log.game_columns(loaded_game, bench_game.state, at)
    )
    GameSecrets.objects.filter(game=game).update(state=dump_state(bench_game.state))


# --------------------------------------------------------------------------------------------- the figures


def print_figure(figure: str, own_value: float, peer_name: str, peer_value: float, ratio: float) -> None:
    """Print a figure as a JSON line."""
    row = {
        "figure": figure,
        "ours": round(own_value, 2),
        "peer": peer_name,
        "theirs": round(peer_value, 2),
        "ratio": round(ratio, 3),
    }
    print(json.dumps(row), flush=True)


def compute_median(values: list[float]) -> float:
    """Return the median."""
    return statistics.median(values)
