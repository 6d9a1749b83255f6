"""Tournaments in memory, played to the end with random results, and Hypothesis strategies for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from tournaments.pairing import (
    EntrantId,
    EntrantSpec,
    PairingResult,
    PlannedPairing,
    PlannedRound,
    TournamentFinished,
    TournamentSpec,
    plan_next_round,
)

KEY = bytes(range(32))
# Ranks by seat; level seats share a rank.
DUELS = [(1, 2), (2, 1), (1, 1)]

keys = st.binary(min_size=32, max_size=32)
chances = st.randoms(use_true_random=False)


def build_entrants(count: int, *, seeded: bool = True) -> tuple[EntrantSpec, ...]:
    """Build so many entrants, 1 the strongest."""
    return tuple(EntrantSpec(number, number if seeded else None) for number in range(1, count + 1))


def build_event(format: Any, count: int, **more: Any) -> TournamentSpec:
    """Build a tournament for so many entrants."""
    return TournamentSpec(
        format, build_entrants(count, seeded=more.pop("seeded", True)), more.pop("key", KEY), **more
    )


def make_random_play(chance: Random, *, draws: bool = True) -> Callable[[PlannedPairing], PairingResult]:
    """Return a function that plays a pairing with a random result, draws included."""

    def play_pairing(pairing: PlannedPairing) -> PairingResult:
        seats = len(pairing.seats)
        ranks = tuple(chance.sample(range(1, seats + 1), seats))
        if draws and chance.random() < 0.25:
            ranks = tuple(chance.randint(1, seats) for _ in pairing.seats)
        return build_result(
            pairing, ranks, points=tuple(chance.randint(0, 40) for _ in ranks), eights=(0,) * seats
        )

    return play_pairing


def let_stronger_win(pairing: PlannedPairing) -> PairingResult:
    """Let the entrant with the lower number win."""
    order = sorted(pairing.seats, key=lambda id: (str(type(id)), id))
    return build_result(pairing, tuple(order.index(id) + 1 for id in pairing.seats))


def build_result(pairing: PlannedPairing, ranks: tuple[int, ...] | None = None, **more: Any) -> PairingResult:
    """Build the result of a pairing."""
    return PairingResult(
        pairing.match, pairing.round, pairing.seats, ranks, game_number=pairing.game_number, **more
    )


@dataclass
class PlayedEvent:
    """A tournament with its rounds, results and champion."""

    event: TournamentSpec
    results: list[PairingResult] = field(default_factory=list)
    rounds: list[PlannedRound] = field(default_factory=list)
    champion: EntrantId | None = None

    @property
    def pairings(self) -> list[PlannedPairing]:
        """All pairings of all rounds."""
        return [pairing for round in self.rounds for pairing in round.pairings]

    def tables_of(self, id: EntrantId) -> list[PlannedPairing]:
        """List the pairings of an entrant, without byes."""
        return [pairing for pairing in self.pairings if id in pairing.seats and len(pairing.seats) > 1]


def play_event(
    event: TournamentSpec,
    play: Callable[[PlannedPairing], PairingResult],
    *,
    before: Callable[[PlayedEvent], TournamentSpec] | None = None,
) -> PlayedEvent:
    """Play a tournament to the end; `before` may change it before every round, as withdrawals do."""
    so_far = PlayedEvent(event)
    while True:
        if before is not None:
            so_far.event = before(so_far)
        now = plan_next_round(so_far.event, so_far.results)
        if isinstance(now, TournamentFinished):
            so_far.champion = now.champion
            return so_far
        assert isinstance(now, PlannedRound), now
        assert now.pairings
        so_far.rounds.append(now)
        so_far.results += map(play, now.pairings)


def change_entrant(event: TournamentSpec, id: EntrantId, **changes: Any) -> TournamentSpec:
    """Return the tournament with one entrant changed."""
    return replace(
        event,
        entrants=tuple(
            replace(entrant, **changes) if entrant.id == id else entrant for entrant in event.entrants
        ),
    )


def list_ids(event: TournamentSpec) -> list[EntrantId]:
    """List the ids of all entrants."""
    return [entrant.id for entrant in event.entrants]


def count_losses(results: Iterable[PairingResult]) -> dict[EntrantId, int]:
    """Count the losses of each entrant in pairings of two, without draws."""
    lost: dict[EntrantId, int] = {}
    for result in results:
        if result.ranks and len(result.seats) == 2:
            for id, rank in zip(result.seats, result.ranks, strict=True):
                lost[id] = lost.get(id, 0) + (rank > min(result.ranks))
    return lost
