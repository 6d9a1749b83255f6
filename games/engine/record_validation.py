"""Validation of the form of a record: types, keys and ranges, before any check of its content."""

from __future__ import annotations

import json
import re
from typing import Any

from . import fairness
from .choices import ActionSource, Mode, SeatOrder
from .edition import list_edition_names, load_edition
from .state import MODES, RULES_VERSIONS, Setup, sides_of

MAX_NAME_LENGTH = 200
OPTION_KEYS_BY_VERSION = {
    1: {"cards", "obligation", "target"},
    2: {"cards", "obligation", "target", "cards_from", "seniority"},
}
TOURNAMENT_KEYS = {"id", "commitment", "match", "game", "attempt", "seed"}
_HEX64 = re.compile("[0-9a-f]{64}")


class InvalidRecord(Exception):
    """A record that is invalid. The message says where and why; `seq` is the action it is about."""

    def __init__(self, text: str, seq: int | None = None) -> None:
        super().__init__(text)
        self.seq = seq


def require_keys(value: object, label: str, keys: set[str]) -> dict[str, Any]:
    """The value, if it is an object with exactly these keys. Raises InvalidRecord."""
    if not isinstance(value, dict):
        raise InvalidRecord(f"{label} is not an object")
    missing, unknown = keys - value.keys(), value.keys() - keys
    if missing:
        raise InvalidRecord(f"{label} has no {sorted(missing)[0]}")
    if unknown:
        raise InvalidRecord(f"{label} has an unknown entry {format_value(min(unknown))}")
    return value


def parse_setup_args(record: dict[str, Any]) -> dict[str, Any]:
    """The validated keyword arguments of a Setup. Raises InvalidRecord."""
    if record["edition"] not in list_edition_names():
        raise InvalidRecord(f"unknown edition {format_value(record['edition'])}")
    rules = record["rules"]
    if type(rules) is not int or rules not in RULES_VERSIONS:
        raise InvalidRecord(f"unknown rules version {format_value(rules)}")
    if rules < load_edition(record["edition"]).first_rules_version:
        raise InvalidRecord(f"rules version {rules} has no edition {record['edition']}")
    mode, seats = record["mode"], record["seats"]
    if not isinstance(mode, str) or mode not in MODES:
        raise InvalidRecord(f"unknown mode {format_value(mode)}")
    if not isinstance(seats, list) or len(seats) not in MODES[mode]:
        raise InvalidRecord(f"{mode} is not played by that many seats")
    sides = sides_of(mode, len(seats))
    for seat_no, seat in enumerate(seats, 1):
        require_keys(seat, f"seat {seat_no}", {"seat", "side", "name"})
        if not is_same_json([seat["seat"], seat["side"]], [seat_no, sides[seat_no]]):
            raise InvalidRecord(f"seat {seat_no} must be seat {seat_no} of side {sides[seat_no]} in {mode}")
        if not isinstance(seat["name"], str) or len(seat["name"]) > MAX_NAME_LENGTH:
            raise InvalidRecord(f"the name of seat {seat_no} is not a short text")
    options = dict(require_keys(record["options"], "options", OPTION_KEYS_BY_VERSION[rules]))
    seniority = record["seniority"]
    if not _is_permutation(seniority, len(seats)):
        raise InvalidRecord("seniority does not list every seat once")
    setup_args = {
        "mode": mode,
        "seats": len(seats),
        "edition": record["edition"],
        "seniority": tuple(seniority),
        "rules": rules,
        "seniority_rule": options.pop("seniority", "account"),
        **options,
    }
    try:
        Setup(**setup_args)
    except (ValueError, TypeError) as error:
        raise InvalidRecord(f"options: {error}") from None
    return setup_args


def _is_permutation(value: object, n: int) -> bool:
    """True if a value is a list with each of the numbers 1 to n once."""
    return (
        isinstance(value, list)
        and all(type(item) is int for item in value)
        and sorted(value) == list(range(1, n + 1))
    )


def parse_seeds(value: object, seats: int) -> tuple[bytes | None, list[str]]:
    """The server seed, None if it is not published, and the client seeds. Raises InvalidRecord."""
    optional_keys = {"event"} if isinstance(value, dict) and "event" in value else set()
    seed_data = require_keys(value, "fairness", {"commitment", "server_seed", "client_seeds"} | optional_keys)
    for name in ("commitment", "server_seed"):
        if name == "server_seed" and seed_data[name] is None:
            continue
        _check_hex64(seed_data[name], f"fairness: {name}")
    client_seeds = seed_data["client_seeds"]
    if not isinstance(client_seeds, list) or len(client_seeds) != seats:
        raise InvalidRecord("fairness: there must be one client seed per seat")
    for seed in client_seeds:
        try:
            fairness.check_client_seed(seed)
        except ValueError as error:
            raise InvalidRecord(f"fairness: {error}") from None
    return seed_data["server_seed"] and bytes.fromhex(seed_data["server_seed"]), client_seeds


