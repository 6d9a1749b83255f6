"""Topics: what a feed entry, a delivery or an inbound mail is about, as one string: `game:7h2kq9m4xwzb`."""

from __future__ import annotations

MAX_TOPIC_LENGTH = 60


def make_topic(family: str, code: str) -> str:
    """Make the topic of a thing: its family and the public code that names it there."""
    return f"{family}:{code}"


def find_topic_code(topic: str, family: str) -> str | None:
    """Return the code in a topic of this family, or None for another topic or none."""
    topic_family, separator, code = topic.partition(":")
    return code if separator and topic_family == family else None
