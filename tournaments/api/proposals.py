"""Proposals to a player: to play as a pair, to take over for a player, to become a co-organiser."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import require_scopes
from accounts.api.operations import operation
from tournaments.models import Proposal
from tournaments.selectors import proposals as proposal_selectors
from tournaments.services import proposals

from . import request_serializers
from .base import NewestFirstPagination, PlayView, json_safe_response
from .tournament_serializers import CharField, DateTimeField, IntegerField, list_field


class ProposalSerializer(serializers.Serializer):
    """A proposal."""

    id = IntegerField()
    kind = serializers.ChoiceField(Proposal.Kind.values)
    status = serializers.ChoiceField(Proposal.Status.values)
    tournament = CharField(allow_null=True)
    league = CharField(allow_null=True)
    proposer = CharField(allow_null=True, help_text="who asks")
    player = CharField(help_text="who is asked")
    replaces = CharField(allow_null=True, help_text="for whom they would play on")
    reason = CharField(
        allow_null=True, allow_blank=True, help_text="the reason; null for whoever does not organise it"
    )
    public_note = CharField(
        allow_blank=True, help_text="for you and, once you have agreed to play on, for everybody"
    )
    commitment = CharField(
        allow_null=True,
        help_text="what the site has sealed of its part of the shuffles, before you bring your `client_seed`",
    )
    created_at = DateTimeField()
    answered_at = DateTimeField(allow_null=True)
    permissions = list_field(CharField(), help_text="what you can do with it: accept, decline, withdraw")


class ProposalListView(PlayView):
    """The proposals of a player."""

    @operation("proposals.list", scope="read", response=ProposalSerializer, many=True, paginated=True)
    def get(self, request: Request) -> Response:
        """Proposals made to you and by you, newest first."""
        paginator = NewestFirstPagination()
        page_proposals = self.paginate_list(paginator, proposal_selectors.list_proposals_of(self.player))
        return paginator.get_paginated_response(
            [proposal_selectors.build_proposal(proposal, self.player) for proposal in page_proposals]
        )


class ProposalAnswerView(PlayView):
    """Base of views that answer a proposal."""

    def proposal_response(self, proposal: Proposal) -> HttpResponse:
        """Return a proposal."""
        return json_safe_response(proposal_selectors.build_proposal(proposal, self.player))


class AcceptProposalView(ProposalAnswerView):
    """Accepts a proposal."""

    @operation(
        "proposals.accept",
        request_body=request_serializers.AcceptProposalSerializer,
        response=ProposalSerializer,
        idempotent=True,
    )
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Accept a proposal; it takes effect at once. To become a co-organiser needs the scope `organise`."""
        if proposal_selectors.is_asked_to_organise(self.player, proposal):
            require_scopes(request, ["organise"])
        return self.proposal_response(
            proposals.accept_proposal(
                player=self.player,
                proposal_id=proposal,
                client_seed=self.validate_body(request_serializers.AcceptProposalSerializer)["client_seed"],
                now=self.now,
            )
        )


class DeclineProposalView(ProposalAnswerView):
    """Declines a proposal."""

    @operation("proposals.decline", response=ProposalSerializer, idempotent=True)
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Decline a proposal."""
        return self.proposal_response(
            proposals.decline_proposal(player=self.player, proposal_id=proposal, now=self.now)
        )


class WithdrawProposalView(ProposalAnswerView):
    """Withdraws a proposal."""

    @operation("proposals.withdraw", response=ProposalSerializer, idempotent=True)
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Withdraw a proposal of yours before it is answered."""
        return self.proposal_response(
            proposals.withdraw_proposal(player=self.player, proposal_id=proposal, now=self.now)
        )
