"""The state of a game: a value. `Draft` is the same thing while an action is being carried out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .board import Board, board, filled
from .edition import DEFAULT, Edition, edition
from .errors import Unfit
from .phrases import gettext_noop as _

RULES = 1  # the rules version that this engine plays
MODES = {"singles": (2, 3, 4), "pairs": (4,), "solo": (1,)}
OBLIGATIONS = ("strict", "lenient")
MIN_TARGET, MAX_TARGET = 1, 99  # points that a game is played for


def sides_of(mode: str, seats: int) -> tuple[int, ...]:
    """The side of each seat; index 0 is nobody's."""
    if mode == "pairs":
        return (0, 1, 2, 1, 2)
    return tuple(range(seats + 1))


@dataclass(frozen=True, eq=True)
class Setup:
    """What is fixed when a game starts. Raises ValueError on anything out of range."""

    mode: str = "singles"
    seats: int = 2
    edition: str = DEFAULT
    cards: bool = True
    obligation: str = "strict"
    target: int = 24
    seniority: tuple[int, ...] = ()
    key: bytes = field(default=bytes(32), repr=False)
    # made from the above
    box: Edition = field(init=False, compare=False, repr=False)
    board: Board = field(init=False, compare=False, repr=False)
    sides: tuple[int, ...] = field(init=False, compare=False, repr=False)
    strict: bool = field(init=False, compare=False, repr=False)
    has_cards: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise Unfit(_("mode is one of {modes}"), modes=", ".join(MODES))
        if type(self.seats) is not int or self.seats not in MODES[self.mode]:
            raise Unfit(_("{mode} is played by {seats}"), mode=self.mode, seats=MODES[self.mode])
        if self.obligation not in OBLIGATIONS:
            raise Unfit(_("obligation is one of {words}"), words=", ".join(OBLIGATIONS))
        if type(self.cards) is not bool:
            raise Unfit(_("cards is true or false"))
        if type(self.target) is not int or not MIN_TARGET <= self.target <= MAX_TARGET:
            said = _("target is a whole number from {least} to {most}")
            raise Unfit(said, least=MIN_TARGET, most=MAX_TARGET)
        seniority = tuple(self.seniority) or tuple(range(1, self.seats + 1))
        if sorted(seniority) != list(range(1, self.seats + 1)):
            raise ValueError("seniority lists every seat once")
        try:
            box = edition(self.edition)
        except KeyError:
            raise Unfit(_("there is no edition {name}"), name=repr(self.edition)) from None
        put = object.__setattr__
        put(self, "seniority", seniority)
        put(self, "box", box)
        put(self, "board", board(box))
        put(self, "sides", sides_of(self.mode, self.seats))
        put(self, "strict", self.obligation == "strict")
        put(self, "has_cards", self.cards and self.mode != "solo")

    @property
    def side_numbers(self) -> tuple[int, ...]:
        """All sides, ascending."""
        return tuple(range(1, max(self.sides) + 1))

    def partners(self, side: int) -> tuple[int, ...]:
        """The seats of a side."""
        return tuple(seat for seat in range(1, self.seats + 1) if self.sides[seat] == side)


class Fields:
    """What a state holds. Tuples by seat or side have an unused entry 0."""

    __slots__ = ("__dict__", "legal")
    legal: (
        tuple[str, ...] | None
    )  # what legal_actions found for the seat on turn; a memory, not part of the value
    setup: Setup
    seq: int  # actions so far
    since: int  # the seq at which what is asked now was first asked
    phase: str  # start, stolen, place, react, over
    match: int
    kind: str  # normal, blind, solo
    turn: int  # the seat on turn
    extra: int  # 1: a second turn follows; 2: this is the second turn
    cells: Sequence[int]  # the tiles' codes
    vertices: Sequence[int]
    demand: Sequence[int]
    filled: int  # the cells with a tile, as bits
    marked: tuple[tuple[int, int, int], ...]  # (place, value, side)
    unmarked: tuple[tuple[int, int], ...]  # (place, value)
    eights: tuple[int, ...]  # cells of the crossing tiles whose 8 was made
    markers: tuple[tuple[int, ...], ...]  # by side: how many are left of each value
    tower: str
    gone: str  # tiles that left the match
    table: tuple[str, ...]
    drawn: str
    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    stolen: str
    kidnaps: int
    spent: tuple[str, ...]  # cards played, seen by all
    buried: tuple[str, ...]  # cards that left unseen
    out: tuple[int, ...]  # sides that resigned
    maker: int  # the side that made an 8
    asked: tuple[int, ...]  # seats still to answer it
    kept: tuple[int, ...]  # sides that protected their points
    totals: tuple[int, ...]
    matches: tuple[dict[str, Any], ...]
    shootout: tuple[dict[str, str], ...]
    winner: int  # 0: nobody (yet)


