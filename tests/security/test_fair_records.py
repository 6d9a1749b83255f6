"""Records of tournament games name the origin of their seed, and verification checks it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.engine import record as records
from games.selectors import build_record_for
from tests.factories.cast import open_browser
from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    list_running_pairings,
    play,
    play_to_end,
)
from tests.helpers.seed_proofs import compute_hmac, compute_sha256, get_secret
from tournaments.models import Pairing
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


def build_record(table: Pairing) -> dict[str, Any]:
    assert table.game
    return build_record_for(None, table.game.code)


def verify_record(tmp_path: Path, data: dict[str, Any]) -> tuple[int, str]:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(data))
    out = io.StringIO()
    try:
        call_command("verify_record", str(path), stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_records_say_where_their_seed_comes_from(tmp_path: Path) -> None:
    tournament = create_started_tournament("swiss", 4, round_count=2)
    first, other = list_running_pairings(tournament)
    assert build_record(first)["fairness"]["event"]["seed"] is None
    assert verify_record(tmp_path, build_record(first))[0] == 1  # unfinished
    play(first)
    over = build_record(first)
    assert over["fairness"]["event"] == {
        "id": tournament.code,
        "commitment": tournament.commitment,
        "match": first.match,
        "game": 1,
        "attempt": 1,
        "seed": None,
    }
    assert over["fairness"]["server_seed"]
    assert verify_record(tmp_path, over)[0] == 0
    secret = get_secret(tournament).hex()
    assert secret not in json.dumps(over)
    play(other)
    sweep.sweep_tournaments(now=NOW + DAY)
    play_to_end(tournament, NOW + DAY)
    for table in tournament.pairings.filter(game__isnull=False).select_related("game"):
        data = build_record(table)
        assert data["fairness"]["event"]["seed"] == secret
        derived = compute_hmac(
            bytes.fromhex(secret), f"otto-game-v1|{table.match}|{table.game_number}|{table.attempt}"
        )
        assert data["fairness"]["server_seed"] == derived.hex()
        assert verify_record(tmp_path, data)[0] == 0
        page = open_browser().get(f"/games/{data['game']}/fairness/").content.decode()
        assert secret in page
        assert 'data-check="event"' in page
        assert "which has the promised fingerprint" in page


@pytest.fixture
def whole_record() -> dict[str, Any]:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    play_to_end(tournament)
    return build_record(tournament.pairings.select_related("game").get())


OTHER = "00" * 32
TAMPERED: dict[str, Any] = {
    "another match": {"match": "R1.2"},
    "another game": {"game": 2},
    "another attempt": {"attempt": 2},
    "another seed": {"seed": OTHER},
    "another seed with its commitment": {"seed": OTHER, "commitment": compute_sha256(bytes(32))},
    "another commitment": {"commitment": OTHER},
    "no id": {"id": ""},
    "a bar in the match": {"match": "R1|1"},
    "half a character": {"match": "\ud800"},
    "match is a number": {"match": 1},
    "game is a text": {"game": "1"},
    "game is true": {"game": True},
    "attempt is 0": {"attempt": 0},
    "a short seed": {"seed": "ab"},
    "a seed in capitals": {"seed": "AB" * 32},
    "no commitment": {"commitment": None},
    "something more": {"more": 1},
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_record_that_was_tampered_with_is_found_out(
    tmp_path: Path, whole_record: dict[str, Any], change: dict[str, Any]
) -> None:
    assert verify_record(tmp_path, whole_record) == (0, verify_record(tmp_path, whole_record)[1])
    whole_record["fairness"]["event"] |= change
    status, output = verify_record(tmp_path, whole_record)
    assert status == 1
    assert "unfinished" not in output


def test_an_entry_that_is_missing_or_null_is_found_out(whole_record: dict[str, Any]) -> None:
    event = dict(whole_record["fairness"]["event"])
    for name in event:
        whole_record["fairness"]["event"] = {key: value for key, value in event.items() if key != name}
        assert records.verify_record(whole_record).status == "bad"
    for wrong in (None, [], "x", {}):
        whole_record["fairness"]["event"] = wrong
        assert records.verify_record(whole_record).status == "bad"


def test_while_the_event_runs_a_finished_record_is_true_and_says_what_is_open(
    whole_record: dict[str, Any],
) -> None:
    whole_record["fairness"]["event"]["seed"] = None
    assert records.verify_record(whole_record).is_ok
    passed_by_name = {check.name: check.passed for check in records.check_record(whole_record)}
    assert passed_by_name["event"] is None
    assert {passed_by_name[name] for name in passed_by_name if name != "event"} == {True}
