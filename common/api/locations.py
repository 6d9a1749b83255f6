"""Where to find what a request has made: the Location header of a 201."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from string import Formatter
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

API_ROOT = "/api/v1/"


def add_location(method: Callable[..., HttpResponse], template: str) -> Callable[..., HttpResponse]:
    """Return a view method whose 201 says where to find what was made.

    The template is an address below the root of the API, such as `games/{id}/`; its names are values of the
    URL, or else members of the response.
    """
    names = [name for _, name, _, _ in Formatter().parse(template) if name]

    @wraps(method)
    def wrapper(view: Any, request: Request, *args: Any, **url_values: Any) -> HttpResponse:
        """Call the method and add the header."""
        response = method(view, request, *args, **url_values)
        if response.status_code == 201:
            values = url_values
            if any(name not in url_values for name in names):
                values = json.loads(response.content) | url_values
            response["Location"] = API_ROOT + template.format_map(values)
        return response

    return wrapper
