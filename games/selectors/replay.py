"""Positions of a game after any of its actions, as a viewer could see them at that time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import Player
from common.instants import format_instant
from games.engine import (
    GameEvent,
    Setup,
    State,
    apply_action,
    apply_without_consequences,
    build_view,
    start_game,
)
from games.models import Seat

from .game_views import actions_of, seat_occupant_view, view_from_seat
from .loaded_games import LoadedGame, load_game_for

# The log line of the deal, which precedes the first action.
DEAL_LOG_LINE: dict[str, Any] = {"seq": 0, "seat": 0, "action": "", "by": "", "at": None}


@dataclass(frozen=True)
class Move:
    """One action of the log, and the match in which it was played."""

    seq: int
    seat: int
    action: str
    at: str | None
    match: int


@dataclass(frozen=True)
class Match:
    """A match: its number, its kind, and the seq after which it was dealt."""

    number: int
    kind: str
    start_seq: int


@dataclass(frozen=True)
class Position:
    """A game after its first `seq` actions; `view` and `lines` hold only what was visible at that moment.

    `moves` and `matches` cover the whole log, which is open to everybody who may see the game.
    """

    code: str
    seq: int
    view: dict[str, Any]
    lines: list[dict[str, Any]]  # the deal and all actions so far, with their events
    board: dict[str, Any] | None  # final board, if the last action ended a match
    moves: list[Move]
    matches: list[Match]

    @property
    def last_seq(self) -> int:
        """The seq of the last action."""
        return len(self.moves)


def load_position_for(viewer: Player | None, code: str, seq: int) -> Position | None:
    """The position after `seq` actions, clamped to the log; None before the start. Raises NoSuchGame."""
    loaded_game = load_game_for(viewer, code)
    if not loaded_game.state:
        return None
    action_rows = actions_of(loaded_game.game).values("seq", "seat", "action", "by", "at")
    log: list[dict[str, Any]] = [{**line} for line in action_rows]
    steps = list(replay_actions(loaded_game.state.setup, log))
    seq = min(max(seq, 0), len(log))
    state = steps[seq][0]
    match_ended = seq and state.match_no != steps[seq - 1][0].match_no
    own_seat = loaded_game.seat_of(viewer)
    return Position(
        code=code,
        seq=seq,
        view=view_of_position(loaded_game, state, own_seat),
        lines=[
            {**line, "events": events}
            for line, (_, events) in zip([DEAL_LOG_LINE, *log[:seq]], steps, strict=False)
        ],
        board=final_board_of_match(steps[seq - 1][0], log[seq - 1]) if match_ended else None,
        moves=[
            Move(line["seq"], line["seat"], line["action"], format_instant(line["at"]), before.match_no)
            for line, (before, _) in zip(log, steps, strict=False)
        ],
        matches=[
            Match(state.match_no, state.match_kind, start_seq)
            for start_seq, (state, _) in enumerate(steps)
            if not start_seq or state.match_no != steps[start_seq - 1][0].match_no
        ],
    )


def replay_actions(setup: Setup, log: Iterable[Mapping[str, Any]]) -> Iterator[tuple[State, list[GameEvent]]]:
    """Replay a game from its start: yield the state and events of the deal and of every action."""
    state, events = start_game(setup)
    yield state, events
    for line in log:
        state, events = apply_action(state, line["seat"], line["action"])
        yield state, events


def final_board_of_match(before: State, line: Mapping[str, Any]) -> dict[str, Any]:
    """The final board of a match; after the action that ended it, the state has the next match's board."""
    board: dict[str, Any] = build_view(apply_without_consequences(before, line["seat"], line["action"]))[
        "board"
    ]
    return board


def view_of_position(loaded_game: LoadedGame, state: State, seat: Seat | None) -> dict[str, Any]:
    """The view of a state from a seat, or for a spectator, with the players' names."""
    game_view: dict[str, Any] = {
        "id": loaded_game.game.code,
        "private": loaded_game.game.private,
        **view_from_seat(state, seat),
    }
    occupants = {seat.seat_no: seat_occupant_view(seat) for seat in loaded_game.seats}
    game_view["seats"] = [seat_view | occupants[seat_view["seat"]] for seat_view in game_view["seats"]]
    return game_view
