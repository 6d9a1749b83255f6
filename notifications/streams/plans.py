"""Stream plans: the parts of a request that a stream keeps, and the source of its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from accounts.selectors.credentials import Credential

from .formats import StreamEvent, StreamFormat
from .limits import Reservation


@dataclass(frozen=True, slots=True)
class StreamChunk:
    """The result of a read of a source; the last one ends the stream, others may want another read soon."""

    events: Sequence[StreamEvent] = ()
    is_last: bool = False
    has_more: bool = False
    is_held_back: bool = False


class StreamSource(Protocol):
    """The source of the events of one stream. It remembers how far it has read; it runs in threads."""

    def read_next(self) -> StreamChunk:
        """Read the events since the last call; the first call reads the opening."""
        raise NotImplementedError


@dataclass(slots=True)
class StreamPlan:
    """The plan of a stream after its opening."""

    source: StreamSource
    keys: frozenset[str]
    format: StreamFormat
    credential: Credential | None
    language: str | None
    reservation: Reservation | None
    is_last: bool = False
