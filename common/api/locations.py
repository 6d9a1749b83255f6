"""The Location header of a 201: the address of the new resource."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from string import Formatter
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

API_ROOT = "/api/v1/"


@dataclass(frozen=True)
class Location:
    """An address below the root of the API, such as `games/{id}/`, and in the document what is found there.

    Its names are values of the URL, or else members of the response.
    """

    template: str
    description: str

    def build_header(self) -> dict[str, Any]:
        """Build the header of the document."""
        return {
            "description": f"{self.description} The address is relative to the site.",
            "schema": {"type": "string", "format": "uri-reference"},
            "example": API_ROOT + self.template.format(code="7h2kq9m4xwzb", id="7h2kq9m4xwzb"),
        }


def add_location(method: Callable[..., HttpResponse], location: Location) -> Callable[..., HttpResponse]:
    """Return a view method whose 201 says where to find what was made."""
    names = [name for _, name, _, _ in Formatter().parse(location.template) if name]

    @wraps(method)
    def wrapper(view: Any, request: Request, *args: Any, **url_values: Any) -> HttpResponse:
        """Call the method and add the header."""
        response = method(view, request, *args, **url_values)
        if response.status_code == 201:
            values = url_values
            if any(name not in url_values for name in names):
                values = json.loads(response.content) | url_values
            response["Location"] = API_ROOT + location.template.format_map(values)
        return response

    return wrapper
