"""The state of a game: an immutable value. `MutableState` holds it while an action is carried out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Any

from .board import Board, build_filled_mask, load_board
from .choices import MatchKind, Mode, Obligation, Phase, SeniorityRule, Step
from .edition import DEFAULT_EDITION, Edition, load_edition
from .errors import InvalidSetup
from .fairness import shuffle_items
from .phrases import gettext_noop as _
from .read_models import GameResultData, MatchResultData

RULES_VERSIONS = (1, 2)  # all that this engine plays
RULES_VERSION = RULES_VERSIONS[-1]  # that of new games
MODES: dict[str, tuple[int, ...]] = {Mode.SINGLES: (2, 3, 4), Mode.PAIRS: (4,), Mode.SOLO: (1,)}
OBLIGATIONS: tuple[Obligation, ...] = ("strict", "lenient")
SENIORITY_RULES: tuple[SeniorityRule, ...] = ("account", "lot")  # the oldest account first, or shuffled
CARDS_FROM_MATCHES = (1, 2)  # the first match that may be played with cards
MIN_TARGET, MAX_TARGET = 1, 99  # points that a game is played for


def sides_of(mode: str, seats: int) -> tuple[int, ...]:
    """The side of each seat; index 0 is unused."""
    if mode == Mode.PAIRS:
        return (0, 1, 2, 1, 2)
    return tuple(range(seats + 1))


@dataclass(frozen=True, eq=True)
class Setup:
    """The setup of a game, fixed at its start. Raises InvalidSetup or ValueError on a value out of range."""

    mode: str = Mode.SINGLES
    seats: int = 2
    edition: str = DEFAULT_EDITION
    cards: bool = True
    obligation: str = "strict"
    target: int = 24
    seniority: tuple[int, ...] = ()  # the oldest first; empty: by lot, or by seat
    key: bytes = field(default=bytes(32), repr=False)
    rules: int = RULES_VERSION
    cards_from: int = 1
    seniority_rule: str = "account"
    # derived from the above
    edition_data: Edition = field(init=False, compare=False, repr=False)
    board: Board = field(init=False, compare=False, repr=False)
    sides: tuple[int, ...] = field(init=False, compare=False, repr=False)
    is_strict: bool = field(init=False, compare=False, repr=False)
    has_cards: bool = field(init=False, compare=False, repr=False)
    notes_missed_duties: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Validate the settings and derive edition data, board tables, sides and a seniority by lot."""
        if self.mode not in MODES:
            raise InvalidSetup(_("mode must be one of {modes}"), field="mode", modes=", ".join(MODES))
        if type(self.seats) is not int or self.seats not in MODES[self.mode]:
            raise InvalidSetup(
                _("seats must be {seats} with mode {mode}"),
                field="seats",
                mode=self.mode,
                seats=MODES[self.mode],
            )
        if self.obligation not in OBLIGATIONS:
            message = _("obligation must be one of {words}")
            raise InvalidSetup(message, field="obligation", words=", ".join(OBLIGATIONS))
        if type(self.cards) is not bool:
            raise InvalidSetup(_("cards is true or false"), field="cards")
        if type(self.target) is not int or not MIN_TARGET <= self.target <= MAX_TARGET:
            message = _("target is a whole number from {least} to {most}")
            raise InvalidSetup(message, field="target", least=MIN_TARGET, most=MAX_TARGET)
        seniority = tuple(self.seniority) or self._choose_seniority()
        if sorted(seniority) != list(range(1, self.seats + 1)):
            raise ValueError("seniority lists every seat once")
        try:
            edition_data = load_edition(self.edition)
        except KeyError:
            message = _("there is no edition {name}")
            raise InvalidSetup(message, field="edition", name=repr(self.edition)) from None
        self._check_rules_version(edition_data)
        set_field = object.__setattr__
        set_field(self, "seniority", seniority)
        set_field(self, "edition_data", edition_data)
        set_field(self, "board", load_board(edition_data))
        set_field(self, "sides", sides_of(self.mode, self.seats))
        set_field(self, "is_strict", self.obligation == "strict")
        set_field(self, "has_cards", self.cards and self.mode != Mode.SOLO)
        set_field(self, "notes_missed_duties", not self.is_strict and self.rules > 1)

    def _choose_seniority(self) -> tuple[int, ...]:
        """The seats in the order of seniority where none is given: shuffled with the key, or ascending."""
        seats = range(1, self.seats + 1)
        return tuple(shuffle_items(self.key, "seniority", seats) if self.seniority_rule == "lot" else seats)

    def _check_rules_version(self, edition_data: Edition) -> None:
        """Raise InvalidSetup on an unknown rules version, and on what a version does not have yet."""
        if type(self.rules) is not int or self.rules not in RULES_VERSIONS:
            raise ValueError(f"unknown rules version {self.rules!r}")
        if type(self.cards_from) is not int or self.cards_from not in CARDS_FROM_MATCHES:
            raise InvalidSetup(_("cards_from is {matches}"), field="cards_from", matches=CARDS_FROM_MATCHES)
        if self.seniority_rule not in SENIORITY_RULES:
            message = _("seniority must be one of {words}")
            raise InvalidSetup(message, field="seniority", words=", ".join(SENIORITY_RULES))
        has_newer_terms = self.cards_from != 1 or self.seniority_rule != "account"
        if self.rules < edition_data.first_rules_version or (self.rules == 1 and has_newer_terms):
            raise ValueError(f"rules version {self.rules} does not have these options or this edition")

    @property
    def side_numbers(self) -> tuple[int, ...]:
        """All sides, in ascending order."""
        return tuple(range(1, max(self.sides) + 1))

    def seats_of_side(self, side: int) -> tuple[int, ...]:
        """The seats of a side."""
        return tuple(seat for seat in range(1, self.seats + 1) if self.sides[seat] == side)


