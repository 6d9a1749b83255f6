"""Round robin: everybody meets everybody, on a schedule fixed at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.datatypes import (
    Bracket,
    BracketMatch,
    EntrantId,
    MatchState,
    PairingNote,
    PairingResult,
    PlannedPairing,
    PlannedRound,
    SeatSource,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
    make_note,
)  # fmt: skip
from tournaments.pairing.note_codes import PairingReason, PairingWarning
from tournaments.pairing.outcomes import EntrantHistory, PairingOutcome, find_outcome
from tournaments.pairing.randomness import list_starters
from tournaments.pairing.schedule_designs import build_design
from tournaments.pairing.seating import choose_seats
from tournaments.pairing.standings import rank_by_points


@dataclass(frozen=True)
class ScheduledTable:
    """A table of the schedule."""

    match: str
    round: int
    cycle: int
    seats: tuple[EntrantId, ...]


def build_circle_rounds(entrant_count: int) -> list[list[tuple[int, int]]]:
    """Build rounds of pairs of numbers from 0, the first seat first (Berger tables).

    For an even number of people: the last one stays, the others rotate. For each person, first and second
    seats differ by at most one.
    """
    turning, last = entrant_count - 1, entrant_count - 1
    rounds = []
    for r in range(turning):
        pairs = []
        for i in range(turning):
            j = (r - i) % turning
            if i == j:
                pairs.append((i, last) if i < entrant_count // 2 else (last, i))
            elif i < j:
                pairs.append((i, j) if (i + j) % 2 else (j, i))
        rounds.append(pairs)
    return rounds


def build_schedule(spec: TournamentSpec) -> list[ScheduledTable]:
    """Build all tables of all rounds. Late entries are not in it."""
    starter_ids = list_starters(spec)
    if len(starter_ids) < 2:
        return []
    return (
        schedule_pairs(spec, starter_ids)
        if spec.table_size == 2
        else schedule_larger_tables(spec, starter_ids)
    )


def schedule_pairs(spec: TournamentSpec, starter_ids: Sequence[EntrantId]) -> list[ScheduledTable]:
    """Schedule tables of 2, seats swapped in every second cycle; a single seat is a free round."""
    rounds_of_cycle = build_circle_rounds(len(starter_ids) + len(starter_ids) % 2)
    scheduled_tables = []
    for cycle in range(spec.cycles):
        for r, pairs in enumerate(rounds_of_cycle, 1 + cycle * len(rounds_of_cycle)):
            ordered_pairs = [pair[::-1] if cycle % 2 else pair for pair in pairs]
            tables = [tuple(starter_ids[i] for i in pair if i < len(starter_ids)) for pair in ordered_pairs]
            tables.sort(key=len, reverse=True)
            scheduled_tables += [
                ScheduledTable(f"R{r}.{t}", r, cycle + 1, seats) for t, seats in enumerate(tables, 1)
            ]
    return scheduled_tables


def schedule_larger_tables(spec: TournamentSpec, starter_ids: Sequence[EntrantId]) -> list[ScheduledTable]:
    """Schedule tables of 3 and 4 by a design for this number of entrants."""
    rounds = spec.round_count or max(-(-(len(starter_ids) - 1) // (spec.table_size - 1)), 1)
    lots = {entrant_id: place for place, entrant_id in enumerate(starter_ids)}
    histories = {entrant_id: EntrantHistory() for entrant_id in starter_ids}
    scheduled_tables = []
    for r, tables in enumerate(build_design(len(starter_ids), spec.table_size, rounds), 1):
        for t, numbers in enumerate(tables, 1):
            seats = choose_seats([starter_ids[i] for i in numbers], histories, lots)
            for seat, entrant_id in enumerate(seats):
                histories[entrant_id].record_seat(seat)
            scheduled_tables.append(ScheduledTable(f"R{r}.{t}", r, 1, seats))
    return scheduled_tables


# --------------------------------------------------------------------------------------- the schedule, played


@dataclass(frozen=True)
class Fixture:
    """A table of the schedule and its state."""

    scheduled: ScheduledTable
    present: tuple[EntrantId, ...]  # who has not withdrawn
    state: MatchState
    outcome: PairingOutcome | None = None
    result: PairingResult | None = None


def list_fixtures(spec: TournamentSpec, results: Sequence[PairingResult]) -> list[Fixture]:
    """List the schedule, filled in from the results; a table that nobody can play any more is a walkover."""
    entrants_by_id, fixtures = spec.entrants_by_id, []
    results_by_match = {result.match: result for result in results if len(result.seats) > 1}
    for scheduled in build_schedule(spec):
        present_ids = tuple(
            entrant_id
            for entrant_id in scheduled.seats
            if entrants_by_id[entrant_id].left_after_round is None
        )
        result = results_by_match.get(scheduled.match)
        if result is not None and not set(result.seats) <= set(scheduled.seats):
            result = None
        if len(scheduled.seats) == 1:
            fixtures.append(
                Fixture(scheduled, present_ids, MatchState.BYE if present_ids else MatchState.NOBODY)
            )
        elif result is not None:
            outcome = find_outcome(spec, result)
            fixtures.append(
                Fixture(
                    scheduled,
                    present_ids,
                    MatchState.DECIDED if outcome else MatchState.OPEN,
                    outcome,
                    result,
                )
            )
        elif len(present_ids) > 1:
            fixtures.append(Fixture(scheduled, present_ids, MatchState.READY))
        else:
            absent_ids = frozenset(scheduled.seats) - frozenset(present_ids)
            outcome = PairingOutcome(
                scheduled.match, scheduled.round, dict.fromkeys(scheduled.seats, 1), absent_ids
            )
            fixtures.append(
                Fixture(
                    scheduled, present_ids, MatchState.WALKOVER if present_ids else MatchState.NOBODY, outcome
                )
            )
    return fixtures


def list_counted_outcomes(spec: TournamentSpec, results: Sequence[PairingResult]) -> list[PairingOutcome]:
    """List the outcomes that count; at tables of 2 none of entrants who withdrew before half of their games.

    Otherwise it would matter whether one had met them in time. Of later withdrawals the games not played are
    lost.
    """
    fixtures = list_fixtures(spec, results)
    outcomes = [fixture.outcome for fixture in fixtures if fixture.outcome is not None]
    if spec.table_size > 2:
        return outcomes
    withdrawn_ids = {entrant.id for entrant in spec.entrants if entrant.left_after_round is not None}
    for entrant_id in sorted(withdrawn_ids, key=str):
        own_fixtures = [
            fixture
            for fixture in fixtures
            if entrant_id in fixture.scheduled.seats and len(fixture.scheduled.seats) > 1
        ]
        played_fixtures = [
            own_fixture
            for own_fixture in own_fixtures
            if own_fixture.result is not None and own_fixture.result.ranks is not None
        ]
        if 2 * len(played_fixtures) < len(own_fixtures):
            outcomes = [outcome for outcome in outcomes if entrant_id not in outcome.ranks]
    return outcomes


def plan_next_round(
    spec: TournamentSpec, results: Sequence[PairingResult]
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan the next round once the last is over; with `all_rounds_at_once`, everything that is left."""
    fixtures = list_fixtures(spec, results)
    running = [fixture for fixture in fixtures if fixture.state == MatchState.OPEN]
    ready = [fixture for fixture in fixtures if fixture.state == MatchState.READY]
    if not ready and not running:
        standings = rank_by_points(spec, list_counted_outcomes(spec, results))
        return TournamentFinished(standings[0].entrant if standings else None)
    number = min(fixture.scheduled.round for fixture in [*ready, *running])
    if not ready or (
        running
        and not spec.all_rounds_at_once
        and all(ready_fixture.scheduled.round > number for ready_fixture in ready)
    ):
        return WaitingForResults(number, tuple(fixture.scheduled.match for fixture in running))
    number = min(fixture.scheduled.round for fixture in ready)
    last_round = max(fixture.scheduled.round for fixture in fixtures)
    next_fixtures = [
        fixture for fixture in ready if spec.all_rounds_at_once or fixture.scheduled.round == number
    ]
    rounds = {fixture.scheduled.round for fixture in next_fixtures}
    bye_fixtures = [
        fixture
        for fixture in fixtures
        if fixture.state == MatchState.BYE and fixture.scheduled.round in rounds
    ]
    pairings = [
        PlannedPairing(
            fixture.scheduled.match,
            fixture.scheduled.round,
            fixture.present,
            list_reasons(fixture, last_round),
        )
        for fixture in sorted([*next_fixtures, *bye_fixtures], key=lambda fixture: fixture.scheduled.round)
    ]
    return PlannedRound(number, tuple(pairings), list_warnings(spec, pairings))


