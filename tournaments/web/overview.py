"""The overview page of a tournament."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from tournaments import permissions, text
from tournaments.api.request_costs import charge_and_load_state
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.pairing import PairingReason, swiss
from tournaments.read_models.pairings import BracketMatchData
from tournaments.refusals import Refusal
from tournaments.selectors import (
    TournamentState,
    get_entrant_name,
    list_seated_entrant_ids,
    seeding,
    tournament_page,
    tournament_read_models,
)
from tournaments.selectors.proposals import list_open_proposals
from tournaments.text.entries import describe_entry

from . import bracket, settings_text
from .presenters import (
    build_pairing_row,
    build_standing_row,
    count_main_rounds,
    describe_criteria,
    find_playing_entrant_ids,
    get_viewer_context,
    join_opponents,
    render_tournament_page,
)
from .proposals import build_proposal_context

MAX_NAMES, MAX_PAIRINGS, MAX_RESULTS, MAX_STANDINGS = 24, 10, 6, 8  # rows of each list


@require_safe
def show_tournament(request: HttpRequest, code: str) -> HttpResponse:
    """Show the tournament: settings, the viewer's part, open games, standings."""
    viewer_context, now = get_viewer_context(request, code), timezone.now()
    tournament = viewer_context.tournament
    settings, viewer = tournament_read_models.settings_dict(tournament), viewer_context.viewer
    state = charge_and_load_state(request, tournament) if tournament.started_at else None
    numbering_method = seeding.get_numbering_method(tournament, state.entrants.values() if state else None)
    context: dict[str, Any] = {
        "current_tab": "overview",
        "setting_sentences": settings_text.list_all_settings(tournament),
        "settings_summary": capfirst(settings_text.summarise_settings(tournament)),
        "format_sentences": text.describe_format(settings),
        "entry_sentences": text.describe_entry_rules(settings, numbering_method=numbering_method),
        "hold_reason": text.describe_hold_reason(tournament.hold_reason)
        if viewer_context.is_organiser
        else "",
        "needed_decision": text.describe_needed_decision(
            tournament.hold_reason,
            max((pairing.bracket_round for pairing in state.pairings), default=0) + 1 if state else 1,
        ),
        "division": tournament_page.get_division(tournament),
        "proposals": [
            build_proposal_context(proposal, viewer) for proposal in list_open_proposals(viewer, tournament)
        ]
        if viewer
        else [],
    }
    if viewer_context.entrant_player:
        context["own_seed"] = viewer_context.entrant_player.effective_client_seed
        context["allowed_actions"] = permissions.list_entrant_actions(
            tournament, viewer_context.entrant_player
        )
        context["can_change"] = "client-seed" in context["allowed_actions"]
    context |= (
        running_context(state, viewer_context, now) if state else before_start_context(viewer_context, now)
    )
    return render_tournament_page(request, viewer_context, "overview", **context)


def before_start_context(viewer_context: tournament_page.ViewerContext, now: datetime) -> dict[str, Any]:
    """Return the context before the start: entry, entrants, the viewer's own state."""
    tournament, entrant = viewer_context.tournament, viewer_context.entrant
    entrant_counts = tournament_page.count_entrants_by_status(tournament)
    entered_count, waiting_count = (
        entrant_counts[Entrant.Status.ENTERED],
        entrant_counts[Entrant.Status.WAITING],
    )
    first_entered, first_waiting = tournament_page.load_first_entrants(tournament, MAX_NAMES)
    context: dict[str, Any] = {
        "entered_count": entered_count,
        "waiting_count": waiting_count,
        "free_places": max(tournament.capacity - entered_count, 0) if tournament.capacity else None,
        "names": [get_entrant_name(entrant) for entrant in first_entered],
        "has_entered": entrant is not None,
        "waiting_names": [get_entrant_name(entrant) for entrant in first_waiting],
    }
    context["more_names"] = max(entered_count - MAX_NAMES, 0)
    context["more_waiting"] = max(waiting_count - MAX_NAMES, 0)
    if entrant is None:
        refusal = permissions.find_entry_refusal(tournament, viewer_context.viewer, now)
        return context | entry_context(tournament, refusal, context["free_places"])
    context["partner"] = find_partner_name(entrant, viewer_context)
    if entrant.is_waiting:
        context["waitlist_position"] = tournament_page.find_waitlist_position(tournament, entrant)
    return context


def entry_context(tournament: Tournament, refusal: Refusal | None, free_places: int | None) -> dict[str, Any]:
    """Return the context of the form to enter, or why there is none."""
    return {
        "entry_text": describe_entry(tournament, refusal, is_full=free_places == 0),
        "can_enter": refusal is None,
        "needs_account": refusal == Refusal.NO_ACCOUNT,
        "opens_later": refusal == Refusal.ENTRY_TOO_EARLY,
    }


def find_partner_name(entrant: Entrant, viewer_context: tournament_page.ViewerContext) -> str:
    """Return the name of the viewer's partner, empty without one."""
    if not viewer_context.tournament.is_for_pairs or viewer_context.viewer is None:
        return ""
    other_players = entrant.entrant_players.exclude(player=viewer_context.viewer).select_related("player")
    return next((entrant_player.player.name for entrant_player in other_players if entrant_player.player), "")


# -------------------------------------------------------------------------------------------- after the start


