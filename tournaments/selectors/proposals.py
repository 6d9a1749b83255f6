"""Proposals as seen by who made them, who must answer them, and the organisers."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Player
from tournaments.models import League, Proposal, Tournament

from .seeds import get_next_commitment
from .tournaments import can_organise_league, can_organise_tournament

RELATED_FIELDS = ("event", "league", "by", "player", "predecessor", "member")
ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind
ORGANISER_KINDS = (ProposalKind.REPLACEMENT, ProposalKind.CO_ORGANISER)


class NoSuchProposal(LookupError):
    """The viewer can see no such proposal."""


def list_proposals_of(player: Player) -> QuerySet[Proposal]:
    """List the proposals that a player made or received, newest first."""
    proposals = Proposal.objects.filter(Q(player=player) | Q(by=player))
    return proposals.select_related(*RELATED_FIELDS).order_by("-pk")


def list_open_proposals(player: Player | None, subject: Tournament | League) -> list[Proposal]:
    """List a player's open proposals in a tournament or league."""
    if player is None or player.guest:
        return []
    subject_field = "event" if isinstance(subject, Tournament) else "league"
    return list(
        list_proposals_of(player)
        .filter(status=ProposalStatus.OPEN, **{subject_field: subject})
        .order_by("pk")
    )


def list_open_replacement_proposals(tournament: Tournament) -> list[Proposal]:
    """List the open replacement proposals of a tournament."""
    proposals = tournament.proposals.filter(status=ProposalStatus.OPEN, kind=ProposalKind.REPLACEMENT)
    return list(proposals.select_related(*RELATED_FIELDS).order_by("pk"))


def list_open_co_organiser_proposals(subject: Tournament | League) -> list[Proposal]:
    """List the open co-organiser proposals of a tournament or league."""
    proposals = subject.proposals.filter(status=ProposalStatus.OPEN, kind=ProposalKind.CO_ORGANISER)
    return list(proposals.select_related(*RELATED_FIELDS).order_by("pk"))


def get_proposal_for(viewer: Player | None, pk: int) -> Proposal:
    """Return a proposal that concerns the viewer. Raises NoSuchProposal."""
    proposal = Proposal.objects.filter(pk=pk).select_related(*RELATED_FIELDS).first()
    if viewer is None or proposal is None or not is_involved(viewer, proposal):
        raise NoSuchProposal(pk)
    return proposal


def is_asked_to_organise(player: Player, pk: int) -> bool:
    """Tell whether a proposal asks a player to be a co-organiser."""
    return player.proposals.filter(pk=pk, kind=ProposalKind.CO_ORGANISER).exists()


def is_involved(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player made a proposal, must answer it, or organises its tournament or league."""
    return player.pk in (proposal.player_id, proposal.by_id) or can_withdraw(player, proposal)


def can_withdraw(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player may withdraw a proposal: who made it, or organisers for organisers' proposals."""
    if proposal.by_id == player.pk:
        return True
    return proposal.kind in ORGANISER_KINDS and organises_subject_of(player, proposal)


def organises_subject_of(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player organises the tournament or league of a proposal."""
    if proposal.event:
        return can_organise_tournament(player, proposal.event)
    return proposal.league is not None and can_organise_league(player, proposal.league)


def can_read_reason(player: Player, proposal: Proposal) -> bool:
    """Tell whether a player may read the reason: who wrote it and the organisers, not who is asked."""
    return proposal.by_id == player.pk or organises_subject_of(player, proposal)


def get_commitment(proposal: Proposal) -> str:
    """Return the commitment shown before the player brings a client seed; as it was, once accepted."""
    if proposal.kind == ProposalKind.CO_ORGANISER or proposal.status not in (
        ProposalStatus.OPEN,
        ProposalStatus.ACCEPTED,
    ):
        return ""
    return proposal.commitment or get_next_commitment(proposal.event or proposal.league)


def list_proposal_actions(proposal: Proposal, viewer: Player) -> list[str]:
    """List the actions open to a viewer, by their API names."""
    if proposal.status != ProposalStatus.OPEN:
        return []
    answers = ["accept", "decline"] if proposal.player_id == viewer.pk else []
    return [*answers, *(["withdraw"] if can_withdraw(viewer, proposal) else [])]


def build_proposal(proposal: Proposal, viewer: Player) -> dict[str, Any]:
    """Build the read model of a proposal."""
    return {
        "id": proposal.pk,
        "kind": proposal.kind,
        "status": proposal.status,
        "tournament": proposal.event.code if proposal.event else None,
        "league": proposal.league.code if proposal.league else None,
        "by": proposal.by.name if proposal.by else None,
        "player": proposal.player.name,
        "replaces": proposal.predecessor.name if proposal.predecessor else None,
        "why": proposal.why if can_read_reason(viewer, proposal) else None,
        "public_note": proposal.public_note,
        "commitment": get_commitment(proposal) or None,
        "at": proposal.at,
        "answered_at": proposal.answered_at,
        "may": list_proposal_actions(proposal, viewer),
    }
