"""Every request counts: pages and feeds here, the API at its own doors; static files come before."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled

from games.api import rates
from games.mail.anymail import brings_secret
from games.models import Player

from .errors import problem

API, PROVIDERS = "/api/v1/", "/anymail/"
# What a page of ours asks for itself: a small board for every game of a list, and whether somebody has moved.
PARTS_OF_PAGES = ("/board.svg", "/pulse/")
MAX_REQUESTS_FOR_TIME = (
    20  # as which one request counts: a process that has just started is slow for everybody
)
# Other people's views that hash a password or the secret of an app.
HASHING = {
    "account_login",
    "account_signup",
    "account_reauthenticate",
    "account_change_password",
    "account_set_password",
    "account_reset_password_from_key",
    "mfa_reauthenticate",
    "oauth2_provider:token",
    "oauth2_provider:revoke-token",
    "admin:login",
}


class PageLimits:
    """A middleware, after whoever finds out who is asking and in which language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            began = time.thread_time()
            answer = self.get_response(request)
            if count := getattr(request, "rate", None):
                self.charge_time(count, time.thread_time() - began, settings.API_MILLISECONDS)
            return self.count_unknown_address(request, answer)
        if request.path_info.startswith(PROVIDERS) and brings_secret(request):
            limits = settings.INBOUND_RATE, settings.INBOUND_RATE
            count = rates.count_request(request, door="provider", player_id=None, limits=limits)
        else:
            limits = settings.PAGE_RATE, settings.PAGE_RATE_ANONYMOUS
            count = rates.count_request(
                request,
                door="page",
                player_id=player_id_of(request),
                limits=limits,
                at_once=not request.path_info.endswith(PARTS_OF_PAGES),
            )
        if count.is_exceeded:
            return refuse_page(count.retry_after)
        began = time.thread_time()
        answer = self.get_response(request)
        self.charge_time(count, time.thread_time() - began, settings.PAGE_MILLISECONDS)
        return answer

    def charge_time(self, count: rates.RequestCount, seconds: float, milliseconds: int) -> None:
        """Count a request that took much processor time as several; of the first of a process, a part."""
        if milliseconds:
            more = min(int(seconds * 1000 / milliseconds), MAX_REQUESTS_FOR_TIME)
            if more:
                count.add(more)

    def count_unknown_address(self, request: HttpRequest, answer: HttpResponse) -> HttpResponse:
        """What leads to no door of the API is counted all the same."""
        if hasattr(request, "rate"):
            return answer
        limits = settings.API_RATE, settings.API_RATE_ANONYMOUS
        count = rates.count_request(request, door="api", player_id=None, limits=limits)
        if not count.is_exceeded:
            return answer
        headers = {"Retry-After": str(count.retry_after)}
        detail = _("Too many requests; wait for as many seconds as Retry-After says.")
        return problem(429, "throttled", detail, headers=headers, retry_after=count.retry_after)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        match = request.resolver_match
        if request.method != "POST" or match is None or match.view_name not in HASHING:
            return None
        try:
            rates.charge_request(request, cost=rates.HASHING_COST)
        except Throttled as error:
            return refuse_page(int(error.wait))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A page was charged more than was left."""
        return refuse_page(int(exception.wait)) if isinstance(exception, Throttled) else None


def player_id_of(request: HttpRequest) -> int | None:
    """Whose count a page goes to. Guests are made by a click, so they go to that of their address."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, Player):
        return None
    return None if request.user.guest else request.user.pk


def refuse_page(seconds: int) -> HttpResponse:
    """A page that asks neither database nor session: it is for those who come too often."""
    answer = HttpResponse(page_in(translation.get_language() or settings.LANGUAGE_CODE), status=429)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer


@cache
def page_in(language: str) -> str:
    """The page in one of our languages, drawn once for each process."""
    with translation.override(language):
        return render_to_string("too_often.html")
