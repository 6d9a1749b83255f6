"""Outcomes of proposals: recorded and announced; some lapse when circumstances change."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Conflict
from tournaments.models import League, Proposal, Tournament
from tournaments.notice_kinds import TournamentNoticeKind

from .notices import notify_players

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind
MAX_PROPOSALS_TO_ONE_PLAYER = 5  # by one player, in one tournament or league


def check_not_asked_too_often(earlier_proposals: QuerySet[Proposal], player: Player) -> None:
    """Raise Conflict if the player was asked too often by the same person; each proposal is a mail."""
    if earlier_proposals.filter(player=player).count() >= MAX_PROPOSALS_TO_ONE_PLAYER:
        raise Conflict(
            _("You have already asked this player %(limit)d times.") % {"limit": MAX_PROPOSALS_TO_ONE_PLAYER},
            code="too-many-proposals",
        )


def notify_proposed_player(
    subject: Tournament | League, proposal: Proposal, kind: TournamentNoticeKind, now: datetime
) -> None:
    """Notify the player to whom a proposal was made."""
    dedup_suffix = f"proposal:{proposal.pk}"
    notify_players(subject, kind, dedup_suffix, [proposal.player_id], now, proposal=proposal.pk)


def record_proposal_answer(proposal: Proposal, status: str, now: datetime) -> Proposal:
    """Store the outcome of a proposal and notify those concerned."""
    proposal.status, proposal.answered_at = status, now
    proposal.save(update_fields=["status", "answered_at"])
    recipient_ids = {
        ProposalStatus.ACCEPTED: [proposal.proposer_id],
        ProposalStatus.DECLINED: [proposal.proposer_id],
        # A proposed co-organiser gets no other mail about it before they accept.
        ProposalStatus.LAPSED: [
            proposal.proposer_id,
            proposal.player_id if proposal.kind != ProposalKind.CO_ORGANISER else None,
        ],
    }.get(ProposalStatus(status), [])
    subject = proposal.league or proposal.tournament
    if subject:
        notify_players(
            subject,
            TournamentNoticeKind.LEAGUE_PROPOSAL_ANSWERED
            if proposal.league
            else TournamentNoticeKind.PROPOSAL_ANSWERED,
            f"answered:{proposal.pk}",
            recipient_ids,
            now,
            proposal=proposal.pk,
            answer=str(status),
        )
    return proposal


def lapse_proposals(proposals: QuerySet[Proposal], now: datetime) -> None:
    """Let the open ones of these proposals lapse, and notify both sides."""
    for proposal in (
        proposals.filter(status=ProposalStatus.OPEN).select_related("tournament", "league").order_by("pk")
    ):
        record_proposal_answer(proposal, ProposalStatus.LAPSED, now)


def lapse_tournament_proposals(tournament: Tournament, now: datetime) -> None:
    """Let proposals lapse that a new round, the start or the end of a tournament makes obsolete."""
    kinds = Q(kind=ProposalKind.REPLACEMENT)
    if not (tournament.is_published or (tournament.late_entry and tournament.is_running)):
        kinds |= Q(kind=ProposalKind.PARTNER)
    if tournament.is_cancelled:
        kinds |= Q(kind=ProposalKind.CO_ORGANISER)
    lapse_proposals(Proposal.objects.filter(kinds, tournament=tournament), now)


def lapse_entrant_proposals(entrant_ids: list[int], now: datetime) -> None:
    """Let replacement proposals for these entrants lapse."""
    lapse_proposals(Proposal.objects.filter(entrant_player__entrant__in=entrant_ids), now)
