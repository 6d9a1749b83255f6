"""The clients of bench/load.py: players by API, and players by the links of their mails."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import ssl
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from html import unescape
from typing import Any
from urllib.parse import urlencode

from _load import HttpConnection

from tests.helpers.plain_browser import Page
from tests.smtp import Sink

POLL_INTERVAL_SECONDS = 3.0  # until a client polls its game
STUCK_AFTER_SECONDS = 100.0  # without a move
TURN_LINK = re.compile(r"/turn/((\w+)-(\d+)-(\d+)-\w+)/")
ACTION_LIST = re.compile(r'<select id="action".*?</select>', re.DOTALL)
LISTED_ACTION, BUTTON_ACTION = (
    re.compile(r'<option value="([^"]+)"'),
    re.compile(r'name="action" value="([^"]+)"'),
)
HIDDEN_FIELD = re.compile(r'name="(seq|key)" value="([^"]*)"')


@dataclass(frozen=True)
class SiteAddress:
    """The address of a site: its proxy, or a web server as the proxy calls it."""

    port: int
    host: str
    tls: ssl.SSLContext | None = None

    @property
    def common_headers(self) -> str:
        """The headers of every request."""
        headers = f"Host: {self.host}\r\nAccept: */*\r\n"
        return headers if self.tls else f"{headers}X-Forwarded-Proto: https\r\nX-Forwarded-For: 127.0.0.1\r\n"

    async def open_connection(self) -> HttpConnection:
        """Open a connection."""
        loop = asyncio.get_running_loop()
        name = self.host if self.tls else None
        _, connection = await loop.create_connection(
            HttpConnection, "127.0.0.1", self.port, ssl=self.tls, server_hostname=name
        )
        return connection


@dataclass
class LoadLog:
    """Figures recorded while a site is under load."""

    phase: str = "start"
    pause: float = 0.0  # mean seconds before each move by API
    may_move: asyncio.Event = field(default_factory=asyncio.Event)  # clients wait while it is not set
    durations: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    rate_limit_waits: int = 0  # number of 429 responses
    late_moves: int = 0  # moves that the clock, which plays forced turns in a blind match, made first
    errors: list[str] = field(default_factory=list)
    played_actions: set[tuple[str, int, int]] = field(default_factory=set)  # code, seat, seq before it
    mail_counts: Counter[str] = field(default_factory=Counter)  # by Message-ID
    link_times: dict[tuple[str, int, int], float] = field(
        default_factory=dict
    )  # when a turn's first link arrived
    mail_bytes: int = 0

    async def wait_before_move(self, rng: random.Random) -> None:
        """Wait until a client may move, then a random time, so that tables do not move in step."""
        while True:
            await self.may_move.wait()
            await asyncio.sleep(self.pause * rng.expovariate(1))
            if self.may_move.is_set():
                return  # otherwise wait again; the exponential distribution has no memory

    def list_durations(self, phase: str, *kinds: str) -> list[float]:
        """Return the durations of a phase, of these kinds of requests."""
        return [seconds for kind in kinds for seconds in self.durations[phase, kind]]

    @contextmanager
    def collect_errors(self, subject: str) -> Iterator[None]:
        """Record any exception as an error of the site; the other clients play on."""
        try:
            yield
        except Exception as error:
            self.errors.append(f"{subject}: {type(error).__name__}: {error}")


class UnexpectedResponse(Exception):
    """An unexpected response."""


@dataclass
class HttpResponse:
    """An HTTP response."""

    status: int
    head: str
    body: str

    def get_header(self, name: str) -> str:
        """Return a header, or ""."""
        header_match = re.search(rf"\r\n{name}: *([^\r]*)", self.head, re.IGNORECASE)
        return header_match[1] if header_match else ""


class SiteCaller:
    """One kept-alive connection to a site."""

    def __init__(self, site: SiteAddress, log: LoadLog, token: str = "") -> None:
        """Connect on the first request."""
        self.site, self.log = site, log
        self.auth_header = f"Authorization: Bearer {token}\r\n" if token else ""
        self.connection: HttpConnection | None = None

    async def send(
        self,
        kind: str,
        method: str,
        path: str,
        *expected_statuses: int,
        body: str = "",
        extra_headers: str = "",
    ) -> HttpResponse:
        """Send a request, and again after a 429. Raises UnexpectedResponse on another status."""
        request_head = f"{method} {path} HTTP/1.1\r\n{self.site.common_headers}{extra_headers}"
        if method == "POST":
            request_head += f"Content-Length: {len(body)}\r\n"
        request = f"{request_head}\r\n{body}".encode()
        while True:
            if self.connection is None or self.connection.transport.is_closing():
                self.connection = await self.site.open_connection()
            started_at, phase = time.perf_counter(), self.log.phase
            received = (await self.connection.send_request(request)).decode()
            duration = time.perf_counter() - started_at
            head, _, text = received.partition("\r\n\r\n")
            response = HttpResponse(int(head[9:12]), head, text)
            if response.status in expected_statuses:
                self.log.durations[phase, kind].append(duration)
                return response
            if response.status != 429:
                raise UnexpectedResponse(f"{method} {path.split('-')[0]}: {head[:12]} {text[:300]}")
            self.log.rate_limit_waits += 1
            await asyncio.sleep(float(response.get_header("Retry-After") or 1))

    async def get(self, kind: str, path: str) -> HttpResponse:
        """Send an authenticated GET."""
        return await self.send(kind, "GET", path, 200, extra_headers=self.auth_header)

    async def post(
        self, kind: str, path: str, body: dict[str, Any], *expected_statuses: int, key: str = ""
    ) -> HttpResponse:
        """Send an authenticated POST with a JSON body."""
        extra_headers = f"{self.auth_header}Content-Type: application/json\r\n"
        extra_headers += f"Idempotency-Key: {key}\r\n" if key else ""
        return await self.send(
            kind, "POST", path, *expected_statuses, body=json.dumps(body), extra_headers=extra_headers
        )

    def close(self) -> None:
        """Close the connection."""
        if self.connection:
            self.connection.transport.abort()


# ------------------------------------------------------------------------------------------------- players


class ClientGame:
    """One game and its clients."""

    def __init__(self, code: str, clients: list[ApiClient]) -> None:
        """Start with a game that has just moved."""
        self.code, self.clients = code, clients
        self.is_over = asyncio.Event()
        self.last_moved_at = time.monotonic()

    def wake_clients(self) -> None:
        """Note a move and wake the clients."""
        self.last_moved_at = time.monotonic()
        for client in self.clients:
            client.woken_up.set()

    def mark_over(self) -> None:
        """Mark the game as over and wake the clients."""
        self.is_over.set()
        self.wake_clients()


class ApiClient:
    """A player with a token who plays one game at a time by API."""

    def __init__(self, caller: SiteCaller, address: str, seed: str) -> None:
        """Start with an own random generator."""
        self.caller, self.address = caller, address
        self.log = caller.log
        self.rng = random.Random(seed)
        self.woken_up = asyncio.Event()
        self.refused_keys: set[str] = set()  # keys of moves that were too late once

    async def play_game(self, client_game: ClientGame) -> None:
        """Play until the game is over. Raises UnexpectedResponse if it is stuck."""
        path = f"/api/v1/games/{client_game.code}/"
        while not client_game.is_over.is_set():
            self.woken_up.clear()
            await self.log.wait_before_move(self.rng)
            while not client_game.is_over.is_set() and await self.play_one_action(client_game, path):
                await self.log.wait_before_move(self.rng)
            if not client_game.is_over.is_set():
                try:
                    await asyncio.wait_for(self.woken_up.wait(), POLL_INTERVAL_SECONDS)
                except TimeoutError:
                    if time.monotonic() - client_game.last_moved_at > STUCK_AFTER_SECONDS:
                        raise UnexpectedResponse(f"nothing moves at {client_game.code}") from None

    async def play_one_action(self, client_game: ClientGame, path: str) -> bool:
        """Read the legal actions and play one. Returns whether the client's turn goes on."""
        legal_response = await self.caller.get("look", f"{path}actions/legal/")
        legal_actions, seq = json.loads(legal_response.body), int(legal_response.get_header("Otto-Seq"))
        if not legal_actions:
            if json.loads((await self.caller.get("view", path)).body)["status"] == "over":
                client_game.mark_over()
            return False
        body = {"action": self.rng.choice(legal_actions), "seq": seq}
        key = f"{client_game.code}-{seq}"
        response = await self.caller.post("move", f"{path}actions/", body, 201, 409, key=key)
        view = json.loads(response.body)
        if response.status == 409:
            if key in self.refused_keys:
                raise UnexpectedResponse(f"refused twice: {response.body[:300]}")
            self.refused_keys.add(key)
            self.log.late_moves += 1
            return True
        self.log.played_actions.add((client_game.code, view["you"]["seat"], seq))
        if view["status"] == "over":
            client_game.mark_over()
        else:
            client_game.wake_clients()
        return view["you"]["seat"] in view["to_act"]


