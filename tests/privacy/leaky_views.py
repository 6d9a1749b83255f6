"""The site with views that leak an opponent's hand, each through another channel."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.models import Game
from games.selectors import load_game
from otto_site.urls import urlpatterns as site

log = logging.getLogger(__name__)


def get_opponent_hand(request: HttpRequest, code: str) -> tuple[str, ...]:
    """Return the hand of the viewer's opponent."""
    loaded_game = load_game(code)
    assert loaded_game.state
    (other,) = [place for place in loaded_game.seats if place.player != request.user]
    return loaded_game.state.hands[other.seat_no or 0]


def leak_in_body(request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse(" ".join(get_opponent_hand(request, code)))


def leak_in_header(request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse("nothing", headers={"X-Hand": " ".join(get_opponent_hand(request, code))})


def leak_in_queries(request: HttpRequest, code: str) -> HttpResponse:
    for _card in set(get_opponent_hand(request, code)) & {"TT", "AK", "OO", "ME"}:
        Game.objects.exists()
    return HttpResponse("nothing")


def leak_in_log(request: HttpRequest, code: str) -> HttpResponse:
    log.info("the other holds %s", get_opponent_hand(request, code))
    return HttpResponse("nothing")


urlpatterns = [
    *site,
    path("leaks/body/games/<slug:code>/", leak_in_body),
    path("leaks/header/games/<slug:code>/", leak_in_header),
    path("leaks/query/games/<slug:code>/", leak_in_queries),
    path("leaks/log/games/<slug:code>/", leak_in_log),
]
