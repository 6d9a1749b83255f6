"""Tournaments and leagues as programs see them: everything that people do goes through the API."""

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

ONE = Client(raise_request_exception=True)  # for all: whoever asks is in the token
QUICK = {"target": 1, "cards": False}  # short games
ALL = ("read", "play", "organise")


class Program(Api):
    """A program of somebody who plays and organises."""

    def __init__(self, name: str | None, *scopes: str) -> None:
        super().__init__(name, scopes or ALL)
        self.client = ONE

    def send(self, method: str, path: str, data: Any = None) -> Any:
        body = json.dumps({} if data is None else data)
        return self.client.generic(
            method, f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )

    def ask(self, path: str) -> Any:
        """What an address gives."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()

    def do(self, path: str, data: Any = None, method: str = "POST") -> Any:
        """What an address answers to a deed."""
        answer = self.send(method, path, data)
        assert answer.status_code in (200, 201, 204), (path, answer.content)
        return answer.json() if answer.content else None

    def refused(self, path: str, data: Any = None, method: str = "POST") -> tuple[int, str]:
        """How a deed is refused: its status, and its code."""
        answer = self.send(method, path, data)
        assert 400 <= answer.status_code < 500, (path, answer.content)
        assert answer["Content-Type"] == "application/problem+json"
        return answer.status_code, answer.json()["code"]

    def list_all(self, path: str) -> list[Any]:
        """All lines of a list, page after page."""
        rows: list[Any] = []
        following: str | None = f"/api/v1/{path}"
        while following:
            page = self.client.get(following, headers=self.headers).json()
            rows += page["results"]
            following = page["next"]
        return rows


class Cup:
    """A tournament with those who play in it; the clock goes on by hand, from the real time."""

    def __init__(self, format: str, count: int, **terms: Any) -> None:
        self.host = Program("host")
        self.now: datetime = timezone.now()
        wanted = {"name": "The cup", "format": format, "hold_on_warnings": False, **QUICK, **terms}
        created = self.host.do("tournaments/", wanted)
        tournament = Tournament.objects.get(code=created["id"])
        # Every lot and shuffle is the same whenever a test runs.
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
        """What the worker does, as often as something is to do."""
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
        """A bot plays a table's game to its end."""
        rng = random.Random(f"{table['match']}/{table['rematch']}")
        simulation.play_game(table["game"], policy="random", rng=rng, now=self.now)

    def play_round(self) -> None:
        for table in self.tables(state="playing"):
            self.play(table)
        self.sweep(hours=1)

    def play_to_end(self) -> Any:
        """Round after round; gives the tournament as everybody sees it then."""
        for _ in range(40):
            data = Program(None).ask(self.at)
            if data["status"] == "over":
                return data
            self.play_round()
        raise AssertionError("it does not end")

    def seat(self, table: Any, name: str) -> Any:
        return next(seat for seat in table["seats"] if seat["name"] == name)

    def get_table_of(self, name: str) -> Any:
        """The newest table that somebody sits at."""
        return next(
            pairing
            for pairing in reversed(self.tables())
            if any(name in seat["name"].split(" & ") for seat in pairing["seats"])
        )
