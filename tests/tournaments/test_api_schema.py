"""Schemathesis over what the document says of tournaments: no 500, and no answer that it does not know."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from tests.games.test_schema import ELSEWHERE, keep_open, one_connection, whole  # noqa: F401
from tournaments.services import sweep

from .programs import Cup, Program

pytestmark = pytest.mark.django_db
schema = whole.include(path_regex=ELSEWHERE)
EXAMPLES = 3
# Who asks, and whether as the document has it; what has no words cannot be asked wrongly.
ASKERS = [("host", True), ("host", False), ("p1", True), (None, True)]


def scene() -> dict[str, dict[str, Any]]:
    """What stands in addresses of tournaments and of leagues: all of it is there."""
    cup = Cup("swiss", 4, rounds=2, late=True).start()
    table = cup.table_of("p1")["id"]
    appeal = cup.players["p1"].do(f"{cup.at}tables/{table}/appeal/", {"text": "Look at this."})["id"]
    made = cup.host.do(f"{cup.at}correct/", {"table": table, "ranks": [1, 2]})["id"]
    league = cup.host.do("leagues/", {"name": "The league", "size": 4, "moves": 1})["id"]
    for one in cup.players.values():
        one.do(f"leagues/{league}/join/")
    cup.host.do(f"leagues/{league}/start/")
    sweep.sweep_tournaments(now=cup.now)
    there = {"code": cup.code, "table": table, "appeal": appeal, "decision": made, "name": "p1"}
    Program("p9")
    entrant = cup.players["p4"].ask(cup.at)["you"]["entrant"]
    asked = cup.host.do(f"{cup.at}replace/", {"entrant": entrant, "player": "p9"})["id"]
    return {
        "tournaments": there,
        "leagues": {"code": league, "number": 1, "name": "p1"},
        "proposals": {"proposal": asked},
    }


@pytest.mark.parametrize(("who", "well"), ASKERS)
def test_every_answer_is_in_the_document(who: str | None, well: bool) -> None:
    """For somebody who organises, somebody who plays, and somebody without an account."""
    there, headers = scene(), Program(who).headers
    mode = GenerationMode.POSITIVE if well else GenerationMode.NEGATIVE
    keep_open()
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if not (well or operation.body or operation.query):
            continue

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        def answers(case: Any) -> None:
            here = there.get(case.path.split("/")[3], {})
            case.path_parameters |= {name: here[name] for name in case.path_parameters if name in here}
            # The services refuse much that is well formed, which is why that one check is left out.
            case.call_and_validate(
                headers=headers, excluded_checks=[schemathesis.checks.positive_data_acceptance]
            )

        with transaction.atomic():  # what one operation has done, the next one does not find
            answers()
            transaction.set_rollback(True)
        asked += 1
    assert asked > (50 if well else 20)
