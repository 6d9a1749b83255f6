"""In which language the pages speak: chosen below every page, kept in a cookie and in the player's profile.

Who has chosen nothing gets the language of the profile, else that of the browser.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games.models import Player
from games.services import players


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Speak it from now on, and go back to where one was, which is a page of ours."""
    language, back = request.POST.get("language", ""), request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # As an address, whatever it says: `redirect` would take a word for the name of a view.
    answer = HttpResponseRedirect(without_language(back) if ours else reverse("home"))
    if language in dict(settings.LANGUAGES):
        if isinstance(request.user, Player):
            players.change_profile(player=request.user, language=language, now=timezone.now())
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    return answer


def without_language(address: str) -> str:
    """The same address, unless it asks for a language itself, as the pages of the rules do."""
    parts = urlsplit(address)
    asked = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, value) for name, value in asked if name != "language"]
    return urlunsplit(parts._replace(query=urlencode(kept))) if kept != asked else address
