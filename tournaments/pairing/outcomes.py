"""How tables end: who is ahead of whom, what it is worth, and what an entrant has been through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tournaments.pairing.model import Event, Id, Result

# Points by rank. A win is worth the same at every table of an event, and the last gets nothing. All points
# are halves, and products of them quarters, so a float holds them exactly.
DUEL = (1.0, 0.0)
SHARES = {1: (6.0,), 2: (6.0, 0.0), 3: (6.0, 3.0, 0.0), 4: (6.0, 4.0, 2.0, 0.0)}


@dataclass(frozen=True)
class Outcome:
    """A table that has ended: ranks by entrant, whoever walked out apart and behind all others."""

    match: str
    round: int
    ranks: Mapping[Id, int]
    gone: frozenset[Id] = frozenset()
    points: Mapping[Id, int] = field(default_factory=dict)
    eights: Mapping[Id, int] = field(default_factory=dict)

    @property
    def bye(self) -> bool:
        """Whether nobody else sat there."""
        return len(self.ranks) == 1

    def ahead(self, one: Id, other: Id) -> float:
        """1 if one came before the other, a half if they were level, else 0."""
        if one in self.gone or other in self.gone:
            return float(one not in self.gone)
        return 0.5 * (1 + (self.ranks[one] < self.ranks[other]) - (self.ranks[one] > self.ranks[other]))

    def tiers(self) -> list[list[Id]]:
        """Those who stayed, level ones together, the best first."""
        stayed = [id for id in self.ranks if id not in self.gone]
        return [
            [id for id in stayed if self.ranks[id] == rank]
            for rank in sorted({self.ranks[id] for id in stayed})
        ]


def settled(event: Event, result: Result) -> Outcome | None:
    """How a table ended, or None while it is played; it has ended when all but one of it have withdrawn."""
    seats = result.seats
    points = dict(zip(seats, result.points, strict=False))
    eights = dict(zip(seats, result.eights, strict=False))
    if len(seats) == 1:
        return Outcome(result.match, result.round, {seats[0]: 1}, result.forfeits)
    if result.ranks is not None:
        ranks = dict(zip(seats, result.ranks, strict=True))
        return Outcome(result.match, result.round, ranks, result.forfeits, points, eights)
    known = event.by_id
    gone = result.forfeits | {id for id in seats if known[id].left is not None}
    if len(seats) - len(gone) > 1:
        return None
    return Outcome(result.match, result.round, dict.fromkeys(seats, 1), frozenset(gone), points, eights)


def outcomes(event: Event, results: Iterable[Result]) -> list[Outcome]:
    """Of all tables that have ended."""
    return [outcome for result in results if (outcome := settled(event, result))]


def worth(event: Event, outcome: Outcome) -> dict[Id, float]:
    """The points of everybody at the table: by rank, shared where level."""
    scale = DUEL if event.table == 2 else SHARES[len(outcome.ranks)]
    points = dict.fromkeys(outcome.ranks, 0.0)
    place = 0
    for tier in outcome.tiers():
        share = sum(scale[place : place + len(tier)]) / len(tier)
        points |= dict.fromkeys(tier, share)
        place += len(tier)
    return points


@dataclass
class Past:
    """What an entrant brings along to the next round."""

    points: float = 0.0
    met: Counter[Id] = field(default_factory=Counter)
    sat: Counter[int] = field(default_factory=Counter)  # how often in which seat, from 0
    seats: list[int] = field(default_factory=list)  # round after round, the last one at the end
    byes: int = 0
    floats: list[int] = field(default_factory=list)  # rounds in which an opponent had another score
    small: int = 0  # tables smaller than the largest of their round

    @property
    def last_seat(self) -> int | None:
        """Where they sat last."""
        return self.seats[-1] if self.seats else None

    def sit(self, seat: int) -> None:
        """Count one more table."""
        self.sat[seat] += 1
        self.seats.append(seat)

    def sat_twice_running(self, seat: int) -> bool:
        """Whether this was their seat at their last two tables."""
        return self.seats[-2:] == [seat, seat]

    @property
    def balance(self) -> int:
        """At tables of 2: how much oftener first than second."""
        return self.sat[0] - self.sat[1]


def history(event: Event, results: Iterable[Result]) -> dict[Id, Past]:
    """Everybody's past, from all published tables: who was put together has met, even if one walked out."""
    past = {entrant.id: Past() for entrant in event.entrants}
    rounds: dict[int, list[Result]] = {}
    for result in results:
        rounds.setdefault(result.round, []).append(result)
    for number in sorted(rounds):
        largest = max(len(result.seats) for result in rounds[number])
        before = {id: mine.points for id, mine in past.items()}
        for result in rounds[number]:
            for seat, id in enumerate(result.seats):
                mine = past[id]
                if len(result.seats) == 1:
                    mine.byes += 1
                    continue
                mine.met.update(other for other in result.seats if other != id)
                mine.sit(seat)
                mine.small += len(result.seats) < largest
                if any(before[other] != before[id] for other in result.seats):
                    mine.floats.append(number)
            outcome = settled(event, result)
            for id, points in worth(event, outcome).items() if outcome else ():
                past[id].points += points
    return past
