"""The organiser's dashboard: the next step, and pages of entrants, pairings, appeals and decisions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.web.request_utils import current_player
from tournaments import permissions, text
from tournaments.models import Tournament
from tournaments.refusals import Refusal
from tournaments.selectors import (
    conflicts_of_interest,
    get_entrant_name,
    list_players_of_entrant,
    organiser_dashboard,
    seeding,
    tournament_page,
    tournament_read_models,
)
from tournaments.selectors.proposals import list_open_co_organiser_proposals, list_open_replacement_proposals
from tournaments.selectors.quotas import MAX_GAMES_AT_ONCE_PER_TOURNAMENT
from tournaments.selectors.undecided_pairings import list_undecided_pairings
from tournaments.services.decision_log import find_newest_pairing_id

from . import settings_text
from .decorators import organiser_required, read_name_filter, render_organiser_page
from .organiser_presenters import build_decision_rows, build_organiser_pairing_row, describe_warnings
from .presenters import paginate_rows
from .proposals import build_proposal_context

ROWS_PER_PAGE, MAX_LATEST_ROWS = 25, 5
MAX_WARNINGS = 10


@require_safe
@organiser_required
def show_dashboard(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the state of the tournament, the next step, open appeals and the latest decisions."""
    now = timezone.now()
    open_appeals = list(
        organiser_dashboard.list_appeals(tournament).filter(answered_at=None)[: MAX_LATEST_ROWS + 1]
    )
    latest_decisions = list(organiser_dashboard.list_decisions(tournament)[:MAX_LATEST_ROWS])
    organiser = current_player(request)
    own_pairings = conflicts_of_interest.load_own_pairings(organiser, tournament)
    needs_confirmation = tournament.confirmation and tournament.is_published
    return render_organiser_page(
        request,
        tournament,
        "dashboard",
        entrant_counts=tournament_page.count_entrants_by_status(tournament),
        confirmed_count=organiser_dashboard.count_confirmed_entrants(tournament)
        if needs_confirmation
        else None,
        rounds=organiser_dashboard.list_open_rounds(tournament) if tournament.is_running else [],
        appeals=open_appeals[:MAX_LATEST_ROWS],
        more_appeals=len(open_appeals) > MAX_LATEST_ROWS,
        log=build_decision_rows(latest_decisions, find_newest_pairing_id(tournament), organiser, own_pairings)
        if latest_decisions
        else [],
        **conflict_context(tournament, organiser, own_pairings),
        setting_warnings=text.list_setting_warnings(tournament_read_models.settings_dict(tournament))
        if tournament.is_before_start
        else [],
        setting_sentences=list_settings(tournament) if tournament.is_before_start else [],
        now=now,
        **next_step_context(tournament, now),
    )


def conflict_context(
    tournament: Tournament, organiser: Player, own_pairings: conflicts_of_interest.OwnPairings | None = None
) -> dict[str, Any]:
    """Return the pairings, rounds and entrants that an organiser may not decide about, and why."""
    own_pairings = own_pairings or conflicts_of_interest.load_own_pairings(organiser, tournament)
    return {
        "own_pairings": own_pairings.pairing_ids,
        "own_rounds": own_pairings.open_rounds,
        "own_entrants": conflicts_of_interest.list_entrants_of_interest(organiser, tournament)
        if own_pairings.pairing_ids
        else set(),
        "own_reason": Refusal.OWN_PAIRING.text if own_pairings.pairing_ids else "",
    }


def list_settings(tournament: Tournament) -> list[str]:
    """List what players read about format, entry and game settings."""
    settings = tournament_read_models.settings_dict(tournament)
    entry_sentences = text.describe_entry_rules(
        settings, numbering_method=seeding.get_numbering_method(tournament)
    )
    return [*text.describe_format(settings), *entry_sentences, *settings_text.list_all_settings(tournament)]


class DashboardStep(StrEnum):
    """The next steps of an organiser; each has its text in the template of the dashboard."""

    DRAFT = "draft"
    PUBLISHED = "published"
    TOO_FEW = "too-few"
    TOO_MANY_GAMES = "too-many-games"
    STARTING = "starting"
    ON_HOLD = "held"
    LAST_ERROR = "last-error"
    SETTLING = "settling"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


# Steps of a tournament that could not start.
STEPS_ON_HOLD = {
    Tournament.HoldReason.TOO_FEW.value: DashboardStep.TOO_FEW,
    Tournament.HoldReason.TOO_MANY_GAMES.value: DashboardStep.TOO_MANY_GAMES,
}


