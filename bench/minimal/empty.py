"""A view that says nothing, with settings that ask for nothing: the peer of bench/pages.py."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

DEBUG = True  # as with `make run`
SECRET_KEY = "nothing is signed here"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "bench.minimal.empty"


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("", empty)]
