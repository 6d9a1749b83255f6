"""Guests: which views they may use without an account."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.account_extensions import load_account_extensions
from accounts.models import Player

OWN_GUEST_VIEWS = ("player", "account_logout")


def guest_of(request: HttpRequest) -> Player | None:
    """Return the guest of this browser, on any view."""
    return getattr(request, "guest", None)


@cache
def list_guest_views() -> frozenset[str]:
    """The names of URLs where a guest counts as a player; everywhere else they are anonymous."""
    views_of_apps = [extension.guest_views for extension in load_account_extensions()]
    return frozenset(OWN_GUEST_VIEWS).union(*views_of_apps)


class GuestMiddleware:
    """Middleware: a guest is anonymous outside the views for guests, and is sent to sign-up instead of login.

    So allauth shows its pages to a guest, and views that require an account ask for one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        return redirect_to_sign_up(request, response) if guest_of(request) else response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Keep the guest in `request.guest`; make the user anonymous where guests have no access."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, Player):
            return
        if not request.user.is_guest:
            return
        request.guest = request.user  # type: ignore[attr-defined]
        view_name = request.resolver_match.view_name if request.resolver_match else ""
        if view_name not in list_guest_views():
            request.user = AnonymousUser()


def redirect_to_sign_up(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a redirect to sign-up in place of one to login; return other responses unchanged."""
    target = urlsplit(response.get("Location", ""))
    next_urls = parse_qs(target.query).get("next")
    if response.status_code != 302 or target.path != resolve_url(settings.LOGIN_URL) or not next_urls:
        return response
    messages.info(
        request, _("You need an account for this. Sign up and keep the games you began as a guest.")
    )
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': next_urls[0]})}")
