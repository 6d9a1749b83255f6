"""Records: a whole game as one self-contained JSON document that can be replayed and verified."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Final

from . import fairness
from .choices import Mode, SeatOrder
from .errors import ActionError
from .game import apply_action, start_game
from .read_models import GameResultData, RecordActionData, RecordData, RecordFairnessData, TournamentSeedData
from .record_validation import (
    MAX_NAME_LENGTH,
    check_result_keys,
    format_value,
    is_same_json,
    parse_actions,
    parse_seating,
    parse_seeds,
    parse_setup_args,
    parse_tournament,
    require_keys,
    truncate_text,
)
from .record_validation import InvalidRecord as InvalidRecord
from .state import Setup, State
from .view import build_options_data

RECORD_FORMAT: Final = "otto-record/1"
MAX_FILE_BYTES = 20_000_000  # bytes; a real record has some tens of thousands
CHECK_NAMES = ("form", "commitment", "event", "seats", "actions", "result")
_RECORD_KEYS = {
    "format", "game", "edition", "mode", "options", "seats", "rules", "seniority", "seating", "fairness",
    "actions", "result",
}  # fmt: skip


@dataclass(frozen=True)
class VerificationResult:
    """The result of verifying one record."""

    status: str  # ok, unfinished, bad
    text: str

    @property
    def is_ok(self) -> bool:
        """True if the record is finished and verified."""
        return self.status == "ok"


@dataclass(frozen=True)
class RecordCheck:
    """One check of a record: passed, failed, or None if it cannot be decided (yet)."""

    name: str  # of CHECK_NAMES; "event" only for games of tournaments and leagues
    passed: bool | None
    text: str = ""  # the fault, and where; for a passed result, the outcome
    seq: int | None = None  # of the action that is wrong


def build_record(
    *,
    game_code: str,
    setup: Setup,
    names: Sequence[str],
    commitment: str,
    server_seed: bytes | None,
    client_seeds: Sequence[str],
    seat_order: SeatOrder,
    seats_by_joining: Sequence[int],
    actions: Iterable[RecordActionData],
    result: GameResultData | None,
    tournament: TournamentSeedData | None = None,
) -> RecordData:
    """The record of a game. Raises ValueError unless the seed comes with a result, and only with one."""
    if (server_seed is None) != (result is None):
        raise ValueError("the seed is published with the result")
    seeds: RecordFairnessData = {
        "commitment": commitment,
        "server_seed": server_seed.hex() if server_seed else None,
        "client_seeds": list(client_seeds),
    }
    if tournament:
        seeds["event"] = tournament
    return {
        "format": RECORD_FORMAT,
        "game": game_code,
        "edition": setup.edition,
        "mode": Mode(setup.mode),
        "options": build_options_data(setup, setup.rules),
        "seats": [
            {"seat": seat, "side": setup.sides[seat], "name": name} for seat, name in enumerate(names, 1)
        ],
        "rules": setup.rules,
        "seniority": list(setup.seniority),
        "seating": {"order": seat_order, "joined": list(seats_by_joining)},
        "fairness": seeds,
        "actions": list(actions),
        "result": result or None,
    }


def parse_record(raw: bytes) -> dict[str, Any]:
    """The JSON object in a file. Raises InvalidRecord on anything else."""
    if len(raw) > MAX_FILE_BYTES:
        raise InvalidRecord(f"the file is larger than {MAX_FILE_BYTES // 1_000_000} MB")
    try:
        data = json.loads(
            raw.decode("utf-8-sig"), object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant
        )
    except UnicodeDecodeError:
        raise InvalidRecord("the file is not UTF-8 text") from None
    except RecursionError:
        raise InvalidRecord("the file is nested too deeply") from None
    except ValueError as error:
        raise InvalidRecord(f"the file is not JSON: {truncate_text(str(error))}") from None
    if not isinstance(data, dict):
        raise InvalidRecord("the file does not hold a JSON object")
    return data


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON object hook that raises ValueError on a duplicate key."""
    unique_pairs = dict(pairs)
    if len(unique_pairs) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return unique_pairs


def _reject_constant(constant: str) -> None:
    """JSON hook that raises ValueError on NaN and infinities."""
    raise ValueError(f"{constant} is not a number of JSON")


