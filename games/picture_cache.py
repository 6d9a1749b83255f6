"""Cache of finished PNGs, shared by all processes through Django's cache; bounded in size.

Tags hash to a fixed number of slots and the latest picture takes the slot, which bounds the memory in Redis.
Without Redis each process has its own cache, separate from the one for rate limits.
"""

from __future__ import annotations

from django.core.cache import caches

SLOT_COUNT = 1000  # of about 20 to 60 kB each
KEEP_SECONDS = 60 * 60


def find_picture(tag: str) -> bytes | None:
    """The cached picture with that tag, else None."""
    entry = caches["pictures"].get(_slot_key(tag))
    return entry[1] if entry and entry[0] == tag else None


def store_picture(tag: str, png: bytes) -> None:
    """Cache a picture under its tag."""
    caches["pictures"].set(_slot_key(tag), (tag, png), KEEP_SECONDS)


def _slot_key(tag: str) -> str:
    """The cache key of the slot of a tag."""
    return f"board:{int(tag[:8], 16) % SLOT_COUNT}"
