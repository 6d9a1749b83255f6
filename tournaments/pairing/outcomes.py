"""Outcomes of pairings: ranks, tournament points, and the history of each entrant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tournaments.pairing.datatypes import EntrantId, PairingResult, TournamentSpec

# Points by rank. A win is worth the same at every table of a tournament, the last place nothing. All points
# are multiples of a half, their products of a quarter, so a float holds them exactly.
POINTS_AT_TABLE_OF_TWO = (1.0, 0.0)
POINTS_BY_TABLE_SIZE = {1: (6.0,), 2: (6.0, 0.0), 3: (6.0, 3.0, 0.0), 4: (6.0, 4.0, 2.0, 0.0)}


@dataclass(frozen=True)
class PairingOutcome:
    """A pairing that has ended: ranks by entrant; entrants who forfeited rank last."""

    match: str
    round: int
    ranks: Mapping[EntrantId, int]
    forfeits: frozenset[EntrantId] = frozenset()
    points: Mapping[EntrantId, int] = field(default_factory=dict)
    eights: Mapping[EntrantId, int] = field(default_factory=dict)

    @property
    def is_bye(self) -> bool:
        """True if nobody else sat there."""
        return len(self.ranks) == 1

    def score_against(self, entrant_id: EntrantId, opponent_id: EntrantId) -> float:
        """Return 1 if the entrant came before the opponent, 0.5 if they tied, else 0."""
        if entrant_id in self.forfeits or opponent_id in self.forfeits:
            return float(entrant_id not in self.forfeits)
        return 0.5 * (
            1
            + (self.ranks[entrant_id] < self.ranks[opponent_id])
            - (self.ranks[entrant_id] > self.ranks[opponent_id])
        )

    def group_by_rank(self) -> list[list[EntrantId]]:
        """List the entrants who did not forfeit, ties together, the best first."""
        stayed_ids = [entrant_id for entrant_id in self.ranks if entrant_id not in self.forfeits]
        return [
            [entrant_id for entrant_id in stayed_ids if self.ranks[entrant_id] == rank]
            for rank in sorted({self.ranks[entrant_id] for entrant_id in stayed_ids})
        ]


def find_outcome(spec: TournamentSpec, result: PairingResult) -> PairingOutcome | None:
    """Return the outcome of a result, None while it is being played.

    A pairing without ranks has ended when all but one of its entrants have withdrawn.
    """
    seats = result.seats
    points = dict(zip(seats, result.points, strict=False))
    eights = dict(zip(seats, result.eights, strict=False))
    if len(seats) == 1:
        return PairingOutcome(result.match, result.round, {seats[0]: 1}, result.forfeits)
    if result.ranks is not None:
        ranks = dict(zip(seats, result.ranks, strict=True))
        return PairingOutcome(result.match, result.round, ranks, result.forfeits, points, eights)
    entrants_by_id = spec.entrants_by_id
    forfeits = result.forfeits | {
        entrant_id for entrant_id in seats if entrants_by_id[entrant_id].left_after_round is not None
    }
    if len(seats) - len(forfeits) > 1:
        return None
    return PairingOutcome(
        result.match, result.round, dict.fromkeys(seats, 1), frozenset(forfeits), points, eights
    )


def list_outcomes(spec: TournamentSpec, results: Iterable[PairingResult]) -> list[PairingOutcome]:
    """List the outcomes of all results that have ended."""
    return [outcome for result in results if (outcome := find_outcome(spec, result))]


def score_outcome(spec: TournamentSpec, outcome: PairingOutcome) -> dict[EntrantId, float]:
    """Return the tournament points of each entrant of a pairing: by rank, shared by ties."""
    scale = POINTS_AT_TABLE_OF_TWO if spec.table_size == 2 else POINTS_BY_TABLE_SIZE[len(outcome.ranks)]
    points = dict.fromkeys(outcome.ranks, 0.0)
    place = 0
    for tier in outcome.group_by_rank():
        share = sum(scale[place : place + len(tier)]) / len(tier)
        points |= dict.fromkeys(tier, share)
        place += len(tier)
    return points


@dataclass
class EntrantHistory:
    """The history of an entrant in earlier rounds: points, opponents, seats, byes and floats."""

    points: float = 0.0
    meetings: Counter[EntrantId] = field(default_factory=Counter)
    seat_counts: Counter[int] = field(default_factory=Counter)  # pairings by seat, from 0
    seats_taken: list[int] = field(default_factory=list)  # one for each pairing, the latest last
    bye_count: int = 0
    float_rounds: list[int] = field(default_factory=list)  # rounds with an opponent of another score
    small_table_count: int = 0  # pairings smaller than the largest of their round

    @property
    def last_seat(self) -> int | None:
        """The seat of the last pairing."""
        return self.seats_taken[-1] if self.seats_taken else None

    def record_seat(self, seat: int) -> None:
        """Count one more pairing in this seat."""
        self.seat_counts[seat] += 1
        self.seats_taken.append(seat)

    def had_seat_twice_running(self, seat: int) -> bool:
        """Tell whether the entrant had this seat in both of the last two pairings."""
        return self.seats_taken[-2:] == [seat, seat]

    @property
    def seat_balance(self) -> int:
        """At tables of 2: how much more often first than second."""
        return self.seat_counts[0] - self.seat_counts[1]


def build_histories(
    spec: TournamentSpec, results: Iterable[PairingResult]
) -> dict[EntrantId, EntrantHistory]:
    """Build the history of each entrant. Paired entrants count as met even if one of them forfeited."""
    histories = {entrant.id: EntrantHistory() for entrant in spec.entrants}
    results_by_round: dict[int, list[PairingResult]] = {}
    for result in results:
        results_by_round.setdefault(result.round, []).append(result)
    for number in sorted(results_by_round):
        largest_size = max(len(result.seats) for result in results_by_round[number])
        points_before = {entrant_id: history.points for entrant_id, history in histories.items()}
        for result in results_by_round[number]:
            for seat, entrant_id in enumerate(result.seats):
                history = histories[entrant_id]
                if len(result.seats) == 1:
                    history.bye_count += 1
                    continue
                history.meetings.update(
                    opponent_id for opponent_id in result.seats if opponent_id != entrant_id
                )
                history.record_seat(seat)
                history.small_table_count += len(result.seats) < largest_size
                if any(
                    points_before[opponent_id] != points_before[entrant_id] for opponent_id in result.seats
                ):
                    history.float_rounds.append(number)
            outcome = find_outcome(spec, result)
            for entrant_id, points in score_outcome(spec, outcome).items() if outcome else ():
                histories[entrant_id].points += points
    return histories