def verify_record(data: object) -> VerificationResult:
    """Run all checks of a record in order, up to the first failure."""
    for check in check_record(data):
        if check.name == "event" and check.passed is None:
            continue  # a game may end before its tournament reveals its seed
        if not check.passed:
            return VerificationResult("unfinished" if check.passed is None else "bad", check.text)
    return VerificationResult("ok", f"ok: {check.text}")


def check_record(data: object) -> Iterator[RecordCheck]:
    """Yield every check of a record, in the order of CHECK_NAMES; only `form` if it cannot be read.

    1. `form`: the JSON has the shape of a record.
    2. `commitment`: the server seed matches its commitment.
    3. `event`: the seed derives from the tournament's seed, for games of tournaments and leagues.
    4. `seats`: shuffled seats, and a seniority by lot, follow from the seeds.
    5. `actions`: every action is legal when replayed.
    6. `result`: the replay gives the recorded result.
    """
    try:
        record = _parse_form(data)
    except InvalidRecord as error:
        yield RecordCheck("form", False, str(error))
        return
    yield RecordCheck("form", True)
    if record.server_seed is None:
        pending_text = f"unfinished after {len(record.actions)} actions: its seed is not public yet"
        pending_names = [name for name in CHECK_NAMES[1:] if name != "event" or record.tournament]
        yield from (RecordCheck(name, None, pending_text) for name in pending_names)
        return
    yield _run_check("commitment", partial(_check_commitment, record, record.server_seed))
    if record.tournament and record.tournament["seed"] is None:
        yield RecordCheck("event", None, "the seed of its event is not public yet")
    elif record.tournament:
        yield _run_check("event", partial(_check_tournament_seed, record.tournament, record.server_seed))
    yield _run_check("seats", partial(_check_seats, record, record.server_seed))
    setup = Setup(**record.setup_args, key=fairness.derive_game_key(record.server_seed, record.client_seeds))
    final_states: list[State] = []
    yield _run_check("actions", lambda: final_states.append(replay_actions(setup, record.actions)))
    if not final_states:
        yield RecordCheck("result", None, "what follows from actions that are not legal cannot be told")
    elif record.result is None and not final_states[0].is_over:
        yield RecordCheck("result", None, f"unfinished after {len(record.actions)} actions")
    else:
        success_text = f"{len(record.actions)} actions, {_describe_outcome(final_states[0])}"
        yield _run_check("result", partial(_check_result, record, final_states[0]), success_text)


def _run_check(name: str, check: Callable[[], None], success_text: str = "") -> RecordCheck:
    """Run one check and turn InvalidRecord into a failed check."""
    try:
        check()
    except InvalidRecord as error:
        return RecordCheck(name, False, str(error), error.seq)
    return RecordCheck(name, True, success_text)


@dataclass(frozen=True)
class _ParsedRecord:
    """A record that passed the check `form`."""

    setup_args: dict[str, Any]
    commitment: str
    server_seed: bytes | None
    client_seeds: list[str]
    tournament: dict[str, Any] | None
    seat_order: str
    seats_by_joining: list[int]
    actions: list[tuple[int, str]]
    result: dict[str, Any] | None


def _parse_form(data: object) -> _ParsedRecord:
    """Validate the form of a record. Raises InvalidRecord."""
    record = require_keys(data, "the record", _RECORD_KEYS)
    if record["format"] != RECORD_FORMAT:
        raise InvalidRecord(f"unknown format {format_value(record['format'])}, expected {RECORD_FORMAT}")
    if not isinstance(record["game"], str) or not 0 < len(record["game"]) <= MAX_NAME_LENGTH:
        raise InvalidRecord("game is not a short text")
    setup_args = parse_setup_args(record)
    seats = setup_args["seats"]
    server_seed, client_seeds = parse_seeds(record["fairness"], seats)
    tournament = parse_tournament(record["fairness"])
    seats_by_joining = parse_seating(record, seats)
    actions = parse_actions(record["actions"], seats)
    check_result_keys(record["result"])
    if server_seed is None and record["result"] is not None:
        raise InvalidRecord("there is a result, but the server seed is not published")
    commitment, seat_order = record["fairness"]["commitment"], record["seating"]["order"]
    return _ParsedRecord(
        setup_args,
        commitment,
        server_seed,
        client_seeds,
        tournament,
        seat_order,
        seats_by_joining,
        actions,
        record["result"],
    )


