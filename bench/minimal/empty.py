"""An empty view with minimal settings: the peer of bench/pages.py."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

DEBUG = True  # as with `make run`
SECRET_KEY = "nothing is signed here"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "bench.minimal.empty"


def empty_view(request: HttpRequest) -> HttpResponse:
    """Return an empty response."""
    return HttpResponse()


urlpatterns = [path("", empty_view)]
