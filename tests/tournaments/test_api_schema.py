"""Schemathesis over the tournament part of the document: no 500, and no undocumented response."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from tests.example_counts import pick_example_count
from tests.helpers.api_schema import (
    OTHER_SCENES,
    check_error_code,
    keep_connection_open,
    one_connection,  # noqa: F401
    whole,
)
from tests.helpers.tournament_programs import Cup, Program
from tournaments.services import sweep

pytestmark = pytest.mark.django_db
schema = whole.include(path_regex=OTHER_SCENES)
# Client, whether the requests are valid, and number of examples. Clients other than the host need no invalid
# requests, because most are refused before they are read.
ASKERS = [
    ("host", True, pick_example_count(2, 3)),
    ("host", False, pick_example_count(2, 3)),
    ("p1", True, pick_example_count(2, 3)),  # the first example is always the simplest
    (None, True, pick_example_count(2, 3)),
]


def build_path_values() -> dict[str, dict[str, Any]]:
    """Return path values of existing tournaments and leagues."""
    cup = Cup("swiss", 4, round_count=2, late_entry=True).start()
    table = cup.get_table_of("p1")["id"]
    appeal = cup.players["p1"].do(f"{cup.at}pairings/{table}/appeal/", {"text": "Look at this."})["id"]
    decision_id = cup.host.do(f"{cup.at}correct/", {"pairing": table, "ranks": [1, 2]})["id"]
    league = cup.host.do("leagues/", {"name": "The league", "division_size": 4, "promotion_count": 1})["id"]
    for player in cup.players.values():
        player.do(f"leagues/{league}/join/")
    cup.host.do(f"leagues/{league}/start/")
    sweep.sweep_tournaments(now=cup.now)
    cup_values = {"id": cup.code, "pairing": table, "appeal": appeal, "decision": decision_id, "name": "p1"}
    Program("p9")
    entrant = cup.players["p4"].ask(cup.at)["you"]["entrant"]
    proposal_id = cup.host.do(f"{cup.at}replace/", {"entrant": entrant, "player": "p9"})["id"]
    return {
        "tournaments": cup_values,
        "leagues": {"id": league, "number": 1, "name": "p1"},
        "proposals": {"id": proposal_id},
    }


@pytest.mark.parametrize(("who", "well", "examples"), ASKERS)
def test_every_answer_is_in_the_document(who: str | None, well: bool, examples: int) -> None:
    """Runs as the organiser, as a player, and without an account."""
    values, headers = build_path_values(), Program(who).headers
    mode = GenerationMode.POSITIVE if well else GenerationMode.NEGATIVE
    keep_connection_open()
    case_count = 0
    for operation_result in schema.get_all_operations():
        operation = operation_result.ok()
        if not (well or operation.body or operation.query):
            continue

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        def check_answer(case: Any) -> None:
            own_values = values.get(case.path.split("/")[3], {})
            case.path_parameters |= {
                name: own_values[name] for name in case.path_parameters if name in own_values
            }
            # This check is left out because the services refuse many well-formed requests.
            response = case.call_and_validate(
                headers=headers, excluded_checks=[schemathesis.checks.positive_data_acceptance]
            )
            check_error_code(case, response)

        with transaction.atomic():  # an operation does not see the changes of another
            check_answer()
            transaction.set_rollback(True)
        case_count += 1
    assert case_count > (50 if well else 20)
