"""The table: a game as its viewer may see it, and what a player does there."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.dateparse import parse_datetime
from django.utils.http import quote_etag
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import picture, selectors, tasks
from games.engine import Refused, text
from games.models import Game, Player, Seat
from games.selectors.outbox import turn_mails
from games.services import invitations, lobby, social, turns
from games.services.clocks import answer_within
from games.services.errors import NotFound, Refusal
from games.spans import lasting
from games.words import name_on, tile_name, why, words_for

from . import terms
from .asking import client_seed_in, offer_for, viewer_of, whole
from .choosing import Choice
from .deeds import DEEDS
from .making_form import bots

ENDED = (Game.Status.OVER, Game.Status.CANCELLED)
FIRST_LINES = 6  # sentences that are told at once; the rest on demand


@require_safe
def game(request: HttpRequest, code: str) -> HttpResponse:
    """The table as the viewer may see it."""
    viewer, now = viewer_of(request), timezone.now()
    try:
        page = selectors.page_for(viewer, code)
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    shown, view = page.shown, page.shown.view
    words, at_table = words_for(view), view["joined"] is not None
    story = text.story(page.lines, words)[::-1]  # the latest first
    choice = Choice(view, shown.legal, request.GET, words)
    facts = choice.facts() | {
        **in_plain_text(view, words, shown.legal),
        "game": view,
        "legal": shown.legal,
        "seats": seats(view, now),
        "story": story[:FIRST_LINES],
        "earlier": story[FIRST_LINES:],
        "own_cards": cards_of(view.get("you"), words),
        "partner": partner_of(view, words),
        "partner_cards": cards_of((view.get("you") or {}).get("partner"), words),
        "side_names": [words.side(int(side)) for side in view["totals"]],
        "matches": [match_line(match, n, view) for n, match in enumerate(view.get("matches", ()), 1)],
        "winner": words.side(view["winner"]) if view.get("winner") else "",
        "waits_for": words.everyone(view["to_act"]) if view["to_act"] and not shown.legal else "",
        "turn_mails": mails_about_turns(view, viewer),
        "chat": page.chat,
        "note": page.note,
        "at_table": at_table,
        "house": page.house,
        "unsent": page.unsent,
        "has_company": page.has_company,
        "expires_at": parse_datetime(view["expires_at"] or ""),
        "bots": bots(),
        "terms": terms.in_full(view) if view["status"] == Game.Status.OPEN else [],
        "now": now,
        "play_at": f"/games/{code}/play/",
        "key": secrets.token_urlsafe(12),  # a form sent twice is played once
        "pulse": "" if view["status"] in ENDED else quote_etag(page.pulse),
    }
    if view["phase"] and view["status"] not in ENDED and view["mode"] != "solo":
        facts |= clocks_of(page, now)
    if view["status"] == Game.Status.OPEN:
        facts |= seating_of(page)
    if view["status"] == Game.Status.OVER and at_table:
        facts |= {"rematch": page.rematch, "offer": offer_for(request, now)}
    return render(request, "games/game.html", facts)


def seats(view: dict[str, Any], now: datetime) -> list[dict[str, Any]]:
    """Everybody at the table, clockwise, with what lies before them."""
    found, lookalikes = [], selectors.lookalikes(seat["player"] for seat in view["seats"])
    for seat in view["seats"]:
        side = str(seat.get("side", ""))
        deadline = parse_datetime(seat["deadline"] or "")
        found.append(
            seat
            | {
                "mine": seat["joined"] == view["joined"],
                "lookalike": seat["player"] in lookalikes,
                "acts": seat["seat"] in view["to_act"],
                "tile": tile_of(view, seat.get("table")),
                "points": view["points"][side] if side and view["phase"] else None,
                "total": view["totals"].get(side),
                "left": [(int(value), n) for value, n in view["markers"].get(side, {}).items()],
                "until": deadline,
                "by_round": bool(view["round_end"] and seat["deadline"] == view["round_end"]["at"]),
                "hurry": bool(deadline and deadline - now < timedelta(hours=12)),
                "bank": lasting(timedelta(seconds=seat["bank"])) if seat["bank"] is not None else "",
            }
        )
    return found


def mails_about_turns(view: dict[str, Any], viewer: Player | None) -> str:
    """How mails tell the viewer of their next turn here: empty if none does, or they are out."""
    own = next((seat for seat in view["seats"] if seat["joined"] == view["joined"]), None)
    if own is None or "you" not in view or not own["in_play"]:
        return ""
    return turn_mails(viewer, muted=view["you"]["muted"])


def seating_of(page: selectors.Page) -> dict[str, Any]:
    """What a waiting room shows of who plays with whom, and whom its host may choose to play with."""
    view = page.shown.view
    names = {seat["joined"]: name_on(seat) for seat in view["seats"]}
    couples = [
        (names[seat["joined"]], names[seat["partner"]]) for seat in view["seats"] if seat["partner"] in names
    ]
    own = view["joined"]
    partner = next(
        (
            seat["joined"] if seat["partner"] == own else seat["partner"]
            for seat in view["seats"]
            if seat["partner"] and own in (seat["joined"], seat["partner"])
        ),
        None,
    )
    choices = [
        {"value": f"seat-{joined}", "name": name, "chosen": joined == partner}
        for joined, name in names.items()
        if joined != own
    ]
    choices += [
        {
            "value": f"invitation-{asked.pk}",
            "name": asked.player.name if asked.player else asked.email,
            "chosen": asked.partner,
        }
        for asked in page.invited
    ]
    has_partner = any(choice["chosen"] for choice in choices)
    return {
        "invited": page.invited,
        "couples": couples,
        "partner_choices": choices if view["mode"] == "pairs" and page.is_host and own else [],
        "has_partner": has_partner,
        "has_opponents": page.has_opponents,
        "is_host": page.is_host,
        "free_seats": page.free_seats,
    }


def in_plain_text(view: dict[str, Any], words: text.Words, legal: Sequence[str]) -> dict[str, Any]:
    """The match for who does not look at pictures."""
    return {
        "text_board": text.board(view),
        "figures": text.figures(view, words),
        "summary": text.summary(view, words) + text.yours(view, words, legal) if view["phase"] else [],
    }


def cards_of(holder: Mapping[str, Any] | None, words: text.Words) -> list[dict[str, str]]:
    """Cards that the viewer may see, with what they do."""
    hand = holder["hand"] if holder else []
    return [{"code": card, "name": words.card(card), "does": words.does(card)} for card in hand]


def partner_of(view: dict[str, Any], words: text.Words) -> str:
    """Who plays on the viewer's side."""
    partner = (view.get("you") or {}).get("partner")
    return words.who(partner["seat"]) if partner else ""


