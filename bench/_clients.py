"""Who plays in bench/load.py: clients of the API, and people who play by the links of their mails."""

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

from _load import Line

from tests.games.plain import Page
from tests.smtp import Sink

LOOK_AGAIN = 3.0  # seconds until a client looks by itself whether something happened at its table
STUCK = 100.0  # seconds without a move after which a table will not go on
LINK = re.compile(r"/turn/((\w+)-(\d+)-(\d+)-\w+)/")
LIST = re.compile(r'<select id="action".*?</select>', re.DOTALL)
LISTED, BUTTON = re.compile(r'<option value="([^"]+)"'), re.compile(r'name="action" value="([^"]+)"')
HIDDEN = re.compile(r'name="(seq|key)" value="([^"]*)"')


@dataclass(frozen=True)
class Door:
    """Where a site is reached: the proxy, or a web server as the proxy asks it."""

    port: int
    host: str
    tls: ssl.SSLContext | None = None

    @property
    def head(self) -> str:
        """What every request says first."""
        said = f"Host: {self.host}\r\nAccept: */*\r\n"
        return said if self.tls else f"{said}X-Forwarded-Proto: https\r\nX-Forwarded-For: 127.0.0.1\r\n"

    async def dial(self) -> Line:
        loop = asyncio.get_running_loop()
        name = self.host if self.tls else None
        _, line = await loop.create_connection(
            Line, "127.0.0.1", self.port, ssl=self.tls, server_hostname=name
        )
        return line


@dataclass
class Notes:
    """What is written down while a site is under load."""

    phase: str = "start"
    pause: float = 0.0  # that a client of the API takes before each move, in the mean
    gate: asyncio.Event = field(default_factory=asyncio.Event)  # while it is closed, they all wait
    took: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    waits: int = 0  # because of a rate limit
    overtaken: int = 0  # by the clock, which plays turns without a choice in a blind match
    errors: list[str] = field(default_factory=list)
    played: set[tuple[str, int, int]] = field(default_factory=set)  # code, seat, seq before it
    mails: Counter[str] = field(default_factory=Counter)  # by Message-ID
    came: dict[tuple[str, int, int], float] = field(default_factory=dict)  # when a turn's first link came
    mail_bytes: int = 0

    async def rest(self, rng: random.Random) -> None:
        """Until the next move of a table: by chance, so that tables do not keep step with one another."""
        while True:
            await self.gate.wait()
            await asyncio.sleep(self.pause * rng.expovariate(1))
            if self.gate.is_set():
                return  # else anew: what is by chance remembers nothing

    def times(self, phase: str, *kinds: str) -> list[float]:
        return [seconds for kind in kinds for seconds in self.took[phase, kind]]

    @contextmanager
    def minding(self, what: str) -> Iterator[None]:
        """Whatever goes wrong is an error of the site's; the others play on."""
        try:
            yield
        except Exception as error:
            self.errors.append(f"{what}: {type(error).__name__}: {error}")


class Wrong(Exception):
    """An answer that should not have come."""


@dataclass
class Answer:
    status: int
    head: str
    body: str

    def header(self, name: str) -> str:
        found = re.search(rf"\r\n{name}: *([^\r]*)", self.head, re.IGNORECASE)
        return found[1] if found else ""