def _check_commitment(record: _ParsedRecord, server_seed: bytes) -> None:
    """Raise InvalidRecord unless the server seed matches the commitment."""
    if fairness.compute_commitment(server_seed) != record.commitment:
        raise InvalidRecord("the server seed does not match the commitment")


def _check_tournament_seed(tournament: dict[str, Any], server_seed: bytes) -> None:
    """Raise InvalidRecord unless the server seed derives from the tournament's seed."""
    tournament_seed = bytes.fromhex(tournament["seed"])
    if fairness.compute_commitment(tournament_seed) != tournament["commitment"]:
        raise InvalidRecord("the seed of the event does not match the event's commitment")
    if (
        fairness.derive_game_seed(
            tournament_seed, tournament["match"], tournament["game"], tournament["attempt"]
        )
        != server_seed
    ):
        raise InvalidRecord("the server seed does not follow from the seed of the event")


def _check_seats(record: _ParsedRecord, server_seed: bytes) -> None:
    """Raise InvalidRecord unless shuffled seats, and a seniority by lot, follow from the seeds.

    In pairs any two players may have joined as a couple.
    """
    _check_seniority(record, server_seed)
    if record.seat_order != SeatOrder.SHUFFLED:
        return
    seeds_by_joining = [record.client_seeds[seat - 1] for seat in record.seats_by_joining]
    couple_choices: list[tuple[tuple[int, int], ...]] = [()]
    if record.setup_args["mode"] == Mode.PAIRS:
        couple_choices += [(couple,) for couple in combinations(range(4), 2)]
    if all(
        fairness.assign_seats(server_seed, seeds_by_joining, couples=couples) != record.seats_by_joining
        for couples in couple_choices
    ):
        raise InvalidRecord("seating: the seats do not follow from the seeds")


def _check_seniority(record: _ParsedRecord, server_seed: bytes) -> None:
    """Raise InvalidRecord unless a seniority by lot is what the key gives."""
    if record.setup_args["seniority_rule"] != "lot":
        return
    key = fairness.derive_game_key(server_seed, record.client_seeds)
    if Setup(**record.setup_args | {"seniority": ()}, key=key).seniority != record.setup_args["seniority"]:
        raise InvalidRecord("seniority: the list does not follow from the seeds")


def _check_result(record: _ParsedRecord, state: State) -> None:
    """Raise InvalidRecord unless the recorded result is that of the replay."""
    if record.result is None:
        raise InvalidRecord("the game is over, but the record has no result")
    if not state.is_over:
        raise InvalidRecord(
            f"the record has a result, but after seq {len(record.actions)} the game is not over"
        )
    compare_results(record.result, state.result)


def replay_actions(setup: Setup, actions: Iterable[tuple[int, str]]) -> State:
    """The state after all actions. Raises InvalidRecord with the seq of the first illegal one."""
    state, _ = start_game(setup)
    for seq, (seat, action) in enumerate(actions, 1):
        if state.is_over:
            raise InvalidRecord(f"seq {seq}: the game was over before this action", seq)
        try:
            state, _ = apply_action(state, seat, action)
        except ActionError as error:
            raise InvalidRecord(
                f"seq {seq}: {format_value(action)} by seat {seat} is refused: {error}", seq
            ) from None
    return state


def compare_results(claimed_result: Mapping[str, Any], replayed_result: Mapping[str, Any] | None) -> None:
    """Raise InvalidRecord at the first part of a result that differs from the replay."""
    if replayed_result is None:
        raise InvalidRecord("the game is not over")
    for part in ("matches", "totals", "shootout", "winner"):
        if not is_same_json(claimed_result[part], replayed_result[part]):
            claimed, replayed = format_value(claimed_result[part]), format_value(replayed_result[part])
            raise InvalidRecord(f"result: {part} is {claimed}, the replay gives {replayed}")


def _describe_outcome(state: State) -> str:
    """The outcome of a game in a few words."""
    totals = " : ".join(str(state.totals[side]) for side in state.setup.side_numbers)
    if state.setup.mode == Mode.SOLO:
        return f"solo {'won with ' + totals if state.winner else 'lost'}"
    return f"side {state.winner} won {totals}" if state.winner else f"a draw {totals}"
