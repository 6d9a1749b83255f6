"""Pages in the player's language and time zone."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.models import Player
from accounts.player_locale import activate_locale_of
from accounts.services import presence


class PlayerLocaleMiddleware:
    """Middleware: activates the player's language and time zone. Does nothing without a session cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, Player):
            return self.get_response(request)
        player = request.user
        presence.touch_last_seen(player=player, now=timezone.now())
        if player.is_guest:  # a guest has no preferences: use the browser's language
            return self.get_response(request)
        request.LANGUAGE_CODE = player.language
        with activate_locale_of(player):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", player.language)
            return response


def active_language() -> str:
    """Return the active language if we support it, else the default one."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
