"""Creating a game, and the page behind an invitation link."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from common.service_errors import NotFound, ServiceError
from games import selectors
from games.models import Game
from games.permissions import PermissionContext, find_bot_consent_refusal, find_invitation_refusal
from games.services import invitations, lobby

from . import settings_text
from .create_game_form import GamePreset, NewGameForm
from .seed_forms import make_viewer_offer, read_client_seed

ERROR_FIELDS = {
    "no-such-player": "who",
    "already-joined": "who",
    "bots-not-allowed": "who",
    "rated": "rated",
}  # error code -> field


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game(request: HttpRequest) -> HttpResponse:
    """Show the form for a new game; on POST create the game with the player in it."""
    now = timezone.now()
    if request.method != "POST":
        preset = request.GET.get("preset", "")
        initial_key = {"key": secrets.token_urlsafe(12)}  # makes a double submit create one game
        form = NewGameForm(initial=initial_key | ({"preset": preset} if preset in GamePreset.values else {}))
        return render_form(request, form, now)
    form = NewGameForm(request.POST)
    assert isinstance(request.user, Player)
    if form.is_valid():
        game = try_create_game(form, request.user, request.POST.get("offer", ""), now)
        if game:
            if form.cleaned_data["preset"] == GamePreset.FRIEND:
                messages.success(request, _("You have invited %(who)s.") % {"who": form.cleaned_data["who"]})
            return redirect("game", code=game.code)
    return render_form(request, form, now, status=422)


def render_form(request: HttpRequest, form: NewGameForm, now: datetime, status: int = 200) -> HttpResponse:
    """Render the form with a new offer, so that the client seed is sent after the commitment was shown."""
    context = {"form": form, "offer": make_viewer_offer(request, now)}
    return render(request, "games/new_game.html", context, status=status)


def try_create_game(form: NewGameForm, player: Player, offer: str, now: datetime) -> Game | None:
    """Create the game of a form, with bots or invitation; on ServiceError fill form.errors, return None."""
    cleaned_data, field, key = form.cleaned_data, None, form.build_idempotency_key()

    def create_and_seat() -> Game:
        """Create the game, join it, and fill it with bots or invite the friend."""
        nonlocal field
        lobby.check_seed_order(client_seed=cleaned_data["client_seed"], offer=offer)
        game = lobby.create_game(
            player=player, now=now, key=key, offer=offer, offered_to=player.pk, **form.build_game_settings()
        )
        field = "client_seed"
        game = lobby.join_game(
            player=player, code=game.code, now=now, client_seed=cleaned_data["client_seed"]
        )
        if cleaned_data["preset"] == GamePreset.BOT:
            field = "bot"
            while game.is_open:
                game = lobby.add_bot(player=player, code=game.code, policy=cleaned_data["bot"], now=now)
        elif cleaned_data["preset"] == GamePreset.FRIEND:
            field, who = "who", cleaned_data["who"]
            name, email = ("", who) if "@" in who else (who, "")
            sides = {
                side: game.mode == Game.Mode.PAIRS and cleaned_data["side"] == side
                for side in ("partner", "opponent")
            }
            invitations.invite_to_game(
                player=player, code=game.code, now=now, name=name, email=email, **sides
            )
        return game

    try:
        return lobby.make_game_once(player=player, key=key, make_game=create_and_seat)
    except ServiceError as error:
        form.add_error(ERROR_FIELDS.get(error.code, field), capfirst(str(error)))
        return None


@require_http_methods(["GET", "HEAD", "POST"])
def show_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; on POST accept it and take the seat."""
    try:
        invitation = invitations.get_invitation_by_token(token)
    except NotFound:
        raise Http404(_("This invitation does not exist.")) from None
    player, now = viewer_of(request), timezone.now()
    is_closed = find_invitation_refusal(invitation, now) is not None
    if request.method == "POST" and player and not is_closed:
        try:
            joined_game = invitations.accept_invitation(
                player=player,
                token=token,
                client_seed=read_client_seed(request),
                now=now,
                accepts_bots=request.POST.get("accept_bots") == "1",
            )
            return redirect("game", code=joined_game.code)
        except ServiceError as error:
            messages.error(request, str(error))
    context = {"invitation": invitation, "game": invitation.game, "is_closed": is_closed}
    if not is_closed:
        summary = selectors.game_summary(invitation.game)
        loaded_game = selectors.LoadedGame(invitation.game, [], None)
        context |= {
            "setting_sentences": settings_text.list_all_settings(summary),
            "seats": summary["seats"],
            "now": now,
            "asks_about_bots": player is not None
            and find_bot_consent_refusal(PermissionContext(loaded_game, player), accepts_bots=False)
            is not None,
        }
    return render(request, "games/invitation.html", context, status=410 if is_closed else 200)
