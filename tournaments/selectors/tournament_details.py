"""One tournament in full as read models: state, rounds, next round, fairness proof, decisions, appeals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import Player
from games.options import read_options
from tournaments.models import Appeal, Decision, Invite, Pairing, Tournament
from tournaments.options import SHAPE_OPTIONS
from tournaments.pairing import PlannedRound, TournamentFinished, WaitingForResults
from tournaments.permissions import permissions_of
from tournaments.read_models.pairings import (
    FairnessProofData,
    NamedEntrantData,
    PlannedPairingData,
    ProofEntrantData,
    ProofResultData,
    RoundPreviewData,
)
from tournaments.read_models.tournaments import (
    AppealData,
    DecisionData,
    LeagueReference,
    NoteData,
    RoundData,
    TournamentData,
    TournamentInviteData,
)

from . import organiser_dashboard, seeding, tournament_read_models
from .seeds import list_client_seeds
from .tournament_state import (
    ENTRANT_PLAYERS_PREFETCH,
    TournamentState,
    get_entrant_name,
    list_seated_entrant_ids,
)
from .tournaments import can_organise_tournament


def build_tournament_details(tournament: Tournament, viewer: Player | None, now: datetime) -> TournamentData:
    """Build all details of a tournament, and what the viewer may do."""
    tournaments = tournament_read_models.with_counts(Tournament.objects.filter(pk=tournament.pk)).annotate(
        waiting=tournament_read_models.WAITING_COUNT
    )
    counted_tournament = tournaments.select_related("division__season__league").get()
    viewer_data = permissions_of(counted_tournament, viewer, now)
    return TournamentData(
        **vars(tournament_read_models.build_summary(counted_tournament)),
        settings=tournament_read_models.settings_dict(counted_tournament),
        waiting=counted_tournament.waiting,
        co_organisers=list(counted_tournament.co_organisers.order_by("name").values_list("name", flat=True)),
        hold_reason=(counted_tournament.hold_reason or None) if viewer_data.organiser else None,
        waits_for_organiser=bool(counted_tournament.hold_reason),
        warnings=NoteData.build_list(counted_tournament.warnings) if viewer_data.organiser else [],
        round=next(reversed(list_rounds(counted_tournament)), None)
        if counted_tournament.started_at
        else None,
        champions=list_champions(counted_tournament),
        commitment=counted_tournament.commitment,
        event_commitment=counted_tournament.commitment,
        event_seed=counted_tournament.seed or None,
        league=build_league_reference(counted_tournament),
        you=viewer_data,
    )


def build_league_reference(tournament: Tournament) -> LeagueReference | None:
    """Build the reference to league, season and division of a tournament, None if it is of no league."""
    if tournament.division is None:
        return None
    season = tournament.division.season
    return LeagueReference(
        season.league.code, season.league.name, season.number, tournament.division.number, tournament.group
    )


def list_champions(tournament: Tournament) -> list[str]:
    """List the names of the champions; nobody before the end."""
    if not tournament.is_finished:
        return []
    return [
        get_entrant_name(entrant)
        for entrant in tournament.entrants.filter(rank=1).prefetch_related(ENTRANT_PLAYERS_PREFETCH)
    ]


def list_rounds(tournament: Tournament) -> list[RoundData]:
    """List the rounds with the numbers of their pairings and open pairings."""
    rounds = organiser_dashboard.with_pairing_counts(tournament).order_by("number")
    return [
        RoundData(
            number=tournament_round.number,
            published_at=tournament_round.published_at,
            ends_at=tournament_round.ends_at,
            pairing_count=tournament_round.pairing_count,
            open_pairing_count=tournament_round.open_pairing_count,
            warnings=NoteData.build_list(tournament_round.warnings),
        )
        for tournament_round in rounds
    ]


# -------------------------------------------------------------------------------------------------- pairings


def build_next_round(next_step: PlannedRound | WaitingForResults | TournamentFinished) -> RoundPreviewData:
    """Build the next round, or what it waits for, with names."""
    if isinstance(next_step, WaitingForResults):
        return RoundPreviewData("waiting", round=next_step.round, matches=list(next_step.matches))
    if isinstance(next_step, TournamentFinished):
        names = organiser_dashboard.load_entrant_names(
            [int(next_step.champion)] if next_step.champion is not None else []
        )
        return RoundPreviewData("over", champion=names.get(next_step.champion))
    names = organiser_dashboard.load_entrant_names(
        int(entrant_id) for pairing in next_step.pairings for entrant_id in pairing.seats
    )
    return RoundPreviewData(
        "round",
        round=next_step.number,
        pairings=[
            PlannedPairingData(
                match=pairing.match,
                bracket_round=pairing.round,
                rematch=pairing.is_rematch,
                seats=[NamedEntrantData(int(entrant_id), names[entrant_id]) for entrant_id in pairing.seats],
                reasons=[NoteData(note.code, note.as_dict()) for note in pairing.reasons],
            )
            for pairing in next_step.pairings
        ],
        warnings=[NoteData(note.code, note.as_dict()) for note in next_step.warnings],
    )


def build_fairness_proof(state: TournamentState) -> FairnessProofData:
    """Build everything that the pairings of a tournament follow from; its seed once it is over."""
    tournament = state.tournament
    return FairnessProofData(
        **vars(seeding.build_seeding_report(tournament)),
        id=tournament.code,
        commitment=tournament.commitment,
        seed=tournament.seed or None,
        event_commitment=tournament.commitment,
        event_seed=tournament.seed or None,
        format=tournament.format,
        table_size=tournament.table_size,
        shape=read_options(tournament, SHAPE_OPTIONS),
        entrants=[
            ProofEntrantData(
                id=entrant.pk,
                seed=entrant.seed,
                first_round=entrant.first_round,
                left_after_round=entrant.left_after_round,
                absent_rounds=entrant.absent_rounds,
                client_seeds=list_client_seeds(entrant),
            )
            for entrant in state.entrants.values()
        ],
        results=[build_result(pairing) for pairing in state.pairings],
        corrections=seeding.build_corrections(tournament),
    )


def build_result(pairing: Pairing) -> ProofResultData:
    """Build the result of a pairing by seat."""
    stored_result = pairing.result or {}
    return ProofResultData(
        round=pairing.round.number,
        match=pairing.match,
        bracket_round=pairing.bracket_round,
        game_number=pairing.game_number,
        attempt=pairing.attempt,
        seats=list_seated_entrant_ids(pairing),
        ranks=stored_result.get("ranks"),
        points=stored_result.get("points", []),
        eights=stored_result.get("eights", []),
        forfeits=stored_result.get("forfeits", []),
    )


# --------------------------------------------------------------------------------- decisions and appeals


def parse_stored_instant(text: str | None) -> datetime | None:
    """Parse an instant that a decision stores as text; None stays None."""
    return datetime.fromisoformat(text) if text else None


def build_decisions(decisions: Sequence[Decision], *, is_organiser: bool) -> list[DecisionData]:
    """Build the read models of decisions, with the names of those whom they are about.

    Reasons are for organisers; a public note is for organisers only once its decision was undone.
    """
    details_by_decision = {decision.pk: {**decision.before, **decision.after} for decision in decisions}
    names = organiser_dashboard.load_player_names_in_decisions(decisions)
    has_draw_decisions = any(decision.action in seeding.CHANGES_OF_DRAW for decision in decisions)
    first_preview_id = (
        seeding.find_first_preview_id(decisions[0].tournament_id) if has_draw_decisions else None
    )

    return [
        DecisionData(
            id=decision.pk,
            created_at=decision.created_at,
            created_by=decision.created_by.name if decision.created_by else None,
            action=decision.action,
            reason=decision.reason if is_organiser else None,
            public_note=decision.public_note if is_organiser else get_public_note(decision),
            pairing=details_by_decision[decision.pk].get("pairing"),
            entrant=details_by_decision[decision.pk].get("entrant"),
            player=names.get(decision.after.get("player")),
            was=names.get(decision.before.get("player")) or join_removed_names(decision, names),
            result=decision.after.get("result"),
            result_before=decision.before.get("result"),
            until=parse_stored_instant(decision.after.get("ends_at")),
            changed=tournament_read_models.rename_settings_for_api(decision.after)
            if decision.action == Decision.Action.EDIT
            else None,
            seeds=decision.after["order"] if decision.action == Decision.Action.SEEDS else None,
            after_preview=seeding.came_after_preview(
                decision, first_preview_id, started_at=decision.tournament.started_at
            ),
            undoes=decision.undoes_id,
            undone=hasattr(decision, "undone_by"),
        )
        for decision in decisions
    ]


def join_removed_names(decision: Decision, names: Mapping[Any, str]) -> str | None:
    """Join the names of the players that a decision removed, None if it removed nobody."""
    removed = [names[pk] for pk in decision.before.get("players", ()) if pk in names]
    return " & ".join(removed) or None


def get_public_note(decision: Decision) -> str:
    """Return the public note of a decision, empty once it was undone."""
    return "" if hasattr(decision, "undone_by") else decision.public_note


def list_appeals_for(tournament: Tournament, viewer: Player) -> QuerySet[Appeal]:
    """List all appeals for organisers, and their own for other players."""
    appeals = Appeal.objects.filter(pairing__tournament=tournament).select_related(
        "pairing", "created_by", "answered_by"
    )
    return appeals if can_organise_tournament(viewer, tournament) else appeals.filter(created_by=viewer)


def build_appeal(appeal: Appeal) -> AppealData:
    """Build the read model of an appeal and its answer."""
    return AppealData(
        id=appeal.pk,
        pairing=appeal.pairing_id,
        match=appeal.pairing.match,
        created_by=appeal.created_by.name if appeal.created_by else None,
        created_at=appeal.created_at,
        text=appeal.text,
        answer=appeal.answer or None,
        answered_by=appeal.answered_by.name if appeal.answered_by else None,
        answered_at=appeal.answered_at,
    )


def list_invites_for(tournament: Tournament, viewer: Player) -> QuerySet[Invite]:
    """List the invited players for organisers, and the viewer's own invitation for others."""
    invites = tournament.invites.select_related("player")
    return invites if can_organise_tournament(viewer, tournament) else invites.filter(player=viewer)


def build_invite(invite: Invite) -> TournamentInviteData:
    """Build the read model of an invite."""
    return TournamentInviteData(invite.player.name, invite.created_at)
