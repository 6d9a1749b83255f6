"""Records: a true record is verified, any other is refused with the place and the reason."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.engine import fairness, record, simulation
from games.engine.record import InvalidRecord, parse_record, verify_record

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
Record = dict[str, Any]


@pytest.fixture(scope="module")
def played_record() -> Record:
    return simulation.simulate_game(simulation.SimulationSettings(seats=3, policy="greedy", seed="record"), 1)


@pytest.fixture
def true_record(played_record: Record) -> Record:
    return copy.deepcopy(played_record)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_records_replay_for_ever(path: Path) -> None:
    verdict = verify_record(parse_record(path.read_bytes()))
    assert verdict.is_ok, verdict.text


def test_there_are_golden_records_of_every_mode_and_edition() -> None:
    kinds = set()
    endings: set[str] = set()
    for path in GOLDEN:
        data = parse_record(path.read_bytes())
        kinds.add((data["rules"], data["edition"], data["mode"], len(data["seats"])))
        endings |= {match["ended"] for match in data["result"]["matches"]}
        endings |= {match["kind"] for match in data["result"]["matches"]}
        endings |= {"shootout"} if data["result"]["shootout"] else set()
        endings |= {"draw"} if data["result"]["winner"] is None and data["mode"] != "solo" else set()
        endings |= {"silly"} if any(match["silly"] for match in data["result"]["matches"]) else set()
        endings |= {action["action"].split("-")[0] for action in data["actions"]}
        endings |= {data["options"]["obligation"], f"cards {data['options']['cards']}"}
        endings |= {f"{name} {data['options'].get(name)}" for name in ("cards_from", "seniority")}
    seats = [("singles", 2), ("singles", 3), ("singles", 4), ("pairs", 4), ("solo", 1)]
    editions = {1: ("arcastudio-2.2", "bannan-nl"), 2: ("arcastudio-2.2", "bannan-nl", "pergioco-72")}
    assert kinds == {
        (rules, name, *kind) for rules, names in editions.items() for name in names for kind in seats
    }
    cards = {"TT", "MI", "RC", "RA", "RV", "QL", "ME", "AK", "8", "CV=8", "CV=QL", "pass", "resign"}
    ends = {"infinity", "full", "tower", "won", "normal", "blind", "solo", "shootout", "draw", "silly"}
    assert cards | ends | {"strict", "lenient", "cards True", "cards False"} <= endings
    assert {"cards_from 2", "seniority lot", "seniority account"} <= endings


def test_a_true_record_is_confirmed(true_record: Record) -> None:
    verdict = verify_record(true_record)
    assert verdict.is_ok
    assert verdict.text.startswith(f"ok: {len(true_record['actions'])} actions, side ")


def test_the_same_terms_give_the_same_bytes(played_record: Record) -> None:
    second_game = simulation.simulate_game(
        simulation.SimulationSettings(seats=3, policy="greedy", seed="record"), 1
    )
    assert simulation.format_record(second_game) == simulation.format_record(played_record)


def locate_entry(data: Record, path: str) -> tuple[Any, Any]:
    """Return the list or object that holds an entry, and the entry's key in it."""
    at: Any = data
    *keys, last = path.split("/")
    for key in keys:
        at = at[int(key) if isinstance(at, list) else key]
    return at, int(last) if isinstance(at, list) else last


def make_change(path: str, value: object) -> Callable[[Record], None]:
    """Return a function that changes one entry of a record. A callable value gets the old one."""

    def tamper(data: Record) -> None:
        at, last = locate_entry(data, path)
        at[last] = value(at[last]) if callable(value) else value

    return tamper


def make_drop(path: str) -> Callable[[Record], None]:
    def tamper(data: Record) -> None:
        at, last = locate_entry(data, path)
        del at[last]

    return tamper


