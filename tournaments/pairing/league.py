"""Leagues: divisions of a fixed size, and promotion, relegation, joining and leaving between seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from tournaments.pairing.datatypes import (
    EntrantId,
    EntrantSpec,
    PairingNote,
    Standing,
    TournamentSpec,
    make_note,
)
from tournaments.pairing.note_codes import NewcomerOrigin, PlacementReason
from tournaments.pairing.randomness import draw_lots
from tournaments.pairing.seating import deal_snake_order, split_evenly


@dataclass(frozen=True)
class Newcomer:
    """A new player or pair of the coming season."""

    id: EntrantId
    rating: float | None = None


@dataclass(frozen=True)
class LeagueSpec:
    """The structure of a league."""

    division_size: int  # of a division
    promotion_count: int = 2  # promoted from each division, and relegated
    newcomer_policy: Literal["bottom", "rating"] = "bottom"
    groups_per_division: int = 1  # in a division, each playing by itself

    def __post_init__(self) -> None:
        """Raise ValueError if the league cannot be played."""
        if self.division_size < 2 or not 0 <= 2 * self.promotion_count <= self.division_size:
            raise ValueError(
                "a division has two places or more, and at most half of it go up, half of it down"
            )
        if not 1 <= self.groups_per_division <= self.division_size // 2:
            raise ValueError("a group has two places or more")


@dataclass(frozen=True)
class PlannedSeason:
    """The divisions and their members from the top, and the reason for each placement."""

    divisions: tuple[tuple[EntrantId, ...], ...]
    notes: dict[EntrantId, PairingNote] = field(default_factory=dict)


def plan_next_season(
    spec: LeagueSpec,
    last_divisions: Sequence[Sequence[EntrantId]],
    *,
    newcomers: Iterable[Newcomer] = (),
    leavers: Iterable[EntrantId] = (),
    ratings: dict[EntrantId, float] | None = None,
    key: bytes,
) -> PlannedSeason:
    """Plan the coming season from the final order of each division of the last one.

    The best of each division change places with the last of the one above. A place that becomes free is
    filled from below: first a relegation is cancelled, then more are promoted. All divisions are full but the
    lowest; a rest of less than half a division joins the one above. Raises ValueError if somebody is named
    twice, or a leaver is no member.

    1. Remove leavers and exchange members between neighbouring divisions. 2. Add newcomers by rating, or at
    the bottom. 3. Cut the resulting ladder into divisions. 4. Note the reason for each placement.
    """
    old_divisions = {
        entrant_id: division for division, members in enumerate(last_divisions, 1) for entrant_id in members
    }
    sorted_newcomers = sort_newcomers(newcomers, key)
    if len(old_divisions) != sum(map(len, last_divisions)) or any(
        newcomer.id in old_divisions for newcomer in sorted_newcomers
    ):
        raise ValueError("somebody is named twice")
    leaver_ids = set(leavers)
    if not leaver_ids <= set(old_divisions):
        raise ValueError("only members can leave")
    drafts = exchange_members(
        [
            [entrant_id for entrant_id in members if entrant_id not in leaver_ids]
            for members in last_divisions
        ],
        spec.promotion_count,
    )
    known_ratings = ratings or {}
    bottom_ids, rated_ids = [], set()
    for newcomer in sorted_newcomers:
        division_index = (
            find_division_by_rating(newcomer, last_divisions, known_ratings)
            if spec.newcomer_policy == "rating"
            else None
        )
        if division_index is None:
            bottom_ids.append(newcomer.id)
        else:
            drafts[division_index].add_newcomer(newcomer.id)
            rated_ids.add(newcomer.id)
    ladder = [entrant_id for draft in drafts for entrant_id in draft.list_members()] + bottom_ids
    divisions = cut_into_divisions(ladder, spec.division_size)
    new_divisions = {
        entrant_id: division for division, members in enumerate(divisions, 1) for entrant_id in members
    }

    def newcomer_origin(entrant_id: EntrantId) -> NewcomerOrigin:
        """Return how a newcomer came into a division; in the first season everybody starts."""
        if not old_divisions:
            return NewcomerOrigin.START
        return NewcomerOrigin.RATING if entrant_id in rated_ids else NewcomerOrigin.BOTTOM

    notes = {
        entrant_id: make_placement_note(
            old_divisions.get(entrant_id), new_divisions[entrant_id], newcomer_origin(entrant_id)
        )
        for entrant_id in ladder
    }
    return PlannedSeason(divisions, notes)


@dataclass
class DivisionDraft:
    """The members of a division before sizes are evened out: from above, staying, new, from below."""

    from_above: list[EntrantId]
    staying: list[EntrantId]
    newcomers: list[EntrantId]
    from_below: list[EntrantId]

    def add_newcomer(self, entrant_id: EntrantId) -> None:
        """Add a newcomer: behind those who stay, before those from below."""
        self.newcomers.append(entrant_id)

    def list_members(self) -> list[EntrantId]:
        """List all members from the top."""
        return [*self.from_above, *self.staying, *self.newcomers, *self.from_below]


def count_exchanges(sizes: Sequence[int], promotion_count: int) -> list[int]:
    """Count the exchanges between each division and the one below it, if nobody leaves."""
    last = len(sizes) - 1
    return [
        min(promotion_count, upper // 2, lower // 2 if below != last else lower)
        for below, (upper, lower) in enumerate(pairwise(sizes), 1)
    ]


def exchange_members(divisions: Sequence[Sequence[EntrantId]], promotion_count: int) -> list[DivisionDraft]:
    """Exchange the best and the last of neighbouring divisions, the same number each way."""
    swaps = count_exchanges([len(members) for members in divisions], promotion_count)
    drafts = []
    for index, members in enumerate(divisions):
        up, down = (swaps[index - 1] if index else 0), (swaps[index] if index < len(swaps) else 0)
        above = list(divisions[index - 1][len(divisions[index - 1]) - up :]) if index else []
        below = list(divisions[index + 1][:down]) if index < len(swaps) else []
        drafts.append(DivisionDraft(above, list(members[up : len(members) - down]), [], below))
    return drafts


def sort_newcomers(newcomers: Iterable[Newcomer], key: bytes) -> list[Newcomer]:
    """Sort newcomers by rating, the strongest first, those without one last, ties by lot."""
    newcomer_list = list(newcomers)
    lots = draw_lots(key, "newcomers", [newcomer.id for newcomer in newcomer_list])
    return sorted(
        newcomer_list,
        key=lambda newcomer: (newcomer.rating is None, -(newcomer.rating or 0), lots[newcomer.id]),
    )


def find_division_by_rating(
    newcomer: Newcomer, divisions: Sequence[Sequence[EntrantId]], ratings: dict[EntrantId, float]
) -> int | None:
    """Return the highest division at least half of which is not stronger, None for the bottom."""
    for index, members in enumerate(divisions):
        member_ratings = [ratings[entrant_id] for entrant_id in members if entrant_id in ratings]
        if newcomer.rating is not None and member_ratings and newcomer.rating >= median(member_ratings):
            return index
    return None


def cut_into_divisions(ladder: Sequence[EntrantId], division_size: int) -> tuple[tuple[EntrantId, ...], ...]:
    """Cut the ladder into divisions; a rest of less than half a division joins the one above it."""
    full, rest = divmod(len(ladder), division_size)
    count = full + (2 * rest >= division_size or full == 0) if rest else full
    ends = [*(division_size * index for index in range(1, count)), len(ladder)] if ladder else []
    return tuple(tuple(ladder[start:end]) for start, end in zip([0, *ends], ends, strict=False))


def make_placement_note(old_division: int | None, new_division: int, origin: NewcomerOrigin) -> PairingNote:
    """Make the note that says why somebody is in a division."""
    if old_division is None:
        return make_note(PlacementReason.NEWCOMER, division=new_division, by=origin)
    if old_division == new_division:
        code = PlacementReason.STAYS
    else:
        code = PlacementReason.PROMOTED if new_division < old_division else PlacementReason.RELEGATED
    return make_note(code, division=new_division, was=old_division)


# ------------------------------------------------------------------------------------------ within a division


def split_into_groups(members: Sequence[EntrantId], spec: LeagueSpec) -> tuple[tuple[EntrantId, ...], ...]:
    """Split a division into groups of equal strength."""
    if len(members) < 2 * spec.groups_per_division:
        return (tuple(members),)
    return tuple(
        tuple(group)
        for group in deal_snake_order(members, split_evenly(len(members), spec.groups_per_division))
    )


def build_group_specs(
    members: Sequence[EntrantId], spec: LeagueSpec, *, key: bytes, table_size: int = 2, cycles: int = 1
) -> list[TournamentSpec]:
    """Build a round robin for each group of a division, seeded in the order of the members."""
    return [
        TournamentSpec(
            "round-robin",
            tuple(EntrantSpec(entrant_id, seed) for seed, entrant_id in enumerate(group, 1)),
            key,
            table_size=table_size,
            cycles=cycles,
        )
        for group in split_into_groups(members, spec)
    ]


def rank_division(group_standings: Sequence[Sequence[Standing]], *, key: bytes) -> list[EntrantId]:
    """Rank a division: group winners first, then seconds …; within these by points per game, then by lot."""
    lots = draw_lots(key, "division", [line.entrant for standings in group_standings for line in standings])

    def build_sort_key(line: Standing) -> tuple[float, ...]:
        """Return the sort key of a line: rank, averages per game, lot."""
        games = max(line.played, 1)
        averages = [(line[key] or 0) / games for key in ("points", "game-points", "eights")]
        return line.rank, *(-value for value in averages), lots[line.entrant]

    return [
        line.entrant
        for line in sorted((line for standings in group_standings for line in standings), key=build_sort_key)
    ]
