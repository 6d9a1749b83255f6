"""A progress bar for long work on a terminal; silent elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
WIDTH = 30


def progress(items: Iterable[T], total: int, label: str, stream: TextIO) -> Iterator[T]:
    """Yield the items and keep a bar on the stream, if a person is watching it."""
    if not stream.isatty():
        yield from items
        return
    try:
        for done, item in enumerate(items):
            filled = WIDTH * done // max(total, 1)
            stream.write(f"\r{label} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}")
            stream.flush()
            yield item
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
