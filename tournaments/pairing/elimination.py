"""A knock-out as it stands: its planned matches, filled in from the results.

It is computed anew each time, so a corrected result changes what follows from it. A result counts only for
the entrants who play that match now; other results are stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tournaments.pairing import double_elimination, single_elimination
from tournaments.pairing.datatypes import (
    UNDECIDED_MATCH_STATES,
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
)
from tournaments.pairing.note_codes import PairingReason, PairingWarning
from tournaments.pairing.outcomes import build_histories, find_outcome
from tournaments.pairing.randomness import draw_lots, list_starters
from tournaments.pairing.seating import choose_seats


@dataclass
class MatchProgress:
    """The state of a match, and who is still to play it."""

    state: MatchState
    finishing_order: tuple[EntrantId, ...] = ()
    notes: tuple[PairingNote, ...] = ()
    contenders: tuple[EntrantId, ...] = ()
    game_number: int = 1
    used_results: tuple[PairingResult, ...] = ()


@dataclass
class BracketDraft:
    """A bracket that is being filled in."""

    spec: TournamentSpec
    seeds: dict[EntrantId, int]  # all entrants with their seeds, from 1
    withdrawn: frozenset[EntrantId]
    matches: list[BracketMatch] = field(default_factory=list)
    progress_by_match: dict[str, MatchProgress] = field(default_factory=dict)

    def sort_by_seed(self, ids: Iterable[EntrantId]) -> list[EntrantId]:
        """Sort these entrants by seed, the highest first."""
        return sorted(ids, key=self.seeds.__getitem__)


def plan_bracket(spec: TournamentSpec) -> tuple[BracketMatch, ...]:
    """Plan the empty bracket of a tournament."""
    entrant_count = len(list_starters(spec))
    if entrant_count < 2:
        return ()
    if spec.format == "double":
        return double_elimination.plan_double_elimination(entrant_count)
    if spec.table_size == 2:
        return single_elimination.plan_matches_of_two(entrant_count, third_place=spec.third_place)
    return single_elimination.plan_larger_matches(
        entrant_count, table_size=spec.table_size, advancing_count=spec.advancing_count
    )


def fill_bracket(spec: TournamentSpec, results: Iterable[PairingResult]) -> BracketDraft:
    """Fill in the bracket as far as the results go.

    For each match in order: 1. find who fills its seats; 2. skip a second final that is not needed, and leave
    a match waiting whose seats are pending; 3. else decide it from its results.
    """
    results_by_match: dict[str, list[PairingResult]] = {}
    for result in results:
        results_by_match.setdefault(result.match, []).append(result)
    seeds = {entrant: seed for seed, entrant in enumerate(list_starters(spec), 1)}
    draft = BracketDraft(
        spec,
        seeds,
        frozenset(
            entrant_spec.id for entrant_spec in spec.entrants if entrant_spec.left_after_round is not None
        ),
    )
    ids_by_seed = list(seeds)
    for match in plan_bracket(spec):
        seats = [find_occupant(draft, source, ids_by_seed) for source in match.sources]
        if match.bracket == "final" and match.round == 2 and not may_need_second_final(draft.matches[-1]):
            progress = MatchProgress(MatchState.NOT_NEEDED, draft.matches[-1].finishing_order)
        elif any(is_pending for is_pending, _ in seats):
            progress = MatchProgress(MatchState.WAITING)
        else:
            contender_ids = [entrant for _, entrant in seats if entrant is not None]
            progress = decide_match(draft, match, contender_ids, results_by_match.get(match.id, []))
        draft.progress_by_match[match.id] = progress
        draft.matches.append(
            replace(
                match,
                seats=tuple(entrant for _, entrant in seats),
                state=progress.state,
                finishing_order=progress.finishing_order,
                notes=progress.notes,
            )
        )
    return draft


def find_occupant(
    draft: BracketDraft, source: SeatSource, ids_by_seed: Sequence[EntrantId]
) -> tuple[bool, EntrantId | None]:
    """Return whether a seat is still pending, and if not, who fills it, if anybody."""
    if source.match is None:
        return False, ids_by_seed[source.seed - 1] if source.seed else None
    source_progress = draft.progress_by_match[source.match]
    if source_progress.state in UNDECIDED_MATCH_STATES:
        return True, None
    return False, source_progress.finishing_order[source.place - 1] if source.place <= len(
        source_progress.finishing_order
    ) else None


def may_need_second_final(final: BracketMatch) -> bool:
    """Tell whether the first final is open, or was won from the losers' bracket."""
    return not final.finishing_order or final.finishing_order[0] != final.seats[0]


