"""Tournaments and leagues through the API alone."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from tests.factories.cast import Api
from tournaments.models import Tournament
from tournaments.services import simulation, sweep

ONE = Client(raise_request_exception=True)  # one client for all: the token identifies the player
QUICK = {"target": 1, "cards": False}  # short games
ALL = ("read", "play", "organise")


class Program(Api):
    """An API client of a player who plays and organises."""

    def __init__(self, name: str | None, *scopes: str) -> None:
        super().__init__(name, scopes or ALL)
        self.client = ONE

    def send(self, method: str, path: str, data: Any = None) -> Any:
        body = json.dumps({} if data is None else data)
        return self.client.generic(
            method, f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )

    def ask(self, path: str) -> Any:
        """Return the JSON at a path."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()

    def do(self, path: str, data: Any = None, method: str = "POST") -> Any:
        """Send a command to a path; return the JSON of the response."""
        answer = self.send(method, path, data)
        assert answer.status_code in (200, 201, 204), (path, answer.content)
        return answer.json() if answer.content else None

    def refused(self, path: str, data: Any = None, method: str = "POST") -> tuple[int, str]:
        """Send a command that must be refused; return status and code."""
        answer = self.send(method, path, data)
        assert 400 <= answer.status_code < 500, (path, answer.content)
        assert answer["Content-Type"] == "application/problem+json"
        return answer.status_code, answer.json()["code"]

    def list_all(self, path: str) -> list[Any]:
        """Return all rows of a paginated list."""
        rows: list[Any] = []
        following: str | None = f"/api/v1/{path}"
        while following:
            page = self.client.get(following, headers=self.headers).json()
            rows += page["results"]
            following = page["next"]
        return rows


class Cup:
    """A tournament and its players; the time starts at the real time and is set by the test."""

    def __init__(self, format: str, count: int, **terms: Any) -> None:
        self.host = Program("host")
        self.now: datetime = timezone.now()
        wanted = {"name": "The cup", "format": format, "hold_on_warnings": False, **QUICK, **terms}
        created = self.host.do("tournaments/", wanted)
        tournament = Tournament.objects.get(code=created["id"])
        # Every lot and shuffle is fixed.
        simulation.set_seed_from_rng(tournament, random.Random(f"{format}/{count}/{terms}"))
        self.at = f"tournaments/{tournament.code}/"
        self.code = tournament.code
        self.host.do(f"{self.at}publish/")
        self.pairs = created["mode"] == "pairs"
        letter = "a" if self.pairs else "p"
        self.players = {f"{letter}{n}": Program(f"{letter}{n}") for n in range(1, count + 1)}
        for number, program in enumerate(self.players.values(), 1):
            if self.pairs:
                Program(f"b{number}")
            data = program.do(f"{self.at}enter/", {"partner": f"b{number}"} if self.pairs else {})
            for proposal in data["you"]["proposals"]:
                Program(f"b{number}").do(f"proposals/{proposal}/accept/")

    @property
    def tournament(self) -> Tournament:
        return Tournament.objects.get(code=self.code)

    def get_data(self) -> Any:
        return self.host.ask(self.at)

    def start(self) -> Cup:
        self.host.do(f"{self.at}start/")
        self.now = timezone.now()
        self.sweep()
        return self

    def sweep(self, **later: int) -> None:
        """Sweep as often as there is work."""
        self.now = max(self.now + timedelta(**later), timezone.now())
        while sweep.sweep_tournaments(now=self.now):
            pass

    def tables(self, **which: Any) -> list[Any]:
        pairing_rows = self.host.list_all(f"{self.at}pairings/")
        return [
            pairing_row
            for pairing_row in pairing_rows
            if all(pairing_row[key] == value for key, value in which.items())
        ]

    def play(self, table: Any) -> None:
        """Let bots play the game of a pairing to its end."""
        rng = random.Random(f"{table['match']}/{table['rematch']}")
        simulation.play_game(table["game"], policy="random", rng=rng, now=self.now)

    def play_round(self) -> None:
        for table in self.tables(state="playing"):
            self.play(table)
        self.sweep(hours=1)

    def play_to_end(self) -> Any:
        """Play all rounds; return the public data of the tournament."""
        for _ in range(40):
            data = Program(None).ask(self.at)
            if data["status"] == "over":
                return data
            self.play_round()
        raise AssertionError("it does not end")

    def seat(self, table: Any, name: str) -> Any:
        return next(seat for seat in table["seats"] if seat["name"] == name)

    def get_table_of(self, name: str) -> Any:
        """Return the newest pairing of a player."""
        return next(
            pairing
            for pairing in reversed(self.tables())
            if any(name in seat["name"].split(" & ") for seat in pairing["seats"])
        )
