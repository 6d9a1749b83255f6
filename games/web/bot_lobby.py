"""The list of bots that take challenges, with a button to challenge each."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.selectors.bots import build_bots_data, list_challengeable_bots
from accounts.web.request_utils import parse_int
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from common.service_errors import ServiceError
from games.services import challenges

BOTS_PER_PAGE = 50


@require_safe
def show_bots(request: HttpRequest) -> HttpResponse:
    """Show the bots that take challenges."""
    paginator = Paginator(list_challengeable_bots(), BOTS_PER_PAGE)
    page = paginator.get_page(parse_int(request.GET.get("page", "1")) or 1)
    context = {
        "page": page,
        "bots": build_bots_data(page.object_list, timezone.now()),
        "key": secrets.token_urlsafe(12),  # makes a double submit create one game
    }
    return render(request, "games/bots.html", context)


@require_POST
@login_required
def challenge_bot(request: HttpRequest, name: str) -> HttpResponse:
    """Challenge a bot, and go to the game; its page shows the commitment before one takes the seat."""
    assert isinstance(request.user, Player)
    key = request.POST.get("key", "")[:MAX_IDEMPOTENCY_KEY_LENGTH]
    try:
        game = challenges.challenge_bot(
            player=request.user,
            name=name,
            now=timezone.now(),
            key=f"{key}|{name}" if key else "",
            cards=request.POST.get("cards") == "1",
        )
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("bots")
    return redirect("game", code=game.code)


urlpatterns = [
    path("bots/", show_bots, name="bots"),
    path("bots/<str:name>/challenge/", challenge_bot, name="challenge-bot"),
]
