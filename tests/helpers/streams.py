"""A real server with streams on loopback, and a client that reads them line by line."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.db import connection

from docker.cluster import load_services
from tests.factories.cast import create_token
from tests.services import Service, free_port, require

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 30.0  # for one event, also on a busy machine


def start_stream_server(folder: Path, **settings: str) -> Service:
    """Start the production server of streams on a free port, with database and Redis of these tests."""
    require("PostgreSQL")
    require("Redis")
    port = free_port()
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = {
        "DATABASE_URL": database.geturl(),
        "REDIS_URL": os.environ["REDIS_URL"],
        "API_RATE": "1000000",
        "API_RATE_ANONYMOUS": "1000000",
        "PAGE_RATE_ANONYMOUS": "1000000",
        "PYTHONPATH": str(ROOT),
        "GRANIAN_HOST": "127.0.0.1",
        "GRANIAN_PORT": str(port),
        "STREAM_KEEP_ALIVE": "1",
        "STREAM_RECHECK": "1",
        **settings,
    }
    command = list(load_services()["streams"]["command"])  # as in production
    command = [sys.executable, "-m", *command[command.index("granian") :]]

    def is_listening() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz", verify=False).is_success
        except httpx.TransportError:
            return False

    log = folder / "streams.log"
    return Service(f"http://127.0.0.1:{port}", command, is_listening, log, environment=environment)


def create_bearer(name: str, *scopes: str) -> dict[str, str]:
    """Return the header with a new token of a player."""
    return {"Authorization": f"Bearer {create_token(name, scopes or ('read', 'play'))}"}


@dataclass
class StreamEvent:
    """A received event: its name, its id and its data; a heartbeat is named `keep-alive`."""

    name: str
    id: str = ""
    data: Any = None


@dataclass
class StreamReader:
    """Reads a stream in a thread; `events` has all received events except for heartbeats."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arrived: queue.Queue[StreamEvent | None] = queue.Queue()
        self.opened = threading.Event()
        self.status = 0
        self.response_headers: httpx.Headers = httpx.Headers()
        self.body = b""
        self.keep_alives = 0
        self.is_closing = False
        self.events: list[StreamEvent] = []
        self.client = httpx.Client(timeout=PATIENCE_SECONDS, verify=False, cookies=dict(self.cookies))
        self.thread = threading.Thread(target=self.read_lines, daemon=True)

    def __enter__(self) -> StreamReader:
        self.thread.start()
        assert self.opened.wait(PATIENCE_SECONDS), "no answer"
        return self

    def __exit__(self, *error: object) -> None:
        self.is_closing = True
        self.client.close()
        self.thread.join(PATIENCE_SECONDS)

    def read_lines(self) -> None:
        try:
            with self.client.stream("GET", self.url, headers=dict(self.headers)) as response:
                self.status, self.response_headers = response.status_code, response.headers
                if response.status_code != 200:
                    self.body = response.read()
                    self.opened.set()
                    return
                self.opened.set()
                is_json = response.headers["Content-Type"].startswith("application/x-ndjson")
                (self.parse_json_lines if is_json else self.parse_events)(response.iter_lines())
        except (httpx.HTTPError, httpx.StreamError, OSError):
            pass
        finally:
            self.opened.set()
            self.arrived.put(None)

    def parse_json_lines(self, lines: Any) -> None:
        for line in lines:
            if not line:
                self.keep_alives += 1
                continue
            parsed = json.loads(line)
            self.arrived.put(StreamEvent(parsed["event"], parsed["id"] or "", parsed["data"]))

    def parse_events(self, lines: Any) -> None:
        event = StreamEvent("")
        for line in lines:
            if line.startswith(":"):
                self.keep_alives += 1
            elif not line and event.name:
                self.arrived.put(event)
                event = StreamEvent("")
            elif line:
                name, _, value = line.partition(": ")
                if name == "event":
                    event.name = value
                elif name == "id":
                    event.id = value
                elif name == "data":
                    event.data = json.loads(value)
                else:
                    assert name == "retry", line

    def next_event(self) -> StreamEvent | None:
        """Return the next event; None when the stream has ended."""
        event = self.arrived.get(timeout=PATIENCE_SECONDS)
        if event:
            self.events.append(event)
        else:
            self.arrived.put(None)
        return event

    def read_until(self, is_wanted: Callable[[StreamEvent], bool]) -> StreamEvent:
        """Return the first wanted event; those before it are in `events`."""
        while (event := self.next_event()) and not is_wanted(event):
            pass
        assert event, f"the stream ended after {self.events}"
        return event

    def read_event(self, name: str) -> StreamEvent:
        """Return the next event of this name."""
        return self.read_until(lambda event: event.name == name)

    def read_to_end(self) -> list[StreamEvent]:
        """Return all events until the stream ends."""
        stop_by = time.monotonic() + PATIENCE_SECONDS
        while self.next_event():
            assert time.monotonic() < stop_by, "the stream goes on"
        return self.events
