"""A fixed cast of players, and games made through the services."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from accounts.models import Player
from accounts.services import tokens
from games.models import Game
from games.services import lobby

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("ada", "bob", "cleo", "dirk")


def player(name: str) -> Player:
    """A member of the cast; ada is the oldest."""
    player = Player.objects.filter(name=name).first()
    if player:
        return player
    age = NAMES.index(name) if name in NAMES else 10
    return Player.objects.create_user(
        email=f"{name}@example.org", name=name, joined_at=NOW - timedelta(days=100 - age)
    )


def open_browser(name: str | None = None) -> Client:
    """A browser in which somebody is signed in, or nobody."""
    client = Client()
    if name:
        client.force_login(player(name))
    return client


def start_cast_game(*names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """A game whose seats are taken in this order; it has started."""
    host = player(names[0])
    seat_count = terms.pop("seat_count", len(names) + len(bots))
    game = lobby.create_game(player=host, now=NOW, seat_count=seat_count, **terms)
    for name in names:
        lobby.join_game(player=player(name), code=game.code, now=NOW, client_seed=f"seed of {name}")
    for policy in bots:
        lobby.add_bot(player=host, code=game.code, policy=policy, now=NOW)
    game.refresh_from_db()
    return game


@dataclass
class Api:
    """The API as a program uses it, with a personal token; or as the player's own browser does."""

    name: str | None
    scopes: tuple[str, ...] = ("read", "play")
    in_person: bool = False

    def __post_init__(self) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers: dict[str, str] = {}
        if self.name and self.in_person:
            self.client.force_login(player(self.name))
        elif self.name:
            _, plain = tokens.create_token(player=player(self.name), name="test", scopes=self.scopes, now=NOW)
            self.headers["Authorization"] = f"Bearer {plain}"

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers | headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.client.post(
            f"/api/v1/{path}",
            data if isinstance(data, bytes) else json.dumps({} if data is None else data),
            content_type="application/json",
            headers=self.headers | {name.replace("_", "-"): value for name, value in headers.items()},
        )

    def play(self, code: str, action: str, seq: int, **headers: str) -> Any:
        return self.post(f"games/{code}/actions/", {"action": action, "seq": seq}, **headers)
