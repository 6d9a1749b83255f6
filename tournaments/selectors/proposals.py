"""Proposals as seen by who made them, who must answer them, and the organisers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Q, QuerySet

from accounts.models import Player
from tournaments.models import League, Proposal, Tournament
from tournaments.proposal_permissions import can_read_reason, is_involved, list_proposal_actions

from .seeds import get_next_commitment

RELATED_FIELDS = ("tournament", "league", "proposer", "player", "predecessor", "entrant_player")
ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


@dataclass(frozen=True)
class ProposalData:
    """A proposal."""

    id: Annotated[int, "Its number in addresses of the API."]
    kind: Annotated[Proposal.Kind, "The proposed role: partner, replacement or co-organiser."]
    status: Annotated[Proposal.Status, "Whether and how it was answered."]
    tournament: Annotated[str | None, "The `id` of the tournament that it is about; null for a league."]
    league: Annotated[str | None, "The `id` of the league that it is about; null for a tournament."]
    proposer: Annotated[str | None, "The name of the player who asks."]
    player: Annotated[str, "The name of the player who is asked."]
    replaces: Annotated[str | None, "The name of the player for whom they would play on."]
    reason: Annotated[str | None, "The reason; null unless you are an organiser."]
    public_note: Annotated[str, "A note for the player who is asked, and for everybody once they play on."]
    commitment: Annotated[
        str | None,
        "The commitment to the site's part of the shuffles, published before you bring your `client_seed`.",
    ]
    created_at: Annotated[datetime, "When it was made."]
    answered_at: Annotated[datetime | None, "When it was answered; null until then."]
    permissions: Annotated[list[str], "What you can do with it: `accept`, `decline` or `withdraw`."]


class NoSuchProposal(LookupError):
    """The viewer can see no such proposal."""


def list_proposals_of(player: Player) -> QuerySet[Proposal]:
    """List the proposals that a player made or received, newest first."""
    proposals = Proposal.objects.filter(Q(player=player) | Q(proposer=player))
    return proposals.select_related(*RELATED_FIELDS).order_by("-pk")


def list_open_proposals(player: Player | None, subject: Tournament | League) -> list[Proposal]:
    """List a player's open proposals in a tournament or league."""
    if player is None or player.is_guest:
        return []
    subject_field = "tournament" if isinstance(subject, Tournament) else "league"
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


def get_commitment(proposal: Proposal) -> str:
    """Return the commitment shown before the player brings a client seed; as it was, once accepted."""
    if proposal.kind == ProposalKind.CO_ORGANISER or proposal.status not in (
        ProposalStatus.OPEN,
        ProposalStatus.ACCEPTED,
    ):
        return ""
    return proposal.commitment or get_next_commitment(proposal.tournament or proposal.league)


def build_proposal(proposal: Proposal, viewer: Player) -> ProposalData:
    """Build the read model of a proposal."""
    return ProposalData(
        id=proposal.pk,
        kind=ProposalKind(proposal.kind),
        status=ProposalStatus(proposal.status),
        tournament=proposal.tournament.code if proposal.tournament else None,
        league=proposal.league.code if proposal.league else None,
        proposer=proposal.proposer.name if proposal.proposer else None,
        player=proposal.player.name,
        replaces=proposal.predecessor.name if proposal.predecessor else None,
        reason=proposal.reason if can_read_reason(viewer, proposal) else None,
        public_note=proposal.public_note,
        commitment=get_commitment(proposal) or None,
        created_at=proposal.created_at,
        answered_at=proposal.answered_at,
        permissions=[*list_proposal_actions(proposal, viewer)],
    )
