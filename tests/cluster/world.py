"""Games that are played while processes of the site are killed, and checks of their state afterwards."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from docker.cluster import ROOT, Cluster
from tests.helpers.mail_server import MailServer
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for

PACE = 0.1  # seconds between two actions in a game: some notices go out, others become obsolete before
HEADERS = {"Host": "localhost", "X-Forwarded-Proto": "https"}
WEBS = ("web1", "web2")


class Clerk:
    """The process of clerk.py; send a request with `clerk("list_audit_findings")`."""

    def __init__(self, cluster: Cluster) -> None:
        environment = cluster.build_base_environment("clerk") | cluster.build_environment("web1")
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.cluster.clerk"],
            cwd=ROOT,
            env=environment | {"DJANGO_SETTINGS_MODULE": "otto_site.settings", "LOG_LEVEL": "ERROR"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __call__(self, command: str, **kwargs: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"command": command, "arguments": kwargs}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert "answer" in reply, reply["trouble"]
        return reply["answer"]

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        with suppress(OSError):
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@dataclass
class Table:
    """A game whose players use the API as a careful program does.

    A request without an answer, or with a server error, is repeated with its key at the next server.
    """

    code: str
    tokens: list[str]
    list_servers: Callable[[], list[str]]  # returns the addresses of the web servers to use
    rng: random.Random
    verify: Any = False  # https only through the proxy
    timeout: float = 10.0  # seconds per request
    acknowledged: list[tuple[int, str]] = field(default_factory=list)  # seq before the action, and the action
    by: Counter[str] = field(default_factory=Counter)  # acknowledged actions by server
    over: bool = False
    error: BaseException | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def ask(self, method: str, path: str, token: str, **more: Any) -> tuple[httpx.Response, str]:
        """Repeat a request until a server answers without an error; return the answer and the server."""
        headers = HEADERS | {"Authorization": f"Bearer {token}"} | more.pop("headers", {})
        until, last = time.monotonic() + STEP_TIMEOUT_SECONDS, ""
        for tried in count(self.rng.randrange(2)):
            servers = self.list_servers()
            server = servers[tried % len(servers)]
            try:
                answer = self.http.request(method, f"{server}/api/v1/{path}", headers=headers, **more)
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer, server
                last = f"{answer.status_code} {answer.text[:200]}"
            except httpx.TransportError as error:
                last = repr(error)
            assert time.monotonic() < until, f"{method} {path}: nobody answers: {last}"
            time.sleep(0.05)
        raise AssertionError("unreachable")

    def move(self) -> bool:
        """Play one action of the player on turn; return False if none of these players is."""
        for token in self.tokens:
            legal, _server = self.ask("GET", f"games/{self.code}/actions/legal/", token)
            assert legal.status_code == 200, legal.text
            if not legal.json():
                continue
            seq, action = int(legal.headers["Otto-Seq"]), self.rng.choice(legal.json())
            done, server = self.ask(
                "POST",
                f"games/{self.code}/actions/",
                token,
                json={"action": action, "seq": seq},
                headers={"Idempotency-Key": str(uuid.UUID(int=self.rng.getrandbits(128)))},
            )
            # This is the only client of this token: a refusal means that an action was lost or applied twice.
            assert done.status_code == 201, f"{action} at {seq} in {self.code}: {done.text}"
            self.acknowledged.append((seq, action))
            self.by[server] += 1
            self.over = done.json()["status"] == "over"
            self.tokens.reverse()  # usually the other player is on turn now
            return True
        game_view, _server = self.ask("GET", f"games/{self.code}/", self.tokens[0])
        self.over = game_view.json()["status"] == "over"
        return False

    def play(self) -> None:
        """Play actions until `stop` is set or the game is over."""
        try:
            with httpx.Client(timeout=self.timeout, verify=self.verify) as self.http:
                while not self.stop.is_set() and not self.over:
                    self.move()
                    self.stop.wait(PACE)
        except BaseException as error:
            self.error = error


@dataclass
class World:
    """The cluster, its mail server, and the games of one test."""

    cluster: Cluster
    post: MailServer
    clerk: Clerk
    tables: list[Table] = field(default_factory=list)
    resent: int = 0  # mails that may arrive twice with one Message-ID: the worker died, or the server lied
    verify: Any = False  # https only through the proxy
    list_servers: Callable[[], list[str]] = list

    def __post_init__(self) -> None:
        self.list_servers = lambda: [self.cluster.web_address(name) for name in WEBS]

    @property
    def codes(self) -> list[str]:
        return [table.code for table in self.tables]

    def seat(self, people: int = 2, bots: int = 1) -> None:
        """Start games of two people, and of one person and a bot."""
        for number in range(people + bots):
            bot = int(number >= people)
            names = [f"{uuid.uuid4().hex[:12]}" for _ in range(2 - bot)]
            game_data = self.clerk("start_game", names=names, bots=bot)
            rng = random.Random(f"{number}")
            self.tables.append(
                Table(game_data["code"], game_data["tokens"], lambda: self.list_servers(), rng, self.verify)
            )

    @contextmanager
    def run_players(self) -> Iterator[None]:
        """Play all games in threads; raise the first error that a player does not recover from."""
        threads = [threading.Thread(target=table.play, daemon=True) for table in self.tables]
        for table, thread in zip(self.tables, threads, strict=True):
            table.stop.clear()
            thread.start()
        try:
            yield
        finally:
            for table in self.tables:
                table.stop.set()
            for thread in threads:
                thread.join(STEP_TIMEOUT_SECONDS)
        for table in self.tables:
            if table.error:
                raise table.error

    def wait_for_moves(self, moves: int = 2, *servers: str, tables: Sequence[Table] = ()) -> None:
        """Wait for so many more actions in every game, and for as many at each of these servers."""
        tables = tables or self.tables
        at = {table.code: len(table.acknowledged) for table in tables}
        by = {server: self.count_acknowledged(server) for server in servers}

        def has_moved() -> bool:
            if any(table.error for table in self.tables):
                return True
            far = all(table.over or len(table.acknowledged) >= at[table.code] + moves for table in tables)
            return far and all(self.count_acknowledged(server) >= then + moves for server, then in by.items())

        wait_for(
            has_moved, lambda: f"nobody moves: {[len(table.acknowledged) for table in tables]}, {at}, {by}"
        )

    def count_acknowledged(self, server: str) -> int:
        """Count the actions that a server has acknowledged."""
        return sum(table.by[server] for table in self.tables)

    def kill(self, name: str) -> None:
        """Kill a process with all its children, and wait for its restart."""
        first = self.cluster.running[name].pid
        self.cluster.kill(name)
        wait_for(lambda: self.cluster.running[name].pid != first, f"{name} is not started again")

    def figure(self, name: str) -> float:
        """Return the sum of a metric that operators see."""
        lines = self.cluster.get_from_server("web1", "/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))

    # ------------------------------------------------------------------------------------------------- checks

    def check(self) -> None:
        """Check that no turn is lost or doubled, games match their logs, and unsent notices have a reason."""
        self.check_turns()
        self.check_notices()

    def check_turns(self) -> None:
        for table in self.tables:
            lines = self.clerk("list_log", code=table.code)
            player_actions = [(seq - 1, action) for seq, _seat, action, by in lines if by == "player"]
            assert player_actions == table.acknowledged
        assert self.clerk("list_audit_findings") == []

    def check_notices(self) -> None:
        wait_for(
            lambda: not self.clerk("count_pending", codes=self.codes),
            lambda: f"notices wait: {self.clerk('list_mails', codes=self.codes)}",
        )
        assert self.clerk("list_turns_without_mail", codes=self.codes) == []
        rows = {row["known"]: row for row in self.clerk("list_mails", codes=self.codes)}
        came = Counter({message_id: n for message_id, n in self.post.names().items() if message_id in rows})
        for message_id, row in rows.items():
            if row["status"] == "sent":
                assert came[message_id] >= 1, f"never came: {row}"
            else:
                assert row["why"], f"nobody knows why: {row}"
        twice = {message_id: n for message_id, n in came.items() if n > 1}
        assert sum(twice.values()) - len(twice) <= self.resent, twice
        unasked = {message_id for message_id in came if rows[message_id]["status"] != "sent"}
        assert len(unasked) <= self.resent, [rows[message_id] for message_id in unasked]
        # A mail that arrived is never recorded as dropped or failed: at worst its status is uncertain.
        assert {rows[message_id]["status"] for message_id in unasked} <= {"uncertain", "waiting"}, rows
        assert [name for name in self.post.list_ids_about(self.codes) if name not in rows] == []
