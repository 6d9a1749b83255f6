"""Making a game, and the link of a mail that leads into one."""

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

from games import selectors, tasks
from games.models import Game, Player
from games.services import invitations, lobby
from games.services.errors import NotFound, Refusal

from . import terms
from .asking import client_seed_in, offer_for, viewer_of
from .making_form import NewGame

FIELDS = {"no-such-player": "who", "already-joined": "who", "rated": "rated"}  # what a refusal is about


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Make a game and take a seat in it, with a bot or a friend, or for whoever comes."""
    now = timezone.now()
    if request.method != "POST":
        asked = request.GET.get("preset", "")
        known = {name for name, _words in NewGame.base_fields["preset"].choices}  # type: ignore[attr-defined]
        key = {"key": secrets.token_urlsafe(12)}  # a form sent twice makes one game
        form = NewGame(initial=key | ({"preset": asked} if asked in known else {}))
        return form_page(request, form, now)
    form = NewGame(request.POST)
    assert isinstance(request.user, Player)
    if form.is_valid():
        game = made(form, request.user, request.POST.get("offer", ""), now)
        if game:
            tasks.nudge(game)
            if form.cleaned_data["preset"] == "friend":
                messages.success(request, _("%(who)s is invited.") % {"who": form.cleaned_data["who"]})
            return redirect("game", code=game.code)
    return form_page(request, form, now, status=422)


def form_page(request: HttpRequest, form: NewGame, now: datetime, status: int = 200) -> HttpResponse:
    """The form with a commitment of its own: what is sent from it comes after that."""
    facts = {"form": form, "offer": offer_for(request, now)}
    return render(request, "games/new.html", facts, status=status)


def made(form: NewGame, player: Player, offer: str, now: datetime) -> Game | None:
    """The game that a form asks for, whole; None if something is refused, which then stands in the form."""
    wanted, field, key = form.cleaned_data, None, form.own_key()

    def make() -> Game:
        nonlocal field
        lobby.check_seed_order(client_seed=wanted["client_seed"], offer=offer)
        game = lobby.create(
            player=player, now=now, key=key, offer=offer, offered_to=player.pk, **form.terms()
        )
        field = "client_seed"
        game = lobby.join(player=player, code=game.code, now=now, client_seed=wanted["client_seed"])
        if wanted["preset"] == "bot":
            field = "bot"
            while game.status == Game.Status.OPEN:
                game = lobby.add_bot(player=player, code=game.code, policy=wanted["bot"], now=now)
        elif wanted["preset"] == "friend":
            field, who = "who", wanted["who"]
            name, email = ("", who) if "@" in who else (who, "")
            sides = {
                side: game.mode == "pairs" and wanted["side"] == side for side in ("partner", "opponent")
            }
            invitations.invite(player=player, code=game.code, now=now, name=name, email=email, **sides)
        return game

    try:
        return lobby.once(player=player, key=key, make=make)
    except Refusal as refusal:
        form.add_error(FIELDS.get(refusal.code, field), capfirst(str(refusal)))
        return None


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """A link from a mail: shows who asks; takes the seat on POST, after signing in or up."""
    try:
        found = invitations.by_token(token)
    except NotFound:
        raise Http404(_("This invitation does not exist.")) from None
    player, now = viewer_of(request), timezone.now()
    over = bool(found.answered) or found.game.status != Game.Status.OPEN or found.game.expires_at <= now
    if request.method == "POST" and player and not over:
        try:
            joined = invitations.accept(
                player=player, token=token, client_seed=client_seed_in(request), now=now
            )
            tasks.nudge(joined)
            return redirect("game", code=joined.code)
        except Refusal as refusal:
            messages.error(request, str(refusal))
    facts = {"invitation": found, "game": found.game, "over": over}
    if not over:
        seen = selectors.summary(found.game)
        facts |= {"terms": terms.in_full(seen), "seats": seen["seats"], "now": now}
    return render(request, "games/invitation.html", facts, status=410 if over else 200)
