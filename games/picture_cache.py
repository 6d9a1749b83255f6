"""PNGs that are finished, shared by all processes through Django's cache; what is kept is bounded.

A tag has one of so many slots, and the picture that came last has it: that bounds what is kept in Redis too,
where nothing else would. Without Redis each process has a cache of its own, apart from the one in which the
rate limits count.
"""

from __future__ import annotations

from django.core.cache import caches

SLOTS = 1000  # of some 20 to 60 kB
KEEP_SECONDS = 60 * 60


def find(tag: str) -> bytes | None:
    """The picture with that tag, if it is kept."""
    kept = caches["pictures"].get(_slot(tag))
    return kept[1] if kept and kept[0] == tag else None


def store(tag: str, png: bytes) -> None:
    """Keep a picture."""
    caches["pictures"].set(_slot(tag), (tag, png), KEEP_SECONDS)


def _slot(tag: str) -> str:
    return f"board:{int(tag[:8], 16) % SLOTS}"
