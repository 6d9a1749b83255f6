"""The page of a table, and what a player does there."""

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
from django.views.decorators.http import require_POST, require_safe

from games import picture, selectors, tasks
from games.engine import Refused, text
from games.models import Game, Player, Seat
from games.services import invitations, lobby, social, turns
from games.services.errors import NotFound, Refusal
from games.spans import lasting
from games.words import why, words_for

from .asking import a_seed, viewer_of, whole
from .deeds import DEEDS


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
