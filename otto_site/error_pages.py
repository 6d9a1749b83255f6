"""What people see when something goes wrong: what happened, and what to do now. Programs get problem+json."""

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

from .errors import CODES, problem, problem_of_outage
from .outages import RETRY_AFTER_SECONDS, is_database_outage

log = logging.getLogger(__name__)

# Under /api/, but for people.
PAGES = ("/api/", "/api/errors/", "/api/operations/")
# What is left to say if not even a template can be drawn.
LAST = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>OTTO online</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
<h1>OTTO online</h1>
<p>Something went wrong on our side. Please try again in a minute.</p>
<p lang="it">Qualcosa è andato storto da parte nostra. Riprova tra un minuto.</p>
<p lang="nl">Er ging iets mis aan onze kant. Probeer het over een minuut opnieuw.</p>
<p><a href="/">OTTO online</a></p>
</body></html>
"""


def for_programs(request: HttpRequest) -> bool:
    path = request.path
    return path.startswith("/api/") and path not in PAGES and not path.startswith("/api/operations/")


def told(request: HttpRequest, status: int, template: str, **facts: Any) -> HttpResponse:
    """A page about a failure. If that fails, too, it knows nothing of who is asking."""
    try:
        return render(request, template, facts, status=status)
    except Exception:
        log.exception("the page %s could not be drawn for %s", template, request.path)
        return HttpResponse(alone(template), status=status)


def alone(template: str) -> str:
    """A page that asks neither database nor session; at worst, a few words in every language."""
    try:
        return render_to_string(template)
    except Exception:
        log.exception("the page %s could not be drawn", template)
        return LAST


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    large = isinstance(exception, RequestDataTooBig)
    if for_programs(request):
        if large:
            return problem(413, "too-large", _("The request is too large."))
        return problem(400, "malformed", _("The request cannot be read."))
    return told(request, 413, "413.html") if large else told(request, 400, "400.html")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if for_programs(request):
        return problem(403, "forbidden", _("You may not do this."))
    return told(request, 403, "403.html")


def not_a_form_of_ours(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW; the API checks the tokens of browsers itself."""
    back = request.META.get("HTTP_REFERER", "")
    ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return told(request, 403, "403_csrf.html", back=back if ours else "")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if for_programs(request):
        return problem(404, "not-found", _("There is nothing at this address."))
    said = exception.args[0] if exception.args else ""
    # An address that leads somewhere, to something that is gone or private; which of the two is not told.
    known = request.resolver_match is not None
    return told(request, 404, "404.html", said=said if isinstance(said, str) else "", known=known)


def server_error(request: HttpRequest) -> HttpResponse:
    """Our mistake, or an outage that a middleware met. Nothing is asked of anything: it may have broken."""
    if is_database_outage(sys.exception()):
        return unavailable(request)
    if for_programs(request):
        return problem(500, "internal", _("Our mistake; it has been noted."))
    return HttpResponse(alone("500.html"), status=500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """The database does not answer: come again in a moment."""
    if for_programs(request):
        return problem_of_outage()
    answer = HttpResponse(alone("503.html"), status=503)
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    answer["Cache-Control"] = "no-store"
    return answer


class BadInput:
    """A middleware: on pages, too, what the database cannot hold is the mistake of the request.

    And while the database does not answer, nobody made one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if is_database_outage(exception):
            log.error("not answered", exc_info=exception)
            return unavailable(request)
        if not isinstance(exception, DataError | UnicodeEncodeError):
            return None
        log.warning("refused: %s", request.path, exc_info=exception)
        return bad_request(request, exception)


def page(request: HttpRequest) -> HttpResponse:
    """Every code and what it means."""
    return render(request, "errors.html", {"codes": CODES})