class MailClient(ApiClient):
    """A player who acts only by the link of a mail."""

    def __init__(self, caller: SiteCaller, address: str, seed: str, resigns_after: int) -> None:
        """Start without links; resign after some turns, unless `resigns_after` is 0."""
        super().__init__(caller, address, seed)
        self.links: asyncio.Queue[tuple[str, str, int, int]] = asyncio.Queue()
        self.resigns_after = resigns_after
        self.seen_turns: set[tuple[str, int, int]] = set()
        self.turn_count = 0

    async def play_game(self, client_game: ClientGame) -> None:
        """Play the turns whose links arrive until the game is over. Raises UnexpectedResponse."""
        while not client_game.is_over.is_set():
            try:
                token, *turn_key = await asyncio.wait_for(self.links.get(), POLL_INTERVAL_SECONDS)
            except TimeoutError:
                if time.monotonic() - client_game.last_moved_at > STUCK_AFTER_SECONDS:
                    raise UnexpectedResponse(f"no mail came for {client_game.code}") from None
                continue
            code, seat, turn = turn_key
            if (
                code == client_game.code and (code, seat, turn) not in self.seen_turns
            ):  # otherwise it is a reminder
                self.seen_turns.add((code, seat, turn))
                await self.play_turn_page(f"/turn/{token}/", code, seat)
                client_game.wake_clients()

    async def play_turn_page(self, path: str, code: str, seat: int) -> None:
        """Play a turn to its end on the page of its link."""
        self.turn_count += 1
        while path:
            page_response = await self.caller.send("page", "GET", path, 200, 410)
            if page_response.status == 410:
                self.log.late_moves += 1
                return
            page = page_response.body
            hidden_fields, list_match = dict(HIDDEN_FIELD.findall(page)), ACTION_LIST.search(page)
            choices = {
                *BUTTON_ACTION.findall(page),
                *(LISTED_ACTION.findall(list_match[0]) if list_match else ()),
            }
            if not choices:  # a stolen Quantum leap has two lists, from and to
                leap_form = next(form for form in Page(page).forms if "start" in form.options)
                chosen_fields = {
                    name: self.rng.choice(options) for name, options in leap_form.options.items()
                }
                path = f"{path.partition('?')[0]}?{urlencode(leap_form.fields | chosen_fields)}"
                continue
            path = path.partition("?")[0]
            form_data = {"action": unescape(self.rng.choice(sorted(choices))), **hidden_fields}
            if self.resigns_after and self.turn_count >= self.resigns_after:
                form_data |= {"action": "resign", "sure": "yes"}
            response = await self.caller.send(
                *("link", "POST", path, 200, 302, 410),
                body=urlencode(form_data),
                extra_headers="Content-Type: application/x-www-form-urlencoded\r\n",
            )
            if response.status == 410:
                self.log.late_moves += 1
                return
            self.log.played_actions.add((code, seat, int(hidden_fields["seq"])))
            path = response.get_header("Location")
            if path and (link_match := TURN_LINK.search(path)):
                self.seen_turns.add((link_match[2], int(link_match[3]), int(link_match[4])))


