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
    """The expected responses of a route for each viewer."""

    statuses: dict[str, str]

    def expected_for(self, name: str) -> tuple[str, bool]:
        """Return the expected status for a viewer, and whether the request may change rows."""
        return self.statuses[name].removesuffix("*"), self.statuses[name].endswith("*")


@cache
def read_table() -> dict[tuple[str, str], Line]:
    """Read the lines by route and method."""
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
