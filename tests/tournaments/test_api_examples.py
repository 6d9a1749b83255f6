"""Every operation of tournaments and leagues is described with an example that really happened.

`UPDATE_EXAMPLES=1 pytest -n 0 tests/tournaments/test_api_examples.py` writes the examples anew.
"""

from __future__ import annotations

import json
import os
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

import tournaments.api
from games.selectors import format_instant
from tests.games.test_examples import check, document, operations
from tournaments.models import Tournament
from tournaments.services import ratings, simulation, sweep

from .programs import QUICK, Program

pytestmark = pytest.mark.django_db
FILE = Path(tournaments.api.__file__).with_name("examples.json")
OURS = ("tournaments_", "leagues_", "proposals_", "ratings_", "players_ratings")


class Morning:
    """What was asked and answered, by the operation."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self.host, self.ada, self.bob, self.cleo = map(Program, ("host", "ada", "bob", "cleo"))

    def did(self, operation: str, who: Program, path: str, data: Any = None, method: str = "POST") -> Any:
        answer = who.send(method, path, data)
        assert answer.status_code < 300, (operation, answer.content)
        self.found[operation] = {"request": data} if data is not None else {}
        if answer.content:
            self.found[operation]["response"] = answer.json()
            return answer.json()
        return None

    def saw(self, operation: str, who: Program, path: str) -> Any:
        return self.did(operation, who, path, method="GET")


def swept() -> None:
    while sweep.sweep_tournaments(now=timezone.now()):
        pass


def cup(m: Morning) -> None:
    """A Swiss tournament of three, with all that can happen to it."""
    host, ada, bob, cleo = m.host, m.ada, m.bob, m.cleo
    terms = {"name": "Spring cup", "format": "swiss", "rounds": 2, "confirmation": True, "review": True}
    draft = m.did("tournaments.create", host, "tournaments/", terms | {"target": 8})["id"]
    m.did("tournaments.delete", host, f"tournaments/{draft}/", method="DELETE")
    code = host.do("tournaments/", terms | QUICK)["id"]
    event = Tournament.objects.get(code=code)
    simulation.set_seed_from_rng(event, random.Random("examples"))
    at = f"tournaments/{event.code}/"
    m.did("tournaments.change", host, at, {"text": "Everybody is welcome.", "capacity": 16}, "PATCH")
    m.did("tournaments.publish", host, f"{at}publish/")
    m.saw("tournaments.list", ada, "tournaments/?status=published&format=swiss")
    m.did("tournaments.invite", host, f"{at}invites/", {"name": "cleo"})
    m.saw("tournaments.invites", host, f"{at}invites/")
    m.did("tournaments.uninvite", host, f"{at}invites/cleo/", method="DELETE")
    m.did("tournaments.help", host, f"{at}helpers/", {"name": "ada"})
    m.did("tournaments.unhelp", host, f"{at}helpers/ada/", method="DELETE")
    Program("dirk").do(f"{at}enter/")
    m.did("tournaments.leave", Program("dirk"), f"{at}leave/")
    for one in (bob, cleo):
        one.do(f"{at}enter/")
        one.do(f"{at}confirm/")
    entry = {"partner": None, "client_seed": "a walk in the rain"}
    m.did("tournaments.enter", ada, f"{at}enter/", entry)
    m.did("tournaments.clientseed", ada, f"{at}client-seed/", {"client_seed": "a red umbrella"}, "PUT")
    m.did("tournaments.confirm", ada, f"{at}confirm/")
    m.saw("tournaments.view", ada, at)
    m.did("tournaments.sitout", cleo, f"{at}sit-out/", {"round": 1})
    ids = [one["id"] for one in m.saw("tournaments.entrants", ada, f"{at}entrants/")["results"]]
    Program("eve").do(f"{at}enter/")
    eve = {"entrant": Program("eve").ask(at)["you"]["entrant"], "why": "eve has asked for it"}
    m.did("tournaments.remove", host, f"{at}remove/", eve)
    m.did("tournaments.seeds", host, f"{at}seeds/", {"order": ids[:2]}, "PUT")
    m.did("tournaments.start", host, f"{at}start/")
    swept()
    m.saw("tournaments.preview", host, f"{at}preview/")
    m.did("tournaments.proceed", host, f"{at}proceed/")
    swept()
    m.saw("tournaments.rounds", ada, f"{at}rounds/")
    until = {"round": 1, "until": format_instant(timezone.now() + timedelta(days=20)), "why": "a holiday"}
    m.did("tournaments.extend", host, f"{at}extend/", until)
    table = next(one for one in ada.ask(f"{at}tables/")["results"] if one["game"])
    play(table["game"])
    swept()
    m.saw("tournaments.tables", ada, f"{at}tables/?round=1")
    m.saw("tournaments.table", ada, f"{at}tables/{table['id']}/")
    m.saw("tournaments.evidence", ada, f"{at}tables/{table['id']}/evidence/")
    appeal = m.did(
        "tournaments.appeal", bob, f"{at}tables/{table['id']}/appeal/", {"text": "I could not play."}
    )
    m.saw("tournaments.appeals", host, f"{at}appeals/")
    answer = {"text": "The result stands."}
    m.did("tournaments.answer", host, f"{at}appeals/{appeal['id']}/answer/", answer)
    level = {"table": table["id"], "ranks": [1, 1], "why": "by agreement"}
    made = m.did("tournaments.correct", host, f"{at}correct/", level)
    m.did("tournaments.undo", host, f"{at}decisions/{made['id']}/undo/", {"why": "a slip"})
    m.saw("tournaments.standings", ada, f"{at}standings/")
    dirk = {"entrant": cleo.ask(at)["you"]["entrant"], "player": "dirk", "number": 1, "why": "cleo is away"}
    first = m.did("tournaments.replace", host, f"{at}replace/", dirk)
    m.saw("proposals.list", Program("dirk"), "proposals/")
    m.did("proposals.decline", Program("dirk"), f"proposals/{first['id']}/decline/")
    second = host.do(f"{at}replace/", dirk)
    m.did("proposals.withdraw", host, f"proposals/{second['id']}/withdraw/")
    third = host.do(f"{at}replace/", dirk)
    seed = {"client_seed": "seven green apples"}
    m.did("proposals.accept", Program("dirk"), f"proposals/{third['id']}/accept/", seed)
    bad = {"entrant": bob.ask(at)["you"]["entrant"], "why": "two accounts"}
    m.did("tournaments.disqualify", host, f"{at}disqualify/", bad)
    m.saw("tournaments.decisions", ada, f"{at}decisions/?page_size=2")
    m.did("tournaments.withdraw", ada, f"{at}withdraw/")
    m.did("tournaments.cancel", host, f"{at}cancel/", {"why": "too few are left"})


def play(game: str) -> None:
    simulation.play_game(game, policy="random", rng=random.Random(7), now=timezone.now())


def final(m: Morning) -> None:
    """A final of two, to its end."""
    terms = {"name": "The final", "format": "knockout", "ask": False, "rated": True, **QUICK}
    event = Tournament.objects.get(code=m.host.do("tournaments/", terms)["id"])
    simulation.set_seed_from_rng(event, random.Random("a final"))
    at = f"tournaments/{event.code}/"
    m.host.do(f"{at}publish/")
    for one in (m.ada, m.bob):
        one.do(f"{at}enter/")
    m.host.do(f"{at}start/")
    swept()
    play(m.ada.ask(f"{at}tables/")["results"][0]["game"])
    swept()
    m.saw("tournaments.bracket", m.ada, f"{at}bracket/")
    m.saw("tournaments.fairness", m.ada, f"{at}fairness/")
    while ratings.rate_finished_games(now=timezone.now()):
        pass
    m.saw("ratings.best", m.ada, "ratings/?mode=singles")
    m.saw("players.ratings", m.ada, "players/ada/ratings/")


def league(m: Morning) -> None:
    """A league before, and in the middle of, its first season."""
    host, ada, bob, cleo = m.host, m.ada, m.bob, m.cleo
    terms = {"name": "Slow league", "size": 6, "moves": 1, "pause": 604800}
    code = m.did("leagues.create", host, "leagues/", terms)["id"]
    at = f"leagues/{code}/"
    m.did("leagues.change", host, at, {"text": "A season lasts about two months."}, "PATCH")
    m.did("leagues.help", host, f"{at}helpers/", {"name": "ada"})
    m.did("leagues.unhelp", host, f"{at}helpers/ada/", method="DELETE")
    for one in (bob, Program("dirk")):
        one.do(f"{at}join/")
    entry = {"partner": None, "client_seed": "a walk in the rain"}
    m.did("leagues.join", ada, f"{at}join/", entry)
    m.did("leagues.clientseed", ada, f"{at}client-seed/", {"client_seed": "a red umbrella"}, "PUT")
    m.did("leagues.substitute", cleo, f"{at}substitute/", entry)
    m.saw("leagues.list", ada, "leagues/?mine=true")
    m.saw("leagues.members", ada, f"{at}members/")
    out = {"name": "eve", "why": "eve has asked for it"}
    Program("eve").do(f"{at}join/")
    m.did("leagues.remove", host, f"{at}removals/", out)
    m.saw("leagues.removals", host, f"{at}removals/")
    m.did("leagues.readmit", host, f"{at}removals/eve/", method="DELETE")
    m.did("leagues.start", host, f"{at}start/")
    swept()
    m.saw("leagues.view", ada, at)
    m.saw("leagues.seasons", ada, f"{at}seasons/")
    m.saw("leagues.season", ada, f"{at}seasons/1/")
    out = {"out": "bob", "player": "cleo", "why": "bob has moved"}
    m.did("leagues.replace", host, f"{at}replace/", out)
    m.did("leagues.leave", ada, f"{at}leave/")
    m.did("leagues.close", host, f"{at}close/")


def happened() -> dict[str, dict[str, Any]]:
    """What a day of tournaments looks like over the API."""
    morning = Morning()
    cup(morning)
    final(morning)
    league(morning)
    return morning.found


def test_what_really_happens_fits_the_document_and_nothing_is_left_out() -> None:
    real = happened()
    if os.environ.get("UPDATE_EXAMPLES"):
        FILE.write_text(json.dumps(real, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    schema = document()
    by_id = dict(operations())
    ours = {name for name in by_id if name.startswith(OURS)}
    assert {name.replace(".", "_") for name in real} == ours
    for name, pair in real.items():
        operation = by_id[name.replace(".", "_")]
        if "response" in pair:
            status = next(code for code in operation["responses"] if code.startswith("2"))
            check(
                pair["response"],
                operation["responses"][status]["content"]["application/json"]["schema"],
                schema,
            )
        if "request" in pair:
            check(pair["request"], operation["requestBody"]["content"]["application/json"]["schema"], schema)
