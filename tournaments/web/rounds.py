"""Pages of a round, of a pairing and of its timeout evidence."""

from __future__ import annotations

from typing import Any

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.web.request_utils import viewer_of
from common.service_errors import Denied
from tournaments import permissions, text
from tournaments.selectors import (
    NoSuchTournament,
    get_tournament_for,
    organiser_dashboard,
    timeout_evidence,
    tournament_page,
)
from tournaments.selectors.tournament_state import list_players_at_pairing

from .organiser_presenters import build_evidence_rows
from .presenters import build_pairing_row, get_viewer_context, paginate_rows, render_tournament_page

PAIRINGS_PER_PAGE = 25  # of a round
MAX_EVIDENCE_ROWS = 10  # newest timeouts shown
MAX_ROUND_LINKS = 15  # with more rounds only previous and next are linked


@require_safe
def show_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a round: its pairings with reasons."""
    viewer_context = get_viewer_context(request, code)
    tournament = viewer_context.tournament
    last_round = tournament.pairings.filter(is_void=False).aggregate(last=Max("bracket_round"))["last"] or 0
    if not 1 <= number <= last_round:
        raise Http404(_("Round not found."))
    page = paginate_rows(
        request,
        tournament_page.list_pairings(tournament, viewer_context.entrant).filter(bracket_round=number),
        PAIRINGS_PER_PAGE,
    )
    bracket_round_count, own_entrant_id = (
        tournament_page.count_bracket_rounds(tournament),
        viewer_context.entrant.pk if viewer_context.entrant else None,
    )
    return render_tournament_page(
        request,
        viewer_context,
        "round",
        current_tab="bracket",
        number=number,
        last_round_no=last_round,
        round_numbers=range(1, last_round + 1) if last_round <= MAX_ROUND_LINKS else (),
        name=text.format_round_name("main", number, bracket_round_count),
        page=page,
        ends_at=next((pairing.round.ends_at for pairing in page if pairing.settled_at is None), None),
        lines=[
            build_pairing_row(
                tournament_page.build_prefetched_pairing(pairing),
                entrant_names,
                round_count=bracket_round_count,
                own_entrant_id=own_entrant_id,
            )
            for pairing, entrant_names in zip(
                page, organiser_dashboard.load_names_at_pairings(list(page)), strict=True
            )
        ],
    )


@require_safe
def show_pairing(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Show a pairing: seats, reasons, result, appeals."""
    viewer_context = get_viewer_context(request, code)
    try:
        pairing = tournament_page.get_pairing(viewer_context.tournament, pk)
    except NoSuchTournament:
        raise Http404(_("Table not found.")) from None
    own_entrant_id = viewer_context.entrant.pk if viewer_context.entrant else None
    [entrant_names] = organiser_dashboard.load_names_at_pairings([pairing])
    row = build_pairing_row(
        tournament_page.build_prefetched_pairing(pairing),
        entrant_names,
        round_count=tournament_page.count_bracket_rounds(viewer_context.tournament),
        own_entrant_id=own_entrant_id,
    )
    players_by_entrant = {
        pairing_seat.entrant_id: [
            player for player in list_players_at_pairing(pairing_seat.entrant, pairing) if player
        ]
        for pairing_seat in pairing.pairing_seats.all()
    }
    for seat in row["seats"]:
        seat["players"] = players_by_entrant[seat["entrant"]]
    appeals = tournament_page.list_pairing_appeals(pairing, viewer_context)
    has_left = viewer_context.viewer is not None and timeout_evidence.has_left_pairing(
        pairing, viewer_context.viewer
    )
    has_forfeit = any(seat["timeout"] or seat["forfeit"] for seat in row["seats"])
    context: dict[str, Any] = {
        "current_tab": "",
        "pairing": row,
        "is_void": pairing.is_void,
        "evidence": (
            has_forfeit and pairing.game is not None and (row["is_own"] or viewer_context.is_organiser)
        )
        or (has_left and bool(timeout_evidence.list_timeout_evidence(pairing, viewer_context.viewer))),
        "appeals": appeals,
        # The form is offered once there is a result; until then the API takes an appeal, too.
        "can_appeal": viewer_context.viewer is not None
        and (row["is_over"] or has_left)
        and not permissions.find_pairing_appeal_refusal(
            viewer_context.tournament,
            timezone.now(),
            has_played=row["is_own"] or has_left,
            has_appealed=any(appeal.created_by_id == viewer_context.viewer.pk for appeal in appeals),
        ),
        "can_see_game": not viewer_context.tournament.private or row["is_own"],
    }
    return render_tournament_page(request, viewer_context, "table", **context)


@require_safe
def show_timeout_evidence(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Show what was sent before each timeout, and its delivery status; only for those concerned."""
    viewer = viewer_of(request)
    try:
        tournament = get_tournament_for(viewer, code)
        pairing = tournament_page.get_pairing(tournament, pk)
        timeouts = timeout_evidence.list_timeout_evidence(pairing, viewer)
    except (NoSuchTournament, Denied):
        raise Http404(_("Table not found.")) from None
    row = build_pairing_row(
        tournament_page.build_prefetched_pairing(pairing),
        organiser_dashboard.load_names_at_pairings([pairing])[0],
    )
    latest_timeouts = timeouts[::-1][:MAX_EVIDENCE_ROWS]
    return render(
        request,
        "tournaments/evidence.html",
        {
            "tournament": tournament,
            "pairing": row,
            "evidence": build_evidence_rows(latest_timeouts),
            "more_evidence": len(timeouts) - len(latest_timeouts),
        },
    )
