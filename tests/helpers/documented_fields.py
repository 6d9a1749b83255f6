"""Fields that the OpenAPI document names."""

from __future__ import annotations

import re


def format_documented_route(route: str) -> str:
    """A route as the document writes it."""
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)
