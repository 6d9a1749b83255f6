"""Preview of the next round for organisers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from accounts.web.request_utils import current_player
from common.service_errors import ServiceError
from tournaments import text
from tournaments.api.request_costs import charge_preview
from tournaments.models import Tournament
from tournaments.pairing import PlannedRound, TournamentFinished, WaitingForResults
from tournaments.selectors import organiser_dashboard
from tournaments.services import decisions

from .decorators import organiser_required, render_organiser_page
from .presenters import paginate_rows

PAIRINGS_PER_PAGE, MAX_LISTED_ITEMS = 25, 10


@require_safe
@organiser_required
def show_round_preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the pairings that the next round would have, with reasons; no pairing is stored."""
    charge_preview(request)
    try:
        planned = decisions.preview_next_round(
            by=current_player(request), code=tournament.code, now=timezone.now()
        )
    except ServiceError as error:
        messages.error(request, capfirst(str(error)))
        return redirect("tournament-organise", code=tournament.code)
    context: dict[str, Any] = {"is_finished": isinstance(planned, TournamentFinished)}
    if isinstance(planned, WaitingForResults):
        awaited_matches = [text.format_match_name(match) for match in planned.matches]
        context |= {
            "awaited_matches": awaited_matches[:MAX_LISTED_ITEMS],
            "more_awaited_matches": max(len(awaited_matches) - MAX_LISTED_ITEMS, 0),
        }
    if isinstance(planned, PlannedRound):
        context |= planned_round_context(request, planned)
    return render_organiser_page(request, tournament, "preview", **context)


def planned_round_context(request: HttpRequest, planned_round: PlannedRound) -> dict[str, Any]:
    """Return a page of the planned round's pairings, and its warnings."""
    page = paginate_rows(request, planned_round.pairings, PAIRINGS_PER_PAGE)
    page_pairings = list(page.object_list)
    warning_notes = [note.as_dict() for note in planned_round.warnings[:MAX_LISTED_ITEMS]]
    reason_notes = [note.as_dict() for pairing in page_pairings for note in pairing.reasons]
    entrant_names = organiser_dashboard.load_names_in_notes(
        [*warning_notes, *reason_notes, *({"entrants": pairing.seats} for pairing in page_pairings)]
    )
    return {
        "number": planned_round.number,
        "page": page,
        "lines": [
            {
                "match": text.format_match_name(pairing.match),
                "rematch": pairing.is_rematch,
                "bye": len(pairing.seats) == 1,
                "names": [entrant_names[entrant_id] for entrant_id in pairing.seats],
                "reasons": [text.describe_reason(note.as_dict(), entrant_names) for note in pairing.reasons],
            }
            for pairing in page_pairings
        ],
        "warnings": [text.describe_warning(note, entrant_names) for note in warning_notes],
        "more_warnings": max(len(planned_round.warnings) - MAX_LISTED_ITEMS, 0),
    }