def parse_tournament(fairness_part: dict[str, Any]) -> dict[str, Any] | None:
    """The origin of the server seed in a tournament or league game, else None. Raises InvalidRecord."""
    if "event" not in fairness_part:
        return None
    tournament = require_keys(fairness_part["event"], "fairness: event", TOURNAMENT_KEYS)
    for name in ("id", "match"):
        if (
            not isinstance(tournament[name], str)
            or not 0 < len(tournament[name]) <= MAX_NAME_LENGTH
            or "|" in tournament[name]
        ):
            raise InvalidRecord(f"fairness: the event's {name} is not a short text without '|'")
        try:
            tournament[name].encode()
        except UnicodeEncodeError:
            raise InvalidRecord(f"fairness: the event's {name} is not text that UTF-8 can write") from None
    for name in ("game", "attempt"):
        if type(tournament[name]) is not int or tournament[name] < 1:
            raise InvalidRecord(f"fairness: the event's {name} is not a number from 1 on")
    _check_hex64(tournament["commitment"], "fairness: the event's commitment")
    if tournament["seed"] is not None:
        _check_hex64(tournament["seed"], "fairness: the event's seed")
    return tournament


def _check_hex64(value: object, label: str) -> None:
    """Raise InvalidRecord unless a value is 64 lower-case hexadecimal digits."""
    if not isinstance(value, str) or not _HEX64.fullmatch(value):
        raise InvalidRecord(f"{label} is not 64 hexadecimal digits in lower case")


def parse_seating(record: dict[str, Any], seats: int) -> list[int]:
    """The seats in joining order. Raises InvalidRecord."""
    seating = require_keys(record["seating"], "seating", {"order", "joined"})
    if seating["order"] not in tuple(SeatOrder):
        raise InvalidRecord("seating: order is as-joined or shuffled")
    seats_by_joining = seating["joined"]
    if not _is_permutation(seats_by_joining, seats):
        raise InvalidRecord("seating: joined does not list every seat once")
    if (
        seating["order"] == SeatOrder.AS_JOINED
        and record["mode"] != Mode.PAIRS
        and seats_by_joining != sorted(seats_by_joining)
    ):
        raise InvalidRecord("seating: the order is as-joined, but the seats were not taken in that order")
    return list(seats_by_joining)


def parse_actions(value: object, seats: int) -> list[tuple[int, str]]:
    """Seat and action string of every action. Raises InvalidRecord."""
    if not isinstance(value, list):
        raise InvalidRecord("actions is not a list")
    actions = []
    for seq, entry in enumerate(value, 1):
        row = require_keys(entry, f"action {seq}", {"seq", "seat", "action", "by", "at"})
        if type(row["seq"]) is not int or row["seq"] != seq:
            raise InvalidRecord(f"seq {seq} is missing: found {format_value(row['seq'])} in its place")
        if type(row["seat"]) is not int or not 1 <= row["seat"] <= seats:
            raise InvalidRecord(f"seq {seq}: there is no seat {format_value(row['seat'])}")
        if not isinstance(row["action"], str):
            raise InvalidRecord(f"seq {seq}: the action is not a text")
        if row["by"] not in tuple(ActionSource):
            raise InvalidRecord(f"seq {seq}: by is one of {', '.join(ActionSource)}")
        if not isinstance(row["at"], str) or len(row["at"]) > MAX_NAME_LENGTH:
            raise InvalidRecord(f"seq {seq}: at is not a time")
        actions.append((row["seat"], row["action"]))
    return actions


def check_result_keys(value: object) -> None:
    """Raise InvalidRecord unless the value is None or has the keys of a result."""
    if value is not None:
        require_keys(value, "result", {"winner", "totals", "matches", "shootout"})


def truncate_text(text: str) -> str:
    """A text cut to 80 characters."""
    return text if len(text) <= 80 else text[:77] + "..."


def format_value(value: object) -> str:
    """A value as JSON, cut to 80 characters."""
    return truncate_text(_to_json(value))


def is_same_json(a: object, b: object) -> bool:
    """True if two values are equal as JSON, so that true is not 1."""
    return _to_json(a) == _to_json(b)


def _to_json(value: object) -> str:
    """A value as canonical JSON. Raises InvalidRecord if it is nested too deeply."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:  # encoding nests deeper than decoding
        raise InvalidRecord("the record is nested too deeply") from None
