"""Every operation of tournaments and leagues is documented with a recorded example.

`UPDATE_EXAMPLES=1 pytest -n 0 tests/tournaments/test_api_examples.py` rewrites the examples.
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
from tests.helpers.api_examples import check_schema, generate_schema, list_operations
from tests.helpers.tournament_programs import QUICK, Program
from tournaments.models import Tournament
from tournaments.ratings import services as ratings
from tournaments.services import simulation, sweep

pytestmark = pytest.mark.django_db
FILE = Path(tournaments.api.__file__).with_name("examples.json")
OURS = ("tournaments_", "leagues_", "proposals_", "ratings_", "players_ratings")


class ExampleRecorder:
    """Records requests and responses by operation."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Any]] = {}
        self.host, self.ada, self.bob, self.cleo = map(Program, ("host", "ada", "bob", "cleo"))

    def record_call(
        self, operation: str, who: Program, path: str, data: Any = None, method: str = "POST"
    ) -> Any:
        answer = who.send(method, path, data)
        assert answer.status_code < 300, (operation, answer.content)
        self.examples[operation] = {"request": data} if data is not None else {}
        if answer.content:
            self.examples[operation]["response"] = answer.json()
            return answer.json()
        return None

    def record_get(self, operation: str, who: Program, path: str) -> Any:
        return self.record_call(operation, who, path, method="GET")


def sweep_all() -> None:
    while sweep.sweep_tournaments(now=timezone.now()):
        pass