class StateFields:
    """The fields of a state. Tuples by seat or side have an unused entry 0."""

    __slots__ = ("__dict__", "legal_cache")
    legal_cache: tuple[str, ...] | None  # cache of legal_actions for the seat on turn; not part of the value
    setup: Setup
    seq: int  # number of actions so far
    decision_seq: int  # the seq at which the current decision was first asked
    phase: Phase | Step  # a step only while an action is carried out
    match_no: int
    match_kind: MatchKind
    turn: int  # the seat on turn
    extra_turn: int  # 1: a second turn follows; 2: this is the second turn
    cells: Sequence[int]  # tile codes, 0 for a free cell
    vertices: Sequence[int]
    demands: Sequence[int]
    filled_mask: int  # the cells with a tile, as a bit mask
    marked_figures: tuple[tuple[int, int, int], ...]  # (place, value, side)
    unmarked_figures: tuple[tuple[int, int], ...]  # (place, value), still to be had
    lost_figures: tuple[tuple[int, int], ...]  # (place, value), closed and without a marker for ever
    eight_cells: tuple[int, ...]  # cells of the crossing tiles of completed 8s
    markers_left: tuple[tuple[int, ...], ...]  # by side: markers left of each value
    tower: str
    removed_tiles: str  # tiles that left the match, visible to all
    table_tiles: tuple[str, ...]
    drawn_tile: str
    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    stolen_card: str
    kidnap_count: int
    played_cards: tuple[str, ...]  # cards that were played, visible to all
    discarded_cards: tuple[str, ...]  # cards that left the game face down
    resigned_sides: tuple[int, ...]  # in ascending order
    eight_side: int  # the side that made an 8
    seats_to_answer: tuple[int, ...]  # seats that still have to answer it
    protected_sides: tuple[int, ...]  # sides that protected their points
    missed_duty_sides: tuple[int, ...]  # lenient, from rules version 2 on: sides that passed up a duty
    totals: tuple[int, ...]
    match_results: tuple[MatchResultData, ...]
    shootout_rounds: tuple[dict[str, str], ...]
    winner: int  # 0: none (yet)


class MutableState(StateFields):
    """A state under construction: fields are replaced, never mutated."""

    __slots__ = ()

    def freeze(self) -> State:
        """Turn this object into a State in place; the mutable state is gone."""
        self.legal_cache = None
        self.__class__ = State  # type: ignore[assignment]
        return self  # type: ignore[return-value]


