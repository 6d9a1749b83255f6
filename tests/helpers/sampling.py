"""Samples of large tables of cases: a few cases drawn by `CHANCE`, all of them in `make soak`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any, TypeVar

from tests.example_counts import SOAK
from tests.seeded_secrets import CHANCE

Item = TypeVar("Item")


def sample_combinations(name: str, *axes: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return combinations with each element of each axis at least once; in `make soak` the whole product.

    They depend on the name and on `CHANCE`, and are identical on all workers of a run.
    """
    if SOAK:
        return list(product(*axes))
    rng = random.Random(f"{CHANCE}|{name}")
    shuffled_axes = [rng.sample(axis, len(axis)) for axis in axes]
    return [
        tuple(axis[number % len(axis)] for axis in shuffled_axes) for number in range(max(map(len, axes)))
    ]


def sample_items(name: str, items: Sequence[Item], count: int) -> list[Item]:
    """Return so many of the items, in their order; in `make soak` all."""
    if SOAK:
        return list(items)
    chosen = set(random.Random(f"{CHANCE}|{name}").sample(range(len(items)), min(count, len(items))))
    return [item for place, item in enumerate(items) if place in chosen]
