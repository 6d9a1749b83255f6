"""Base view, throttling and JSON responses of the API."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags
from rest_framework.exceptions import APIException, Throttled
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.models import Player

from . import rate_limits
from .auth import HasScope
from .rate_limits import WINDOW_SECONDS


class PlayerThrottle(BaseThrottle):
    """Limits requests per minute for a player, or for an address if anonymous."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request; whether it is within the limit."""
        player_id = request.user.pk if request.user.is_authenticated else None
        limits = settings.API_RATE, settings.API_RATE_ANONYMOUS
        count = rate_limits.count_request(request._request, bucket="api", player_id=player_id, limits=limits)
        self.retry_after = count.retry_after
        return not count.is_exceeded

    def wait(self) -> float:
        """Seconds until the next request is allowed."""
        return self.retry_after


class JSONNegotiation(DefaultContentNegotiation):
    """Content negotiation with a fast path for requests that accept JSON or anything."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The renderer and media type for the Accept header."""
        accept_header = request.META.get("HTTP_ACCEPT", "*/*")
        if (
            accept_header in ("*/*", "application/json")
            and not request.META["QUERY_STRING"]
            and not format_suffix
        ):
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


class GameAPIView(APIView):
    """Base of all API views. `now` is read once per request."""

    content_negotiation_class = JSONNegotiation
    permission_classes = [HasScope("read", write_scope="play", anonymous=True)]
    throttle_classes = [PlayerThrottle]
    now: datetime

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, authorise and throttle; failed authentication counts towards the limit too."""
        self.now = timezone.now()
        try:
            super().initial(request, *args, **kwargs)
        except Throttled:
            raise
        except APIException:  # rejected requests count as well
            self.check_throttles(request)
            raise

    @property
    def player(self) -> Player:
        """The signed-in player; permissions guarantee one where this is used."""
        return self.request.user

    @property
    def viewer(self) -> Player | None:
        """The signed-in player, or None if anonymous."""
        return self.request.user if self.request.user.is_authenticated else None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Add the rate limit headers."""
        final_response = super().finalize_response(request, response, *args, **kwargs)
        count = getattr(request._request, "rate", None)
        if count:
            final_response["RateLimit-Policy"] = f"{count.limit};w={WINDOW_SECONDS}"
            final_response["RateLimit"] = (
                f"limit={count.limit}, remaining={count.remaining}, reset={count.reset}"
            )
        return final_response


def json_response(data: Any, status: int = 200) -> HttpResponse:
    """A JSON response that bypasses REST framework's renderers."""
    return HttpResponse(json.dumps(data), content_type="application/json", status=status)


def etag_response(request: Request, body: bytes, content_type: str) -> HttpResponse:
    """A response with an ETag, or 304 if the client has it already."""
    return lazy_etag_response(request, hashlib.sha256(body).hexdigest()[:24], lambda: body, content_type)


def lazy_etag_response(
    request: Request, tag: str, make_body: Callable[[], bytes], content_type: str
) -> HttpResponse:
    """A response whose ETag is known before the body; for a 304 the body is not made."""
    etag = f'"{tag}"'
    client_etags = parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
    if etag in client_etags or f"W/{etag}" in client_etags or "*" in client_etags:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(make_body(), content_type=content_type)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization, Cookie"
    return response
