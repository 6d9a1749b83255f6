"""How much the tests try: `make test` a little, the same each time; `make soak` much more, and at random."""

from __future__ import annotations

import os

from hypothesis import settings

SOAK = bool(os.environ.get("SOAK"))

# Named here, before any test is imported: what a test says of its own examples is added to one of these.
settings.register_profile("test", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, print_blob=True)
settings.load_profile("soak" if SOAK else "test")


def pick_example_count(short: int, long: int | None = None) -> int:
    """So many in `make test`; in `make soak` so many, or ten times as many."""
    return (long or 10 * short) if SOAK else short


def make_settings(short: int, long: int | None = None) -> settings:
    """Settings of Hypothesis for so many examples; how long one takes is not what is tested."""
    return settings(max_examples=pick_example_count(short, long))
