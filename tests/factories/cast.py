"""A fixed cast of players, and games made through the services."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import Player
from accounts.services import tokens
from games.engine import fairness
from games.models import Game
from games.services import invitations, lobby

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("ada", "bob", "cleo", "dirk")


def player(name: str) -> Player:
    """Return a member of the cast, created if necessary; ada is the oldest."""
    player = Player.objects.filter(name=name).first()
    if player:
        return player
    age = NAMES.index(name) if name in NAMES else 10
    return Player.objects.create_user(
        email=f"{name}@example.org", name=name, joined_at=NOW - timedelta(days=100 - age)
    )


def prove_address(name: str, *, email: str = "", password: str = "") -> Player:
    """Return a member of the cast with a confirmed address and, if given, a password."""
    account = player(name)
    account.email = email or account.email
    if password:
        account.set_password(password)
    account.save()
    EmailAddress.objects.create(user=account, email=account.email, primary=True, verified=True)
    return account


def open_browser(name: str | None = None) -> Client:
    """Return a test client, signed in if a name is given."""
    client = Client()
    if name:
        client.force_login(player(name))
    return client


def create_token(name: str, scopes: Sequence[str] = ("read", "play"), now: datetime = NOW) -> str:
    """Create a token of a member of the cast and return its text."""
    return tokens.create_token(player=player(name), name="test", scopes=scopes, now=now)[1]


def make_seed(number: int) -> bytes:
    """Return a fixed game seed, which determines every shuffle."""
    return number.to_bytes(fairness.SEED_LENGTH_BYTES, "big")


def start_cast_game(
    *names: str, bots: tuple[str, ...] = (), now: datetime = NOW, seed: int | None = None, **terms: Any
) -> Game:
    """Start a game whose seats are taken in this order, by people and then by bots.

    A `seed` determines every shuffle. A higher `seat_count` leaves seats open, and the game does not start.
    """
    game = open_cast_game(names[0], now=now, seed=seed, **{"seat_count": len(names) + len(bots)} | terms)
    return seat_cast(game, *names, bots=bots, now=now)


def open_cast_game(host: str, *, now: datetime = NOW, seed: int | None = None, **terms: Any) -> Game:
    """Create a game without players."""
    known_seed = None if seed is None else make_seed(seed)
    return lobby.create_game(player=player(host), now=now, seed=known_seed, **terms)


def seat_cast(game: Game, *names: str, bots: tuple[str, ...] = (), now: datetime = NOW) -> Game:
    """Let these players join in this order, invited to a private game; its creator adds the bots."""
    assert game.creator
    for name in names:
        if game.private and name != game.creator.name:
            invitations.invite_to_game(player=game.creator, code=game.code, name=player(name).name, now=now)
        lobby.join_game(player=player(name), code=game.code, now=now, client_seed=f"seed of {name}")
    for policy in bots:
        lobby.add_bot(player=game.creator, code=game.code, policy=policy, now=now)
    game.refresh_from_db()
    return game


def start_impatient_game(
    *names: str, bots: tuple[str, ...] = (), now: datetime, seconds: int = 2, bank: int = 10**6, **terms: Any
) -> Game:
    """Start a game with an allowance below the allowed minimum and a large bank.

    Its notices go out at once, and no player runs out of time.
    """
    wanted = {"seat_count": len(names) + len(bots), "time_control": "12h"} | terms
    game = open_cast_game(names[0], now=now, **wanted)
    Game.objects.filter(pk=game.pk).update(allowance=seconds, bank=bank, vacation=False)
    game.refresh_from_db()
    return seat_cast(game, *names, bots=bots, now=now)


@dataclass
class Api:
    """The API with a personal token; with `in_person`, in the session of the player's browser."""

    name: str | None
    scopes: tuple[str, ...] = ("read", "play")
    in_person: bool = False

    def __post_init__(self) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers: dict[str, str] = {}
        if self.name and self.in_person:
            self.client.force_login(player(self.name))
        elif self.name:
            self.headers["Authorization"] = f"Bearer {create_token(self.name, self.scopes)}"

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