class Draft(Fields):
    """A state in the making: every field may be replaced, none is changed in place."""

    __slots__ = ()

    def freeze(self) -> State:
        """Turn this very object into a state; the draft is gone."""
        self.legal = None
        self.__class__ = State  # type: ignore[assignment]
        return self  # type: ignore[return-value]


class State(Fields):
    """A state as a value: never changes, compares by what it holds."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a state never changes; apply() makes a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a state never changes; apply() makes a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.setup, self.seq, self.cells, self.tower, self.hands))

    def draft(self) -> Draft:
        """A copy to work on."""
        copy = Draft.__new__(Draft)
        copy.__dict__ = self.__dict__.copy()
        return copy

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have something to decide."""
        if self.phase == "react":
            return self.asked
        return () if self.phase == "over" else (self.turn,)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def result(self) -> dict[str, Any] | None:
        """The result as a record holds it, None while the game runs."""
        if self.phase != "over":
            return None
        return {
            "winner": self.winner or None,
            "totals": {str(side): self.totals[side] for side in self.setup.side_numbers},
            "matches": self.finished_matches,
            "shootout": [dict(tiles) for tiles in self.shootout],
        }

    @property
    def finished_matches(self) -> list[dict[str, Any]]:
        """The matches that were scored, as copies that may be changed."""
        return [
            {**match, "scores": dict(match["scores"]), "silly": list(match["silly"])}
            for match in self.matches
        ]


_TUPLES = ["deck", "spent", "buried", "out", "asked", "kept", "matches", "shootout"]
_PLAIN = [
    *("seq", "since", "phase", "match", "kind", "turn", "extra", "tower", "gone", "drawn"),
    *("stolen", "kidnaps", "maker", "winner"),
    *_TUPLES,
]
_SEATED = ["table", "hands", "markers", "totals"]


def dump(state: State) -> str:
    """The state as compact JSON. It holds every secret of the game."""
    values = state.__dict__
    setup = state.setup
    data: dict[str, Any] = {
        "rules": RULES,
        "setup": [
            setup.mode,
            setup.seats,
            setup.edition,
            setup.cards,
            setup.obligation,
            setup.target,
            setup.seniority,
            setup.key.hex(),
        ],
    }
    for name in _PLAIN:
        data[name] = values[name]
    for name in _SEATED:
        data[name] = values[name][1:]
    words = setup.board.words
    data["cells"] = "".join([words[t] for t in state.cells])
    data["marked"] = state.marked
    data["unmarked"] = state.unmarked
    data["eights"] = state.eights
    return json.dumps(data, separators=(",", ":"))


@lru_cache(maxsize=4096)
def _setup(
    mode: str,
    seats: int,
    edition: str,
    cards: bool,
    obligation: str,
    target: int,
    seniority: tuple[int, ...],
    key: str,
) -> Setup:
    return Setup(mode, seats, edition, cards, obligation, target, seniority, bytes.fromhex(key))


def load(text: str) -> State:
    """The state that `dump` wrote. Raises ValueError if it was written under other rules."""
    data = json.loads(text)
    if data["rules"] != RULES:
        raise ValueError(f"this state was written under rules version {data['rules']}, not {RULES}")
    *head, seniority, key = data["setup"]
    setup = _setup(*head, tuple(seniority), key)
    draft = Draft.__new__(Draft)
    values = draft.__dict__
    values["setup"] = setup
    for name in _PLAIN:
        values[name] = data[name]
    for name in _TUPLES:
        values[name] = tuple(data[name])
    draft.table = ("", *data["table"])
    draft.hands = ((), *map(tuple, data["hands"]))
    draft.markers = ((), *map(tuple, data["markers"]))
    draft.totals = (0, *data["totals"])
    draft.marked = tuple(map(tuple, data["marked"]))
    draft.unmarked = tuple(map(tuple, data["unmarked"]))
    draft.eights = tuple(data["eights"])
    text, code = data["cells"], setup.board.word_code
    draft.cells, draft.vertices, draft.demand = setup.board.rebuilt(
        [code[text[i : i + 2]] for i in range(0, 50, 2)]
    )
    draft.filled = filled(draft.cells)
    return draft.freeze()
