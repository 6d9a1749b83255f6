"""The fairness page's script in Node: golden records and logs pass its checks, changed ones fail."""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games.engine import GameEvent, Setup, apply_action, fairness, load_edition, start_game
from tests.helpers.node import find_node
from tests.services import ROOT

GOLDEN = sorted((ROOT / "tests" / "engine" / "golden").glob("*.json"))
CHECK_ALL = """
const { checkGame } = await import(process.argv[2]);
let text = "";
for await (const chunk of process.stdin) text += chunk;
const verdicts = [];
for (const { record, events, tiles, deck } of JSON.parse(text)) {
  const results = await checkGame(record, events, tiles, deck);
  verdicts.push(Object.keys(results).filter((name) => results[name].passed === false));
}
console.log(JSON.stringify(verdicts));
"""


def read_game(path: Path) -> dict[str, Any]:
    """Return a golden record with its log and edition, as the fairness page gives them to the script."""
    record = json.loads(path.read_text())
    options, seeds = record["options"], record["fairness"]
    setup = Setup(
        mode=record["mode"],
        seats=len(record["seats"]),
        edition=record["edition"],
        cards=options["cards"],
        obligation=options["obligation"],
        target=options["target"],
        seniority=tuple(record["seniority"]),
        key=fairness.derive_game_key(bytes.fromhex(seeds["server_seed"]), seeds["client_seeds"]),
        rules=record["rules"],
        cards_from=options.get("cards_from", 1),
        seniority_rule=options.get("seniority", "account"),
    )
    state, events = start_game(setup)
    log: list[GameEvent] = [*events]
    for line in record["actions"]:
        state, events = apply_action(state, line["seat"], line["action"])
        log += events
    edition = load_edition(record["edition"])
    is_solo = record["mode"] == "solo"
    return {
        "record": record,
        "events": log,
        "tiles": edition.solo_tiles if is_solo else edition.all_tiles,
        "deck": list(edition.deck) if setup.has_cards else [],
    }


def check_games(games: list[dict[str, Any]], folder: Path) -> list[list[str]]:
    """Return the checks that each game fails."""
    program = folder / "check.mjs"
    program.write_text(CHECK_ALL)
    script = folder / "replay.mjs"
    script.write_text((ROOT / "static" / "replay.js").read_text())
    done = subprocess.run(
        [find_node(), str(program), script.as_uri()],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    verdicts: list[list[str]] = json.loads(done.stdout)
    return verdicts


@pytest.fixture(scope="module")
def golden_games() -> dict[str, dict[str, Any]]:
    return {path.stem: read_game(path) for path in GOLDEN}


def test_every_golden_record_passes_with_cards_from_the_second_match_and_seniority_by_lot(
    golden_games: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    verdicts = check_games(list(golden_games.values()), tmp_path)
    assert dict(zip(golden_games, verdicts, strict=True)) == {name: [] for name in golden_games}
    options = [game["record"]["options"] for game in golden_games.values()]
    assert {row.get("cards_from") for row in options} == {None, 1, 2}
    assert {row.get("seniority") for row in options} == {None, "account", "lot"}


def test_a_seniority_that_the_lot_did_not_give_and_cards_dealt_too_early_are_found(
    golden_games: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    golden_copies = copy.deepcopy(list(golden_games.values()))
    games = [
        game
        for game in golden_copies
        if game["record"]["options"].get("seniority") == "lot" and len(game["record"]["seats"]) > 1
    ]
    assert games
    for game in games:
        game["record"]["seniority"] = game["record"]["seniority"][::-1]
    assert all("seats" in failed for failed in check_games(games, tmp_path))
    early = [game for game in golden_copies if game["record"]["options"].get("cards_from") == 2]
    for game in early:
        game["record"]["options"]["cards_from"] = 1
    assert any("cards" in failed for failed in check_games(early, tmp_path))