def list_reasons(fixture: Fixture, round_count: int) -> tuple[PairingNote, ...]:
    """List the reasons of a pairing: the schedule, and who has withdrawn from it."""
    scheduled = fixture.scheduled
    if len(scheduled.seats) == 1:
        return (make_note(PairingReason.FREE_ROUND, entrant=scheduled.seats[0], round=scheduled.round),)
    notes = [
        make_note(PairingReason.SCHEDULE, round=scheduled.round, rounds=round_count, cycle=scheduled.cycle)
    ]
    absent_ids = tuple(entrant_id for entrant_id in scheduled.seats if entrant_id not in fixture.present)
    return (
        *notes,
        *(
            [make_note(PairingReason.SMALLER_TABLE, seats=len(fixture.present), absent=absent_ids)]
            if absent_ids
            else []
        ),
    )


def list_warnings(spec: TournamentSpec, pairings: Sequence[PlannedPairing]) -> tuple[PairingNote, ...]:
    """List warnings for the organiser: an odd number, absent entrants, late entries."""
    entrants_by_id, notes = spec.entrants_by_id, []
    for pairing in pairings:
        if len(pairing.seats) == 1:
            notes.append(make_note(PairingWarning.ODD_NUMBER, match=pairing.match, entrant=pairing.seats[0]))
        absent_ids = tuple(
            entrant_id
            for entrant_id in pairing.seats
            if pairing.round in entrants_by_id[entrant_id].absent_rounds
        )
        notes += (
            [make_note(PairingWarning.ABSENT, match=pairing.match, entrants=absent_ids)] if absent_ids else []
        )
    late_ids = tuple(entrant.id for entrant in spec.entrants if entrant.first_round > 1)
    return (*notes, *([make_note(PairingWarning.LATE_ENTRY, entrants=late_ids)] if late_ids else []))


