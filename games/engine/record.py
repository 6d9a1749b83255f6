"""Records: a whole game as one JSON document that replays with nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from . import fairness
from .errors import Refused
from .game import apply, start
from .record_form import (
    LONGEST_NAME,
    actions_of,
    entries,
    event_of,
    result_shape,
    same,
    seating_of,
    seeds_of,
    short,
    show,
    terms_of,
)
from .record_form import Bad as Bad
from .state import RULES, Setup, State

FORMAT = "otto-record/1"
LONGEST_FILE = 20_000_000  # bytes; a real record has some tens of thousands
CHECKS = ("form", "commitment", "event", "seats", "actions", "result")
_KEYS = {
    "format", "game", "edition", "mode", "options", "seats", "rules", "seniority", "seating", "fairness",
    "actions", "result",
}  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """What was found about one record."""

    status: str  # ok, unfinished, bad
    text: str

    @property
    def ok(self) -> bool:
        """Whether the record is finished and true."""
        return self.status == "ok"


@dataclass(frozen=True)
class Check:
    """One promise of a record: kept, broken, or None where that cannot be told (yet)."""

    name: str  # one of CHECKS; "event" only for games of tournaments and leagues
    kept: bool | None
    text: str = ""  # what is wrong, and where; of a kept result, how it went
    seq: int | None = None  # the action that is wrong


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
    event: Mapping[str, Any] | None = None,
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
            **({"event": dict(event)} if event else {}),
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
        raise Bad(f"the file is not JSON: {short(str(error))}") from None
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
    """Check a record from its commitment to its last score, up to the first thing that is wrong."""
    for check in checks(data):
        if check.name == "event" and check.kept is None:
            continue  # a game may be over before its event is
        if not check.kept:
            return Verdict("unfinished" if check.kept is None else "bad", check.text)
    return Verdict("ok", f"ok: {check.text}")


def checks(data: object) -> Iterator[Check]:
    """Every promise of a record by itself, in the order of CHECKS; only the first, if it cannot be read."""
    try:
        record = _read(data)
    except Bad as bad:
        yield Check("form", False, str(bad))
        return
    yield Check("form", True)
    if record.seed is None:
        waiting = f"unfinished after {len(record.actions)} actions: its seed is not public yet"
        promised = [name for name in CHECKS[1:] if name != "event" or record.event]
        yield from (Check(name, None, waiting) for name in promised)
        return
    yield _checked("commitment", partial(_check_commitment, record, record.seed))
    if record.event and record.event["seed"] is None:
        yield Check("event", None, "the seed of its event is not public yet")
    elif record.event:
        yield _checked("event", partial(_check_event, record.event, record.seed))
    yield _checked("seats", partial(_check_seats, record, record.seed))
    setup = Setup(**record.terms, key=fairness.game_key(record.seed, record.client_seeds))
    last: list[State] = []
    yield _checked("actions", lambda: last.append(replay(setup, record.actions)))
    if not last:
        yield Check("result", None, "what follows from actions that are not legal cannot be told")
    elif record.result is None and not last[0].over:
        yield Check("result", None, f"unfinished after {len(record.actions)} actions")
    else:
        told = f"{len(record.actions)} actions, {_outcome(last[0])}"
        yield _checked("result", partial(_check_result, record, last[0]), told)


def _checked(name: str, check: Callable[[], None], told: str = "") -> Check:
    try:
        check()
    except Bad as bad:
        return Check(name, False, str(bad), bad.seq)
    return Check(name, True, told)


@dataclass(frozen=True)
class _Record:
    """A record whose form is right."""

    terms: dict[str, Any]
    commitment: str
    seed: bytes | None
    client_seeds: list[str]
    event: dict[str, Any] | None
    order: str
    joined: list[int]
    actions: list[tuple[int, str]]
    result: dict[str, Any] | None


def _read(data: object) -> _Record:
    record = entries(data, "the record", _KEYS)
    if record["format"] != FORMAT:
        raise Bad(f"unknown format {show(record['format'])}, expected {FORMAT}")
    if not isinstance(record["game"], str) or not 0 < len(record["game"]) <= LONGEST_NAME:
        raise Bad("game is not a short text")
    terms = terms_of(record)
    seats = terms["seats"]
    seed, client_seeds = seeds_of(record["fairness"], seats)
    event = event_of(record["fairness"])
    joined = seating_of(record, seats)
    actions = actions_of(record["actions"], seats)
    result_shape(record["result"])
    if seed is None and record["result"] is not None:
        raise Bad("there is a result, but the server seed is not published")
    commitment, order = record["fairness"]["commitment"], record["seating"]["order"]
    return _Record(terms, commitment, seed, client_seeds, event, order, joined, actions, record["result"])


def _check_commitment(record: _Record, seed: bytes) -> None:
    if fairness.commitment(seed) != record.commitment:
        raise Bad("the server seed does not match the commitment")


def _check_event(event: dict[str, Any], seed: bytes) -> None:
    event_seed = bytes.fromhex(event["seed"])
    if fairness.commitment(event_seed) != event["commitment"]:
        raise Bad("the seed of the event does not match the event's commitment")
    if fairness.derive_game_seed(event_seed, event["match"], event["game"], event["attempt"]) != seed:
        raise Bad("the server seed does not follow from the seed of the event")


def _check_seats(record: _Record, seed: bytes) -> None:
    """With `shuffled`, the seats must follow from the seeds; in pairs any couple may have joined together."""
    if record.order != "shuffled":
        return
    by_joining = [record.client_seeds[seat - 1] for seat in record.joined]
    couples: list[tuple[tuple[int, int], ...]] = [()]
    if record.terms["mode"] == "pairs":
        couples += [(couple,) for couple in combinations(range(4), 2)]
    if all(fairness.seating(seed, by_joining, couples=together) != record.joined for together in couples):
        raise Bad("seating: the seats do not follow from the seeds")


def _check_result(record: _Record, state: State) -> None:
    if record.result is None:
        raise Bad("the game is over, but the record has no result")
    if not state.over:
        raise Bad(f"the record has a result, but after seq {len(record.actions)} the game is not over")
    compare_results(record.result, state.result)


def replay(setup: Setup, actions: Iterable[tuple[int, str]]) -> State:
    """The state after all actions. Raises Bad with the seq of the first that is not legal."""
    state, _ = start(setup)
    for seq, (seat, action) in enumerate(actions, 1):
        if state.over:
            raise Bad(f"seq {seq}: the game was over before this action", seq)
        try:
            state, _ = apply(state, seat, action)
        except Refused as refused:
            raise Bad(f"seq {seq}: {show(action)} by seat {seat} is refused: {refused}", seq) from None
    return state


def compare_results(claimed: Mapping[str, Any], found: Mapping[str, Any] | None) -> None:
    """Raise Bad at the first part of a result that the replay does not confirm."""
    if found is None:
        raise Bad("the game is not over")
    for part in ("matches", "totals", "shootout", "winner"):
        if not same(claimed[part], found[part]):
            raise Bad(f"result: {part} is {show(claimed[part])}, the replay gives {show(found[part])}")


def _outcome(state: State) -> str:
    totals = " : ".join(str(state.totals[side]) for side in state.setup.side_numbers)
    if state.setup.mode == "solo":
        return f"solo {'won with ' + totals if state.winner else 'lost'}"
    return f"side {state.winner} won {totals}" if state.winner else f"a draw {totals}"
