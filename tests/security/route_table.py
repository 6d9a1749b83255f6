"""Every route of the site, as listed in routes.txt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .route_walker import list_routes
from .world import VIEWERS

TABLE = Path(__file__).with_name("routes.txt")


@dataclass(frozen=True)
class Line:
    """What an address says to each viewer."""

    statuses: dict[str, str]

    def expected_for(self, name: str) -> tuple[str, bool]:
        """The status for a viewer, and whether something may change."""
        return self.statuses[name].removesuffix("*"), self.statuses[name].endswith("*")


@cache
def read_table() -> dict[tuple[str, str], Line]:
    """By route and method."""
    lines = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, *expected_statuses, route = [*line.split(), ""][: len(VIEWERS) + 2]
            lines[route, method] = Line(dict(zip(VIEWERS, expected_statuses, strict=True)))
    return lines


def find_line(route: str, method: str) -> Line | None:
    return read_table().get((route, method))


ROUTES = [route_row for route_row in list_routes() if not route_row[0].startswith("admin/")]


def read_text(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode("utf-8", "replace")