class Caller:
    """One connection to a site, kept open."""

    def __init__(self, door: Door, notes: Notes, token: str = "") -> None:
        self.door, self.notes = door, notes
        self.mine = f"Authorization: Bearer {token}\r\n" if token else ""
        self.line: Line | None = None

    async def ask(
        self, kind: str, method: str, path: str, *wanted: int, body: str = "", more: str = ""
    ) -> Answer:
        """An answer with one of the statuses that are wanted; a rate limit is waited for. Raises Wrong."""
        said = f"{method} {path} HTTP/1.1\r\n{self.door.head}{more}"
        if method == "POST":
            said += f"Content-Length: {len(body)}\r\n"
        request = f"{said}\r\n{body}".encode()
        while True:
            if self.line is None or self.line.transport.is_closing():
                self.line = await self.door.dial()
            began, phase = time.perf_counter(), self.notes.phase
            got = (await self.line.ask(request)).decode()
            took = time.perf_counter() - began
            head, _, text = got.partition("\r\n\r\n")
            answer = Answer(int(head[9:12]), head, text)
            if answer.status in wanted:
                self.notes.took[phase, kind].append(took)
                return answer
            if answer.status != 429:
                raise Wrong(f"{method} {path.split('-')[0]}: {head[:12]} {text[:300]}")
            self.notes.waits += 1
            await asyncio.sleep(float(answer.header("Retry-After") or 1))

    async def get(self, kind: str, path: str) -> Answer:
        return await self.ask(kind, "GET", path, 200, more=self.mine)

    async def post(self, kind: str, path: str, body: dict[str, Any], *wanted: int, key: str = "") -> Answer:
        more = f"{self.mine}Content-Type: application/json\r\n"
        more += f"Idempotency-Key: {key}\r\n" if key else ""
        return await self.ask(kind, "POST", path, *wanted, body=json.dumps(body), more=more)

    def close(self) -> None:
        if self.line:
            self.line.transport.abort()


# ------------------------------------------------------------------------------------------------- players


class Table:
    """One game and who sits at it."""

    def __init__(self, code: str, clients: list[Client]) -> None:
        self.code, self.clients = code, clients
        self.over = asyncio.Event()
        self.moved = time.monotonic()

    def stir(self) -> None:
        """Something was played: whoever plays by API has a look."""
        self.moved = time.monotonic()
        for client in self.clients:
            client.woken.set()

    def finish(self) -> None:
        self.over.set()
        self.stir()


class Client:
    """A player with a token, who plays one game at a time by API."""

    def __init__(self, caller: Caller, address: str, seed: str) -> None:
        self.caller, self.address = caller, address
        self.notes = caller.notes
        self.rng = random.Random(seed)
        self.woken = asyncio.Event()
        self.refused: set[str] = set()  # what came too late, and was looked at again

    async def play(self, table: Table) -> None:
        """Until the game is over: look, and play whatever there is to play. Raises Wrong."""
        path = f"/api/v1/games/{table.code}/"
        while not table.over.is_set():
            self.woken.clear()
            await self.notes.rest(self.rng)
            while not table.over.is_set() and await self.act(table, path):
                await self.notes.rest(self.rng)
            if not table.over.is_set():
                try:
                    await asyncio.wait_for(self.woken.wait(), LOOK_AGAIN)
                except TimeoutError:
                    if time.monotonic() - table.moved > STUCK:
                        raise Wrong(f"nothing moves at {table.code}") from None

    async def act(self, table: Table, path: str) -> bool:
        """One look and, if there is something to decide, one action; whether one's turn goes on."""
        looked = await self.caller.get("look", f"{path}actions/legal/")
        legal, seq = json.loads(looked.body), int(looked.header("Otto-Seq"))
        if not legal:
            if json.loads((await self.caller.get("view", path)).body)["status"] == "over":
                table.finish()
            return False
        body = {"action": self.rng.choice(legal), "seq": seq}
        key = f"{table.code}-{seq}"
        done = await self.caller.post("move", f"{path}actions/", body, 201, 409, key=key)
        view = json.loads(done.body)
        if done.status == 409:
            if key in self.refused:
                raise Wrong(f"refused twice: {done.body[:300]}")
            self.refused.add(key)
            self.notes.overtaken += 1
            return True
        self.notes.played.add((table.code, view["you"]["seat"], seq))
        if view["status"] == "over":
            table.finish()
        else:
            table.stir()
        return view["you"]["seat"] in view["to_act"]


