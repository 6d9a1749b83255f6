"""A cache in process memory, shared by threads, for bitmaps that are expensive to draw."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class SpriteCache(Generic[T]):
    """A least-recently-used cache, limited in bytes.

    `find_or_draw` draws a value once even if two threads need it at the same time.
    """

    def __init__(self, name: str, max_bytes: int) -> None:
        self.name, self.max_bytes = name, max_bytes
        self.used_bytes = self.hits = self.misses = self.evictions = 0
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.draw_lock = threading.RLock()  # held while sprites are drawn

    def __repr__(self) -> str:
        return f"<SpriteCache {self.name}: {len(self)} entries, {self.used_bytes} of {self.max_bytes} bytes>"

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: Hashable) -> T | None:
        """The value of a key, which becomes the most recently used; None if it is missing."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self.misses += 1
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry[0]

    def store(self, key: Hashable, value: T, size: int) -> None:
        """Store a value and evict the least recently used ones; one larger than the cache is not kept."""
        with self._lock:
            if key in self._entries:
                self.used_bytes -= self._entries.pop(key)[1]
            self._entries[key] = (value, size)
            self.used_bytes += size
            while self.used_bytes > self.max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self.used_bytes -= freed
                self.evictions += 1

    def find_or_draw(self, key: Hashable, draw: Callable[[], tuple[T, int]]) -> T:
        """The value of a key; calls `draw` for value and size if it is missing."""
        value = self.find(key)
        if value is not None:
            return value
        with self.draw_lock:  # other threads wait instead of drawing the same
            value = self.find(key)
            if value is None:
                value, size = draw()
                self.store(key, value, size)
            return value

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()
            self.used_bytes = 0
