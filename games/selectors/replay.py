"""A game as it stood after one of its actions, as a viewer could see it then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import Event, Setup, State, apply, landed, start, view
from games.models import Player, Seat

from .clocks import instant
from .tables import Table, log_of, person, seen_by, view_from

# What stands in the log before its first line.
DEAL: dict[str, Any] = {"seq": 0, "seat": 0, "action": "", "by": "", "at": None}


@dataclass(frozen=True)
class Move:
    """One line of the log, and the match in which it was played."""

    seq: int
    seat: int
    action: str
    at: str | None
    match: int


@dataclass(frozen=True)
class Match:
    """A match: its number and kind, and the seq after which it had been dealt."""

    number: int
    kind: str
    began: int


@dataclass(frozen=True)
class Position:
    """A game after its first `seq` actions; `view` and `lines` tell what was open at that moment, no more.

    `moves` and `matches` are those of the whole log, which is open to whoever may see the game.
    """

    code: str
    seq: int
    view: dict[str, Any]
    lines: list[dict[str, Any]]  # the deal and every action up to here, each with its events
    board: dict[str, Any] | None  # where the last action ended a match and the next was dealt: how it ended
    moves: list[Move]
    matches: list[Match]

    @property
    def last(self) -> int:
        """The seq up to which the game can be followed."""
        return len(self.moves)


def position_for(viewer: Player | None, code: str, seq: int) -> Position | None:
    """The position after `seq` actions, or the nearest there is; None before the start. Raises NoSuchGame."""
    found = seen_by(viewer, code)
    if not found.state:
        return None
    lines = log_of(found.game).values("seq", "seat", "action", "by", "at")
    log: list[dict[str, Any]] = [{**line} for line in lines]
    steps = list(replayed(found.state.setup, log))
    seq = min(max(seq, 0), len(log))
    state = steps[seq][0]
    ended = seq and state.match != steps[seq - 1][0].match
    mine = found.place_of(viewer)
    return Position(
        code=code,
        seq=seq,
        view=seen_then(found, state, mine),
        lines=[
            {**line, "events": events} for line, (_, events) in zip([DEAL, *log[:seq]], steps, strict=False)
        ],
        board=last_board(steps[seq - 1][0], log[seq - 1]) if ended else None,
        moves=[
            Move(line["seq"], line["seat"], line["action"], instant(line["at"]), before.match)
            for line, (before, _) in zip(log, steps, strict=False)
        ],
        matches=[
            Match(state.match, state.kind, number)
            for number, (state, _) in enumerate(steps)
            if not number or state.match != steps[number - 1][0].match
        ],
    )


def replayed(setup: Setup, log: Iterable[Mapping[str, Any]]) -> Iterator[tuple[State, list[Event]]]:
    """The game from its start, action by action."""
    state, events = start(setup)
    yield state, events
    for line in log:
        state, events = apply(state, line["seat"], line["action"])
        yield state, events


def last_board(before: State, line: Mapping[str, Any]) -> dict[str, Any]:
    """The board on which a match ended: after the action that ended it the next one lies there."""
    board: dict[str, Any] = view(landed(before, line["seat"], line["action"]))["board"]
    return board


def seen_then(found: Table, state: State, place: Seat | None) -> dict[str, Any]:
    """What a seat, or a spectator, saw of a state, and who sits where."""
    seen: dict[str, Any] = {"id": found.game.code, "private": found.game.private, **view_from(state, place)}
    people = {place.number: person(place) for place in found.places}
    seen["seats"] = [entry | people[entry["seat"]] for entry in seen["seats"]]
    return seen