def flip_first_digit(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


TAMPERED = [
    (make_change("format", "otto-record/2"), "unknown format"),
    (make_change("edition", "arcastudio-9"), "unknown edition"),
    (make_change("edition", "bannan-nl"), "seq|result"),
    (make_change("rules", 3), "unknown rules"),
    (make_change("rules", 0), "unknown rules"),
    (make_change("rules", 1), "unknown entry"),
    (make_drop("options/cards_from"), "options has no cards_from"),
    (make_drop("options/seniority"), "options has no seniority"),
    (make_change("options/cards_from", 0), "options: cards_from"),
    (make_change("options/cards_from", 3), "options: cards_from"),
    (make_change("options/cards_from", True), "options: cards_from"),
    (make_change("options/cards_from", 2), "seq"),
    (make_change("options/seniority", "age"), "options: seniority"),
    (make_change("options/seniority", ["lot"]), "options: seniority"),
    (make_change("options/seniority", "lot"), "seniority: the list does not follow"),
    (make_change("rules", True), "unknown rules"),
    (make_change("mode", "trios"), "unknown mode"),
    (make_change("mode", "pairs"), "not played by that many"),
    (make_change("mode", ["singles"]), "unknown mode"),
    (make_change("game", ""), "game"),
    (make_change("game", "x" * 10_000_000), "game"),
    (make_change("options/target", 0), "options: target"),
    (make_change("options/target", 100), "options: target"),
    (make_change("options/target", "24"), "options: target"),
    (make_change("options/target", True), "options: target"),
    (make_change("options/cards", 1), "options: cards"),
    (make_change("options/obligation", "mild"), "options: obligation"),
    (make_change("options/obligation", ["strict"]), "options: obligation"),
    (make_change("options/target", 99), "not over|seq"),
    (make_change("options/extra", 1), "unknown entry"),
    (make_change("extra", 1), "unknown entry"),
    (make_change("seats/0/side", 2), "seat 1 must be"),
    (make_change("seats/0/seat", 2), "seat 1 must be"),
    (make_change("seats/0/name", 5), "name of seat 1"),
    (make_change("seniority", [1, 2]), "seniority"),
    (make_change("seniority", [1, 2, 2]), "seniority"),
    (make_change("seniority", ["1", "2", "3"]), "seniority"),
    (make_change("seating/order", "by-age"), "seating"),
    (make_change("seating/joined", [1, 1, 2]), "seating"),
    (make_change("fairness/commitment", flip_first_digit), "commitment"),
    (make_change("fairness/commitment", str.upper), "hexadecimal"),
    (make_change("fairness/server_seed", flip_first_digit), "commitment"),
    (make_change("fairness/server_seed", "00"), "hexadecimal"),
    (make_change("fairness/server_seed", None), "not published"),
    (make_change("fairness/client_seeds/0", "another"), "seq|seats do not follow|result"),
    (make_change("fairness/client_seeds/0", "a|b"), "client seed"),
    (make_change("fairness/client_seeds/0", ""), "client seed"),
    (make_change("fairness/client_seeds/0", "x" * 65), "client seed"),
    (make_change("fairness/client_seeds/0", "\ud800"), "client seed"),
    (make_change("fairness/client_seeds", []), "one client seed per seat"),
    (make_change("actions/3/seq", 5), "seq 4 is missing"),
    (make_change("actions/3/seq", True), "seq 4 is missing"),
    (make_change("actions/3/seat", 9), "seq 4: there is no seat"),
    (make_change("actions/3/seat", lambda seat: seat % 3 + 1), "seq 4: .* is refused"),
    (make_change("actions/3/action", "Z-a1-0"), "seq 4: .* is refused"),
    (make_change("actions/3/action", 7), "seq 4: the action is not a text"),
    (make_change("actions/3/action", "é" * 10_000_000), "seq 4: .* is refused"),
    (make_change("actions/3/by", "magic"), "seq 4: by"),
    (make_change("actions/3/at", 5), "seq 4: at"),
    (make_change("actions", {}), "actions is not a list"),
    (make_drop("actions/3"), "seq 4 is missing"),
    (make_drop("actions/-1"), "not over"),
    (
        lambda data: data["actions"].append({**data["actions"][-1], "seq": len(data["actions"]) + 1}),
        "was over before",
    ),
    (make_change("result", None), "has no result"),
    (make_change("result", []), "result is not an object"),
    (make_change("result/winner", lambda side: side % 3 + 1), "result: winner"),
    (make_change("result/winner", None), "result: winner"),
    (make_change("result/totals/1", lambda n: n + 1), "result: totals"),
    (make_change("result/matches/0/scores/2", lambda n: n + 1), "result: matches"),
    (make_change("result/matches/0/ended", "tower"), "result: matches"),
    (make_change("result/matches/0/kind", "blind"), "result: matches"),
    (make_change("result/matches/0/silly", [1]), "result: matches"),
    (make_change("result/shootout", [{"1": "A"}]), "result: shootout"),
    *((make_drop(key), "has no ") for key in sorted(record._RECORD_KEYS)),
]


@pytest.mark.parametrize(("tamper", "reason"), TAMPERED)
def test_a_tampered_record_is_refused_with_the_reason(
    true_record: Record, tamper: Callable[[Record], None], reason: str
) -> None:
    tamper(true_record)
    verdict = verify_record(true_record)
    assert verdict.status == "bad"
    assert re.search(reason, verdict.text), verdict.text
    assert "\n" not in verdict.text
    assert len(verdict.text) < 1000


def test_no_single_action_of_a_record_can_be_swapped_unnoticed(true_record: Record) -> None:
    for i, row in enumerate(true_record["actions"]):
        changed = copy.deepcopy(true_record)
        changed["actions"][i]["action"] = "draw" if row["action"] in ("pass", "8", "CV=8") else "pass"
        verdict = verify_record(changed)
        assert verdict.status == "bad"
        assert verdict.text.startswith(f"seq {i + 1}: ")


def test_a_shuffled_seating_must_follow_from_the_seeds() -> None:
    records = (
        simulation.simulate_game(simulation.SimulationSettings(seats=4, seed="seating"), n)
        for n in range(1, 40)
    )
    data = next(
        r for r in records if r["seating"]["order"] == "shuffled" and r["seating"]["joined"] != [1, 2, 3, 4]
    )
    assert verify_record(data).is_ok
    data["seating"]["joined"] = data["seating"]["joined"][::-1]
    assert "seats do not follow" in verify_record(data).text


def test_an_unfinished_record_says_so_and_does_not_pass(true_record: Record) -> None:
    true_record["actions"] = true_record["actions"][:10]
    true_record["result"] = None
    assert verify_record(true_record).status == "unfinished"
    true_record["fairness"]["server_seed"] = None
    verdict = verify_record(true_record)
    assert verdict.status == "unfinished"
    assert not verdict.is_ok


def test_a_record_shows_the_seed_only_with_a_result(true_record: Record) -> None:
    terms = {
        "game_code": "g",
        "setup": simulation.Setup(seats=2),
        "names": ["ada", "bob"],
        "commitment": fairness.compute_commitment(bytes(32)),
        "client_seeds": ["1", "2"],
        "seat_order": "as-joined",
        "seats_by_joining": [1, 2],
        "actions": [],
    }
    unfinished = record.build_record(**terms, server_seed=None, result=None)
    assert unfinished["fairness"]["server_seed"] is None
    assert verify_record(unfinished).status == "unfinished"
    with pytest.raises(ValueError, match="with the result"):
        record.build_record(**terms, server_seed=bytes(32), result=None)
    with pytest.raises(ValueError, match="with the result"):
        record.build_record(**terms, server_seed=None, result=true_record["result"])


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"not json",
        b"[]",
        b'"text"',
        b"12",
        b"null",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"format": NaN}',
        b'{"format": 1, "format": 2}',
        b'{"format": ' + b"9" * 10_000 + b"}",
        b'{"format": "' + b"x" * 10_000_000 + b'"}',
        b"x" * 20_000_001,
        b"{}",
    ],
    ids=range(15),
)
def test_rubbish_gets_one_clear_line(raw: bytes) -> None:
    try:
        text = verify_record(parse_record(raw)).text
    except InvalidRecord as bad:
        text = str(bad)
    assert 0 < len(text) < 300
    assert "\n" not in text
