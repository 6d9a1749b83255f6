"""Guests: a game at once without an account, and the doors that are open to whoever has none."""

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
from games.services.errors import Refusal

from .asking import client_seed_in, viewer_of
from .locale import spoken

# The doors where a guest is a player; at all others they are nobody.
LOOKS = {
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
DOORS = LOOKS | {"lesson", "lesson-step", "player", "act", "next", "play-now", "account_logout"}
DEEDS = frozenset({"play", "note"})  # of those at a table
OFFER_REFUSALS = {"bad-offer", "spent-offer", "no-offer"}  # the first page has a new offer
SESSION = 365 * 24 * 3600  # seconds: the only key to a guest's games lasts as long as anybody comes


def guest_of(request: HttpRequest) -> Player | None:
    """The guest whose browser this is, at every door."""
    return getattr(request, "guest", None)


class Guests:
    """A middleware: where a guest may do nothing, nobody is asking; who is to sign in is sent to sign up.

    So allauth shows a guest its pages, what is public stays so, and what asks for an account asks for one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        return to_sign_up(request, response) if guest_of(request) else response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, Player):
            return
        if not request.user.guest:
            return
        request.guest = request.user  # type: ignore[attr-defined]
        door = request.resolver_match.view_name if request.resolver_match else ""
        if door not in DOORS or (door == "act" and kwargs["deed"] not in DEEDS):
            request.user = AnonymousUser()


def to_sign_up(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The same answer, unless it asks a guest to sign in and come back: most have no account yet."""
    there = urlsplit(response.get("Location", ""))
    onwards = parse_qs(there.query).get("next")
    if response.status_code != 302 or there.path != resolve_url(settings.LOGIN_URL) or not onwards:
        return response
    match = request.resolver_match
    if match and match.view_name == "act":  # nobody comes back to a deed, but to its table
        onwards = [reverse("game", args=[match.kwargs["code"]])]
    messages.info(
        request, _("This needs an account. Sign up, and the games you began as a guest come with you.")
    )
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': onwards[0]})}")


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """A game against a bot, at once; whoever is nobody becomes a guest. To look leads home."""
    if request.method != "POST":
        return redirect("home")
    viewer, form = viewer_of(request), request.POST
    if viewer is None:
        too_often = consume_or_429(request, action="guest")
    else:  # who resigns may begin anew, but not without end: nobody has confirmed anything
        too_often = consume_or_429(request, action="guest-game", user=viewer) if viewer.guest else None
    if too_often:
        return too_often
    try:
        player, game = guests.play_now(
            player=viewer,
            language=spoken(),
            policy=form.get("policy", guests.BOT),
            offer=form.get("offer", ""),
            client_seed=client_seed_in(request),
            cards="cards" in form,
            now=timezone.now(),
        )
    except Refusal as refusal:
        made = viewer and selectors.game_made_from(viewer, form.get("offer", ""))
        if made and refusal.code == "spent-offer":  # the button was pressed twice
            return redirect("game", code=made)
        messages.error(request, str(refusal))
        again = viewer is None or refusal.code in OFFER_REFUSALS
        return redirect("home" if again else "games")
    if viewer is None or viewer.pk != player.pk:
        login(request, player, backend=settings.AUTHENTICATION_BACKENDS[0])
        request.session.set_expiry(SESSION)
    tasks.nudge(game)
    return redirect("game", code=game.code)
