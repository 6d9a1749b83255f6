"""What every door of the API shares: rate limits told in headers, answers with an ETag."""

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

from . import rates
from .auth import HasScope
from .rates import WINDOW


class Throttle(BaseThrottle):
    """So many requests a minute for a player, or for an address without one."""

    def allow_request(self, request: Request, view: Any) -> bool:
        player_id = request.user.pk if request.user.is_authenticated else None
        limits = settings.API_RATE, settings.API_RATE_ANONYMOUS
        count = rates.count_request(request._request, door="api", player_id=player_id, limits=limits)
        self.retry_after = count.retry_after
        return not count.is_exceeded

    def wait(self) -> float:
        return self.retry_after


class AnyJSON(DefaultContentNegotiation):
    """What nearly every program accepts is found without weighing media types."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        accepted = request.META.get("HTTP_ACCEPT", "*/*")
        if accepted in ("*/*", "application/json") and not request.META["QUERY_STRING"] and not format_suffix:
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


class Door(APIView):
    """A view of ours. `now` is read once for each request."""

    content_negotiation_class = AnyJSON
    permission_classes = [HasScope("read", writing="play", anonymous=True)]
    throttle_classes = [Throttle]
    now: datetime

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.now = timezone.now()
        try:
            super().initial(request, *args, **kwargs)
        except Throttled:
            raise
        except APIException:  # of somebody unknown, or who may not: they are counted as well
            self.check_throttles(request)
            raise

    @property
    def player(self) -> Player:
        """The player who asks; permissions have seen to it that there is one where this is used."""
        return self.request.user

    @property
    def viewer(self) -> Player | None:
        """The player who looks on, or None."""
        return self.request.user if self.request.user.is_authenticated else None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        count = getattr(request._request, "rate", None)
        if count:
            answer["RateLimit-Policy"] = f"{count.limit};w={WINDOW}"
            answer["RateLimit"] = f"limit={count.limit}, remaining={count.remaining}, reset={count.reset}"
        return answer


def as_json(data: Any, status: int = 200) -> HttpResponse:
    """JSON without another pass through serializers."""
    return HttpResponse(json.dumps(data), content_type="application/json", status=status)


def tagged(request: Request, body: bytes, content_type: str) -> HttpResponse:
    """An answer with an ETag, or 304 if the client has it already."""
    return tagged_ahead(request, hashlib.sha256(body).hexdigest()[:24], lambda: body, content_type)


def tagged_ahead(
    request: Request, tag: str, make_body: Callable[[], bytes], content_type: str
) -> HttpResponse:
    """The same for a body whose tag is known before it is made; for a 304 it is not made at all."""
    etag = f'"{tag}"'
    known = parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
    if etag in known or f"W/{etag}" in known or "*" in known:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(make_body(), content_type=content_type)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization, Cookie"
    return response