def match_line(match: dict[str, Any], n: int, view: dict[str, Any]) -> dict[str, Any]:
    """A match that is over, for a table."""
    endings = {
        "infinity": _("an 8"),
        "full": _("a full board"),
        "tower": _("an empty tower"),
        "won": _("all markers and an 8"),
    }
    return {
        "name": _("blind match") if match["kind"] == "blind" else n,
        "scores": [match["scores"][side] for side in view["totals"]],
        "ended": endings[match["ended"]],
    }


def tile_of(view: dict[str, Any], kind: str | None) -> dict[str, Any] | None:
    """A tile on the table before somebody."""
    if not kind:
        return None
    drawn = picture.tile_svg(view["edition"], kind, size=44, title=tile_name(kind))
    return {"kind": kind, "picture": mark_safe(drawn)}


def clocks_of(page: selectors.Page, now: datetime) -> dict[str, Any]:
    """What the part about clocks shows."""
    view, proposal = page.shown.view, page.proposal
    side = view["you"]["side"] if "you" in view else 0
    paused = parse_datetime(view["clock"]["paused_until"] or "")
    return {
        "timed": any(seat["bank"] is not None and seat["in_play"] for seat in view["seats"]),
        "paused_until": paused if paused and paused > now else None,
        "round_end": page.round_end,
        "proposal": proposal,
        "agreed": bool(proposal and proposal.agreed >> side & 1),
        "can_pause": page.has_company
        and any(
            seat["in_play"] and not seat["bot"] and seat["joined"] != view["joined"] for seat in view["seats"]
        ),
        "eights": Seat.Eight.choices,
        "answer_within": lasting(answer_within(view["clock"]["allowance"])),
    }


@require_safe
def pulse(request: HttpRequest, code: str) -> HttpResponse:
    """Whether a table has changed: a few bytes, and fewer when it has not."""
    try:
        tag = quote_etag(selectors.pulse(viewer_of(request), code))
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    answer = JsonResponse({"pulse": tag}, headers={"ETag": tag, "Cache-Control": "private, no-cache"})
    return get_conditional_response(request, etag=tag, response=answer) or answer


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
            tasks.nudge(lobby.join(player=player, code=code, now=now, client_seed=client_seed_in(request)))
        elif deed == "leave":
            lobby.leave(player=player, code=code, now=now)
            return redirect("games")
        elif deed == "bot":
            policy = form.get("policy", "")
            tasks.nudge(lobby.add_bot(player=player, code=code, policy=policy, now=now))
        elif deed == "invite":
            who = form.get("who", "").strip()
            name, email = ("", who) if "@" in who else (who, "")
            sides = {side: form.get("as") == side for side in ("partner", "opponent")}
            invitations.invite(player=player, code=code, now=now, name=name, email=email, **sides)
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
            again = invitations.rematch(
                player=player,
                code=code,
                now=now,
                client_seed=client_seed_in(request),
                offer=form.get("offer", ""),
                commitment=form.get("commitment", ""),
            )
            tasks.nudge(again)
            return redirect("game", code=again.code)
        else:
            raise Http404
    except NotFound:
        raise Http404(_("There is no such game.")) from None
    except Refusal as refusal:
        messages.error(request, str(refusal))
    except Refused as refused:
        messages.error(request, why(refused, selectors.game_for(player, code).view))
    return redirect("game", code=code)
