"""Topics of streams: each app declares its own in `stream_topics.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache

from accounts.models import Player
from common.extensions import collect_declarations


class TopicNotVisible(LookupError):
    """There is no such topic, or this viewer may not see it."""


@dataclass(frozen=True)
class StreamTopic:
    """A family of topics, declared as STREAM_TOPICS in `<app>/stream_topics.py`.

    `find_marks` reads a mark of each code in one query; a changed mark wakes the streams about it, so that
    nothing is missed without Redis. `find_version` is what pages compare: an opaque text that changes
    whenever the page would; it raises TopicNotVisible. `find_key` is the key that wakes the topic for a
    viewer. `read_version` is the version without the check, in one query, for a page that checks for itself.
    """

    family: str
    find_marks: Callable[[Collection[str]], Mapping[str, str]]
    find_version: Callable[[Player | None, str], str]
    find_key: Callable[[Player | None, str], str]
    read_version: Callable[[Player | None, str], str] | None = None


@cache
def load_stream_topics() -> dict[str, StreamTopic]:
    """The topics of all apps by family."""
    return {
        topic.family: topic for topic in collect_declarations("stream_topics", "STREAM_TOPICS", StreamTopic)
    }
