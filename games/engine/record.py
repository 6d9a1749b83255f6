"""Records: a whole game as one JSON document that replays with nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from . import fairness
from .edition import names
from .errors import Refused
from .game import apply, start
from .state import MODES, RULES, Setup, State, sides_of

FORMAT = "otto-record/1"
BY = ("player", "clock", "bot")
LONGEST_FILE = 20_000_000  # bytes; a real record has some tens of thousands
LONGEST_NAME = 200
_HEX64 = re.compile("[0-9a-f]{64}")
_KEYS = {
    "format", "game", "edition", "mode", "options", "seats", "rules", "seniority", "seating", "fairness",
    "actions", "result",
}  # fmt: skip


class Bad(Exception):
    """A record that is not what it says. The message tells where and why."""


@dataclass(frozen=True)
class Verdict:
    """What was found about one record."""

    status: str  # ok, unfinished, bad
    text: str

    @property
    def ok(self) -> bool:
        """Whether the record is finished and true."""
        return self.status == "ok"


def build(
    *,
    game: str,
    setup: Setup,
    names: Sequence[str],
    commitment: str,
    server_seed: bytes | None,
    client_seeds: Sequence[str],
    order: str,
    joined: Sequence[int],
    actions: Iterable[Mapping[str, Any]],
    result: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The record of a game. Raises ValueError unless the seed comes with a result, and only with one."""
    if (server_seed is None) != (result is None):
        raise ValueError("the seed is published with the result")
    return {
        "format": FORMAT,
        "game": game,
        "edition": setup.edition,
        "mode": setup.mode,
        "options": {"cards": setup.cards, "obligation": setup.obligation, "target": setup.target},
        "seats": [
            {"seat": seat, "side": setup.sides[seat], "name": name} for seat, name in enumerate(names, 1)
        ],
        "rules": RULES,
        "seniority": list(setup.seniority),
        "seating": {"order": order, "joined": list(joined)},
        "fairness": {
            "commitment": commitment,
            "server_seed": server_seed.hex() if server_seed else None,
            "client_seeds": list(client_seeds),
        },
        "actions": [dict(action) for action in actions],
        "result": dict(result) if result else None,
    }


def parse(raw: bytes) -> dict[str, Any]:
    """The JSON object in a file. Raises Bad on anything else."""
    if len(raw) > LONGEST_FILE:
        raise Bad(f"the file is larger than {LONGEST_FILE // 1_000_000} MB")
    try:
        data = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise Bad("the file is not UTF-8 text") from None
    except RecursionError:
        raise Bad("the file is nested too deeply") from None
    except ValueError as error:
        raise Bad(f"the file is not JSON: {_short(str(error))}") from None
    if not isinstance(data, dict):
        raise Bad("the file does not hold a JSON object")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number of JSON")


def verify(data: object) -> Verdict:
    """Check a record from its commitment to its last score."""
    try:
        return _verify(data)
    except Bad as bad:
        return Verdict("bad", str(bad))


def _verify(data: object) -> Verdict:
    record = _object(data, "the record", _KEYS)
    if record["format"] != FORMAT:
        raise Bad(f"unknown format {_show(record['format'])}, expected {FORMAT}")
    if not isinstance(record["game"], str) or not 0 < len(record["game"]) <= LONGEST_NAME:
        raise Bad("game is not a short text")
    setup_terms = _terms(record)
    seats = setup_terms["seats"]
    seed, client_seeds = _seeds(record["fairness"], seats)
    joined = _seating(record, seats)
    actions = _actions(record["actions"], seats)
    _result_shape(record["result"])
    if seed is None:
        if record["result"] is not None:
            raise Bad("there is a result, but the server seed is not published")
        return Verdict("unfinished", f"unfinished after {len(actions)} actions: its seed is not public yet")
    if fairness.commitment(seed) != record["fairness"]["commitment"]:
        raise Bad("the server seed does not match the commitment")
    _check_shuffled(record, seed, client_seeds, joined)
    key = fairness.game_key(seed, client_seeds)
    state = replay(Setup(**setup_terms, key=key), actions)
    if record["result"] is None:
        if state.over:
            raise Bad("the game is over, but the record has no result")
        return Verdict("unfinished", f"unfinished after {len(actions)} actions")
    if not state.over:
        raise Bad(f"the record has a result, but after seq {len(actions)} the game is not over")
    compare_results(record["result"], state.result)
    return Verdict("ok", f"ok: {len(actions)} actions, {_outcome(state)}")


def replay(setup: Setup, actions: Iterable[tuple[int, str]]) -> State:
    """The state after all actions. Raises Bad with the seq of the first that is not legal."""
    state, _ = start(setup)
    for seq, (seat, action) in enumerate(actions, 1):
        if state.over:
            raise Bad(f"seq {seq}: the game was over before this action")
        try:
            state, _ = apply(state, seat, action)
        except Refused as refused:
            raise Bad(f"seq {seq}: {_show(action)} by seat {seat} is refused: {refused}") from None
    return state


def compare_results(claimed: Mapping[str, Any], found: Mapping[str, Any] | None) -> None:
    """Raise Bad at the first part of a result that the replay does not confirm."""
    if found is None:
        raise Bad("the game is not over")
    for part in ("matches", "totals", "shootout", "winner"):
        if not _same(claimed[part], found[part]):
            raise Bad(f"result: {part} is {_show(claimed[part])}, the replay gives {_show(found[part])}")


