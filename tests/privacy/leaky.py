"""The site with doors that tell of a hand that is not the viewer's, each in its own way."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.models import Game
from games.selectors import load_game
from otto_site.urls import urlpatterns as site

log = logging.getLogger(__name__)


def others_hand(request: HttpRequest, code: str) -> tuple[str, ...]:
    """The hand of the seat that plays against whoever asks."""
    found = load_game(code)
    assert found.state
    (other,) = [place for place in found.seats if place.player != request.user]
    return found.state.hands[other.number or 0]


def body(request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse(" ".join(others_hand(request, code)))


def header(request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse("nothing", headers={"X-Hand": " ".join(others_hand(request, code))})


def query(request: HttpRequest, code: str) -> HttpResponse:
    for _card in set(others_hand(request, code)) & {"TT", "AK", "OO", "ME"}:
        Game.objects.exists()
    return HttpResponse("nothing")


def line(request: HttpRequest, code: str) -> HttpResponse:
    log.info("the other holds %s", others_hand(request, code))
    return HttpResponse("nothing")


urlpatterns = [
    *site,
    path("leaks/body/games/<slug:code>/", body),
    path("leaks/header/games/<slug:code>/", header),
    path("leaks/query/games/<slug:code>/", query),
    path("leaks/log/games/<slug:code>/", line),
]
