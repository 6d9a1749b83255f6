"""The values of pairing: an event and its results go in; rounds, brackets and standings come out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Id = str | int
Fact = str | int | float | bool | None | tuple[Id, ...]
Format = Literal["knockout", "double", "round-robin", "swiss"]
State = Literal["waiting", "ready", "open", "decided", "bye", "walkover", "nobody", "not-needed"]

FORMATS: tuple[Format, ...] = ("knockout", "double", "round-robin", "swiss")
SMALLEST_TABLE, LARGEST_TABLE, MOST_GO_ON = 2, 4, 2


@dataclass(frozen=True)
class Note:
    """A reason or a warning: a code, and the facts that a page needs to put it into words."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()

    def __getitem__(self, name: str) -> Fact:
        """One of its facts. Raises KeyError."""
        return dict(self.facts)[name]

    def as_dict(self) -> dict[str, Fact]:
        """The note as one flat mapping, its code among the facts."""
        return {"code": self.code, **dict(self.facts)}


def note(code: str, **facts: Fact) -> Note:
    """A note with its facts in a fixed order."""
    return Note(code, tuple(sorted(facts.items())))


@dataclass(frozen=True)
class Entrant:
    """A player, or a pair, under an id that means nothing here."""

    id: Id
    seed: int | None = None  # 1 is the strongest; whoever has none is drawn in behind those who have one
    joined: int = 1  # the first round to play in
    left: int | None = None  # withdrew: the last round that had begun by then, 0 before the start
    absent: frozenset[int] = frozenset()  # rounds to sit out


@dataclass(frozen=True)
class Event:
    """What an organiser has laid down, and who takes part; every lot comes from the 32 bytes of `key`."""

    format: Format
    entrants: tuple[Entrant, ...]
    key: bytes
    table: int = 2  # seats at a table, at most
    rounds: int | None = None  # Swiss, and round robin at tables of 3 and 4; None: as many as it takes
    laps: int = 1  # round robin at tables of 2: how often two entrants meet
    at_once: bool = False  # round robin: all rounds are paired at the start
    advance: int = 1  # knock-out at tables of 3 and 4: how many go on from a table
    third_place: bool = False  # knock-out at tables of 2

    def __post_init__(self) -> None:
        """Raise ValueError on an event that cannot be played."""
        ids = [entrant.id for entrant in self.entrants]
        if len(set(ids)) != len(ids):
            raise ValueError("an entrant is named twice")
        if self.format not in FORMATS:
            raise ValueError(f"format is one of {', '.join(FORMATS)}")
        if not SMALLEST_TABLE <= self.table <= LARGEST_TABLE:
            raise ValueError(f"a table has {SMALLEST_TABLE} to {LARGEST_TABLE} seats")
        if self.format == "double" and self.table != 2:
            raise ValueError("double elimination is played at tables of 2")
        if not 1 <= self.advance < self.table or self.advance > MOST_GO_ON:
            raise ValueError("one or two go on from a table, and never all")
        if self.laps < 1 or (self.rounds is not None and self.rounds < 1):
            raise ValueError("there is at least one round")

    @property
    def by_id(self) -> dict[Id, Entrant]:
        """The entrants by their ids."""
        return {entrant.id: entrant for entrant in self.entrants}


@dataclass(frozen=True)
class Result:
    """A table that was published, and how it ended; without ranks it is still being played."""

    match: str
    round: int
    seats: tuple[Id, ...]  # one alone: a bye
    ranks: tuple[int, ...] | None = None  # by seat, 1 the best; whoever is level shares a rank
    points: tuple[int, ...] = ()  # by seat: points made in the game
    eights: tuple[int, ...] = ()  # by seat: 8s made
    forfeits: frozenset[Id] = frozenset()  # who did not play to the end: behind all others, without points
    game: int = 1  # 2: the rematch of a knock-out that was level

    def __post_init__(self) -> None:
        """Raise ValueError on a result that does not fit together."""
        if not self.seats or len(set(self.seats)) != len(self.seats):
            raise ValueError(f"{self.match}: a table has seats, and everybody one of them")
        for values in (self.ranks, self.points or None, self.eights or None):
            if values is not None and len(values) != len(self.seats):
                raise ValueError(f"{self.match}: one value a seat")
        if not self.forfeits <= set(self.seats):
            raise ValueError(f"{self.match}: only who sits there can forfeit")


@dataclass(frozen=True)
class Pairing:
    """A table to be played, seats in order, with the reasons for it; one seat alone is a bye."""

    match: str
    round: int
    seats: tuple[Id, ...]
    reasons: tuple[Note, ...] = ()
    game: int = 1

    @property
    def rematch(self) -> bool:
        """Whether this is the second game, by the short clock, of a knock-out that was level."""
        return self.game > 1


@dataclass(frozen=True)
class Round:
    """Tables to be published now, and what an organiser should know before."""

    number: int
    pairings: tuple[Pairing, ...]
    warnings: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Waiting:
    """Nothing can be paired until these tables have ended."""

    round: int
    matches: tuple[str, ...]


@dataclass(frozen=True)
class Finished:
    """The event is over; no champion if nobody took part, or nobody stayed in a knock-out."""

    champion: Id | None


@dataclass(frozen=True)
class Source:
    """Where a seat of a match is filled from: a seed, a place of an earlier match, or nowhere (a bye)."""

    seed: int | None = None
    match: str | None = None
    place: int = 1


@dataclass(frozen=True)
class Match:
    """A table of the bracket, whether it can be played yet or not."""

    id: str
    bracket: Literal["main", "winners", "losers", "final", "third"]
    round: int  # within its bracket
    stage: int  # among all matches: who reached a later stage came further
    sources: tuple[Source, ...]
    advance: int = 1
    seats: tuple[Id | None, ...] = ()  # by source; None: not known yet, or nobody
    state: State = "waiting"
    order: tuple[Id, ...] = ()  # once decided: who came first, second …
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Bracket:
    """Everything there is to draw; stale results answer to matches that others play by now."""

    matches: tuple[Match, ...]
    champion: Id | None = None
    stale: tuple[Result, ...] = ()


@dataclass(frozen=True)
class Criterion:
    """One column of a table of standings; no value where it cannot be applied."""

    key: str
    value: float | None


@dataclass(frozen=True)
class Standing:
    """An entrant's line; `parted_by` is the criterion that puts it behind the line above."""

    entrant: Id
    rank: int
    criteria: tuple[Criterion, ...]
    played: int
    byes: int
    withdrawn: bool
    parted_by: str | None = None

    def __getitem__(self, key: str) -> float | None:
        """The value of a criterion. Raises KeyError."""
        return {criterion.key: criterion.value for criterion in self.criteria}[key]


def sort_key(id: Id) -> tuple[bool, int, str]:
    """An order of ids that depends on nothing else: numbers first."""
    return (False, id, "") if isinstance(id, int) else (True, 0, id)


def check(event: Event, results: Iterable[Result]) -> tuple[Result, ...]:
    """The results in an order of their own. Raises ValueError on strangers and on two results of a table."""
    known = event.by_id
    found: dict[tuple[int, str, int, frozenset[Id]], Result] = {}
    for result in results:
        strangers = [id for id in result.seats if id not in known]
        if strangers:
            raise ValueError(f"{result.match}: {strangers[0]!r} does not take part")
        key = (result.round, result.match, result.game, frozenset(result.seats))
        if key in found:
            raise ValueError(f"{result.match}: two results of one table")
        found[key] = result
    return tuple(found[key] for key in sorted(found, key=lambda k: (k[:3], sorted(map(sort_key, k[3])))))
