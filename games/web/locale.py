"""Pages in the player's own language, with times in the player's own zone."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from games.models import Player
from games.services import presence


class PlayerLocale:
    """A middleware. Only requests with a session can be a player's page; the rest cost nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, Player):
            return self.get_response(request)
        player = request.user
        presence.seen(player=player, now=timezone.now())
        if player.guest:  # who has set nothing: the browser says what they speak
            return self.get_response(request)
        request.LANGUAGE_CODE = player.language
        with translation.override(player.language), timezone.override(zone(player.time_zone)):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", player.language)
            return response


def spoken() -> str:
    """The language of the request, if it is one of ours."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def zone(name: str) -> zoneinfo.ZoneInfo:
    """The player's zone; UTC, should a later database of zones not know it any more."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo("UTC")
