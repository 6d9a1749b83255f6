"""Positions of a game after any of its actions, as a viewer could see them at that time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired

from accounts.models import Player
from common.instants import format_instant
from games.engine import GameEvent, Setup, State, apply_action, apply_without_consequences, start_game
from games.engine.read_models import (
    BoardData,
    GameOptionsData,
    OwnPositionData,
    SeatPositionData,
    SharedPositionData,
)
from games.engine.view import (
    build_options_data,
    build_own_position,
    build_shared_position,
    list_seat_positions,
)
from games.models import Seat

from .game_views import actions_of, seat_occupant_view
from .loaded_games import LoadedGame, load_game_for
from .read_models import SeatOccupantData

# The log line of the deal, which precedes the first action.
DEAL_LOG_LINE: dict[str, Any] = {"seq": 0, "seat": 0, "action": "", "by": "", "at": None}


class ReplaySeatData(SeatPositionData, SeatOccupantData):
    """A seat in a position of the past, and who sat there."""


class ReplayViewData(SharedPositionData):
    """A position of the past as a viewer could see it."""

    id: str
    private: bool
    edition: str
    mode: str
    options: GameOptionsData
    seats: list[ReplaySeatData]
    you: NotRequired[OwnPositionData]


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
    view: ReplayViewData
    lines: list[dict[str, Any]]  # the deal and all actions so far, with their events
    board: BoardData | None  # final board, if the last action ended a match
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


def final_board_of_match(before: State, line: Mapping[str, Any]) -> BoardData:
    """The final board of a match; after the action that ended it, the state has the next match's board."""
    return build_shared_position(apply_without_consequences(before, line["seat"], line["action"]))["board"]


def view_of_position(loaded_game: LoadedGame, state: State, seat: Seat | None) -> ReplayViewData:
    """The view of a state from a seat, or for a spectator, with the players' names.

    A player who took over a seat and has not yet accepted its hand sees no more than a spectator.
    """
    game, setup = loaded_game.game, state.setup
    occupants = {seat.seat_no: seat_occupant_view(seat) for seat in loaded_game.seats}
    position: ReplayViewData = {
        "id": game.code,
        "private": game.private,
        "edition": setup.edition,
        "mode": setup.mode,
        "options": build_options_data(setup, setup.rules),
        **build_shared_position(state),
        "seats": [{**row, **occupants[row["seat"]]} for row in list_seat_positions(state)],
    }
    if seat and seat.seat_no:
        position["you"] = build_own_position(state, seat.seat_no, hand_hidden=seat.hand_hidden)
    return position
