"""Fields that the OpenAPI document names."""

from __future__ import annotations

import re

from common.api.path_names import rename_path


def format_documented_route(route: str) -> str:
    """Return a route in the notation of the document."""
    return rename_path("/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route))
