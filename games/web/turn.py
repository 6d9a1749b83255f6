"""Playing from a mail: one turn of one seat, for whoever holds its link; no account, no cookie, no script.

The signed token in the address is the whole authority: who is signed in is never looked at. So there is
nothing that a foreign page could abuse, and the forms need no CSRF token; they could not have one, since the
page sets no cookie and, sending no referrer, makes browsers say `Origin: null`. To look never acts: mail
scanners open every link.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone, translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games import links, picture, selectors, tasks
from games.engine import Refused, text
from games.models import Game, Player, Seat
from games.selectors import clocks
from games.selectors import turns as linked
from games.selectors.mail import turns_of
from games.services import presence, turns
from games.services import seats as seats_of
from games.services.errors import Conflict, Refusal
from games.words import why, words_for

from .asking import whole
from .choosing import Choice
from .locale import zone
from .table import in_plain_text, mails_about_turns, seats

View = Callable[..., HttpResponse]


def by_token(view: View) -> View:
    """A page whose address is a secret: told to nobody, kept nowhere, listed by no search engine."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = view(request, *args, **kwargs)
        answer["Referrer-Policy"] = "no-referrer"
        answer["Cache-Control"] = "no-store, private"
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return answer

    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(shown))


@by_token
def turn(request: HttpRequest, token: str) -> HttpResponse:
    """The turn, to look at; plays it on POST. When it is over, says so kindly."""
    found = linked.seat_of(token, links.TURN)
    if found is None:
        raise Http404(_("There is nothing at this address."))
    seat, number = found
    assert seat.player
    with translation.override(seat.player.language), timezone.override(zone(seat.player.time_zone)):
        answer = told(request, seat, number, timezone.now())
        answer["Content-Language"] = seat.player.language
        return answer


def told(request: HttpRequest, seat: Seat, number: int, now: datetime) -> HttpResponse:
    """The page that fits: the answer to what was played, the turn as it is, or that it is over."""
    assert seat.player
    trouble = ""
    if request.method == "POST" and "take" in request.POST:
        # To look at the hand binds: so it is asked for by a form, as any move.
        with suppress(Refusal):
            seats_of.take_seat(player=seat.player, code=seat.game.code, now=now)
        seat.refresh_from_db()
    elif request.method == "POST":
        sent: dict[str, Any] = {
            "player": seat.player,
            "code": seat.game.code,
            "text": request.POST.get("action", ""),
            "seq": whole(request.POST.get("seq", "")),
            "key": request.POST.get("key", "")[:100],
        }
        if first := turns.answered(**sent):  # sent twice: the same answer twice
            return played(request, seat, number, json.loads(first))
        if linked.lasts(seat, number):
            if sent["text"] == "resign" and request.POST.get("sure") != "yes":
                return asked(request, seat, number, now, resigning=True)
            try:
                return played(request, seat, number, act(sent, now))
            except (Refusal, Refused) as refusal:
                trouble = why(refusal, selectors.game_for(seat.player, seat.game.code).view)
        seat.game.refresh_from_db()
    if not linked.lasts(seat, number):
        return passed(request, seat, number)
    return asked(request, seat, number, now, trouble, resigning="resign" in request.GET)


