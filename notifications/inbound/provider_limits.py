"""A rate limit of their own for mail providers that bring mail and tracking events."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from common.rate_limits import count_request
from notifications.inbound.anymail import has_webhook_secret

MAIL_PROVIDER_PREFIX = "/anymail/"


class MailProviderLimitsMiddleware:
    """Middleware: counts requests with the webhook secret, for the page limits after it to refuse."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(MAIL_PROVIDER_PREFIX) and has_webhook_secret(request):
            limits = settings.INBOUND_RATE, settings.INBOUND_RATE
            count_request(request, bucket="provider", user_id=None, limits=limits)
        return self.get_response(request)
