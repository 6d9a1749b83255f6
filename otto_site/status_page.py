"""The status page: what /readyz checks, in words for people.

It needs neither session nor database, so that it answers when they do not, and asks them at most every few
seconds however many people look.
"""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from .health import check_health

CACHE_SECONDS = 20
# What a check is about. Why one fails is for operators: /readyz says it.
CHECK_TITLES = {
    "database": lazy("Games and accounts"),
    "broker": lazy("Background work"),
    "clock": lazy("The server’s clock"),
    "sweep": lazy("Deadlines and bots"),
}


@require_safe
def show_status(request: HttpRequest) -> HttpResponse:
    """Show which parts of the site work, in the language that the browser asks for."""
    language = translation.get_language_from_request(request)
    key = f"status-page:{language}"
    html = cache.get(key)
    if html is None:
        with translation.override(language):
            html = render_status()
        cache.set(key, html, CACHE_SECONDS)
    response = HttpResponse(html)
    response["Cache-Control"] = "no-store"  # kept here, for everybody
    response["Content-Language"] = language
    response["Vary"] = "Accept-Language, Cookie"
    return response


def render_status() -> str:
    """Check everything and render the page in the active language."""
    now = timezone.now()
    health = check_health(now)
    parts = [
        {"title": CHECK_TITLES.get(name, name), "is_working": not problem}
        for name, problem in health.problems.items()
    ]
    context = {
        "parts": parts,
        "is_ready": health.is_ready,
        "checked_at": now,
        "user": None,
        "is_sandbox": settings.SANDBOX,
    }
    return render_to_string("status.html", context)