class State(StateFields):
    """An immutable state, compared by its fields."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a state never changes; apply_action() makes a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a state never changes; apply_action() makes a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.setup, self.seq, self.cells, self.tower, self.hands))

    def mutable_copy(self) -> MutableState:
        """A mutable copy."""
        copy = MutableState.__new__(MutableState)
        copy.__dict__ = self.__dict__.copy()
        return copy

    @property
    def seats_to_act(self) -> tuple[int, ...]:
        """The seats that have something to decide."""
        if self.phase == "react":
            return self.seats_to_answer
        return () if self.phase == "over" else (self.turn,)

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.phase == "over"

    @property
    def result(self) -> GameResultData | None:
        """The result in the form of a record, None while the game runs."""
        if self.phase != "over":
            return None
        return {
            "winner": self.winner or None,
            "totals": {str(side): self.totals[side] for side in self.setup.side_numbers},
            "matches": self.finished_matches,
            "shootout": [dict(tiles) for tiles in self.shootout_rounds],
        }

    @property
    def finished_matches(self) -> list[MatchResultData]:
        """The scored matches, as copies that the caller may change."""
        return [
            {**match, "scores": dict(match["scores"]), "silly": list(match["silly"])}
            for match in self.match_results
        ]


_TUPLE_FIELDS = [
    *("deck", "played_cards", "discarded_cards", "resigned_sides", "seats_to_answer", "protected_sides"),
    *("match_results", "shootout_rounds"),
]
_PLAIN_FIELDS = [
    *("seq", "decision_seq", "phase", "match_no", "match_kind", "turn", "extra_turn", "tower"),
    *("removed_tiles", "drawn_tile", "stolen_card", "kidnap_count", "eight_side", "winner"),
    *_TUPLE_FIELDS,
]
_INDEXED_FROM_ONE_FIELDS = ["table_tiles", "hands", "markers_left", "totals"]
# The fields of a setup in a dump, before the key.
_FIRST_SETUP_FIELDS = ("mode", "seats", "edition", "cards", "obligation", "target")
_SETUP_FIELDS_BY_VERSION = {
    1: (*_FIRST_SETUP_FIELDS, "seniority"),
    2: (*_FIRST_SETUP_FIELDS, "cards_from", "seniority_rule", "seniority"),
}
_read_setup_by_version = {rules: attrgetter(*names) for rules, names in _SETUP_FIELDS_BY_VERSION.items()}


def dump_state(state: State) -> str:
    """The state as compact JSON, including every secret of the game."""
    values = state.__dict__
    setup = state.setup
    data: dict[str, Any] = {
        "rules": setup.rules,
        "setup": (*_read_setup_by_version[setup.rules](setup), setup.key.hex()),
    }
    for name in _PLAIN_FIELDS:
        data[name] = values[name]
    for name in _INDEXED_FROM_ONE_FIELDS:
        data[name] = values[name][1:]
    words = setup.board.code_labels
    data["cells"] = "".join([words[t] for t in state.cells])
    data["marked_figures"] = state.marked_figures
    data["unmarked_figures"] = state.unmarked_figures
    data["eight_cells"] = state.eight_cells
    if state.lost_figures:
        data["lost_figures"] = state.lost_figures
    if state.missed_duty_sides:
        data["missed_duty_sides"] = state.missed_duty_sides
    return json.dumps(data, separators=(",", ":"))


@lru_cache(maxsize=4096)
def _load_setup(rules: int, key: str, *values: Any) -> Setup:
    """The Setup of a dump, cached: all states of a game share it."""
    fields = dict(zip(_SETUP_FIELDS_BY_VERSION[rules], values, strict=True))
    return Setup(**fields, key=bytes.fromhex(key), rules=rules)


def load_state(text: str) -> State:
    """The state that `dump_state` wrote. Raises ValueError on an unknown rules version."""
    data = json.loads(text)
    if data["rules"] not in RULES_VERSIONS:
        raise ValueError(f"this state was written under rules version {data['rules']}, which is not known")
    *setup_values, seniority, key = data["setup"]
    setup = _load_setup(data["rules"], key, *setup_values, tuple(seniority))
    state = MutableState.__new__(MutableState)
    values = state.__dict__
    values["setup"] = setup
    for name in _PLAIN_FIELDS:
        values[name] = data[name]
    for name in _TUPLE_FIELDS:
        values[name] = tuple(data[name])
    state.table_tiles = ("", *data["table_tiles"])
    state.hands = ((), *map(tuple, data["hands"]))
    state.markers_left = ((), *map(tuple, data["markers_left"]))
    state.totals = (0, *data["totals"])
    state.marked_figures = tuple(map(tuple, data["marked_figures"]))
    state.unmarked_figures = tuple(map(tuple, data["unmarked_figures"]))
    state.eight_cells = tuple(data["eight_cells"])
    state.lost_figures = tuple(map(tuple, data.get("lost_figures", ())))
    state.missed_duty_sides = tuple(data.get("missed_duty_sides", ()))
    text, code = data["cells"], setup.board.code_of_label
    state.cells, state.vertices, state.demands = setup.board.rebuild_position(
        [code[text[i : i + 2]] for i in range(0, 50, 2)]
    )
    state.filled_mask = build_filled_mask(state.cells)
    return state.freeze()
