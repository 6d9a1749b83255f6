"""Starts a game against a bot, without an account if nobody is signed in."""

from __future__ import annotations

from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.web.locale import active_language
from accounts.web.request_utils import viewer_of
from common.service_errors import ServiceError
from games import selectors
from games.services import bot_games

from .seed_forms import read_client_seed

OFFER_ERROR_CODES = {"bad-offer", "spent-offer", "no-offer"}  # the home page has a new offer
GUEST_SESSION_SECONDS = 365 * 24 * 3600  # long, because the session is the only access to a guest's games


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
            consume_or_429(request, action="guest-game", user=viewer) if viewer.is_guest else None
        )
    if rate_limit_response:
        return rate_limit_response
    try:
        player, game = bot_games.start_bot_game(
            player=viewer,
            language=active_language(),
            policy=form.get("policy", bot_games.DEFAULT_BOT_POLICY),
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
    return redirect("game", code=game.code)
