"""Leagues: divisions of a fixed size, and who goes up, down, in and out between two seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from tournaments.pairing.model import Entrant, Event, Id, Note, Standing, note
from tournaments.pairing.randomness import lots
from tournaments.pairing.tables import shares, snaked


@dataclass(frozen=True)
class Newcomer:
    """Somebody who asks to play in the coming season."""

    id: Id
    rating: float | None = None


@dataclass(frozen=True)
class Rules:
    """How a league is built."""

    size: int  # of a division
    moves: int = 2  # how many go up from each division, and down
    newcomers: Literal["bottom", "rating"] = "bottom"
    groups: int = 1  # in a division, played apart

    def __post_init__(self) -> None:
        """Raise ValueError on a league that cannot be played."""
        if self.size < 2 or not 0 <= 2 * self.moves <= self.size:
            raise ValueError(
                "a division has two places or more, and at most half of it go up, half of it down"
            )
        if not 1 <= self.groups <= self.size // 2:
            raise ValueError("a group has two places or more")


@dataclass(frozen=True)
class Season:
    """The divisions from the top, each with its members from the top, and why everybody is where they are."""

    divisions: tuple[tuple[Id, ...], ...]
    notes: dict[Id, Note] = field(default_factory=dict)


def next_season(
    rules: Rules,
    last: Sequence[Sequence[Id]],
    *,
    newcomers: Iterable[Newcomer] = (),
    leavers: Iterable[Id] = (),
    ratings: dict[Id, float] | None = None,
    key: bytes,
) -> Season:
    """The coming season, from the final order of each division of the last one.

    The best of each division change places with the last of the one above. A place that somebody leaves is
    filled from below: first whoever would have gone down is spared, then more go up. All divisions are full
    but the lowest; what would be less than half a division joins the one above it. Raises ValueError if
    somebody is named twice, or leaves who is no member.
    """
    before = {id: division for division, members in enumerate(last, 1) for id in members}
    fresh = in_order(newcomers, key)
    if len(before) != sum(map(len, last)) or any(one.id in before for one in fresh):
        raise ValueError("somebody is named twice")
    gone = set(leavers)
    if not gone <= set(before):
        raise ValueError("only members can leave")
    blocks = exchanged([[id for id in members if id not in gone] for members in last], rules.moves)
    known = ratings or {}
    at_bottom, by_rating = [], set()
    for one in fresh:
        block = fitting(one, last, known) if rules.newcomers == "rating" else None
        if block is None:
            at_bottom.append(one.id)
        else:
            blocks[block].join(one.id)
            by_rating.add(one.id)
    ladder = [id for block in blocks for id in block.members()] + at_bottom
    divisions = cut(ladder, rules.size)
    after = {id: division for division, members in enumerate(divisions, 1) for id in members}

    def how(id: Id) -> str:
        """How a newcomer came into a division: in the first season there is no bottom to come from."""
        return "start" if not before else "rating" if id in by_rating else "bottom"

    notes = {id: moved(before.get(id), after[id], how(id)) for id in ladder}
    return Season(divisions, notes)


@dataclass
class Block:
    """Who belongs to a division before places are counted: from above, those who stay, from below."""

    down: list[Id]
    stay: list[Id]
    new: list[Id]
    up: list[Id]

    def join(self, id: Id) -> None:
        """Take in a newcomer: behind those who stay, before those who come up."""
        self.new.append(id)

    def members(self) -> list[Id]:
        """Everybody, from the top."""
        return [*self.down, *self.stay, *self.new, *self.up]


def exchanges(sizes: Sequence[int], moves: int) -> list[int]:
    """How many change places between each division and the one below it, if nobody leaves."""
    last = len(sizes) - 1
    return [
        min(moves, upper // 2, lower // 2 if below != last else lower)
        for below, (upper, lower) in enumerate(pairwise(sizes), 1)
    ]


def exchanged(divisions: Sequence[Sequence[Id]], moves: int) -> list[Block]:
    """The divisions with the best and the last of neighbours exchanged, as many of each."""
    swaps = exchanges([len(members) for members in divisions], moves)
    blocks = []
    for d, members in enumerate(divisions):
        up, down = (swaps[d - 1] if d else 0), (swaps[d] if d < len(swaps) else 0)
        above = list(divisions[d - 1][len(divisions[d - 1]) - up :]) if d else []
        below = list(divisions[d + 1][:down]) if d < len(swaps) else []
        blocks.append(Block(above, list(members[up : len(members) - down]), [], below))
    return blocks


def in_order(newcomers: Iterable[Newcomer], key: bytes) -> list[Newcomer]:
    """The strongest first; whoever has no rating is last; the rest is by lot."""
    people = list(newcomers)
    lot = lots(key, "newcomers", [one.id for one in people])
    return sorted(people, key=lambda one: (one.rating is None, -(one.rating or 0), lot[one.id]))


def fitting(one: Newcomer, divisions: Sequence[Sequence[Id]], ratings: dict[Id, float]) -> int | None:
    """The highest division of which at least half is not stronger; None: the bottom."""
    for d, members in enumerate(divisions):
        rated = [ratings[id] for id in members if id in ratings]
        if one.rating is not None and rated and one.rating >= median(rated):
            return d
    return None


def cut(ladder: Sequence[Id], size: int) -> tuple[tuple[Id, ...], ...]:
    """The ladder in divisions; a rest of less than half a division joins the one above it."""
    full, rest = divmod(len(ladder), size)
    count = full + (2 * rest >= size or full == 0) if rest else full
    ends = [*(size * d for d in range(1, count)), len(ladder)] if ladder else []
    return tuple(tuple(ladder[start:end]) for start, end in zip([0, *ends], ends, strict=False))


def moved(before: int | None, after: int, how: str) -> Note:
    """Why somebody is in a division."""
    if before is None:
        return note("newcomer", division=after, by=how)
    code = "stays" if before == after else "promoted" if after < before else "relegated"
    return note(code, division=after, was=before)


# ------------------------------------------------------------------------------------------ within a division


def groups(members: Sequence[Id], rules: Rules) -> tuple[tuple[Id, ...], ...]:
    """The groups of a division, one of each strength in every group."""
    if len(members) < 2 * rules.groups:
        return (tuple(members),)
    return tuple(tuple(group) for group in snaked(members, shares(len(members), rules.groups)))


def events(members: Sequence[Id], rules: Rules, *, key: bytes, table: int = 2, laps: int = 1) -> list[Event]:
    """What a division plays in a season: a round robin in each of its groups, seeded as they stand."""
    return [
        Event(
            "round-robin",
            tuple(Entrant(id, seed) for seed, id in enumerate(group, 1)),
            key,
            table=table,
            laps=laps,
        )
        for group in groups(members, rules)
    ]


def final_order(tables: Sequence[Sequence[Standing]], *, key: bytes) -> list[Id]:
    """A division in order: all winners of groups, then all seconds …; these by points a game, then by lot."""
    lot = lots(key, "division", [line.entrant for table in tables for line in table])

    def merit(line: Standing) -> tuple[float, ...]:
        games = max(line.played, 1)
        made = [(line[key] or 0) / games for key in ("points", "game-points", "eights")]
        return line.rank, *(-value for value in made), lot[line.entrant]

    return [line.entrant for line in sorted((line for table in tables for line in table), key=merit)]