def next_step_context(tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Return the template context of the next step; `step` selects its text in the template."""
    is_due = tournament.next_sweep_at is not None and tournament.next_sweep_at <= now
    if tournament.is_published:
        step = STEPS_ON_HOLD.get(
            tournament.hold_reason, DashboardStep.STARTING if is_due else DashboardStep.PUBLISHED
        )
        return {"step": step, "max_games": MAX_GAMES_AT_ONCE_PER_TOURNAMENT}
    if tournament.is_running and tournament.hold_reason:
        warning_notes = tournament.warnings
        return {
            "step": DashboardStep.ON_HOLD,
            "hold_reason": text.describe_hold_reason(tournament.hold_reason),
            "is_held_at_end": tournament.hold_reason == Tournament.HoldReason.STALE_AT_END,
            "shows_hold_reason": not warning_notes or tournament.hold_reason == Tournament.HoldReason.REVIEW,
            "warnings": describe_warnings(warning_notes[:MAX_WARNINGS]),
            "more_warnings": max(len(warning_notes) - MAX_WARNINGS, 0),
            "undecided_pairings": [
                {"id": pairing.pk, "name": text.format_match_name(pairing.match)}
                for pairing in list_undecided_pairings(tournament).order_by("pk")[:MAX_WARNINGS]
                if tournament.hold_reason == Tournament.HoldReason.UNDECIDED_TABLE
            ],
        }
    if tournament.is_running:
        if tournament.last_error:
            return {"step": DashboardStep.LAST_ERROR}
        return {"step": DashboardStep.SETTLING if is_due else DashboardStep.RUNNING}
    return {"step": DashboardStep(tournament.status)}


@require_safe
@organiser_required
def show_entrants(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the entrants, with the actions on each."""
    name_filter = read_name_filter(request)
    page = paginate_rows(request, organiser_dashboard.list_entrants(tournament, name_filter), ROWS_PER_PAGE)
    rows = [
        {
            **vars(tournament_read_models.build_entrant(entrant)),
            "status_name": entrant.get_status_display(),
            "players": list_players_of_entrant(entrant),
            "name": get_entrant_name(entrant),
            "is_waiting": entrant.is_waiting,
            "allowed_actions": permissions.list_actions_on_entrant(tournament, entrant),
        }
        for entrant in page.object_list
    ]
    return render_organiser_page(
        request,
        tournament,
        "entrants",
        page=page,
        lines=rows,
        name=name_filter,
        keep=build_kept_query(name=name_filter),
        open_proposals=[
            build_proposal_context(proposal, current_player(request))
            for proposal in list_open_replacement_proposals(tournament)
        ],
        **conflict_context(tournament, current_player(request)),
    )


@require_safe
@organiser_required
def show_pairings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the pairings, newest round first, and the open rounds."""
    name_filter, only_open = read_name_filter(request), "playing" in request.GET
    page = paginate_rows(
        request, organiser_dashboard.list_pairings(tournament, name_filter, only_open), ROWS_PER_PAGE
    )
    return render_organiser_page(
        request,
        tournament,
        "pairings",
        page=page,
        lines=[build_organiser_pairing_row(pairing) for pairing in page.object_list],
        name=name_filter,
        only_open=only_open,
        keep=build_kept_query(name=name_filter, playing="1" if only_open else ""),
        rounds=organiser_dashboard.list_open_rounds(tournament),
        **conflict_context(tournament, current_player(request)),
    )


@require_safe
@organiser_required
def show_appeals(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show appeals and answers."""
    page = paginate_rows(request, organiser_dashboard.list_appeals(tournament), ROWS_PER_PAGE)
    rows = [
        {"appeal": appeal, "match": text.format_match_name(appeal.pairing.match)}
        for appeal in page.object_list
    ]
    return render_organiser_page(
        request,
        tournament,
        "appeals",
        page=page,
        lines=rows,
        **conflict_context(tournament, current_player(request)),
    )


@require_safe
@organiser_required
def show_decisions(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show all decisions; some can be undone."""
    page = paginate_rows(request, organiser_dashboard.list_decisions(tournament), ROWS_PER_PAGE)
    organiser = current_player(request)
    own_pairings = conflicts_of_interest.load_own_pairings(organiser, tournament)
    rows = build_decision_rows(
        list(page.object_list), find_newest_pairing_id(tournament), organiser, own_pairings
    )
    return render_organiser_page(request, tournament, "log", page=page, lines=rows)


@require_safe
@organiser_required
def show_organisers_and_invites(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the co-organisers and the invites."""
    page = paginate_rows(request, tournament.invites.select_related("player").order_by("-pk"), ROWS_PER_PAGE)
    return render_organiser_page(
        request,
        tournament,
        "organisers",
        page=page,
        co_organisers=list(tournament.co_organisers.order_by("name")),
        open_proposals=[
            build_proposal_context(proposal, current_player(request))
            for proposal in list_open_co_organiser_proposals(tournament)
        ],
    )


def build_kept_query(**parameters: str) -> str:
    """Return the query string of all parameters but the page number."""
    query_string = urlencode({name: value for name, value in parameters.items() if value})
    return f"{query_string}&" if query_string else ""
