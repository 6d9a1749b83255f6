"""The form of a record: whether a JSON value can be one at all, before anything in it is believed."""

from __future__ import annotations

import json
import re
from typing import Any

from . import fairness
from .edition import names
from .state import MODES, RULES, Setup, sides_of

BY = ("player", "clock", "bot")
LONGEST_NAME = 200
EVENT_KEYS = {"id", "commitment", "match", "game", "attempt", "seed"}
_HEX64 = re.compile("[0-9a-f]{64}")


class Bad(Exception):
    """A record that is not what it says. The message tells where and why, `seq` which action it is about."""

    def __init__(self, text: str, seq: int | None = None) -> None:
        super().__init__(text)
        self.seq = seq


def entries(value: object, what: str, keys: set[str]) -> dict[str, Any]:
    """An object with exactly these keys."""
    if not isinstance(value, dict):
        raise Bad(f"{what} is not an object")
    missing, unknown = keys - value.keys(), value.keys() - keys
    if missing:
        raise Bad(f"{what} has no {sorted(missing)[0]}")
    if unknown:
        raise Bad(f"{what} has an unknown entry {show(min(unknown))}")
    return value


def terms_of(record: dict[str, Any]) -> dict[str, Any]:
    """The words of a Setup, checked."""
    if record["edition"] not in names():
        raise Bad(f"unknown edition {show(record['edition'])}")
    if type(record["rules"]) is not int or record["rules"] != RULES:
        raise Bad(f"unknown rules version {show(record['rules'])}")
    mode, seats = record["mode"], record["seats"]
    if not isinstance(mode, str) or mode not in MODES:
        raise Bad(f"unknown mode {show(mode)}")
    if not isinstance(seats, list) or len(seats) not in MODES[mode]:
        raise Bad(f"{mode} is not played by that many seats")
    sides = sides_of(mode, len(seats))
    for number, seat in enumerate(seats, 1):
        entries(seat, f"seat {number}", {"seat", "side", "name"})
        if not same([seat["seat"], seat["side"]], [number, sides[number]]):
            raise Bad(f"seat {number} must be seat {number} of side {sides[number]} in {mode}")
        if not isinstance(seat["name"], str) or len(seat["name"]) > LONGEST_NAME:
            raise Bad(f"the name of seat {number} is not a short text")
    options = entries(record["options"], "options", {"cards", "obligation", "target"})
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


def seeds_of(value: object, seats: int) -> tuple[bytes | None, list[str]]:
    """The server's seed, if it is published, and those of the seats."""
    event = {"event"} if isinstance(value, dict) and "event" in value else set()
    given = entries(value, "fairness", {"commitment", "server_seed", "client_seeds"} | event)
    for name in ("commitment", "server_seed"):
        if name == "server_seed" and given[name] is None:
            continue
        _check_hex64(given[name], f"fairness: {name}")
    client_seeds = given["client_seeds"]
    if not isinstance(client_seeds, list) or len(client_seeds) != seats:
        raise Bad("fairness: there must be one client seed per seat")
    for seed in client_seeds:
        try:
            fairness.check_client_seed(seed)
        except ValueError as error:
            raise Bad(f"fairness: {error}") from None
    return given["server_seed"] and bytes.fromhex(given["server_seed"]), client_seeds


def event_of(fairness_part: dict[str, Any]) -> dict[str, Any] | None:
    """Where the server's seed comes from, if the game is one of a tournament or a league."""
    if "event" not in fairness_part:
        return None
    event = entries(fairness_part["event"], "fairness: event", EVENT_KEYS)
    for name in ("id", "match"):
        if not isinstance(event[name], str) or not 0 < len(event[name]) <= LONGEST_NAME or "|" in event[name]:
            raise Bad(f"fairness: the event's {name} is not a short text without '|'")
        try:
            event[name].encode()
        except UnicodeEncodeError:
            raise Bad(f"fairness: the event's {name} is not text that UTF-8 can write") from None
    for name in ("game", "attempt"):
        if type(event[name]) is not int or event[name] < 1:
            raise Bad(f"fairness: the event's {name} is not a number from 1 on")
    _check_hex64(event["commitment"], "fairness: the event's commitment")
    if event["seed"] is not None:
        _check_hex64(event["seed"], "fairness: the event's seed")
    return event


def _check_hex64(value: object, what: str) -> None:
    if not isinstance(value, str) or not _HEX64.fullmatch(value):
        raise Bad(f"{what} is not 64 hexadecimal digits in lower case")


def seating_of(record: dict[str, Any], seats: int) -> list[int]:
    """The seats in joining order."""
    seating = entries(record["seating"], "seating", {"order", "joined"})
    if seating["order"] not in ("as-joined", "shuffled"):
        raise Bad("seating: order is as-joined or shuffled")
    joined = seating["joined"]
    if not _permutation(joined, seats):
        raise Bad("seating: joined does not list every seat once")
    if seating["order"] == "as-joined" and record["mode"] != "pairs" and joined != sorted(joined):
        raise Bad("seating: the order is as-joined, but the seats were not taken in that order")
    return list(joined)


def actions_of(value: object, seats: int) -> list[tuple[int, str]]:
    """Seat and action of every line."""
    if not isinstance(value, list):
        raise Bad("actions is not a list")
    found = []
    for seq, entry in enumerate(value, 1):
        row = entries(entry, f"action {seq}", {"seq", "seat", "action", "by", "at"})
        if type(row["seq"]) is not int or row["seq"] != seq:
            raise Bad(f"seq {seq} is missing: found {show(row['seq'])} in its place")
        if type(row["seat"]) is not int or not 1 <= row["seat"] <= seats:
            raise Bad(f"seq {seq}: there is no seat {show(row['seat'])}")
        if not isinstance(row["action"], str):
            raise Bad(f"seq {seq}: the action is not a text")
        if row["by"] not in BY:
            raise Bad(f"seq {seq}: by is one of {', '.join(BY)}")
        if not isinstance(row["at"], str) or len(row["at"]) > LONGEST_NAME:
            raise Bad(f"seq {seq}: at is not a time")
        found.append((row["seat"], row["action"]))
    return found


def result_shape(value: object) -> None:
    """Raise Bad unless it is None or has the parts of a result."""
    if value is not None:
        entries(value, "result", {"winner", "totals", "matches", "shootout"})


def short(text: str) -> str:
    """A text that fits on a line."""
    return text if len(text) <= 80 else text[:77] + "..."


def show(value: object) -> str:
    """A value as JSON writes it, cut to a line."""
    return short(_written(value))


def same(a: object, b: object) -> bool:
    """Equal as JSON, so that true is not 1."""
    return _written(a) == _written(b)


def _written(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:  # what could just be read cannot always be written
        raise Bad("the record is nested too deeply") from None
