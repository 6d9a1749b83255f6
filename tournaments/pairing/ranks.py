"""Who is ahead, and by what: points, then tie-breaks in a fixed order, each with its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tournaments.pairing.model import Bracket, Criterion, Event, Id, Standing
from tournaments.pairing.outcomes import Outcome, worth
from tournaments.pairing.randomness import seeds

Column = Mapping[Id, float | None]

LOWER_IS_BETTER = ("place", "seed")


def by_points(event: Event, ended: Sequence[Outcome]) -> list[Standing]:
    """The standings where everybody plays on: Swiss and round robin."""
    seed, gained = seeds(event), gains(event, ended)
    ids = [entrant.id for entrant in event.entrants if entrant.left != 0 or gained[entrant.id]]
    points = {id: sum(won for _, won in gained[id]) for id in ids}
    columns: dict[str, Column] = {"points": points}
    if event.table == 2:
        columns["buchholz"] = {id: buchholz(id, gained[id], points) for id in ids}
        columns["sonneborn-berger"] = {id: sonneborn_berger(id, gained[id], points) for id in ids}
    else:
        columns["opponents"] = {id: buchholz(id, gained[id], points) for id in ids}
    columns["head-to-head"] = head_to_head(columns, ids, gained)
    columns |= games(ids, gained)
    columns["seed"] = {id: seed[id] for id in ids}
    return lines(event, columns, gained, ranked_by=len(columns))


def by_bracket(event: Event, bracket: Bracket, ended: Sequence[Outcome]) -> list[Standing]:
    """The standings of a knock-out: how far everybody came, and in which place they left."""
    seed, gained = seeds(event), gains(event, ended)
    reached: dict[Id, tuple[int, int]] = {}
    for match in bracket.matches:
        for id in match.seats:
            if id is not None:
                over = match.state not in ("waiting", "ready", "open")
                place = match.order.index(id) + 1 if id in match.order else len(match.seats) if over else 1
                reached[id] = max(reached.get(id, (0, 0)), (match.stage, -place))
    if not bracket.matches and bracket.champion is not None:
        reached[bracket.champion] = (1, -1)
    ids = list(reached)
    columns: dict[str, Column] = {
        "reached": {id: stage for id, (stage, _) in reached.items()},
        "place": {id: -place for id, (_, place) in reached.items()},
        **games(ids, gained),
        "seed": {id: seed[id] for id in ids},
    }
    return lines(event, columns, gained, ranked_by=2)


# ------------------------------------------------------------------------------------------------ the columns


def gains(event: Event, ended: Iterable[Outcome]) -> dict[Id, list[tuple[Outcome, float]]]:
    """Everybody's tables, each with the points that it was worth to them."""
    gained: dict[Id, list[tuple[Outcome, float]]] = {entrant.id: [] for entrant in event.entrants}
    for outcome in ended:
        for id, points in worth(event, outcome).items():
            gained[id].append((outcome, points))
    return gained


def buchholz(id: Id, mine: Iterable[tuple[Outcome, float]], points: Mapping[Id, float]) -> float:
    """The sum of the opponents' points; a bye counts as an opponent like oneself."""
    return sum(
        points[id] if outcome.bye else sum(points[other] for other in outcome.ranks if other != id)
        for outcome, _ in mine
    )


def sonneborn_berger(id: Id, mine: Iterable[tuple[Outcome, float]], points: Mapping[Id, float]) -> float:
    """The points of the opponents beaten, and half of those with whom one was level."""
    return sum(
        won * (points[id] if outcome.bye else sum(points[other] for other in outcome.ranks if other != id))
        for outcome, won in mine
    )


def head_to_head(
    columns: Mapping[str, Column], ids: Sequence[Id], gained: Mapping[Id, list[tuple[Outcome, float]]]
) -> dict[Id, float | None]:
    """What those who are level so far made against each other, where each of them has met each."""
    level: dict[tuple[float | None, ...], list[Id]] = {}
    for id in ids:
        level.setdefault(tuple(column[id] for column in columns.values()), []).append(id)
    values: dict[Id, float | None] = dict.fromkeys(ids)
    for group in level.values():
        inside = set(group)
        met: dict[Id, set[Id]] = {}
        made: dict[Id, float] = {}
        for id in group:
            others = [(outcome, other) for outcome, _ in gained[id] for other in outcome.ranks if other != id]
            met[id] = inside & {other for _, other in others}
            made[id] = sum(outcome.ahead(id, other) for outcome, other in others if other in inside)
        if len(group) > 1 and all(b in met[a] for a, b in combinations(group, 2)):
            values |= made
    return values


def games(ids: Iterable[Id], gained: Mapping[Id, list[tuple[Outcome, float]]]) -> dict[str, Column]:
    """What was made on the boards: points of games, and 8s."""
    return {
        "game-points": {id: sum(outcome.points.get(id, 0) for outcome, _ in gained[id]) for id in ids},
        "eights": {id: sum(outcome.eights.get(id, 0) for outcome, _ in gained[id]) for id in ids},
    }


# -------------------------------------------------------------------------------------------------- the lines


def lines(
    event: Event,
    columns: Mapping[str, Column],
    gained: Mapping[Id, list[tuple[Outcome, float]]],
    *,
    ranked_by: int,
) -> list[Standing]:
    """The standings in order; who is level in the first `ranked_by` columns shares a rank."""

    def merit(id: Id) -> tuple[float, ...]:
        return tuple(
            (column[id] or 0) * (-1 if key not in LOWER_IS_BETTER else 1) for key, column in columns.items()
        )

    known = event.by_id
    found: list[Standing] = []
    before: tuple[float, ...] = ()
    for number, id in enumerate(sorted(columns["seed"], key=merit), 1):
        mine = merit(id)
        parted = [key for key, one, other in zip(columns, before, mine, strict=False) if one != other]
        shared = found and before[:ranked_by] == mine[:ranked_by]
        byes = sum(outcome.bye for outcome, _ in gained[id])
        found.append(
            Standing(
                entrant=id,
                rank=found[-1].rank if shared else number,
                criteria=tuple(Criterion(key, column[id]) for key, column in columns.items()),
                played=len(gained[id]) - byes,
                byes=byes,
                withdrawn=known[id].left is not None,
                parted_by=parted[0] if parted else None,
            )
        )
        before = mine
    return found
