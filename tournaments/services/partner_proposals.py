"""Proposals to enter a tournament, or to join a league, as a pair."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from accounts.services import contact_limits
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import League, Proposal, Tournament
from tournaments.notice_kinds import TournamentNoticeKind

from .proposal_outcomes import check_not_asked_too_often, notify_proposed_player


def propose_partnership(
    subject: Tournament | League, *, player: Player, partner: Player, client_seed: str, now: datetime
) -> Proposal:
    """Ask a partner; an open proposal to them gets the new client seed, one to another partner is withdrawn.

    The caller locks the tournament or league. Raises Conflict or LimitReached.
    """
    is_league = isinstance(subject, League)
    kind = Proposal.Kind.LEAGUE_PARTNER if is_league else Proposal.Kind.PARTNER
    proposals = subject.proposals.filter(proposer=player, kind=kind)
    open_proposals = proposals.filter(status=Proposal.Status.OPEN)
    if open_proposal := open_proposals.filter(player=partner).first():
        open_proposals.update(client_seed=client_seed)
        return open_proposal
    check_not_asked_too_often(proposals, partner)
    contact_limits.count_contacts(
        kind=TournamentContactKind.PARTNER, sender=player, recipients=[partner], now=now
    )
    open_proposals.update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    proposal = subject.proposals.create(
        kind=kind, proposer=player, player=partner, client_seed=client_seed, created_at=now
    )
    notify_proposed_player(
        subject,
        proposal,
        TournamentNoticeKind.LEAGUE_PARTNER_REQUEST if is_league else TournamentNoticeKind.PARTNER_REQUEST,
        now,
    )
    return proposal
