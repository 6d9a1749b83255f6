"""Cheapest pairs out of a list, without forbidden pairs where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Pair = tuple[int, int]  # two indexes of the list, the lower first

COMPLETE_GRAPH_LIMIT = 64  # entrants up to which all pairs are compared
NEIGHBOUR_COUNT = 10  # beyond it: neighbours below each; widened if no pairing exists


def find_cheapest_matching(size: int, costs: Iterable[tuple[int, int, int]]) -> list[Pair] | None:
    """Return the cheapest perfect matching of places 0 to size-1, None if there is none."""
    import networkx as nx  # slow to import, and few processes ever pair

    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from((a, b, -cost) for a, b, cost in costs)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < size:
        return None
    return sorted((min(pair), max(pair)) for pair in matching)


def find_allowed_matching(
    size: int, is_forbidden: Callable[[int, int], bool], cost: Callable[[int, int], int]
) -> list[Pair] | None:
    """Return the cheapest pairs none of which is forbidden, None only if no such pairs exist.

    Long lists are searched among neighbours first: a complete graph of 512 nodes takes most of a minute,
    neighbours a second or two, and a pairing by score is among neighbours anyway.
    """
    width = size if size <= COMPLETE_GRAPH_LIMIT else NEIGHBOUR_COUNT
    while True:
        pairs = find_cheapest_matching(size, list_neighbour_edges(size, width, is_forbidden, cost))
        if pairs is not None or width >= size:
            return pairs
        width = width * 4 if width * 4 < size // 2 else size


def list_neighbour_edges(
    size: int, width: int, is_forbidden: Callable[[int, int], bool], cost: Callable[[int, int], int]
) -> Iterable[tuple[int, int, int]]:
    """Generate the edges from each place to the next `width` allowed places below it."""
    for a in range(size):
        remaining = width
        for b in range(a + 1, size):
            if remaining == 0:
                break
            if not is_forbidden(a, b):
                yield a, b, cost(a, b)
                remaining -= 1


def fold_pairs(
    places: Sequence[int], pairs: Sequence[Pair], is_forbidden: Callable[[int, int], bool],
    cost: Callable[[int, int], int],
) -> list[Pair]:  # fmt: skip
    """Pair the same entrants again: upper half against lower half in order, as far as possible.

    `pairs` is an allowed pairing of them; `cost` weighs more than the order.
    """
    half = len(places) // 2
    ideal = [(places[i], places[i + half]) for i in range(half)]
    if not any(is_forbidden(a, b) or cost(a, b) for a, b in ideal):
        return ideal
    index_by_place = {place: i for i, place in enumerate(places)}
    width = len(places) if len(places) <= COMPLETE_GRAPH_LIMIT else NEIGHBOUR_COUNT
    allowed_pairs = {(index_by_place[a], index_by_place[b]) for a, b in pairs}
    unit = len(places) ** 3  # above the sum of all deviations

    def list_edges() -> Iterable[tuple[int, int, int]]:
        """Generate the allowed edges; deviation from the fold costs least."""
        for i, a in enumerate(places):
            for j in range(i + 1, len(places)):
                deviation = j - i - half
                if (i, j) in allowed_pairs or (abs(deviation) <= width and not is_forbidden(a, places[j])):
                    yield i, j, cost(a, places[j]) * unit + deviation * deviation

    matching = find_cheapest_matching(len(places), list_edges())
    return [(places[i], places[j]) for i, j in matching] if matching else list(pairs)
