"""Permissions about proposals: who may answer or withdraw one, and who may read its reason."""

from __future__ import annotations

from accounts.models import Player
from tournaments.actions import ProposalAction
from tournaments.models import Proposal
from tournaments.refusals import Refusal
from tournaments.selectors.tournaments import can_organise_league, can_organise_tournament

ORGANISER_KINDS = (Proposal.Kind.REPLACEMENT, Proposal.Kind.CO_ORGANISER)


def list_proposal_actions(proposal: Proposal, viewer: Player) -> list[ProposalAction]:
    """List the actions open to a viewer, by their API names."""
    if find_closed_refusal(proposal):
        return []
    answers = [] if find_answer_refusal(proposal, viewer) else [ProposalAction.ACCEPT, ProposalAction.DECLINE]
    return answers if find_withdrawal_refusal(proposal, viewer) else [*answers, ProposalAction.WITHDRAW]


def find_closed_refusal(proposal: Proposal) -> Refusal | None:
    """Find out why nothing may be done about a proposal any more."""
    if proposal.is_open:
        return None
    is_lapsed = proposal.status == Proposal.Status.LAPSED
    return Refusal.PROPOSAL_LAPSED if is_lapsed else Refusal.PROPOSAL_ANSWERED


def find_answer_refusal(proposal: Proposal, player: Player) -> Refusal | None:
    """Find out why a player may not accept or decline a proposal."""
    return None if proposal.player_id == player.pk else Refusal.NOT_ASKED


def find_withdrawal_refusal(proposal: Proposal, player: Player) -> Refusal | None:
    """Find out why a player may not withdraw a proposal; organisers may withdraw each other's."""
    may_withdraw = proposal.proposer_id == player.pk or (
        proposal.kind in ORGANISER_KINDS and organises_subject_of(player, proposal)
    )
    return None if may_withdraw else Refusal.NOT_PROPOSER


def is_involved(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player made a proposal, must answer it, or organises its tournament or league."""
    return player.pk in (proposal.player_id, proposal.proposer_id) or not find_withdrawal_refusal(
        proposal, player
    )


def organises_subject_of(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player organises the tournament or league of a proposal."""
    if proposal.tournament:
        return can_organise_tournament(player, proposal.tournament)
    return proposal.league is not None and can_organise_league(player, proposal.league)


def can_read_reason(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player may read the reason: who wrote it and the organisers, not who is asked."""
    return proposal.proposer_id == player.pk or organises_subject_of(player, proposal)
