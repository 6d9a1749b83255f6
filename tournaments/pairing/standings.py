"""Standings: points, then tie-breaks in a fixed order, each with its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tournaments.pairing.datatypes import (
    UNDECIDED_MATCH_STATES,
    Bracket,
    CriterionValue,
    EntrantId,
    Standing,
    TournamentSpec,
)
from tournaments.pairing.outcomes import PairingOutcome, score_outcome
from tournaments.pairing.randomness import assign_seeds

CriterionColumn = Mapping[EntrantId, float | None]

LOWER_IS_BETTER_CRITERIA = ("place", "seed")


def rank_by_points(spec: TournamentSpec, outcomes: Sequence[PairingOutcome]) -> list[Standing]:
    """Build the standings of Swiss and round robin tournaments."""
    seeds, scores = assign_seeds(spec), collect_scores(spec, outcomes)
    ids = [entrant.id for entrant in spec.entrants if entrant.left_after_round != 0 or scores[entrant.id]]
    points = {entrant_id: sum(points_won for _, points_won in scores[entrant_id]) for entrant_id in ids}
    columns: dict[str, CriterionColumn] = {"points": points}
    if spec.table_size == 2:
        columns["buchholz"] = {
            entrant_id: compute_buchholz(entrant_id, scores[entrant_id], points) for entrant_id in ids
        }
        columns["sonneborn-berger"] = {
            entrant_id: compute_sonneborn_berger(entrant_id, scores[entrant_id], points) for entrant_id in ids
        }
    else:
        columns["opponents"] = {
            entrant_id: compute_buchholz(entrant_id, scores[entrant_id], points) for entrant_id in ids
        }
    columns["head-to-head"] = compute_head_to_head(columns, ids, scores)
    columns |= sum_game_totals(ids, scores)
    columns["seed"] = {entrant_id: seeds[entrant_id] for entrant_id in ids}
    return build_lines(spec, columns, scores, ranked_by=len(columns))


def rank_by_bracket(
    spec: TournamentSpec, bracket: Bracket, outcomes: Sequence[PairingOutcome]
) -> list[Standing]:
    """Build the standings of a knock-out: the stage that each entrant reached, and the place there."""
    seeds, scores = assign_seeds(spec), collect_scores(spec, outcomes)
    reached: dict[EntrantId, tuple[int, int]] = {}
    for match in bracket.matches:
        for entrant_id in match.seats:
            if entrant_id is not None:
                is_over = match.state not in UNDECIDED_MATCH_STATES
                place = (
                    match.finishing_order.index(entrant_id) + 1
                    if entrant_id in match.finishing_order
                    else len(match.seats)
                    if is_over
                    else 1
                )
                reached[entrant_id] = max(reached.get(entrant_id, (0, 0)), (match.stage, -place))
    if not bracket.matches and bracket.champion is not None:
        reached[bracket.champion] = (1, -1)
    ids = list(reached)
    columns: dict[str, CriterionColumn] = {
        "reached": {entrant_id: stage for entrant_id, (stage, _) in reached.items()},
        "place": {entrant_id: -place for entrant_id, (_, place) in reached.items()},
        **sum_game_totals(ids, scores),
        "seed": {entrant_id: seeds[entrant_id] for entrant_id in ids},
    }
    return build_lines(spec, columns, scores, ranked_by=2)


# ------------------------------------------------------------------------------------------------ the columns


def collect_scores(
    spec: TournamentSpec, outcomes: Iterable[PairingOutcome]
) -> dict[EntrantId, list[tuple[PairingOutcome, float]]]:
    """List each entrant's outcomes with the tournament points won in them."""
    scores: dict[EntrantId, list[tuple[PairingOutcome, float]]] = {
        entrant.id: [] for entrant in spec.entrants
    }
    for outcome in outcomes:
        for entrant_id, points in score_outcome(spec, outcome).items():
            scores[entrant_id].append((outcome, points))
    return scores


def compute_buchholz(
    entrant_id: EntrantId,
    own_scores: Iterable[tuple[PairingOutcome, float]],
    points: Mapping[EntrantId, float],
) -> float:
    """Sum the opponents' points; a bye counts as an opponent with the entrant's own points."""
    return sum(
        points[entrant_id]
        if outcome.is_bye
        else sum(points[opponent_id] for opponent_id in outcome.ranks if opponent_id != entrant_id)
        for outcome, _ in own_scores
    )


