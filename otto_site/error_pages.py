"""Error pages: HTML with what happened and what to do now; problem+json for API requests."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from common.problems import problem_response

from .changelog import format_inline
from .errors import load_error_codes, outage_response
from .outages import RETRY_AFTER_SECONDS, is_database_outage

log = logging.getLogger(__name__)

# HTML pages under /api/.
HTML_API_PATHS = ("/api/", "/api/errors/", "/api/operations/", "/api/policy/")
# Shown when not even a template can be rendered.
LAST_RESORT_HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>OTTO online</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
<h1>OTTO online</h1>
<p>Something went wrong on our side. Please try again in a minute.</p>
<p lang="it">Qualcosa è andato storto da parte nostra. Riprova tra un minuto.</p>
<p lang="nl">Er ging bij ons iets mis. Probeer het over een minuut opnieuw.</p>
<p><a href="/">OTTO online</a></p>
</body></html>
"""


def is_api_request(request: HttpRequest) -> bool:
    """Return whether the request is for the API and gets problem+json."""
    path = request.path
    return path.startswith("/api/") and path not in HTML_API_PATHS and not path.startswith("/api/operations/")


def render_error(request: HttpRequest, status: int, template: str, **context: Any) -> HttpResponse:
    """Render an error page; if that fails, render it without request data."""
    try:
        return render(request, template, context, status=status)
    except Exception:
        log.exception("cannot render %s for %s", template, request.path)
        return HttpResponse(render_without_request(template), status=status)


def render_without_request(template: str) -> str:
    """Render a page without request, database or session; if that fails, return `LAST_RESORT_HTML`."""
    try:
        return render_to_string(template)
    except Exception:
        log.exception("cannot render %s", template)
        return LAST_RESORT_HTML


def show_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400; 413 if the request was too large."""
    is_too_large = isinstance(exception, RequestDataTooBig)
    if is_api_request(request):
        if is_too_large:
            return problem_response(413, "too-large", _("The request is too large. Send less at a time."))
        return problem_response(400, "malformed", _("We cannot read the request. Check its format."))
    return render_error(request, 413, "413.html") if is_too_large else render_error(request, 400, "400.html")


def show_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    if is_api_request(request):
        return problem_response(403, "forbidden", _("You may not do this."))
    return render_error(request, 403, "403.html")


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW; the API checks CSRF tokens itself."""
    referrer = request.META.get("HTTP_REFERER", "")
    is_own_page = url_has_allowed_host_and_scheme(
        referrer, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return render_error(request, 403, "403_csrf.html", return_url=referrer if is_own_page else "")


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    if is_api_request(request):
        return problem_response(404, "not-found", _("There is nothing at this address."))
    error_message = exception.args[0] if exception.args else ""
    # The URL has a view, so the object is gone or private; the page does not say which.
    is_known_route = request.resolver_match is not None
    return render_error(
        request,
        404,
        "404.html",
        message=error_message if isinstance(error_message, str) else "",
        is_known_route=is_known_route,
    )


def show_server_error(request: HttpRequest) -> HttpResponse:
    """handler500: 503 for a database outage, else 500. Uses nothing that may be broken."""
    if is_database_outage(sys.exception()):
        return service_unavailable(request)
    if is_api_request(request):
        return problem_response(500, "internal", _("An error on our side. We have logged it."))
    return HttpResponse(render_without_request("500.html"), status=500)


def service_unavailable(request: HttpRequest) -> HttpResponse:
    """Return 503 with Retry-After: the database does not answer."""
    if is_api_request(request):
        return outage_response()
    response = HttpResponse(render_without_request("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


class BadInputMiddleware:
    """Middleware: 400 for values that the database cannot store, 503 during a database outage."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the error response, or None for other exceptions."""
        if is_database_outage(exception):
            log.error("database outage", exc_info=exception)
            return service_unavailable(request)
        if not isinstance(exception, DataError | UnicodeEncodeError):
            return None
        log.warning("bad input: %s", request.path, exc_info=exception)
        return show_bad_request(request, exception)


def show_error_codes(request: HttpRequest) -> HttpResponse:
    """Show every error code of the API and what it means."""
    meanings = {code: format_inline(str(text)) for code, text in load_error_codes().items()}
    return render(request, "errors.html", {"codes": meanings})
