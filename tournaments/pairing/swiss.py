"""Swiss rounds: equal scores meet, nobody twice; byes and floats are spread evenly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tournaments.pairing import matching
from tournaments.pairing.datatypes import (
    Bracket,
    BracketMatch,
    EntrantId,
    EntrantSpec,
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
from tournaments.pairing.outcomes import EntrantHistory, build_histories, find_outcome, list_outcomes
from tournaments.pairing.randomness import assign_seeds, draw_lots
from tournaments.pairing.seating import choose_seats, deal_snake_order, group_by_score, plan_table_sizes
from tournaments.pairing.standings import rank_by_points


def count_rounds(spec: TournamentSpec) -> int:
    """Return the number of rounds: as set, or as many as it takes to leave one entrant without a loss."""
    entrant_count = sum(
        entrant.first_round <= 1 and entrant.left_after_round != 0 for entrant in spec.entrants
    )
    return spec.round_count or max((entrant_count - 1).bit_length(), 1)


def plan_next_round(
    spec: TournamentSpec, results: Sequence[PairingResult]
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan the next round once the last one is over.

    1. Stop if pairings are open or all rounds are played. 2. Collect who plays: entrants who joined and are
    not absent. 3. Sort them by points and seed, and draw this round's lots. 4. Pair tables of 2, or larger
    ones. 5. Add warnings.
    """
    stop = find_stop(spec, results)
    if stop is not None:
        return stop
    number = next_round_no(results)
    staying = list_staying_entrants(spec, number)
    histories, seeds = build_histories(spec, results), assign_seeds(spec)
    eligible = [entrant for entrant in staying if entrant.first_round <= number]
    # If everybody is absent the round is played all the same: else the tournament would never go on.
    present_ids = [candidate.id for candidate in eligible if number not in candidate.absent_rounds] or [
        candidate.id for candidate in eligible
    ]
    present_ids.sort(key=lambda entrant_id: (-histories[entrant_id].points, seeds[entrant_id]))
    lots = draw_lots(spec.key, f"round/{number}", present_ids)
    absent_ids = tuple(
        sorted(
            (candidate.id for candidate in staying if number in candidate.absent_rounds),
            key=seeds.__getitem__,
        )
    )
    warnings = [make_note(PairingWarning.ABSENT, entrants=absent_ids)] if absent_ids else []
    if spec.table_size > 2 or len(present_ids) < 2:
        pairings = pair_larger_tables(spec, number, present_ids, histories, lots)
    else:
        pairings = pair_tables_of_two(number, present_ids, histories, seeds, lots)
    return PlannedRound(number, tuple(pairings), (*warnings, *list_warnings(pairings, histories)))


def next_round_no(results: Iterable[PairingResult]) -> int:
    """Return the number of the next round."""
    return max((result.round for result in results), default=0) + 1


def list_staying_entrants(spec: TournamentSpec, number: int) -> list[EntrantSpec]:
    """List the entrants who have not withdrawn before a round.

    Those who left in this round or later count: a past round can be paired again exactly as it was.
    """
    return [
        entrant
        for entrant in spec.entrants
        if entrant.left_after_round is None or entrant.left_after_round >= number
    ]


def find_stop(
    spec: TournamentSpec, results: Sequence[PairingResult]
) -> WaitingForResults | TournamentFinished | None:
    """Return what keeps the next round from being paired, None if nothing does; pairs nobody."""
    number = next_round_no(results)
    open_matches = tuple(result.match for result in results if find_outcome(spec, result) is None)
    if open_matches:
        return WaitingForResults(number - 1, open_matches)
    if number > count_rounds(spec) or len(list_staying_entrants(spec, number)) < 2:
        standings = rank_by_points(spec, list_outcomes(spec, results))
        return TournamentFinished(standings[0].entrant if standings else None)
    return None


