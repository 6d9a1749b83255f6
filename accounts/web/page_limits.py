"""Rate limits for pages and feeds, and for API paths without a view; API views count their own requests."""

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

from common import rate_limits
from common.problems import problem_response

API_PREFIX = "/api/v1/"
MAX_EXTRA_REQUESTS = 20  # capped, because the first requests of a process are slow
# Third-party views that hash a password or an app secret.
HASHING_VIEWS = {
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


class PageLimitsMiddleware:
    """Middleware; must come after authentication and language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Count the request and refuse it with 429 above the limit.

        1. API paths: the API view counts; add the processor time, and count paths without a view.
        2. Everything else is a page, unless a middleware before has counted it in a bucket of its own.
        3. The processor time that a page took counts as further pages.
        """
        if request.path_info.startswith(API_PREFIX):
            started_at = time.thread_time()
            response = self.get_response(request)
            if count := getattr(request, "rate", None):
                self.charge_time(count, time.thread_time() - started_at, settings.API_MILLISECONDS)
            return self.count_unrouted_request(request, response)
        count = getattr(request, "rate", None) or self.count_page(request)
        if count.is_exceeded:
            return too_many_requests_response(count.retry_after)
        started_at = time.thread_time()
        response = self.get_response(request)
        self.charge_time(count, time.thread_time() - started_at, settings.PAGE_MILLISECONDS)
        return response

    def count_page(self, request: HttpRequest) -> rate_limits.RequestCount:
        """Count a request for a page; what pages request themselves is no burst."""
        return rate_limits.count_request(
            request,
            bucket="page",
            user_id=player_id_of(request),
            limits=(settings.PAGE_RATE, settings.PAGE_RATE_ANONYMOUS),
            limit_bursts=not request.path_info.endswith(settings.SUBREQUEST_SUFFIXES),
        )

    def charge_time(self, count: rate_limits.RequestCount, seconds: float, milliseconds: int) -> None:
        """Count an expensive request as several, by the processor time that it took."""
        if milliseconds:
            extra_requests = min(int(seconds * 1000 / milliseconds), MAX_EXTRA_REQUESTS)
            if extra_requests:
                count.add_cost(extra_requests)

    def count_unrouted_request(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Count an API request that reached no view; return 429 above the limit."""
        if hasattr(request, "rate"):
            return response
        limits = settings.API_RATE, settings.API_RATE_ANONYMOUS
        count = rate_limits.count_request(request, bucket="api", user_id=None, limits=limits)
        if not count.is_exceeded:
            return response
        detail = _("Too many requests. Wait for the seconds in Retry-After.")
        return problem_response(429, "throttled", detail, retry_after=count.retry_after)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Charge POSTs to third-party views that hash a password or an app secret."""
        match = request.resolver_match
        if request.method != "POST" or match is None or match.view_name not in HASHING_VIEWS:
            return None
        try:
            rate_limits.charge_request(request, cost=rate_limits.HASHING_COST)
        except Throttled as error:
            return too_many_requests_response(int(error.wait))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return 429 when a view charged more than was left."""
        return too_many_requests_response(int(exception.wait)) if isinstance(exception, Throttled) else None


def player_id_of(request: HttpRequest) -> int | None:
    """Return the player to count, or None to count the IP address, as for guests, who are free to create."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
        return None
    return None if request.user.is_guest else request.user.pk


def too_many_requests_response(seconds: int) -> HttpResponse:
    """Return a 429 page that needs neither database nor session."""
    response = HttpResponse(
        render_too_many_requests(translation.get_language() or settings.LANGUAGE_CODE), status=429
    )
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response


@cache
def render_too_many_requests(language: str) -> str:
    """Render the page in a language, once per process."""
    with translation.override(language):
        return render_to_string("page_limit.html")
