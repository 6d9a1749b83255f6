"""Lines of a calendar."""

from __future__ import annotations


def unfold_lines(text: str) -> list[tuple[str, str]]:
    """Names and values of a calendar, unfolded as RFC 5545 says."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    unfolded = text.replace("\r\n ", "")
    return [tuple(line.split(":", 1)) for line in unfolded.split("\r\n")[:-1]]  # type: ignore[misc]
