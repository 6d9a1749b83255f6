"""A cache in the memory of this process, shared by its threads, for bitmaps that are dear to draw."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class SpriteCache(Generic[T]):
    """Keeps what was used last, up to so many bytes; what is needed by two threads at once is drawn once."""

    def __init__(self, name: str, max_bytes: int) -> None:
        self.name, self.max_bytes = name, max_bytes
        self.bytes = self.hits = self.misses = self.evictions = 0
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.drawing = threading.RLock()  # held while pieces are drawn

    def __repr__(self) -> str:
        return f"<SpriteCache {self.name}: {len(self)} entries, {self.bytes} of {self.max_bytes} bytes>"

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: Hashable) -> T | None:
        """The value of a key, which becomes the one used last; None if it is not there."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self.misses += 1
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry[0]

    def store(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value; those unused for longest make room, and one larger than the cache is not kept."""
        with self._lock:
            if key in self._entries:
                self.bytes -= self._entries.pop(key)[1]
            self._entries[key] = (value, size)
            self.bytes += size
            while self.bytes > self.max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self.bytes -= freed
                self.evictions += 1

    def find_or_draw(self, key: Hashable, draw: Callable[[], tuple[T, int]]) -> T:
        """The value of a key; drawn, with its size, if it is not there."""
        value = self.find(key)
        if value is not None:
            return value
        with self.drawing:  # others wait for the drawing under way rather than make the same
            value = self.find(key)
            if value is None:
                value, size = draw()
                self.store(key, value, size)
            return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0
