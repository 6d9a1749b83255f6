"""Guests: starting a game without an account, and which views a guest may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import selectors, tasks
from games.models import Player
from games.services import guests
from games.services.errors import ServiceError

from .locale import active_language
from .request_utils import read_client_seed, viewer_of

# Views (by URL name) where a guest counts as a player; everywhere else they are anonymous.
READ_ONLY_VIEWS = {
    "home",
    "live",
    "games",
    "lobby",
    "game",
    "pulse",
    "board",
    "replay",
    "fairness-game",
    "fairness",
    "rules",
    "leagues",
    "league",
    "league-season",
    "league-history",
    "ratings",
    "tournament-calendar",
    "tournaments",
    "tournament",
    "tournament-standings",
    "tournament-bracket",
    "tournament-bracket-picture",
    "tournament-round",
    "tournament-table",
    "tournament-entrants",
    "tournament-fairness",
}
GUEST_VIEWS = READ_ONLY_VIEWS | {
    "lesson",
    "lesson-step",
    "player",
    "act",
    "next",
    "play-now",
    "account_logout",
}
GUEST_COMMANDS = frozenset({"play", "note"})  # game commands that a guest may use
OFFER_ERROR_CODES = {"bad-offer", "spent-offer", "no-offer"}  # the home page has a new offer
GUEST_SESSION_SECONDS = 365 * 24 * 3600  # long, because the session is the only access to a guest's games


def guest_of(request: HttpRequest) -> Player | None:
    """Return the guest of this browser, on any view."""
    return getattr(request, "guest", None)


class GuestMiddleware:
    """Middleware: a guest is anonymous outside `GUEST_VIEWS`, and is sent to sign-up instead of login.

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
        if not request.user.guest:
            return
        request.guest = request.user  # type: ignore[attr-defined]
        view_name = request.resolver_match.view_name if request.resolver_match else ""
        if view_name not in GUEST_VIEWS or (view_name == "act" and kwargs["deed"] not in GUEST_COMMANDS):
            request.user = AnonymousUser()


def redirect_to_sign_up(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a redirect to sign-up in place of one to login; return other responses unchanged."""
    target = urlsplit(response.get("Location", ""))
    next_urls = parse_qs(target.query).get("next")
    if response.status_code != 302 or target.path != resolve_url(settings.LOGIN_URL) or not next_urls:
        return response
    match = request.resolver_match
    if match and match.view_name == "act":  # a command is POST only: return to the game page
        next_urls = [reverse("game", args=[match.kwargs["code"]])]
    messages.info(
        request, _("This needs an account. Sign up, and the games you began as a guest come with you.")
    )
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': next_urls[0]})}")


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """On POST start a game against a bot, as a new guest if nobody is signed in; GET leads home."""
    if request.method != "POST":
        return redirect("home")
    viewer, form = viewer_of(request), request.POST
    if viewer is None:
        rate_limit_response = consume_or_429(request, action="guest")
    else:  # unconfirmed guests could otherwise resign and start games without limit
        rate_limit_response = (
            consume_or_429(request, action="guest-game", user=viewer) if viewer.guest else None
        )
    if rate_limit_response:
        return rate_limit_response
    try:
        player, game = guests.start_bot_game(
            player=viewer,
            language=active_language(),
            policy=form.get("policy", guests.DEFAULT_BOT_POLICY),
            offer=form.get("offer", ""),
            client_seed=read_client_seed(request),
            cards="cards" in form,
            now=timezone.now(),
        )
    except ServiceError as error:
        game_code = viewer and selectors.find_game_code_of_offer(viewer, form.get("offer", ""))
        if game_code and error.code == "spent-offer":  # the button was pressed twice
            return redirect("game", code=game_code)
        messages.error(request, str(error))
        is_home_next = viewer is None or error.code in OFFER_ERROR_CODES
        return redirect("home" if is_home_next else "games")
    if viewer is None or viewer.pk != player.pk:
        login(request, player, backend=settings.AUTHENTICATION_BACKENDS[0])
        request.session.set_expiry(GUEST_SESSION_SECONDS)
    tasks.wake_bots_if_to_act(game)
    return redirect("game", code=game.code)
