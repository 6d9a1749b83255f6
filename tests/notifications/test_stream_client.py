"""The Python client reads streams of a real server, and resumes them when the connection breaks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from clients.python.otto_client import Client
from clients.python.otto_client.errors import NotFound, Unreachable
from notifications.services.notices import notify
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.first_moves import play_any_action
from tests.helpers.streams import create_bearer
from tests.services import free_port


@pytest.fixture
def site(stream_server: str, transactional_db: None) -> str:
    return stream_server


class BreakableLine:
    """A TCP relay to a server whose connections can be cut."""

    def __init__(self, port: int) -> None:
        self.target_port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets: list[socket.socket] = []
        self.connection_count = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target_port))
                self.connection_count += 1
                self.sockets += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self.copy_bytes, args=(source, target), daemon=True).start()

    def copy_bytes(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        self.cut(source, target)

    def cut(self, *sockets: socket.socket) -> None:
        for line in sockets or tuple(self.sockets):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def close(self) -> None:
        self.listener.close()
        self.cut()


@pytest.fixture
def line(site: str) -> Iterator[BreakableLine]:
    relay = BreakableLine(int(site.rpartition(":")[2]))
    yield relay
    relay.close()


def read_token(name: str) -> str:
    return create_bearer(name)["Authorization"].removeprefix("Bearer ")


def notify_ada(key: str) -> None:
    notify({player("ada").pk: None}, kind="chat", dedup_key=key, data={"key": key}, now=NOW)


def test_a_feed_goes_on_over_a_connection_that_breaks(line: BreakableLine) -> None:
    player("ada")
    with Client(f"http://127.0.0.1:{line.port}", read_token("ada"), sleep=lambda seconds: None) as client:
        events = client.stream_events(after=0)
        notify_ada("one")
        keys = [next(events)["data"]["key"]]
        line.cut()
        notify_ada("two")
        notify_ada("three")
        keys += [next(events)["data"]["key"], next(events)["data"]["key"]]
        events.close()  # type: ignore[attr-defined]
    assert keys == ["one", "two", "three"]
    assert line.connection_count == 2


def test_a_game_is_followed_to_its_end(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with Client(site, read_token("ada")) as client:
        events = client.stream_game(game.code)
        assert next(events)["event"] == "game"
        play_any_action(game)
        action = next(events)
        assert (action["event"], action["data"]["seq"]) == ("action", 1)
        client.games.resign(game.code)
        assert [event["event"] for event in events][-2:] == ["game", "end"]


def test_a_refusal_is_raised_and_an_unreachable_server_given_up(site: str) -> None:
    with Client(site) as client, pytest.raises(NotFound):
        next(client.stream_game("nosuchgame"))
    slept_seconds: list[float] = []
    nowhere = f"http://127.0.0.1:{free_port()}"
    with Client(nowhere, max_attempts=3, sleep=slept_seconds.append) as client, pytest.raises(Unreachable):
        next(client.stream_game("nosuchgame"))
    assert len(slept_seconds) == 2
    assert 0 < slept_seconds[0] < slept_seconds[1] * 2
