"""The game page."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.dateparse import parse_datetime
from django.utils.http import quote_etag
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from common.duration_format import format_duration
from games import clock, picture_svg, selectors
from games.engine import load_edition, text
from games.game_text import build_translator, format_tile_name, seat_display_name
from games.models import Game
from games.permissions import Permission
from games.selectors.notices import turn_mails

from . import endings, settings_text
from .create_game_form import list_bot_choices
from .game_rows import compute_urgent_time
from .last_move import find_last_move
from .move_picker import MovePicker
from .seed_forms import make_viewer_offer
from .standing_orders import standing_orders_context

MAX_STORY_LINES = 6  # sentences of the story shown unfolded


@require_safe
def show_game(request: HttpRequest, code: str) -> HttpResponse:
    """Show a game as the viewer may see it."""
    viewer, now = viewer_of(request), timezone.now()
    try:
        page = selectors.load_game_page(viewer, code, now)
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    game_view = page.game_view
    view: Mapping[str, Any] = game_view.view
    translator, status = build_translator(view), view["status"]
    story = text.narrate_actions(page.match_log, translator)[::-1]  # the latest first
    last_move = find_last_move(page.match_log, view, game_view.seat_no)
    last_move_cell = last_move["cell"] if last_move else ""
    picker = MovePicker(
        view, game_view.offered_actions, request.GET, translator, last_move_cell=last_move_cell
    )
    context = picker.template_context() | {
        **plain_text_context(view, translator, game_view.offered_actions),
        "game": view,
        "legal": game_view.legal_actions,
        "last_move": last_move,
        "last_move_json": json.dumps(last_move) if last_move else "",
        "shootout": build_shootout_rows(view),
        "seats": build_seat_rows(view, now),
        "story": story[:MAX_STORY_LINES],
        "earlier": story[MAX_STORY_LINES:],
        "own_cards": describe_cards(view.get("you"), translator),
        "partner": partner_name(view, translator),
        "partner_cards": describe_cards((view.get("you") or {}).get("partner"), translator),
        "side_names": [translator.format_side(int(side)) for side in view["totals"]],
        "matches": [build_match_row(match, n, view) for n, match in enumerate(view.get("matches", ()), 1)],
        "ending": endings.build_ending_context(request, page, translator),
        "waits_for": translator.format_seats(view["to_act"])
        if view["to_act"] and not game_view.legal_actions
        else "",
        "turn_mails": mails_about_turns(view, viewer),
        "orders": standing_orders_context(view, viewer),
        "chat": page.messages,
        "note": page.note,
        "at_table": view["joined"] is not None,
        "is_system_game": page.is_system_game,
        "unsent_invitations": page.unsent_invitations,
        "permissions": page.permissions,
        "expires_at": parse_datetime(view["expires_at"] or ""),
        "bots": list_bot_choices(),
        "setting_sentences": settings_text.list_all_settings(view) if status.is_open else [],
        "now": now,
        "play_at": f"/games/{code}/play/",
        "key": secrets.token_urlsafe(12),  # makes a double submit play once
        "version": quote_etag(page.fingerprint) if may_change(view, status) else "",
    }
    if status.is_playing and view["mode"] != Game.Mode.SOLO:
        context |= clocks_context(page, now)
    if status.is_open:
        context |= seating_context(page)
    if Permission.REMATCH in page.permissions or context["ending"].get("bot_policy"):
        context |= {"rematch": page.rematch, "offer": make_viewer_offer(request, now)}
    return render(request, "games/game.html", context)


def may_change(view: Mapping[str, Any], status: Game.Status) -> bool:
    """Tell whether a game's page can change: after the end, those who played still talk and meet again."""
    return not status.is_cancelled and (view["joined"] is not None or not status.is_over)


def build_seat_rows(view: Mapping[str, Any], now: datetime) -> list[dict[str, Any]]:
    """Return the seats clockwise, with tile, points, markers and clock of each."""
    seat_rows, lookalikes = [], selectors.find_lookalike_names(seat["player"] for seat in view["seats"])
    urgent_time = compute_urgent_time(view["clock"]["allowance_seconds"])
    for seat in view["seats"]:
        side = str(seat.get("side", ""))
        deadline, bank_seconds = parse_datetime(seat["deadline"] or ""), seat["bank_seconds"]
        seat_rows.append(
            seat
            | {
                "is_own": seat["joined"] == view["joined"],
                "lookalike": seat["player"] in lookalikes,
                "is_to_act": seat["seat"] in view["to_act"],
                "tile": render_table_tile(view, seat.get("table")),
                "points": view["points"][side] if side and view["phase"] else None,
                "total": view["totals"].get(side),
                "markers_left": [(int(value), n) for value, n in view["markers"].get(side, {}).items()],
                "deadline_at": deadline,
                "by_round": bool(view["round_end"] and seat["deadline"] == view["round_end"]["at"]),
                "is_urgent": bool(deadline and deadline - now < urgent_time),
                "urgent_seconds": int(urgent_time.total_seconds()),
                "bank": format_duration(timedelta(seconds=bank_seconds)) if bank_seconds is not None else "",
            }
        )
    return seat_rows