class Correspondent(Client):
    """A player who acts only when a mail has brought a link, and only by that link."""

    def __init__(self, caller: Caller, address: str, seed: str, resigns_after: int) -> None:
        super().__init__(caller, address, seed)
        self.links: asyncio.Queue[tuple[str, str, int, int]] = asyncio.Queue()
        self.resigns_after = resigns_after
        self.known: set[tuple[str, int, int]] = set()
        self.turns = 0

    async def play(self, table: Table) -> None:
        while not table.over.is_set():
            try:
                token, *place = await asyncio.wait_for(self.links.get(), LOOK_AGAIN)
            except TimeoutError:
                if time.monotonic() - table.moved > STUCK:
                    raise Wrong(f"no mail came for {table.code}") from None
                continue
            code, seat, turn = place
            if code == table.code and (code, seat, turn) not in self.known:  # else a reminder
                self.known.add((code, seat, turn))
                await self.follow(f"/turn/{token}/", code, seat)
                table.stir()

    async def follow(self, path: str, code: str, seat: int) -> None:
        """Play a turn to its end on the page of its link."""
        self.turns += 1
        while path:
            looked = await self.caller.ask("page", "GET", path, 200, 410)
            if looked.status == 410:
                self.notes.overtaken += 1
                return
            page = looked.body
            hidden, listed = dict(HIDDEN.findall(page)), LIST.search(page)
            choices = {*BUTTON.findall(page), *(LISTED.findall(listed[0]) if listed else ())}
            if not choices:  # a kidnapped Quantum leap: from where, and to where
                leap = next(form for form in Page(page).forms if "start" in form.options)
                picked = {name: self.rng.choice(options) for name, options in leap.options.items()}
                path = f"{path.partition('?')[0]}?{urlencode(leap.fields | picked)}"
                continue
            path = path.partition("?")[0]
            sent = {"action": unescape(self.rng.choice(sorted(choices))), **hidden}
            if self.resigns_after and self.turns >= self.resigns_after:
                sent |= {"action": "resign", "sure": "yes"}
            answer = await self.caller.ask(
                *("link", "POST", path, 200, 302, 410),
                body=urlencode(sent),
                more="Content-Type: application/x-www-form-urlencoded\r\n",
            )
            if answer.status == 410:
                self.notes.overtaken += 1
                return
            self.notes.played.add((code, seat, int(hidden["seq"])))
            path = answer.header("Location")
            if path and (found := LINK.search(path)):
                self.known.add((found[2], int(found[3]), int(found[4])))


class PostOffice(Sink):
    """The mail server of the bench: whoever waits for a link gets it as soon as its mail came."""

    def open(self, notes: Notes, clients: list[Client]) -> None:
        """From now on letters are read and handed out."""
        self.notes, self.loop = notes, asyncio.get_running_loop()
        self.boxes = {client.address: client for client in clients if isinstance(client, Correspondent)}

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """What is read is not kept: an hour of mails would be gigabytes."""
        message = message_from_bytes(envelope.content, policy=policy.default)
        self.notes.mails[str(message["Message-ID"]).strip()] += 1
        self.notes.mail_bytes += len(envelope.content)
        text = message.get_body(("plain",))
        found = LINK.search(text.get_content()) if text else None
        if found:
            token, code, seat, turn = found.groups()
            place = (code, int(seat), int(turn))
            self.notes.came.setdefault(place, time.time())
            box = self.boxes.get(envelope.rcpt_tos[0])
            if box and not self.loop.is_closed():  # else the last game is over
                self.loop.call_soon_threadsafe(box.links.put_nowait, (token, *place))
        return "250 OK"


# --------------------------------------------------------------------------------------------------- games


async def begin(clients: list[Client], terms: dict[str, Any]) -> Table:
    """A new game of theirs, made and joined through the API. Raises Wrong."""
    code = json.loads((await clients[0].caller.post("other", "/api/v1/games/", terms, 201)).body)["id"]
    table = Table(code, clients)
    for client in clients:
        seed = secrets.token_hex(8)
        await client.caller.post("other", f"/api/v1/games/{code}/join/", {"client_seed": seed}, 200)
    return table


async def play_games(clients: list[Client], terms: dict[str, Any], begins: Iterator[bool]) -> int:
    """One game after another, for as long as new ones are begun; how many were played to their end."""
    done = 0
    for _ in begins:
        table = await begin(clients, terms)
        try:
            await asyncio.gather(*(client.play(table) for client in clients))
        except Exception:
            table.finish()  # the others need not wait
            raise
        done += 1
    return done


def quantile(times: list[float], part: float) -> float:
    ranked = sorted(times)
    return ranked[min(int(len(ranked) * part), len(ranked) - 1)] if ranked else 0.0
