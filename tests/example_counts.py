"""Numbers of examples: `make test` tries a few fixed ones; `make soak` many more, at random."""

from __future__ import annotations

import os

from hypothesis import settings

SOAK = bool(os.environ.get("SOAK"))

# Loaded before any test is imported: the settings of a test extend the loaded profile.
settings.register_profile("test", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, print_blob=True)
settings.load_profile("soak" if SOAK else "test")


def pick_example_count(short: int, long: int | None = None) -> int:
    """Return `short` in `make test`; in `make soak` return `long`, by default ten times as many."""
    return (long or 10 * short) if SOAK else short


def make_settings(short: int, long: int | None = None) -> settings:
    """Return Hypothesis settings for so many examples; the profiles set no deadline."""
    return settings(max_examples=pick_example_count(short, long))