def decide_match(
    draft: BracketDraft,
    match: BracketMatch,
    contender_ids: list[EntrantId],
    match_results: list[PairingResult],
) -> MatchProgress:
    """Decide a match whose seats are all known.

    1. Without a result: ready, a bye, a walkover, or nobody plays. 2. With a result that is not settled:
    open. 3. Else rank the entrants; a tie about advancing is broken by a rematch, then by seed.
    """
    present_ids = [entrant_id for entrant_id in contender_ids if entrant_id not in draft.withdrawn]
    result = find_result(draft, match_results, contender_ids, game_number=1)
    if result is None:
        if len(present_ids) > match.advancing_count:
            return MatchProgress(MatchState.READY, contenders=tuple(present_ids))
        if not present_ids:
            return MatchProgress(MatchState.NOBODY)
        missing_ids = draft.sort_by_seed(set(contender_ids) - set(present_ids))
        if not missing_ids:
            return MatchProgress(MatchState.BYE, tuple(draft.sort_by_seed(contender_ids)))
        return MatchProgress(
            MatchState.WALKOVER,
            (*draft.sort_by_seed(present_ids), *missing_ids),
            (make_walkover_note(missing_ids),),
        )
    outcome = find_outcome(draft.spec, result)
    if outcome is None:
        return MatchProgress(MatchState.OPEN, used_results=(result,))
    missing_ids = draft.sort_by_seed(
        entrant_id
        for entrant_id in contender_ids
        if entrant_id not in outcome.ranks or entrant_id in outcome.forfeits
    )
    # Where two advance and one is left, the second is the best of those who could still play.
    missing_ids.sort(
        key=lambda entrant_id: (
            entrant_id in draft.withdrawn,
            outcome.ranks.get(entrant_id, len(contender_ids)),
        )
    )
    notes = [make_walkover_note(missing_ids)] if len(missing_ids) >= len(contender_ids) - 1 else []
    if len(missing_ids) == len(contender_ids):
        return MatchProgress(MatchState.NOBODY, notes=tuple(notes), used_results=(result,))
    finishing_order: list[EntrantId] = []
    used_results = [result]
    for tier in outcome.group_by_rank():
        level_ids, places = draft.sort_by_seed(tier), match.advancing_count - len(finishing_order)
        staying_ids = [entrant_id for entrant_id in level_ids if entrant_id not in draft.withdrawn]
        if not 0 < places < len(level_ids):
            finishing_order += level_ids
        elif len(staying_ids) <= places:
            finishing_order += sorted(level_ids, key=draft.withdrawn.__contains__)
        else:
            rematch_result = find_result(draft, match_results, level_ids, game_number=2)
            if rematch_result is None:
                return MatchProgress(
                    MatchState.READY,
                    contenders=tuple(staying_ids),
                    game_number=2,
                    used_results=tuple(used_results),
                )
            used_results.append(rematch_result)
            rematch_outcome = find_outcome(draft.spec, rematch_result)
            if rematch_outcome is None:
                return MatchProgress(MatchState.OPEN, used_results=tuple(used_results))
            level_order, rematch_note = order_by_rematch(
                draft, rematch_outcome.group_by_rank(), level_ids, places
            )
            finishing_order += level_order
            notes.append(rematch_note)
    return MatchProgress(
        MatchState.DECIDED, (*finishing_order, *missing_ids), tuple(notes), used_results=tuple(used_results)
    )


def make_walkover_note(absent_ids: Sequence[EntrantId]) -> PairingNote:
    """Make the note that says who did not play."""
    return make_note(PairingReason.WALKOVER, absent=tuple(absent_ids))


def find_result(
    draft: BracketDraft,
    match_results: list[PairingResult],
    contender_ids: Sequence[EntrantId],
    *,
    game_number: int,
) -> PairingResult | None:
    """Find the result of these entrants; anyone missing from it had withdrawn before."""
    fitting_results = [
        result
        for result in match_results
        if result.game_number == game_number
        and len(result.seats) > 1
        and set(result.seats) <= set(contender_ids)
        and set(contender_ids) - set(result.seats) <= draft.withdrawn
    ]
    return max(fitting_results, key=lambda result: len(result.seats), default=None)