def build_bracket(spec: TournamentSpec, results: Sequence[PairingResult]) -> Bracket:
    """Build the schedule in the form of a bracket, for display."""
    seeds = {entrant_id: number for number, entrant_id in enumerate(list_starters(spec), 1)}
    matches, used_results = [], set()
    for fixture in list_fixtures(spec, results):
        scheduled, outcome = fixture.scheduled, fixture.outcome
        finishing_order = (
            [entrant_id for tier in outcome.group_by_rank() for entrant_id in tier] if outcome else []
        )
        unranked_ids = [
            entrant_id for entrant_id in scheduled.seats if outcome and entrant_id not in finishing_order
        ]
        sources = tuple(SeatSource(seed=seeds[entrant_id]) for entrant_id in scheduled.seats)
        matches.append(
            BracketMatch(
                scheduled.match,
                "main",
                scheduled.round,
                scheduled.round,
                sources,
                seats=scheduled.seats,
                state=fixture.state,
                finishing_order=(*finishing_order, *unranked_ids),
            )
        )
        used_results |= {fixture.result} if fixture.result else set()
    stale_results = tuple(
        result for result in results if len(result.seats) > 1 and result not in used_results
    )
    next_step = plan_next_round(spec, results)
    return Bracket(
        tuple(matches),
        next_step.champion if isinstance(next_step, TournamentFinished) else None,
        stale_results,
    )