def act(sent: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Play what a form of ours sent; gives the table after it. Raises Refusal and the engine's Refused."""
    # Words that a person could mean are for mails: read kindly, one of them could resign unasked.
    if sent["text"] not in (*selectors.game_for(sent["player"], sent["code"]).legal, "resign"):
        raise Conflict(_("This cannot be played now. Choose anew."), code="stale")
    presence.seen(player=sent["player"], now=now)
    done = turns.play(**sent, now=now)
    if done.bot_turn:
        tasks.nudge_code(sent["code"])
    view: dict[str, Any] = json.loads(done.answer)
    return view


# --------------------------------------------------------------------------------------------- while it lasts


def asked(
    request: HttpRequest,
    seat: Seat,
    number: int,
    now: datetime,
    trouble: str = "",
    *,
    resigning: bool = False,
) -> HttpResponse:
    """The table as the seat sees it, and what it can do."""
    shown = selectors.game_for(seat.player, seat.game.code)
    if not shown.legal and not shown.view["you"]["hand_hidden"]:  # it ended while we looked
        return passed(request, seat, number)
    view, legal, words = shown.view, shown.legal, words_for(shown.view)
    left = linked.time_left(seat, now)
    facts = Choice(view, legal, request.GET, words).facts() | {
        "seat": seat,
        "game": view,
        "legal": legal,
        "trouble": trouble,
        **in_plain_text(view, words, legal),
        "seats": seats(view, now),
        "story": text.story(linked.since_last(seat, number), words),
        "until": left.until,
        "round_end": left.round_end,
        "resting": [reason_names()[why] for why in left.resting],
        "now": now,
        "resigning": resigning,
        "play_at": request.path,
        "by_link": True,
        "key": secrets.token_urlsafe(12),  # a form sent twice is played once
        "user": None,
    }
    return render(request, "games/turn.html", facts, status=422 if trouble else 200)


def reason_names() -> dict[str, str]:
    """Why a clock rests, in the reader's words."""
    return {
        "vacation": _("vacation"),
        "weekend": _("the weekend"),
        "night": _("night hours"),
        "agreed": _("an agreed pause"),
        "incident": _("a fault of the site"),
    }


# -------------------------------------------------------------------------------------------------- and after


def played(request: HttpRequest, seat: Seat, number: int, view: dict[str, Any]) -> HttpResponse:
    """After an action of one's own: the next decision of the turn, or what became of it."""
    assert seat.number
    seat.game.refresh_from_db()
    watch = clocks.watch_of(seat.game, seat.number)
    if watch.on and watch.turn in (number, view["seq"]):
        # The same turn goes on; or the action itself brought the seat its next one, of which no mail tells.
        return redirect("turn", token=token_of(seat, watch.turn))
    words = words_for(view)
    facts = {
        "seat": seat,
        "game": view,
        "story": text.story(linked.of_turn(seat, number, view["seq"]), words),
        "board": mark_safe(picture.svg(view, size=560, title=_("The board"), words=words)),
        "summary": text.summary(view, words),
        "over": view["status"] == Game.Status.OVER,
        "turn_mails": mails_about_turns(view, seat.player),
        "user": None,
    }
    return render(request, "games/turn_played.html", facts)


def token_of(seat: Seat, number: int) -> str:
    """The token of a turn of the seat's player."""
    assert seat.number
    assert seat.player_id
    return links.turn_token(
        purpose=links.TURN, code=seat.game.code, seat=seat.number, turn=number, player_id=seat.player_id
    )


def passed(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The turn is over. Mails get forwarded: of a private game an old link tells nothing."""
    game = seat.game
    facts: dict[str, Any] = {"seat": seat, "user": None}
    if not game.private:
        view = selectors.game_for(None, game.code).view
        words = words_for(view)
        lines = linked.of_turn(seat, number)
        facts |= {
            "story": text.story(lines, words),
            "by_clock": any(line["by"] == "clock" for line in lines),
            "over": game.status == Game.Status.OVER,
            "solo": game.mode == "solo",
            "winner": words.side(view["winner"]) if view.get("winner") else "",
        }
    return render(request, "games/turn_over.html", facts, status=410)


@login_required
@require_safe
def next_turn(request: HttpRequest) -> HttpResponse:
    """To the game that waits most urgently for whoever is signed in."""
    assert isinstance(request.user, Player)
    waiting = turns_of(request.user)
    if waiting:
        return redirect("game", code=waiting[0].game.code)
    return render(request, "games/next_none.html")


urlpatterns = [
    path("turn/<str:token>/", turn, name="turn"),
    path("next/", never_cache(next_turn), name="next"),
]
