"""A progress bar for long-running commands on a terminal; silent elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
BAR_WIDTH = 30


def show_progress(items: Iterable[T], total: int, label: str, stream: TextIO) -> Iterator[T]:
    """Yield the items and draw a progress bar, if the stream is a terminal."""
    if not stream.isatty():
        yield from items
        return
    try:
        for done, item in enumerate(items):
            filled = BAR_WIDTH * done // max(total, 1)
            stream.write(f"\r{label} [{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done}/{total}")
            stream.flush()
            yield item
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