def compute_sonneborn_berger(
    entrant_id: EntrantId,
    own_scores: Iterable[tuple[PairingOutcome, float]],
    points: Mapping[EntrantId, float],
) -> float:
    """Sum the points of the opponents beaten, and half of those drawn with."""
    return sum(
        points_won
        * (
            points[entrant_id]
            if outcome.is_bye
            else sum(points[opponent_id] for opponent_id in outcome.ranks if opponent_id != entrant_id)
        )
        for outcome, points_won in own_scores
    )


def compute_head_to_head(
    columns: Mapping[str, CriterionColumn],
    ids: Sequence[EntrantId],
    scores: Mapping[EntrantId, list[tuple[PairingOutcome, float]]],
) -> dict[EntrantId, float | None]:
    """Score tied entrants against each other, where each of them has met all the others."""
    ids_by_values: dict[tuple[float | None, ...], list[EntrantId]] = {}
    for entrant_id in ids:
        ids_by_values.setdefault(tuple(column[entrant_id] for column in columns.values()), []).append(
            entrant_id
        )
    values: dict[EntrantId, float | None] = dict.fromkeys(ids)
    for group in ids_by_values.values():
        group_ids = set(group)
        met_ids: dict[EntrantId, set[EntrantId]] = {}
        points_made: dict[EntrantId, float] = {}
        for entrant_id in group:
            opponents = [
                (outcome, opponent_id)
                for outcome, _ in scores[entrant_id]
                for opponent_id in outcome.ranks
                if opponent_id != entrant_id
            ]
            met_ids[entrant_id] = group_ids & {opponent_id for _, opponent_id in opponents}
            points_made[entrant_id] = sum(
                outcome.score_against(entrant_id, opponent_id)
                for outcome, opponent_id in opponents
                if opponent_id in group_ids
            )
        if len(group) > 1 and all(b in met_ids[a] for a, b in combinations(group, 2)):
            values |= points_made
    return values


def sum_game_totals(
    ids: Iterable[EntrantId], scores: Mapping[EntrantId, list[tuple[PairingOutcome, float]]]
) -> dict[str, CriterionColumn]:
    """Sum each entrant's game points and 8s."""
    return {
        "game-points": {
            entrant_id: sum(outcome.points.get(entrant_id, 0) for outcome, _ in scores[entrant_id])
            for entrant_id in ids
        },
        "eights": {
            entrant_id: sum(outcome.eights.get(entrant_id, 0) for outcome, _ in scores[entrant_id])
            for entrant_id in ids
        },
    }


# -------------------------------------------------------------------------------------------------- the lines


def build_lines(
    spec: TournamentSpec,
    columns: Mapping[str, CriterionColumn],
    scores: Mapping[EntrantId, list[tuple[PairingOutcome, float]]],
    *,
    ranked_by: int,
) -> list[Standing]:
    """Sort the standings; entrants tied in the first `ranked_by` columns share a rank."""

    def build_sort_key(entrant_id: EntrantId) -> tuple[float, ...]:
        """Return the sort key of an entrant: all columns, better values smaller."""
        return tuple(
            (column[entrant_id] or 0) * (-1 if key not in LOWER_IS_BETTER_CRITERIA else 1)
            for key, column in columns.items()
        )

    entrants_by_id = spec.entrants_by_id
    standings: list[Standing] = []
    previous_merit: tuple[float, ...] = ()
    for number, entrant_id in enumerate(sorted(columns["seed"], key=build_sort_key), 1):
        own_merit = build_sort_key(entrant_id)
        separating_keys = [
            key
            for key, previous_value, own_value in zip(columns, previous_merit, own_merit, strict=False)
            if previous_value != own_value
        ]
        is_shared = standings and previous_merit[:ranked_by] == own_merit[:ranked_by]
        byes = sum(outcome.is_bye for outcome, _ in scores[entrant_id])
        standings.append(
            Standing(
                entrant=entrant_id,
                rank=standings[-1].rank if is_shared else number,
                criteria=tuple(CriterionValue(key, column[entrant_id]) for key, column in columns.items()),
                played=len(scores[entrant_id]) - byes,
                byes=byes,
                withdrawn=entrants_by_id[entrant_id].left_after_round is not None,
                separated_by=separating_keys[0] if separating_keys else None,
            )
        )
        previous_merit = own_merit
    return standings
