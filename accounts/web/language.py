"""The language form at the foot of every page; stored in a cookie and in the player's profile.

Without a choice, the language is that of the profile, else that of the browser.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.models import Player
from accounts.services import players


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the language and redirect to the page the form was on, if it is ours."""
    language, next_url = request.POST.get("language", ""), request.POST.get("next", "")
    is_own_url = url_has_allowed_host_and_scheme(
        next_url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # Not `redirect`, which would take a bare word for the name of a view.
    response = HttpResponseRedirect(remove_language_parameter(next_url) if is_own_url else reverse("home"))
    if language in dict(settings.LANGUAGES):
        if isinstance(request.user, Player):
            players.change_profile(player=request.user, language=language, now=timezone.now())
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    return response


def remove_language_parameter(url: str) -> str:
    """Return the URL without its `language` parameter, which the rules page uses."""
    parts = urlsplit(url)
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    kept_parameters = [(name, value) for name, value in parameters if name != "language"]
    return (
        urlunsplit(parts._replace(query=urlencode(kept_parameters))) if kept_parameters != parameters else url
    )
