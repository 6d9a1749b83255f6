"""Data types of the pairing room: tournament spec and results in; rounds, brackets and standings out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from tournaments.pairing.note_codes import NoteCode

EntrantId = str | int
NoteValue = str | int | float | bool | None | tuple[EntrantId, ...]
TournamentFormat = Literal["knockout", "double", "round-robin", "swiss"]

TOURNAMENT_FORMATS: tuple[TournamentFormat, ...] = ("knockout", "double", "round-robin", "swiss")
MIN_TABLE_SIZE, MAX_TABLE_SIZE, MAX_ADVANCING_COUNT = 2, 4, 2


class MatchState(StrEnum):
    """The states of a match."""

    WAITING = "waiting"  # who plays it is not known yet
    READY = "ready"  # to be paired
    OPEN = "open"  # being played
    DECIDED = "decided"
    BYE = "bye"
    WALKOVER = "walkover"
    NOBODY = "nobody"
    NOT_NEEDED = "not-needed"  # a second final that the first one decided


UNDECIDED_MATCH_STATES = (MatchState.WAITING, MatchState.READY, MatchState.OPEN)


@dataclass(frozen=True)
class PairingNote:
    """A reason or a warning: a code, and the details that a page needs to put it into words."""

    code: NoteCode
    details: tuple[tuple[str, NoteValue], ...] = ()

    def __getitem__(self, name: str) -> NoteValue:
        """Return one of the details. Raises KeyError."""
        return dict(self.details)[name]

    def as_dict(self) -> dict[str, NoteValue]:
        """Return code and details as one flat dict."""
        return {"code": str(self.code), **dict(self.details)}


def make_note(code: NoteCode, **details: NoteValue) -> PairingNote:
    """Make a note with its details in a fixed order."""
    return PairingNote(code, tuple(sorted(details.items())))


@dataclass(frozen=True)
class EntrantSpec:
    """A player or a pair, under an id that has no meaning here."""

    id: EntrantId
    seed: int | None = None  # 1 is the strongest; entrants without one are drawn behind the others
    first_round: int = 1  # the first round to play in
    left_after_round: int | None = None  # of a withdrawal: the last round begun by then, 0 before the start
    absent_rounds: frozenset[int] = frozenset()  # rounds to sit out


@dataclass(frozen=True)
class TournamentSpec:
    """The settings and entrants of a tournament; all lots are drawn from the 32 bytes of `key`."""

    format: TournamentFormat
    entrants: tuple[EntrantSpec, ...]
    key: bytes
    table_size: int = 2  # entrants at a table, at most
    round_count: int | None = None  # Swiss, and round robin at tables of 3 and 4; None: as many as it takes
    cycles: int = 1  # round robin at tables of 2: how often two entrants meet
    all_rounds_at_once: bool = False  # round robin: all rounds are published at the start
    advancing_count: int = 1  # knock-out at tables of 3 and 4: how many advance from a table
    third_place: bool = False  # knock-out at tables of 2

    def __post_init__(self) -> None:
        """Raise ValueError if the tournament cannot be played."""
        ids = [entrant.id for entrant in self.entrants]
        if len(set(ids)) != len(ids):
            raise ValueError("an entrant is named twice")
        if self.format not in TOURNAMENT_FORMATS:
            raise ValueError(f"format is one of {', '.join(TOURNAMENT_FORMATS)}")
        if not MIN_TABLE_SIZE <= self.table_size <= MAX_TABLE_SIZE:
            raise ValueError(f"a table has {MIN_TABLE_SIZE} to {MAX_TABLE_SIZE} seats")
        if self.format == "double" and self.table_size != 2:
            raise ValueError("double elimination is played at tables of 2")
        if not 1 <= self.advancing_count < self.table_size or self.advancing_count > MAX_ADVANCING_COUNT:
            raise ValueError("one or two go on from a table, and never all")
        if self.cycles < 1 or (self.round_count is not None and self.round_count < 1):
            raise ValueError("there is at least one round")

    @property
    def entrants_by_id(self) -> dict[EntrantId, EntrantSpec]:
        """The entrants by id."""
        return {entrant.id: entrant for entrant in self.entrants}


@dataclass(frozen=True)
class PairingResult:
    """A published pairing and its result; without ranks it is still being played."""

    match: str
    round: int
    seats: tuple[EntrantId, ...]  # a single one: a bye
    ranks: tuple[int, ...] | None = None  # by seat, 1 is best; ties share a rank
    points: tuple[int, ...] = ()  # by seat: points of the game
    eights: tuple[int, ...] = ()  # by seat: number of 8s
    forfeits: frozenset[EntrantId] = frozenset()  # did not play to the end: ranked last, no points
    game_number: int = 1  # 2: the rematch of a drawn knock-out match

    def __post_init__(self) -> None:
        """Raise ValueError if the parts of the result do not fit together."""
        if not self.seats or len(set(self.seats)) != len(self.seats):
            raise ValueError(f"{self.match}: a table has seats, and everybody one of them")
        for values in (self.ranks, self.points or None, self.eights or None):
            if values is not None and len(values) != len(self.seats):
                raise ValueError(f"{self.match}: one value a seat")
        if not self.forfeits <= set(self.seats):
            raise ValueError(f"{self.match}: only who sits there can forfeit")


@dataclass(frozen=True)
class PlannedPairing:
    """A pairing to publish: entrants in seat order, and the reasons; a single seat is a bye."""

    match: str
    round: int
    seats: tuple[EntrantId, ...]
    reasons: tuple[PairingNote, ...] = ()
    game_number: int = 1

    @property
    def is_rematch(self) -> bool:
        """True if this is the second game, with the short clock, of a drawn knock-out match."""
        return self.game_number > 1


@dataclass(frozen=True)
class PlannedRound:
    """Pairings to publish now, and warnings for the organiser."""

    number: int
    pairings: tuple[PlannedPairing, ...]
    warnings: tuple[PairingNote, ...] = ()


@dataclass(frozen=True)
class WaitingForResults:
    """No round can be paired until these matches have ended."""

    round: int
    matches: tuple[str, ...]


@dataclass(frozen=True)
class TournamentFinished:
    """The tournament is over; without a champion if nobody took part, or nobody stayed in a knock-out."""

    champion: EntrantId | None


@dataclass(frozen=True)
class SeatSource:
    """The source of a seat of a match: a seed, a place in an earlier match, or nothing (a bye)."""

    seed: Annotated[int | None, "The seed number in the draw."] = None
    match: Annotated[str | None, "The earlier match."] = None
    place: Annotated[int, "The place in that match."] = 1


@dataclass(frozen=True)
class BracketMatch:
    """A match of the bracket, whether it can be played yet or not."""

    id: str
    bracket: Literal["main", "winners", "losers", "final", "third"]
    round: int  # within its bracket
    stage: int  # over all brackets: a later stage is a better finish
    sources: tuple[SeatSource, ...]
    advancing_count: int = 1
    seats: tuple[EntrantId | None, ...] = ()  # by source; None: not known yet, or a bye
    state: MatchState = MatchState.WAITING
    finishing_order: tuple[EntrantId, ...] = ()  # once decided, the winner first
    notes: tuple[PairingNote, ...] = ()


@dataclass(frozen=True)
class Bracket:
    """All matches for display; stale results belong to matches that other entrants play now."""

    matches: tuple[BracketMatch, ...]
    champion: EntrantId | None = None
    stale_results: tuple[PairingResult, ...] = ()


@dataclass(frozen=True)
class CriterionValue:
    """The value of a criterion in the standings; null where it does not apply."""

    key: Annotated[str, "The name of the criterion. `criteria` of the standings explains it."]
    value: Annotated[float | None, "The value; null where the criterion does not apply."]


@dataclass(frozen=True)
class Standing:
    """A line of the standings; `separated_by` is the criterion that puts it behind the line above."""

    entrant: EntrantId
    rank: int
    criteria: tuple[CriterionValue, ...]
    played: int
    byes: int
    withdrawn: bool
    separated_by: str | None = None

    def __getitem__(self, key: str) -> float | None:
        """Return the value of a criterion. Raises KeyError."""
        return {criterion.key: criterion.value for criterion in self.criteria}[key]


def entrant_id_sort_key(entrant_id: EntrantId) -> tuple[bool, int, str]:
    """Return a sort key for entrant ids: numbers first, then texts."""
    return (False, entrant_id, "") if isinstance(entrant_id, int) else (True, 0, entrant_id)


def check_results(spec: TournamentSpec, results: Iterable[PairingResult]) -> tuple[PairingResult, ...]:
    """Return the results in a fixed order.

    Raises ValueError on entrants who do not take part, and on two results of one pairing.
    """
    entrants_by_id = spec.entrants_by_id
    results_by_key: dict[tuple[int, str, int, frozenset[EntrantId]], PairingResult] = {}
    for result in results:
        strangers = [entrant_id for entrant_id in result.seats if entrant_id not in entrants_by_id]
        if strangers:
            raise ValueError(f"{result.match}: {strangers[0]!r} does not take part")
        key = (result.round, result.match, result.game_number, frozenset(result.seats))
        if key in results_by_key:
            raise ValueError(f"{result.match}: two results of one table")
        results_by_key[key] = result
    return tuple(
        results_by_key[key]
        for key in sorted(
            results_by_key,
            key=lambda result_key: (result_key[:3], sorted(map(entrant_id_sort_key, result_key[3]))),
        )
    )
