"""The base of API views: the clock is read once, and requests are counted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework.exceptions import APIException, Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from common.rate_limits import BURST_WINDOW_SECONDS, WINDOW_SECONDS, count_request

from .deprecations import add_deprecation_headers
from .responses import JSONNegotiation


class UserThrottle(BaseThrottle):
    """Limits requests per minute for a user, or for an address if anonymous."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request; whether it is within the limit."""
        user_id = request.user.pk if request.user.is_authenticated else None
        limits = settings.API_RATE, settings.API_RATE_ANONYMOUS
        count = count_request(request._request, bucket="api", user_id=user_id, limits=limits)
        self.retry_after = count.retry_after
        return not count.is_exceeded

    def wait(self) -> float:
        """Seconds until the next request is allowed."""
        return self.retry_after


class ThrottledAPIView(APIView):
    """A view whose requests are counted. `now` is read once per request."""

    content_negotiation_class = JSONNegotiation
    throttle_classes = [UserThrottle]
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

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Add the headers of rate limits and of deprecated operations."""
        final_response = super().finalize_response(request, response, *args, **kwargs)
        handler = getattr(self, (request.method or "").lower(), None)
        add_deprecation_headers(final_response, getattr(handler, "operation_id", ""))
        count = getattr(request._request, "rate", None)
        if count:
            final_response["RateLimit-Policy"] = (
                f"{count.limit};w={WINDOW_SECONDS}, {count.burst_limit};w={BURST_WINDOW_SECONDS}"
            )
            final_response["RateLimit"] = (
                f"limit={count.limit}, remaining={count.remaining}, reset={count.reset}, "
                f"burst-limit={count.burst_limit}, burst-remaining={count.burst_remaining}, "
                f"burst-reset={count.burst_reset}"
            )
        return final_response