def _same(a: object, b: object) -> bool:
    """Equal as JSON, so that true is not 1."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def _outcome(state: State) -> str:
    totals = " : ".join(str(state.totals[side]) for side in state.setup.side_numbers)
    if state.setup.mode == "solo":
        return f"solo {'won with ' + totals if state.winner else 'lost'}"
    return f"side {state.winner} won {totals}" if state.winner else f"a draw {totals}"


def _object(value: object, what: str, keys: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Bad(f"{what} is not an object")
    missing, unknown = keys - value.keys(), value.keys() - keys
    if missing:
        raise Bad(f"{what} has no {sorted(missing)[0]}")
    if unknown:
        raise Bad(f"{what} has an unknown entry {_show(min(unknown))}")
    return value


def _terms(record: dict[str, Any]) -> dict[str, Any]:
    """The words of a Setup, checked."""
    if record["edition"] not in names():
        raise Bad(f"unknown edition {_show(record['edition'])}")
    if type(record["rules"]) is not int or record["rules"] != RULES:
        raise Bad(f"unknown rules version {_show(record['rules'])}")
    mode, seats = record["mode"], record["seats"]
    if not isinstance(mode, str) or mode not in MODES:
        raise Bad(f"unknown mode {_show(mode)}")
    if not isinstance(seats, list) or len(seats) not in MODES[mode]:
        raise Bad(f"{mode} is not played by that many seats")
    sides = sides_of(mode, len(seats))
    for number, seat in enumerate(seats, 1):
        _object(seat, f"seat {number}", {"seat", "side", "name"})
        if not _same([seat["seat"], seat["side"]], [number, sides[number]]):
            raise Bad(f"seat {number} must be seat {number} of side {sides[number]} in {mode}")
        if not isinstance(seat["name"], str) or len(seat["name"]) > LONGEST_NAME:
            raise Bad(f"the name of seat {number} is not a short text")
    options = _object(record["options"], "options", {"cards", "obligation", "target"})
    seniority = record["seniority"]
    if not _permutation(seniority, len(seats)):
        raise Bad("seniority does not list every seat once")
    terms = {
        "mode": mode,
        "seats": len(seats),
        "edition": record["edition"],
        "seniority": tuple(seniority),
        **options,
    }
    try:
        Setup(**terms)
    except (ValueError, TypeError) as error:
        raise Bad(f"options: {error}") from None
    return terms


def _permutation(value: object, n: int) -> bool:
    return (
        isinstance(value, list)
        and all(type(item) is int for item in value)
        and sorted(value) == list(range(1, n + 1))
    )


def _seeds(value: object, seats: int) -> tuple[bytes | None, list[str]]:
    given = _object(value, "fairness", {"commitment", "server_seed", "client_seeds"})
    for name in ("commitment", "server_seed"):
        if name == "server_seed" and given[name] is None:
            continue
        if not isinstance(given[name], str) or not _HEX64.fullmatch(given[name]):
            raise Bad(f"fairness: {name} is not 64 hexadecimal digits in lower case")
    client_seeds = given["client_seeds"]
    if not isinstance(client_seeds, list) or len(client_seeds) != seats:
        raise Bad("fairness: there must be one client seed per seat")
    for seed in client_seeds:
        try:
            fairness.check_client_seed(seed)
        except ValueError as error:
            raise Bad(f"fairness: {error}") from None
    return given["server_seed"] and bytes.fromhex(given["server_seed"]), client_seeds


def _seating(record: dict[str, Any], seats: int) -> list[int]:
    seating = _object(record["seating"], "seating", {"order", "joined"})
    if seating["order"] not in ("as-joined", "shuffled"):
        raise Bad("seating: order is as-joined or shuffled")
    joined = seating["joined"]
    if not _permutation(joined, seats):
        raise Bad("seating: joined does not list every seat once")
    if seating["order"] == "as-joined" and record["mode"] != "pairs" and joined != sorted(joined):
        raise Bad("seating: the order is as-joined, but the seats were not taken in that order")
    return list(joined)


def _check_shuffled(record: dict[str, Any], seed: bytes, client_seeds: list[str], joined: list[int]) -> None:
    """With `shuffled`, the seats must follow from the seeds; in pairs any couple may have joined together."""
    if record["seating"]["order"] != "shuffled":
        return
    by_joining = [client_seeds[seat - 1] for seat in joined]
    couples: list[tuple[tuple[int, int], ...]] = [()]
    if record["mode"] == "pairs":
        couples += [(couple,) for couple in combinations(range(4), 2)]
    if all(fairness.seating(seed, by_joining, couples=together) != joined for together in couples):
        raise Bad("seating: the seats do not follow from the seeds")


def _actions(value: object, seats: int) -> list[tuple[int, str]]:
    if not isinstance(value, list):
        raise Bad("actions is not a list")
    found = []
    for seq, entry in enumerate(value, 1):
        row = _object(entry, f"action {seq}", {"seq", "seat", "action", "by", "at"})
        if type(row["seq"]) is not int or row["seq"] != seq:
            raise Bad(f"seq {seq} is missing: found {_show(row['seq'])} in its place")
        if type(row["seat"]) is not int or not 1 <= row["seat"] <= seats:
            raise Bad(f"seq {seq}: there is no seat {_show(row['seat'])}")
        if not isinstance(row["action"], str):
            raise Bad(f"seq {seq}: the action is not a text")
        if row["by"] not in BY:
            raise Bad(f"seq {seq}: by is one of {', '.join(BY)}")
        if not isinstance(row["at"], str) or len(row["at"]) > LONGEST_NAME:
            raise Bad(f"seq {seq}: at is not a time")
        found.append((row["seat"], row["action"]))
    return found


def _result_shape(value: object) -> None:
    if value is not None:
        _object(value, "result", {"winner", "totals", "matches", "shootout"})


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _show(value: object) -> str:
    return _short(json.dumps(value))