def record_cup(m: ExampleRecorder) -> None:
    """Record a Swiss tournament of three with every operation on it."""
    host, ada, bob, cleo = m.host, m.ada, m.bob, m.cleo
    terms = {
        "name": "Spring cup",
        "format": "swiss",
        "round_count": 2,
        "confirmation": True,
        "manual_approval": True,
    }
    draft = m.record_call("tournaments.create", host, "tournaments/", terms | {"target": 8})["id"]
    m.record_call("tournaments.delete", host, f"tournaments/{draft}/", method="DELETE")
    code = host.do("tournaments/", terms | QUICK)["id"]
    tournament = Tournament.objects.get(code=code)
    simulation.set_seed_from_rng(tournament, random.Random("examples"))
    at = f"tournaments/{tournament.code}/"
    m.record_call("tournaments.change", host, at, {"text": "Everybody is welcome.", "capacity": 16}, "PATCH")
    m.record_call("tournaments.publish", host, f"{at}publish/")
    m.record_get("tournaments.list", ada, "tournaments/?status=published&format=swiss")
    m.record_call("tournaments.invite", host, f"{at}invites/", {"name": "cleo"})
    m.record_get("tournaments.invites", host, f"{at}invites/")
    m.record_call("tournaments.uninvite", host, f"{at}invites/cleo/", method="DELETE")
    m.record_call("tournaments.help", host, f"{at}co-organisers/", {"name": "ada"})
    m.record_call("tournaments.unhelp", host, f"{at}co-organisers/ada/", method="DELETE")
    Program("dirk").do(f"{at}enter/")
    m.record_call("tournaments.leave", Program("dirk"), f"{at}leave/")
    for program in (bob, cleo):
        program.do(f"{at}enter/")
        program.do(f"{at}confirm/")
    entry = {"partner": None, "client_seed": "a walk in the rain"}
    m.record_call("tournaments.enter", ada, f"{at}enter/", entry)
    m.record_call(
        "tournaments.clientseed", ada, f"{at}client-seed/", {"client_seed": "a red umbrella"}, "PUT"
    )
    m.record_call("tournaments.confirm", ada, f"{at}confirm/")
    m.record_get("tournaments.view", ada, at)
    m.record_call("tournaments.sitout", cleo, f"{at}sit-out/", {"round": 1})
    ids = [result["id"] for result in m.record_get("tournaments.entrants", ada, f"{at}entrants/")["results"]]
    Program("eve").do(f"{at}enter/")
    eve = {"entrant": Program("eve").ask(at)["you"]["entrant"], "reason": "eve has asked for it"}
    m.record_call("tournaments.remove", host, f"{at}remove/", eve)
    m.record_call("tournaments.seeds", host, f"{at}seeds/", {"order": ids[:2]}, "PUT")
    m.record_call("tournaments.start", host, f"{at}start/")
    sweep_all()
    m.record_get("tournaments.preview", host, f"{at}preview/")
    m.record_call("tournaments.proceed", host, f"{at}proceed/")
    sweep_all()
    m.record_get("tournaments.rounds", ada, f"{at}rounds/")
    until = {"round": 1, "until": format_instant(timezone.now() + timedelta(days=20)), "reason": "a holiday"}
    m.record_call("tournaments.extend", host, f"{at}extend/", until)
    table = next(result for result in ada.ask(f"{at}pairings/")["results"] if result["game"])
    play_game(table["game"])
    sweep_all()
    m.record_get("tournaments.pairings", ada, f"{at}pairings/?bracket_round=1")
    m.record_get("tournaments.pairing", ada, f"{at}pairings/{table['id']}/")
    m.record_get("tournaments.evidence", ada, f"{at}pairings/{table['id']}/evidence/")
    appeal = m.record_call(
        "tournaments.appeal", bob, f"{at}pairings/{table['id']}/appeal/", {"text": "I could not play."}
    )
    m.record_get("tournaments.appeals", host, f"{at}appeals/")
    answer = {"text": "The result stands."}
    m.record_call("tournaments.answer", host, f"{at}appeals/{appeal['id']}/answer/", answer)
    level = {"pairing": table["id"], "ranks": [1, 1], "reason": "by agreement"}
    decision = m.record_call("tournaments.correct", host, f"{at}correct/", level)
    m.record_call("tournaments.undo", host, f"{at}decisions/{decision['id']}/undo/", {"reason": "a slip"})
    m.record_get("tournaments.standings", ada, f"{at}standings/")
    dirk = {
        "entrant": cleo.ask(at)["you"]["entrant"],
        "player": "dirk",
        "number": 1,
        "reason": "cleo is away",
    }
    first = m.record_call("tournaments.replace", host, f"{at}replace/", dirk)
    m.record_get("proposals.list", Program("dirk"), "proposals/")
    m.record_call("proposals.decline", Program("dirk"), f"proposals/{first['id']}/decline/")
    second = host.do(f"{at}replace/", dirk)
    m.record_call("proposals.withdraw", host, f"proposals/{second['id']}/withdraw/")
    third = host.do(f"{at}replace/", dirk)
    seed = {"client_seed": "seven green apples"}
    m.record_call("proposals.accept", Program("dirk"), f"proposals/{third['id']}/accept/", seed)
    bad = {"entrant": bob.ask(at)["you"]["entrant"], "reason": "two accounts"}
    m.record_call("tournaments.disqualify", host, f"{at}disqualify/", bad)
    m.record_get("tournaments.decisions", ada, f"{at}decisions/?page_size=2")
    m.record_call("tournaments.withdraw", ada, f"{at}withdraw/")
    m.record_call("tournaments.cancel", host, f"{at}cancel/", {"reason": "too few are left"})


def play_game(game: str) -> None:
    simulation.play_game(game, policy="random", rng=random.Random(7), now=timezone.now())


def record_final(m: ExampleRecorder) -> None:
    """Record a final of two to its end."""
    terms = {"name": "The final", "format": "knockout", "hold_on_warnings": False, "rated": True, **QUICK}
    tournament = Tournament.objects.get(code=m.host.do("tournaments/", terms)["id"])
    simulation.set_seed_from_rng(tournament, random.Random("a final"))
    at = f"tournaments/{tournament.code}/"
    m.host.do(f"{at}publish/")
    for program in (m.ada, m.bob):
        program.do(f"{at}enter/")
    m.host.do(f"{at}start/")
    sweep_all()
    play_game(m.ada.ask(f"{at}pairings/")["results"][0]["game"])
    sweep_all()
    m.record_get("tournaments.bracket", m.ada, f"{at}bracket/")
    m.record_get("tournaments.fairness", m.ada, f"{at}fairness/")
    while ratings.rate_finished_games(now=timezone.now()):
        pass
    m.record_get("ratings.best", m.ada, "ratings/?mode=singles")
    m.record_get("players.ratings", m.ada, "players/ada/ratings/")