def list_warnings(
    pairings: Iterable[PlannedPairing], histories: Mapping[EntrantId, EntrantHistory]
) -> list[PairingNote]:
    """List warnings for the organiser about these pairings."""
    notes = []
    for pairing in pairings:
        if len(pairing.seats) == 1:
            notes.append(make_note(PairingWarning.ODD_NUMBER, match=pairing.match, entrant=pairing.seats[0]))
        repeat_pairs = [
            pair for pair in combinations(pairing.seats, 2) if histories[pair[0]].meetings[pair[1]]
        ]
        notes += [
            make_note(PairingWarning.REMATCH_UNAVOIDABLE, match=pairing.match, entrants=pair)
            for pair in repeat_pairs
        ]
    return notes


# ------------------------------------------------------------------------------------------ tables of 3 and 4


def pair_larger_tables(
    spec: TournamentSpec,
    number: int,
    present_ids: Sequence[EntrantId],
    histories: Mapping[EntrantId, EntrantHistory],
    lots: Mapping[EntrantId, int],
) -> list[PlannedPairing]:
    """Pair tables of 3 and 4: in the first round each strength at every table, later by score."""
    partition = None
    if number == 1:
        tables = deal_snake_order(present_ids, plan_table_sizes(len(present_ids), spec.table_size))
    else:  # equal scores in the order of this round's lots
        ids_by_score = sorted(
            present_ids, key=lambda entrant_id: (-histories[entrant_id].points, lots[entrant_id])
        )
        tables, partition = group_by_score(ids_by_score, histories, spec.table_size)
    largest = max(map(len, tables), default=0)
    pairings = []
    for table_no, table_ids in enumerate(tables, 1):
        scores = [histories[entrant_id].points for entrant_id in table_ids]
        if partition is None:
            reasons = [make_note(PairingReason.ONE_OF_EACH_STRENGTH, tables=len(tables))]
        else:
            reasons = [make_note(PairingReason.BY_SCORE, highest=max(scores), lowest=min(scores))]
            reasons.append(make_note(PairingReason.BEST_TABLES, proved=partition.is_proved))
        for pair in combinations(table_ids, 2):
            if meeting_count := histories[pair[0]].meetings[pair[1]]:
                has_fewest_meetings = partition is not None and partition.has_fewest_meetings
                reasons.append(
                    make_note(
                        PairingReason.MET_BEFORE,
                        entrants=pair,
                        times=meeting_count,
                        proved=has_fewest_meetings,
                    )
                )
        if len(table_ids) < largest:
            reasons.append(make_note(PairingReason.SMALLER_TABLE, seats=len(table_ids)))
        if len(table_ids) == 1:
            reasons = [make_note(PairingReason.BYE_ALONE, entrant=table_ids[0])]
        pairings.append(
            PlannedPairing(
                f"R{number}.{table_no}", number, choose_seats(table_ids, histories, lots), tuple(reasons)
            )
        )
    return pairings


# ------------------------------------------------------------------------------------------------ tables of 2


def pair_tables_of_two(
    number: int,
    present_ids: list[EntrantId],
    histories: Mapping[EntrantId, EntrantHistory],
    seeds: Mapping[EntrantId, int],
    lots: Mapping[EntrantId, int],
) -> list[PlannedPairing]:
    """Pair tables of 2 from all who are present, sorted by points and seed."""
    bye, pairs = choose_bye_and_pairs(number, present_ids, histories)
    pairings = []
    for table_no, (a, b) in enumerate(pairs, 1):
        seats = choose_seats((a, b), histories, lots)
        notes = list_pair_reasons(
            number, a, b, histories, seeds, is_proved=len(present_ids) <= matching.COMPLETE_GRAPH_LIMIT
        )
        notes.append(explain_seats(seats, histories, lots))
        pairings.append(PlannedPairing(f"R{number}.{table_no}", number, seats, tuple(notes)))
    if bye is not None:
        passed_over_ids = present_ids[present_ids.index(bye) + 1 :]
        had_bye_ids = tuple(
            entrant_id
            for entrant_id in passed_over_ids
            if histories[entrant_id].bye_count > histories[bye].bye_count
        )
        spared_ids = tuple(
            entrant_id for entrant_id in passed_over_ids if entrant_id not in had_bye_ids
        )  # else there would be a repeat meeting
        notes = [
            make_note(
                PairingReason.BYE_LOWEST,
                entrant=bye,
                points=histories[bye].points,
                byes=histories[bye].bye_count,
                seed=seeds[bye],
            )
        ]
        notes += (
            [make_note(PairingReason.BYE_PASSED_OVER, had=had_bye_ids, rematch=spared_ids)]
            if passed_over_ids
            else []
        )
        pairings.append(PlannedPairing(f"R{number}.{len(pairings) + 1}", number, (bye,), tuple(notes)))
    return pairings