def order_by_rematch(
    draft: BracketDraft, tiers: list[list[EntrantId]], level_ids: list[EntrantId], places: int
) -> tuple[list[EntrantId], PairingNote]:
    """Order tied entrants by their rematch, then by seed. Returns the order and a note with the reason."""
    finishing_order: list[EntrantId] = []
    ids_by_seed: list[EntrantId] = []
    for tier in [
        *tiers,
        [entrant_id for entrant_id in level_ids if not any(entrant_id in tier for tier in tiers)],
    ]:
        if len(finishing_order) < places < len(finishing_order) + len(tier):
            ids_by_seed = draft.sort_by_seed(tier)
        finishing_order += draft.sort_by_seed(tier)
    if ids_by_seed:
        return finishing_order, make_note(
            PairingReason.HIGHER_SEED, entrants=tuple(ids_by_seed), seed=draft.seeds[ids_by_seed[0]]
        )
    return finishing_order, make_note(PairingReason.BY_REMATCH, entrants=tuple(level_ids))


# -------------------------------------------------------------------------------------------- for callers


def build_bracket(spec: TournamentSpec, results: Sequence[PairingResult]) -> Bracket:
    """Build the bracket for display."""
    return build_bracket_from_draft(fill_bracket(spec, results), results)


def build_bracket_from_draft(draft: BracketDraft, results: Sequence[PairingResult]) -> Bracket:
    """Turn a filled draft into a bracket, with the results that no match used as stale."""
    used_results = {
        result for progress in draft.progress_by_match.values() for result in progress.used_results
    }
    stale_results = tuple(result for result in results if result not in used_results)
    if draft.matches:
        winners = draft.matches[-1].finishing_order
    else:
        winners = tuple(entrant_id for entrant_id in draft.seeds if entrant_id not in draft.withdrawn)
    return Bracket(tuple(draft.matches), winners[0] if winners else None, stale_results)


def plan_next_round(
    spec: TournamentSpec, results: Sequence[PairingResult]
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan all matches that can be played now and are not published yet."""
    draft = fill_bracket(spec, results)
    bracket = build_bracket_from_draft(draft, results)
    ready = [match for match in draft.matches if match.state == MatchState.READY]
    running = [match for match in draft.matches if match.state == MatchState.OPEN]
    if not ready and not running:
        return TournamentFinished(bracket.champion)
    if not ready:
        return WaitingForResults(min(match.round for match in running), tuple(match.id for match in running))
    histories = build_histories(spec, [result for result in results if result not in bracket.stale_results])
    pairings = []
    for match in ready:
        progress = draft.progress_by_match[match.id]
        lots = draw_lots(spec.key, f"seats/{match.id}/{progress.game_number}", progress.contenders)
        seats = choose_seats(progress.contenders, histories, lots)
        pairings.append(
            PlannedPairing(match.id, match.round, seats, list_reasons(draft, match), progress.game_number)
        )
    return PlannedRound(
        min(match.round for match in ready),
        tuple(pairings),
        list_warnings(spec, pairings, bracket.stale_results),
    )


def list_reasons(draft: BracketDraft, match: BracketMatch) -> tuple[PairingNote, ...]:
    """List the reasons of a match: where its entrants come from, or that it is a rematch."""
    progress = draft.progress_by_match[match.id]
    if progress.game_number > 1:
        return (make_note(PairingReason.REMATCH, clock="short", entrants=progress.contenders),)
    notes = []
    for source, entrant_id in zip(match.sources, match.seats, strict=True):
        if entrant_id in progress.contenders and source.match is None:
            notes.append(make_note(PairingReason.FROM_SEED, entrant=entrant_id, seed=source.seed))
        elif entrant_id in progress.contenders:
            notes.append(
                make_note(
                    PairingReason.FROM_MATCH, entrant=entrant_id, match=source.match, place=source.place
                )
            )
    return tuple(notes)


def list_stale_result_notes(
    spec: TournamentSpec, stale_results: Sequence[PairingResult]
) -> tuple[PairingNote, ...]:
    """List stale results that the end would discard, without those of withdrawn entrants."""
    withdrawn_ids = {entrant.id for entrant in spec.entrants if entrant.left_after_round is not None}
    return tuple(
        make_note(PairingWarning.STALE_RESULT, match=result.match, entrants=result.seats)
        for result in stale_results
        if not withdrawn_ids & set(result.seats)
    )


def list_warnings(
    spec: TournamentSpec, pairings: Sequence[PlannedPairing], stale_results: Sequence[PairingResult]
) -> tuple[PairingNote, ...]:
    """List warnings for the organiser: stale results, absent entrants, late entries."""
    entrants_by_id = spec.entrants_by_id
    notes = [
        make_note(PairingWarning.STALE_RESULT, match=result.match, entrants=result.seats)
        for result in stale_results
    ]
    for pairing in pairings:
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
