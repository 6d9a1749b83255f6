"""An address that programs call means the same with and without its last slash, whatever the method."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import is_valid_path

ROOTS = ("/api/v1/", "/oauth/", "/anymail/")  # of the addresses that programs call


class ApiSlashMiddleware:
    """Reads an address for programs that lacks its last slash as the one that has it.

    A redirect would not do: most programs follow one with a GET, and a POST became a list that way.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if (
            path.startswith(ROOTS)
            and not path.endswith("/")
            and not is_valid_path(path)
            and is_valid_path(f"{path}/")
        ):
            request.path_info = f"{path}/"
            request.path = f"{request.path}/"
        return self.get_response(request)