def choose_bye_and_pairs(
    number: int, present_ids: list[EntrantId], histories: Mapping[EntrantId, EntrantHistory]
) -> tuple[EntrantId | None, list[tuple[EntrantId, EntrantId]]]:
    """Choose who has the bye, and who meets whom.

    The bye goes to the lowest of those with the fewest byes, unless that forces a repeat meeting which a bye
    for another of them avoids.
    """
    fewest_byes = min(histories[entrant_id].bye_count for entrant_id in present_ids)
    candidates = (
        [entrant_id for entrant_id in reversed(present_ids) if histories[entrant_id].bye_count == fewest_byes]
        if len(present_ids) % 2
        else [None]
    )
    for bye in candidates:
        pairs = choose_pairs(
            number,
            [entrant_id for entrant_id in present_ids if entrant_id != bye],
            histories,
            allow_repeats=False,
        )
        if pairs is not None:
            return bye, pairs
    bye = candidates[0]
    return bye, choose_pairs(
        number, [entrant_id for entrant_id in present_ids if entrant_id != bye], histories, allow_repeats=True
    ) or []


def choose_pairs(
    number: int,
    present_ids: Sequence[EntrantId],
    histories: Mapping[EntrantId, EntrantHistory],
    *,
    allow_repeats: bool,
) -> list[tuple[EntrantId, EntrantId]] | None:
    """Choose who meets whom, None if impossible; `allow_repeats` permits the fewest repeat meetings."""
    score = [round(2 * histories[entrant_id].points) for entrant_id in present_ids]
    meetings = [[0] * len(present_ids) for _ in present_ids]
    index_by_id = {entrant_id: place for place, entrant_id in enumerate(present_ids)}
    for entrant_id in present_ids:
        for opponent_id, times in histories[entrant_id].meetings.items():
            if opponent_id in index_by_id:
                meetings[index_by_id[entrant_id]][index_by_id[opponent_id]] = times
    float_weights = [
        2 * len(histories[entrant_id].float_rounds) + (number - 1 in histories[entrant_id].float_rounds)
        for entrant_id in present_ids
    ]
    seat_balances = [histories[entrant_id].seat_balance for entrant_id in present_ids]
    # One unit of each kind of cost outweighs the sum of all costs of the kinds below it.
    seat_weight = len(present_ids) ** 2 + 1
    float_weight = seat_weight * (len(present_ids) * number**2 + 1)
    score_weight = float_weight * (len(present_ids) * 4 * number + 1)
    meeting_weight = score_weight * (len(present_ids) * 4 * number**2 + 1)

    def is_repeat(a: int, b: int) -> bool:
        """Tell whether a pair is forbidden as a repeat meeting."""
        return not allow_repeats and meetings[a][b] > 0

    def same_seat_cost(a: int, b: int) -> int:
        """Return the cost of two entrants who are both due the same seat."""
        return (
            min(abs(seat_balances[a]), abs(seat_balances[b])) ** 2
            if seat_balances[a] * seat_balances[b] > 0
            else 0
        )

    def pair_cost(a: int, b: int) -> int:
        """Cost: repeat meetings, then scores, then floats: earlier floats, seat conflicts, distance."""
        score_difference = score[a] - score[b]
        total = meetings[a][b] ** 2 * meeting_weight
        if score_difference:
            total += score_difference**2 * score_weight + (float_weights[a] + float_weights[b]) * float_weight
            total += same_seat_cost(a, b) * seat_weight + b - a
        return total

    pairs = matching.find_allowed_matching(len(present_ids), is_repeat, pair_cost)
    if pairs is None:
        return None
    chosen_pairs = [pair for pair in pairs if score[pair[0]] != score[pair[1]]]
    for points in sorted(set(score), reverse=True):
        level_pairs = [pair for pair in pairs if score[pair[0]] == score[pair[1]] == points]
        places = sorted(place for pair in level_pairs for place in pair)
        chosen_pairs += matching.fold_pairs(
            places, level_pairs, lambda a, b: meetings[a][b] > 0, same_seat_cost
        )
    return [(present_ids[a], present_ids[b]) for a, b in sorted(chosen_pairs)]


