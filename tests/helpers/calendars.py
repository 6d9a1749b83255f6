"""Lines of a calendar."""

from __future__ import annotations


def unfold_lines(text: str) -> list[tuple[str, str]]:
    """Return names and values of a calendar, unfolded by RFC 5545."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    unfolded = text.replace("\r\n ", "")
    return [tuple(line.split(":", 1)) for line in unfolded.split("\r\n")[:-1]]  # type: ignore[misc]