def record_league(m: ExampleRecorder) -> None:
    """Record a league before and during its first season."""
    host, ada, bob, cleo = m.host, m.ada, m.bob, m.cleo
    terms = {"name": "Slow league", "division_size": 6, "promotion_count": 1, "season_pause_seconds": 604800}
    code = m.record_call("leagues.create", host, "leagues/", terms)["id"]
    at = f"leagues/{code}/"
    m.record_call("leagues.change", host, at, {"text": "A season lasts about two months."}, "PATCH")
    m.record_call("leagues.help", host, f"{at}co-organisers/", {"name": "ada"})
    m.record_call("leagues.unhelp", host, f"{at}co-organisers/ada/", method="DELETE")
    for program in (bob, Program("dirk")):
        program.do(f"{at}join/")
    entry = {"partner": None, "client_seed": "a walk in the rain"}
    m.record_call("leagues.join", ada, f"{at}join/", entry)
    m.record_call("leagues.clientseed", ada, f"{at}client-seed/", {"client_seed": "a red umbrella"}, "PUT")
    m.record_call("leagues.substitute", cleo, f"{at}substitute/", entry)
    m.record_get("leagues.list", ada, "leagues/?own=true")
    m.record_get("leagues.members", ada, f"{at}members/")
    out = {"name": "eve", "reason": "eve has asked for it"}
    Program("eve").do(f"{at}join/")
    m.record_call("leagues.remove", host, f"{at}removals/", out)
    m.record_get("leagues.removals", host, f"{at}removals/")
    m.record_call("leagues.readmit", host, f"{at}removals/eve/", method="DELETE")
    m.record_call("leagues.start", host, f"{at}start/")
    sweep_all()
    m.record_get("leagues.view", ada, at)
    m.record_get("leagues.seasons", ada, f"{at}seasons/")
    m.record_get("leagues.season", ada, f"{at}seasons/1/")
    out = {"out": "bob", "player": "cleo", "reason": "bob has moved"}
    m.record_call("leagues.replace", host, f"{at}replace/", out)
    m.record_call("leagues.leave", ada, f"{at}leave/")
    m.record_call("leagues.close", host, f"{at}close/")


def record_examples() -> dict[str, dict[str, Any]]:
    """Record requests and responses of tournaments and leagues over the API."""
    morning = ExampleRecorder()
    record_cup(morning)
    record_final(morning)
    record_league(morning)
    return morning.examples


def test_what_really_happens_fits_the_document_and_nothing_is_left_out() -> None:
    real = record_examples()
    if os.environ.get("UPDATE_EXAMPLES"):
        FILE.write_text(json.dumps(real, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    schema = generate_schema()
    by_id = dict(list_operations())
    # Lists of records are JSON lines, not JSON: see games/api/record_examples.json and test_game_records.py.
    own_names = {name for name in by_id if name.startswith(OURS) and not name.endswith("_games_records")}
    assert {name.replace(".", "_") for name in real} == own_names
    for name, pair in real.items():
        operation = by_id[name.replace(".", "_")]
        if "response" in pair:
            status = next(code for code in operation["responses"] if code.startswith("2"))
            check_schema(
                pair["response"],
                operation["responses"][status]["content"]["application/json"]["schema"],
                schema,
            )
        if "request" in pair:
            check_schema(
                pair["request"], operation["requestBody"]["content"]["application/json"]["schema"], schema
            )
