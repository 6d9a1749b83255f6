"""Reproducible randomness: the results of `secrets` in a test follow from the test's name and from $CHANCE.

Game seeds come from `secrets`, so that a test has identical tiles and cards in each run, on every machine.
`CHANCE=2 make test` uses other seeds and another order of tests; `make soak` uses new ones each time.
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

# Workers inherit it through their environment.
CHANCE = os.environ.setdefault("CHANCE", str(random.getrandbits(32)) if os.environ.get("SOAK") else "1")


class Dice:
    """A random sequence for each kind of call, so that a request's id does not change a game's seed."""

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
        """Use new sequences with this name; return to the previous ones afterwards."""
        before = self.name, self.rows
        self.name, self.rows = name, {}
        try:
            yield
        finally:
            self.name, self.rows = before


DICE = Dice()


# Each test, and each fixture of wider scope, has its own sequences, independent of the order of tests.


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
    """Replace the functions of `secrets` by these sequences, and seed the order of the tests."""
    if config.getoption("randomly_seed") == "default":
        config.option.randomly_seed = zlib.crc32(CHANCE.encode())
    for name in ("token_bytes", "choice", "randbelow"):
        setattr(secrets, name, getattr(DICE, name))
