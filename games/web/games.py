"""Pages about games: the lobby, a new game, the table, an invitation's link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import clock, selectors, tasks
from games.engine import DEFAULT_EDITION, MODES, OBLIGATIONS, edition, edition_names
from games.models import Game, Player
from games.services import invitations, lobby
from games.services.errors import NotFound, Refusal
from games.spans import lasting

from .table import a_seed, viewer_of, whole

LISTED = 50


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """My games, my turns first, and those that wait for players."""
    viewer = viewer_of(request)
    found = selectors.games(viewer)
    turns_now = selectors.my_turns(viewer) if viewer else []
    waiting = {place.game.code for place in turns_now}
    mine = (
        found.filter(places__player=viewer).exclude(status=Game.Status.CANCELLED)[:LISTED] if viewer else []
    )
    facts = {
        "turns": turns_now,
        "mine": [game for game in map(selectors.summary, mine) if game["id"] not in waiting],
        "invitations": selectors.my_invitations(viewer, timezone.now()) if viewer else [],
        "open": [
            selectors.summary(game) for game in found.filter(status=Game.Status.OPEN, private=False)[:LISTED]
        ],
    }
    return render(request, "games/games.html", facts)


@login_required
@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Make a game and take a seat in it; with a bot on the other seats, if one is chosen."""
    facts: dict[str, Any] = {
        "modes": MODES,
        "editions": [edition(name) for name in edition_names()],
        "obligations": OBLIGATIONS,
        "clocks": [
            (name, lasting(timedelta(seconds=time.allowance)), lasting(timedelta(seconds=time.bank)))
            for name, time in clock.PRESETS.items()
        ],
        "default_clock": clock.DEFAULT,
        "timeouts": Game.Timeouts.choices,
        "bots": lobby.BOTS,
    }
    if request.method == "POST":
        try:
            return redirect("game", code=made(request).code)
        except Refusal as refusal:
            messages.error(request, str(refusal))
    return render(request, "games/new.html", facts, status=422 if request.method == "POST" else 200)


def made(request: HttpRequest) -> Game:
    """The game that a form asks for. Raises Refusal."""
    form, now, player = request.POST, timezone.now(), request.user
    assert isinstance(player, Player)
    mode = form.get("mode", "singles")
    game = lobby.create(
        player=player,
        now=now,
        mode=mode,
        seats=whole(form.get("seats", "")) if mode == "singles" else None,
        edition=form.get("edition", DEFAULT_EDITION),
        cards="cards" in form,
        obligation=form.get("obligation", "strict"),
        clock_name=form.get("clock", clock.DEFAULT),
        timeouts=form.get("timeouts", Game.Timeouts.AUTOPLAY),
        weekends="weekends" in form,
        nights="nights" in form,
        order="shuffled" if "shuffled" in form else "as-joined",
        private="private" in form,
    )
    game = lobby.join(player=player, code=game.code, now=now, client_seed=a_seed(request))
    if form.get("bot") in lobby.BOTS:
        while game.status == Game.Status.OPEN:
            game = lobby.add_bot(player=player, code=game.code, policy=form["bot"], now=now)
    tasks.nudge(game)
    return game


@require_http_methods(["GET", "POST"])
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
            joined = invitations.accept(player=player, token=token, client_seed=a_seed(request), now=now)
            tasks.nudge(joined)
            return redirect("game", code=joined.code)
        except Refusal as refusal:
            messages.error(request, str(refusal))
    facts = {"invitation": found, "game": found.game, "over": over}
    return render(request, "games/invitation.html", facts, status=410 if over else 200)