class MailSink(Sink):
    """The mail server of the benchmark; passes turn links to the clients who wait for them."""

    def start_reading(self, log: LoadLog, clients: list[ApiClient]) -> None:
        """Start reading mails for these clients."""
        self.log, self.loop = log, asyncio.get_running_loop()
        self.addresses = {client.address for client in clients}
        self.clients_by_address = {
            client.address: client for client in clients if isinstance(client, MailClient)
        }

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Count a mail and pass on its link; mails are not kept, as they would be gigabytes.

        Mails to other addresses belong to other users of the site.
        """
        if not self.addresses & set(envelope.rcpt_tos):
            return "250 OK"
        message = message_from_bytes(envelope.content, policy=policy.default)
        self.log.mail_counts[str(message["Message-ID"]).strip()] += 1
        self.log.mail_bytes += len(envelope.content)
        text = message.get_body(("plain",))
        link_match = TURN_LINK.search(text.get_content()) if text else None
        if link_match:
            token, code, seat, turn = link_match.groups()
            turn_key = (code, int(seat), int(turn))
            self.log.link_times.setdefault(turn_key, time.time())
            mail_client = self.clients_by_address.get(envelope.rcpt_tos[0])
            if mail_client and not self.loop.is_closed():  # otherwise the last game is over
                self.loop.call_soon_threadsafe(mail_client.links.put_nowait, (token, *turn_key))
        return "250 OK"


# --------------------------------------------------------------------------------------------------- games


async def begin_game(clients: list[ApiClient], game_settings: dict[str, Any]) -> ClientGame:
    """Create and join a game through the API. Raises UnexpectedResponse."""
    code = json.loads((await clients[0].caller.post("other", "/api/v1/games/", game_settings, 201)).body)[
        "id"
    ]
    client_game = ClientGame(code, clients)
    for client in clients:
        seed = secrets.token_hex(8)
        await client.caller.post("other", f"/api/v1/games/{code}/join/", {"client_seed": seed}, 200)
    return client_game


async def play_games(
    clients: list[ApiClient], game_settings: dict[str, Any], game_starts: Iterator[bool]
) -> int:
    """Play one game after another while `game_starts` yields. Returns how many ended."""
    game_count = 0
    for _ in game_starts:
        client_game = await begin_game(clients, game_settings)
        try:
            await asyncio.gather(*(client.play_game(client_game) for client in clients))
        except Exception:
            client_game.mark_over()  # the other clients need not wait
            raise
        game_count += 1
    return game_count


def compute_quantile(durations: list[float], share: float) -> float:
    """Return a quantile of the durations; 0 if there are none."""
    ranked = sorted(durations)
    return ranked[min(int(len(ranked) * share), len(ranked) - 1)] if ranked else 0.0
