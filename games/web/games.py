"""Pages about games: the lobby, a new game, the table, an invitation's link."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import clock, picture, selectors, tasks
from games.engine import DEFAULT_EDITION, MODES, OBLIGATIONS, Refused, edition, edition_names, text
from games.models import Game, Player, Seat
from games.services import invitations, lobby, social, turns
from games.services.errors import NotFound, Refusal
from games.spans import lasting
from games.words import why, words_for

from .deeds import DEEDS

LISTED = 50


def viewer_of(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def whole(text: str) -> int | None:
    """The number that a form's field holds; None for anything that cannot be one of ours."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


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


def a_seed(request: HttpRequest) -> str:
    """The player's own part of the randomness; without one it is the joining number."""
    return request.POST.get("client_seed", "")[:64]


@require_safe
def game(request: HttpRequest, code: str) -> HttpResponse:
    """The table as the viewer may see it."""
    viewer = viewer_of(request)
    try:
        shown = selectors.game_for(viewer, code)
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    view = shown.view
    log = selectors.log_for(viewer, code, after=max(view["seq"] - 8, 0), limit=8)["results"]
    at_table, words = view["joined"] is not None, words_for(view)
    facts = {
        "game": view,
        "legal": shown.legal,
        "board": mark_safe(picture.svg(view, size=560, words=words)),  # drawn by us, every text in it escaped
        "text_board": text.board(view),
        "figures": text.figures(view, words),
        "summary": text.summary(view, words) + text.yours(view, words, shown.legal) if view["phase"] else [],
        "story": text.story(log, words),
        "winner": words.side(view["winner"]) if view.get("winner") else "",
        "chat": selectors.chat_for(viewer, code) if viewer and at_table else [],
        "note": selectors.note_for(viewer, code) if viewer else None,
        "at_table": at_table,
        "expires_at": parse_datetime(view["expires_at"] or ""),
        "bots": lobby.BOTS,
        "key": secrets.token_urlsafe(12),  # a form sent twice is played once
    }
    if view["phase"] and view["status"] != Game.Status.OVER and view["mode"] != "solo":
        facts |= clocks_of(viewer, code, view)
    return render(request, "games/game.html", facts)


def clocks_of(viewer: Player | None, code: str, view: dict[str, Any]) -> dict[str, Any]:
    """What the part about clocks shows."""
    proposal = selectors.proposal(selectors.seen_by(viewer, code).game)
    side = view["you"]["side"] if "you" in view else 0
    paused = parse_datetime(view["clock"]["paused_until"] or "")
    return {
        "times": [
            {
                "name": seat["name"],
                "deadline": parse_datetime(seat["deadline"] or ""),
                "bank": lasting(timedelta(seconds=seat["bank"])),
            }
            for seat in view["seats"]
            if seat["bank"] is not None and seat["in_play"]
        ],
        "paused_until": paused if paused and paused > timezone.now() else None,
        "proposal": proposal,
        "agreed": bool(proposal and proposal.agreed >> side & 1),
        "eights": Seat.Eight.choices,
    }


@require_POST
@login_required
def act(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """One thing that a player does at a table; then the table again."""
    player, now, form = request.user, timezone.now(), request.POST
    assert isinstance(player, Player)
    try:
        if deed == "play":
            played = turns.play(
                player=player,
                code=code,
                text=form.get("action", ""),
                seq=whole(form.get("seq", "")),
                key=form.get("key", "")[:100],
                now=now,
            )
            if played.bot_turn:
                tasks.nudge_code(code)
        elif deed == "join":
            tasks.nudge(lobby.join(player=player, code=code, now=now, client_seed=a_seed(request)))
        elif deed == "leave":
            lobby.leave(player=player, code=code, now=now)
            return redirect("games")
        elif deed == "bot":
            tasks.nudge(lobby.add_bot(player=player, code=code, policy=form.get("policy", ""), now=now))
        elif deed == "invite":
            who = form.get("who", "").strip()
            name, email = ("", who) if "@" in who else (who, "")
            invitations.invite(player=player, code=code, now=now, name=name, email=email)
            messages.success(request, _("Invited."))
        elif deed == "decline":
            invitations.decline(player=player, code=code, now=now)
            return redirect("games")
        elif deed == "say":
            social.say(player=player, code=code, text=form.get("text", ""), now=now)
        elif deed == "note":
            social.write_note(player=player, code=code, text=form.get("text", ""), now=now)
        elif deed in DEEDS:
            DEEDS[deed](request, player, code, now)
        elif deed == "rematch":
            return redirect("game", code=invitations.rematch(player=player, code=code, now=now).code)
        else:
            raise Http404
    except NotFound:
        raise Http404(_("There is no such game.")) from None
    except Refusal as refusal:
        messages.error(request, str(refusal))
    except Refused as refused:
        messages.error(request, why(refused, selectors.game_for(player, code).view))
    return redirect("game", code=code)


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