def running_context(
    state: TournamentState, viewer_context: tournament_page.ViewerContext, now: datetime
) -> dict[str, Any]:
    """Return the context after the start: own games, other games, results, standings, bracket."""
    tournament, own_entrant_id = (
        viewer_context.tournament,
        viewer_context.entrant.pk if viewer_context.entrant else None,
    )
    entrant_names = tournament_read_models.get_entrant_names(state)
    is_elimination = bracket.is_elimination(tournament)
    matches = tournament_read_models.build_bracket(state).matches if is_elimination else []
    last_round = count_main_rounds(matches)
    pairings = [pairing for pairing in state.pairings if len(pairing.pairing_seats.all()) > 1]
    open_pairings = [pairing for pairing in pairings if pairing.settled_at is None]
    own_pairings = [
        pairing for pairing in open_pairings if own_entrant_id in list_seated_entrant_ids(pairing)
    ]
    other_open_pairings = [pairing for pairing in open_pairings if pairing not in own_pairings]
    finished_pairings = sorted(
        (pairing for pairing in pairings if pairing.settled_at),
        key=lambda pairing: (pairing.settled_at, pairing.pk),
    )[::-1]

    def build_rows(shown_pairings: list[Pairing]) -> list[dict[str, Any]]:
        return [
            build_pairing_row(
                tournament_read_models.build_pairing(state, pairing),
                entrant_names,
                round_count=last_round,
                own_entrant_id=own_entrant_id,
            )
            for pairing in shown_pairings
        ]

    round_no = max((pairing.bracket_round for pairing in state.pairings), default=0)
    context: dict[str, Any] = {
        "entered_count": len(state.entrants),
        "round": round_no,
        "round_count": count_planned_rounds(state, round_no),
        "own_games": [
            row | own_game_context(state, pairing, viewer_context)
            for row, pairing in zip(build_rows(own_pairings), own_pairings, strict=True)
        ],
        "open_pairings": build_rows(other_open_pairings[:MAX_PAIRINGS]),
        "more_open_pairings": max(len(other_open_pairings) - MAX_PAIRINGS, 0),
        "results": build_rows(finished_pairings[:MAX_RESULTS]),
        "champions": [
            entrant_names[entrant_id] for entrant_id, entrant in state.entrants.items() if entrant.rank == 1
        ],
        "picture": bracket.measure_picture(state, matches) if bracket.is_picture_on_overview(state) else None,
    }
    if not is_elimination:
        top_standings = tournament_read_models.build_standings(state)[:MAX_STANDINGS]
        context["top_standings"] = [build_standing_row(row, {}, own_entrant_id) for row in top_standings]
        context["columns"] = (
            describe_criteria(
                (criterion.key for criterion in top_standings[0].criteria[:2]), tournament.table_size
            )
            if top_standings
            else []
        )
    context["was_dropped"] = viewer_context.entrant is not None and permissions.was_dropped_unconfirmed(
        viewer_context.entrant, tournament
    )
    context["has_entered"] = viewer_context.entrant is not None and not context["was_dropped"]
    if not context["has_entered"] and tournament.takes_late_entries:
        entered_count = sum(entrant.status == Entrant.Status.ENTERED for entrant in state.entrants.values())
        context["free_places"] = max(tournament.capacity - entered_count, 0) if tournament.capacity else None
        refusal = permissions.find_entry_refusal(
            tournament,
            viewer_context.viewer,
            now,
            accepts_late_entry=round_no < (context["round_count"] or 0),
        )
        context |= entry_context(tournament, refusal, context["free_places"])
        context["shows_late_entry"] = refusal != Refusal.ENTRY_OVER
    if viewer_context.entrant and viewer_context.entrant.left_after_round is None:
        context |= next_round_context(
            state, viewer_context.entrant, matches, round_no, context["round_count"]
        )
    return context


def own_game_context(
    state: TournamentState, pairing: Pairing, viewer_context: tournament_page.ViewerContext
) -> dict[str, Any]:
    """Return the opponents of the viewer's running game, and whether it is their turn."""
    assert viewer_context.entrant
    assert viewer_context.viewer
    row = build_pairing_row(
        tournament_read_models.build_pairing(state, pairing), {}, own_entrant_id=viewer_context.entrant.pk
    )
    entrant_player = next(
        candidate
        for candidate in state.entrants[viewer_context.entrant.pk].entrant_players.all()
        if candidate.player_id == viewer_context.viewer.pk
    )
    seat_no = list_seated_entrant_ids(pairing).index(viewer_context.entrant.pk) + (
        1 if entrant_player.position == 1 else 3
    )
    return {
        "opponents": join_opponents(row),
        "is_own_turn": bool(pairing.game and pairing.game.is_turn_of(seat_no)),
    }


def count_planned_rounds(state: TournamentState, round_no: int) -> int | None:
    """Return the number of rounds if it is fixed from the start."""
    if state.tournament.format == Tournament.Format.SWISS:
        return swiss.count_rounds(state.spec)
    schedule_notes = (
        note
        for pairing in state.pairings
        for note in pairing.reasons
        if note["code"] == PairingReason.SCHEDULE
    )
    return next((int(note["rounds"]) for note in schedule_notes), None)


def next_round_context(
    state: TournamentState,
    entrant: Entrant,
    matches: list[BracketMatchData],
    round_no: int,
    round_count: int | None,
) -> dict[str, Any]:
    """Return the viewer's rank, whether they are out, and which round they can still sit out."""
    context: dict[str, Any] = {"own_rank": entrant.rank}
    if not state.tournament.is_running:
        return context
    if matches:
        return context | {"is_eliminated": entrant.pk not in find_playing_entrant_ids(matches)}
    if state.tournament.format == Tournament.Format.SWISS and round_no < (round_count or 0):
        context["next_round"] = round_no + 1
        context["is_sitting_out"] = round_no + 1 in entrant.absent_rounds
    return context
