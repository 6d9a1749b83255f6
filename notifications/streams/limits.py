"""Limits on open streams of one player and one network in this process."""

from __future__ import annotations

import threading
from collections import Counter

from django.conf import settings
from django.utils.translation import gettext as _

from common.service_errors import LimitReached

RETRY_AFTER_SECONDS = 30


class TooManyStreams(LimitReached):
    """A player or a network has as many streams open as it may."""

    code = "too-many-streams"


class OpenStreamCounts:
    """The open streams by player and by network; threads of the web server share it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.total = 0
        self.lock = threading.Lock()

    def reserve(self, limits: dict[str, int]) -> Reservation:
        """Take a place under each key, if all of them have one. Raises TooManyStreams."""
        with self.lock:
            for key, limit in limits.items():
                if self.counts[key] >= limit:
                    raise TooManyStreams(
                        _(
                            "You or your network have %(limit)d streams open, which is the limit. Close one "
                            "first."
                        )
                        % {"limit": limit},
                        retry_after=RETRY_AFTER_SECONDS,
                    )
            self.counts.update(limits.keys())
            self.total += 1
        return Reservation(self, tuple(limits))

    def release(self, keys: tuple[str, ...]) -> None:
        """Give the places back."""
        with self.lock:
            self.total -= 1
            for key in keys:
                self.counts[key] -= 1
                if self.counts[key] <= 0:
                    del self.counts[key]


class Reservation:
    """A place among the open streams, until it is released."""

    __slots__ = ("counts", "keys")

    def __init__(self, counts: OpenStreamCounts, keys: tuple[str, ...]) -> None:
        self.counts: OpenStreamCounts | None = counts
        self.keys = keys

    def release(self) -> None:
        """Give the place back; further calls do nothing."""
        counts, self.counts = self.counts, None
        if counts:
            counts.release(self.keys)


open_stream_counts = OpenStreamCounts()


def reserve_stream(player_id: int | None, network: str) -> Reservation:
    """Take a place for a stream. Raises TooManyStreams."""
    limits = {f"a{network}": settings.STREAMS_PER_ADDRESS}
    if player_id is not None:
        limits[f"p{player_id}"] = settings.STREAMS_PER_PLAYER
    return open_stream_counts.reserve(limits)