def list_pair_reasons(
    number: int,
    a: EntrantId,
    b: EntrantId,
    histories: Mapping[EntrantId, EntrantHistory],
    seeds: Mapping[EntrantId, int],
    *,
    is_proved: bool,
) -> list[PairingNote]:
    """List why two meet, a being the higher; `is_proved`: no pairing has fewer repeat meetings."""
    higher, lower = histories[a], histories[b]
    if number == 1:
        notes = [make_note(PairingReason.FIRST_ROUND, entrants=(a, b), higher=seeds[a], lower=seeds[b])]
    elif higher.points == lower.points:
        notes = [make_note(PairingReason.SAME_SCORE, points=higher.points)]
    else:
        notes = [
            make_note(
                PairingReason.FLOAT_DOWN,
                entrant=a,
                points=higher.points,
                to=lower.points,
                before=len(higher.float_rounds),
            ),
            make_note(
                PairingReason.FLOAT_UP,
                entrant=b,
                points=lower.points,
                to=higher.points,
                before=len(lower.float_rounds),
            ),
        ]
    if higher.meetings[b]:
        notes.append(
            make_note(PairingReason.MET_BEFORE, entrants=(a, b), times=higher.meetings[b], proved=is_proved)
        )
    return notes


def explain_seats(
    seats: tuple[EntrantId, ...], histories: Mapping[EntrantId, EntrantHistory], lots: Mapping[EntrantId, int]
) -> PairingNote:
    """Make the note that explains the seat order of two."""
    first, second = histories[seats[0]], histories[seats[1]]
    if choose_seats(seats, histories, lots, avoid_seat_runs=False) != seats:
        return make_note(PairingReason.SEAT_RUN, first=seats[0])
    if first.seat_balance == second.seat_balance and first.last_seat == second.last_seat:
        return make_note(PairingReason.SEAT_LOT, first=seats[0])
    if first.seat_balance == second.seat_balance:
        return make_note(PairingReason.SEAT_TURN, first=seats[0], sat_second=first.last_seat == 1)
    return make_note(
        PairingReason.SEAT_BALANCE,
        first=seats[0],
        times=first.seat_counts[0],
        other=second.seat_counts[0],
        times_second=first.seat_counts[1],
        other_second=second.seat_counts[1],
    )


def build_bracket(spec: TournamentSpec, results: Sequence[PairingResult]) -> Bracket:
    """Build the rounds so far in the form of a bracket, for display."""
    seeds, matches = assign_seeds(spec), []
    for result in results:
        outcome = find_outcome(spec, result)
        finishing_order = (
            [entrant_id for tier in outcome.group_by_rank() for entrant_id in tier] if outcome else []
        )
        unranked_ids = [
            entrant_id for entrant_id in result.seats if outcome and entrant_id not in finishing_order
        ]
        if len(result.seats) == 1:
            state = MatchState.BYE
        else:
            state = MatchState.DECIDED if outcome else MatchState.OPEN
        sources = tuple(SeatSource(seed=seeds[entrant_id]) for entrant_id in result.seats)
        matches.append(
            BracketMatch(
                result.match, "main", result.round, result.round, sources, seats=result.seats, state=state,
                finishing_order=(*finishing_order, *unranked_ids),
            )
        )  # fmt: skip
    stop = find_stop(spec, results)
    return Bracket(tuple(matches), stop.champion if isinstance(stop, TournamentFinished) else None)
