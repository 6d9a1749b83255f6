"""Chance that comes again: what `secrets` gives in a test follows from the test's name and from $CHANCE.

The seeds of games come from there, so a test sees the same tiles and cards at each run, on every machine.
`CHANCE=2 make test` plays all of it with others, in another order; `make soak` takes new ones each time.
"""

from __future__ import annotations

import os
import random
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

# Those who run the tests side by side find it in their environment.
CHANCE = os.environ.setdefault("CHANCE", str(random.getrandbits(32)) if os.environ.get("SOAK") else "1")


class Dice:
    """One row of numbers for each kind of question: a request's id takes nothing away from a game's seed."""

    def __init__(self) -> None:
        self.name = ""
        self.rows: dict[tuple[str, int], random.Random] = {}

    def row(self, kind: str, size: int) -> random.Random:
        return self.rows.setdefault((kind, size), random.Random(f"{CHANCE}|{self.name}|{kind}|{size}"))

    def token_bytes(self, nbytes: int | None = None) -> bytes:
        size = 32 if nbytes is None else nbytes
        return self.row("bytes", size).randbytes(size)

    def choice(self, items: Any) -> Any:
        return self.row("choice", len(items)).choice(items)

    def randbelow(self, limit: int) -> int:
        return self.row("below", limit).randrange(limit)

    @contextmanager
    def use_rows_of(self, name: str) -> Iterator[None]:
        """Begin the rows of this name, and go on with those of before when it is over."""
        before = self.name, self.rows
        self.name, self.rows = name, {}
        try:
            yield
        finally:
            self.name, self.rows = before


DICE = Dice()


# What is made for many tests is the same whichever of them comes first, as is each test.


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    if fixturedef.scope == "function":
        return (yield)
    with DICE.use_rows_of(f"{fixturedef.baseid}|{fixturedef.argname}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    with DICE.use_rows_of(item.nodeid):
        return (yield)


def pytest_report_header() -> str:
    return f"CHANCE={CHANCE}"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """From here on `secrets` throws these dice, and the order of the tests is drawn by them."""
    if config.getoption("randomly_seed") == "default":
        config.option.randomly_seed = zlib.crc32(CHANCE.encode())
    for name in ("token_bytes", "choice", "randbelow"):
        setattr(secrets, name, getattr(DICE, name))
