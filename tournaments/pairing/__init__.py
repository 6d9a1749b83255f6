"""Pure pairing: a `TournamentSpec` and its results in; rounds, brackets and standings out.

Everything is computed anew from the input, so a corrected result or a withdrawal changes all that follows
from it. Equal input gives equal output, whatever the order of the results. A caller passes every published
pairing as a `PairingResult`: byes included, without ranks while it is being played.
"""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.pairing import elimination, round_robin, swiss
from tournaments.pairing.datatypes import (
    Bracket,
    BracketMatch,
    CriterionValue,
    EntrantId,
    EntrantSpec,
    MatchState,
    PairingNote,
    PairingResult,
    PlannedPairing,
    PlannedRound,
    SeatSource,
    Standing,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
    check_results,
    make_note,
)
from tournaments.pairing.elimination import list_stale_result_notes
from tournaments.pairing.note_codes import (
    NewcomerOrigin,
    PairingReason,
    PairingWarning,
    PlacementReason,
    TableWarning,
)
from tournaments.pairing.outcomes import list_outcomes
from tournaments.pairing.standings import rank_by_bracket, rank_by_points

__all__ = [
    "Bracket",
    "BracketMatch",
    "CriterionValue",
    "EntrantId",
    "EntrantSpec",
    "MatchState",
    "NewcomerOrigin",
    "PairingNote",
    "PairingReason",
    "PairingResult",
    "PairingWarning",
    "PlacementReason",
    "PlannedPairing",
    "PlannedRound",
    "SeatSource",
    "Standing",
    "TableWarning",
    "TournamentFinished",
    "TournamentSpec",
    "WaitingForResults",
    "build_bracket",
    "build_standings",
    "is_tournament_over",
    "list_stale_result_notes",
    "make_note",
    "plan_next_round",
]


def plan_next_round(
    spec: TournamentSpec, results: Iterable[PairingResult] = ()
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan the next round. Raises ValueError on results that do not belong to this tournament."""
    checked_results = check_results(spec, results)
    if spec.format == "swiss":
        return swiss.plan_next_round(spec, checked_results)
    if spec.format == "round-robin":
        return round_robin.plan_next_round(spec, checked_results)
    return elimination.plan_next_round(spec, checked_results)


def is_tournament_over(spec: TournamentSpec, results: Iterable[PairingResult] = ()) -> bool:
    """Tell whether no round is left, without pairing one. Raises ValueError as `plan_next_round` does."""
    checked_results = check_results(spec, results)
    if spec.format == "swiss":
        return isinstance(swiss.find_stop(spec, checked_results), TournamentFinished)
    return isinstance(plan_next_round(spec, checked_results), TournamentFinished)


def build_standings(spec: TournamentSpec, results: Iterable[PairingResult] = ()) -> list[Standing]:
    """Rank the entrants with all tie-breaks. Raises ValueError on results that do not belong here."""
    checked_results = check_results(spec, results)
    if spec.format == "swiss":
        return rank_by_points(spec, list_outcomes(spec, checked_results))
    if spec.format == "round-robin":
        return rank_by_points(spec, round_robin.list_counted_outcomes(spec, checked_results))
    bracket = elimination.build_bracket(spec, checked_results)
    return rank_by_bracket(
        spec,
        bracket,
        list_outcomes(spec, [result for result in checked_results if result not in bracket.stale_results]),
    )


def build_bracket(spec: TournamentSpec, results: Iterable[PairingResult] = ()) -> Bracket:
    """Build all matches for display. Raises ValueError on results that do not belong to this tournament."""
    checked_results = check_results(spec, results)
    if spec.format == "swiss":
        return swiss.build_bracket(spec, checked_results)
    if spec.format == "round-robin":
        return round_robin.build_bracket(spec, checked_results)
    return elimination.build_bracket(spec, checked_results)