def mails_about_turns(view: Mapping[str, Any], viewer: Player | None) -> str:
    """Return the frequency of turn mails to the viewer here: empty if there are none, or they are out."""
    own = next((seat for seat in view["seats"] if seat["joined"] == view["joined"]), None)
    if own is None or "you" not in view or not own["in_play"]:
        return ""
    return turn_mails(viewer, muted=view["you"]["muted"])


def seating_context(page: selectors.GamePage) -> dict[str, Any]:
    """Return the waiting room's partner pairs and, for the host, the partners to choose from."""
    view = page.game_view.view
    names = {seat["joined"]: seat_display_name(seat) for seat in view["seats"]}
    partner_pairs = [
        (names[seat["joined"]], names[seat["partner"]]) for seat in view["seats"] if seat["partner"] in names
    ]
    own_join_order = view["joined"]
    partner_join_order = next(
        (
            seat["joined"] if seat["partner"] == own_join_order else seat["partner"]
            for seat in view["seats"]
            if seat["partner"] and own_join_order in (seat["joined"], seat["partner"])
        ),
        None,
    )
    partner_choices = [
        {"value": f"seat-{join_order}", "name": name, "is_selected": join_order == partner_join_order}
        for join_order, name in names.items()
        if join_order != own_join_order
    ]
    partner_choices += [
        {
            "value": f"invitation-{invitation.pk}",
            "name": invitation.player.display_name if invitation.player else invitation.email,
            "is_selected": invitation.as_partner,
        }
        for invitation in page.open_invitations
    ]
    has_partner = any(choice["is_selected"] for choice in partner_choices)
    return {
        "open_invitations": page.open_invitations,
        "couples": partner_pairs,
        "partner_choices": partner_choices,
        "has_partner": has_partner,
        "has_opponents": page.has_invited_opponent,
        "is_host": page.is_host,
        "asks_about_bots": page.asks_about_bots,
    }


def plain_text_context(
    view: Mapping[str, Any], translator: text.GameTranslator, legal_actions: Sequence[str]
) -> dict[str, Any]:
    """Return the match as plain text, for screen readers."""
    return {
        "text_board": text.draw_text_board(view),
        "figures": text.describe_figures(view, translator),
        "summary": text.summarise_position(view, translator)
        + text.describe_own_position(view, translator, legal_actions)
        if view["phase"]
        else [],
    }


def describe_cards(
    seat_view: Mapping[str, Any] | None, translator: text.GameTranslator
) -> list[dict[str, str]]:
    """Return the visible cards of a hand with what they do."""
    hand = seat_view["hand"] if seat_view else []
    return [
        {"code": card, "name": translator.format_card(card), "does": translator.describe_card(card)}
        for card in hand
    ]


def partner_name(view: Mapping[str, Any], translator: text.GameTranslator) -> str:
    """Return the name of the viewer's partner, or an empty string."""
    partner = (view.get("you") or {}).get("partner")
    return translator.format_seat(partner["seat"]) if partner else ""


def build_match_row(match: Mapping[str, Any], match_no: int, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a finished match for the table of matches."""
    endings = {
        "infinity": _("an 8"),
        "full": _("a full board"),
        "tower": _("an empty tower"),
        "won": _("all markers and an 8"),
    }
    return {
        "name": _("blind match") if match["kind"] == "blind" else match_no,
        "scores": [match["scores"][side] for side in view["totals"]],
        "ending": endings[match["ended"]],
    }


def render_table_tile(view: Mapping[str, Any], kind: str | None) -> dict[str, Any] | None:
    """Return the table tile of a seat as SVG, or None."""
    if not kind:
        return None
    svg = picture_svg.draw_tile_svg(view["edition"], kind, size=44, title=format_tile_name(kind))
    return {
        "kind": kind,
        "picture": mark_safe(svg),
        "value": load_edition(view["edition"]).tiles[kind].value,
        "shows_value": view["mode"] != Game.Mode.SOLO and not Game.Status(view["status"]).is_over,
    }


def build_shootout_rows(view: Mapping[str, Any]) -> list[list[dict[str, Any] | None]]:
    """Return the tiles of each round of a shoot-out, in the order of the sides."""
    return [
        [render_table_tile(view, tiles.get(side)) for side in view["totals"]]
        for tiles in view.get("shootout", ())
    ]


def clocks_context(page: selectors.GamePage, now: datetime) -> dict[str, Any]:
    """Return the context of the clocks section."""
    view, proposal = page.game_view.view, page.pause_proposal
    side = view["you"]["side"] if "you" in view else 0
    paused_until = parse_datetime(view["clock"]["paused_until"] or "")
    return {
        "has_clock": any(seat["bank_seconds"] is not None and seat["in_play"] for seat in view["seats"]),
        "paused_until": paused_until if paused_until and paused_until > now else None,
        "max_pause_days": clock.MAX_PAUSE_LENGTH.days,
        "round_end": page.round_end,
        "proposal": proposal,
        "has_agreed": bool(proposal and proposal.agreed_sides_mask >> side & 1),
    }


@require_safe
def check_for_changes(request: HttpRequest, code: str) -> HttpResponse:
    """Return the game's state fingerprint as JSON and ETag, so that the script can poll cheaply."""
    try:
        etag = quote_etag(selectors.state_fingerprint_for(viewer_of(request), code))
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    response = JsonResponse({"version": etag}, headers={"ETag": etag, "Cache-Control": "private, no-cache"})
    return get_conditional_response(request, etag=etag, response=response) or response
