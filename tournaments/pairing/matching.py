"""Pairs out of a list at the least cost, and never a forbidden pair where there is a way around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Pair = tuple[int, int]  # two places in the list, the upper one first

WHOLE = 64  # up to so many entrants everybody is compared with everybody
NEAR = 10  # beyond that with so many below, and with more only if that gives no pairing


def cheapest(size: int, costs: Iterable[tuple[int, int, int]]) -> list[Pair] | None:
    """The perfect matching of places 0 … size-1 that costs least, or None if there is none."""
    import networkx as nx  # an eighth of the time that a process takes to start, and few ever pair anybody

    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from((a, b, -cost) for a, b, cost in costs)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < size:
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def without(
    size: int, forbidden: Callable[[int, int], bool], cost: Callable[[int, int], int]
) -> list[Pair] | None:
    """The cheapest pairs of which none is forbidden, or None only if there is no such pairing at all.

    Large lists are looked through near by first: a complete graph of 512 takes most of a minute, neighbours
    a second or two, and neighbours are what a pairing by score wants.
    """
    width = size if size <= WHOLE else NEAR
    while True:
        found = cheapest(size, near(size, width, forbidden, cost))
        if found is not None or width >= size:
            return found
        width = width * 4 if width * 4 < size // 2 else size


def near(
    size: int, width: int, forbidden: Callable[[int, int], bool], cost: Callable[[int, int], int]
) -> Iterable[tuple[int, int, int]]:
    """Edges from every place to the next allowed ones below it."""
    for a in range(size):
        left = width
        for b in range(a + 1, size):
            if left == 0:
                break
            if not forbidden(a, b):
                yield a, b, cost(a, b)
                left -= 1


def folded(
    places: Sequence[int], pairs: Sequence[Pair], forbidden: Callable[[int, int], bool],
    cost: Callable[[int, int], int],
) -> list[Pair]:  # fmt: skip
    """The same entrants paired anew, the upper half with the lower half in order as nearly as can be.

    `pairs` is a pairing of them that is known to be allowed; `cost` is what weighs more than the order.
    """
    half = len(places) // 2
    ideal = [(places[i], places[i + half]) for i in range(half)]
    if not any(forbidden(a, b) or cost(a, b) for a, b in ideal):
        return ideal
    at = {place: i for i, place in enumerate(places)}
    width = len(places) if len(places) <= WHOLE else NEAR
    known = {(at[a], at[b]) for a, b in pairs}
    unit = len(places) ** 3  # more than all deviations together

    def costs() -> Iterable[tuple[int, int, int]]:
        for i, a in enumerate(places):
            for j in range(i + 1, len(places)):
                off = j - i - half
                if (i, j) in known or (abs(off) <= width and not forbidden(a, places[j])):
                    yield i, j, cost(a, places[j]) * unit + off * off

    found = cheapest(len(places), costs())
    return [(places[i], places[j]) for i, j in found] if found else list(pairs)
