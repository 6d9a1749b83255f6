"""Proposals to a player: to play as a pair, to take over for a player, to become a co-organiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import require_scopes
from accounts.api.operations import operation
from tournaments.models import Proposal
from tournaments.selectors import proposals as proposal_selectors
from tournaments.selectors.proposals import ProposalData
from tournaments.services import proposals

from . import request_serializers
from .base import NewestFirstPagination, PlayView, read_model_response
from .commands import Command


class ProposalListView(PlayView):
    """The proposals of a player."""

    @operation(
        "proposals.list", scope="read", response=ProposalData, many=True, pagination=NewestFirstPagination
    )
    def get(self, request: Request) -> Response:
        """List proposals.

        Returns the proposals made to you and by you, newest first.
        """
        return self.paginated_response(
            NewestFirstPagination(),
            proposal_selectors.list_proposals_of(self.player),
            lambda proposal: proposal_selectors.build_proposal(proposal, self.player),
        )


class AcceptProposalView(PlayView):
    """Accepts a proposal."""

    @operation(
        "proposals.accept",
        request_body=request_serializers.AcceptProposalSerializer,
        response=ProposalData,
    )
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Accept a proposal.

        Accepts a proposal, with immediate effect. For a co-organiser it also needs the scope `organise`.
        """
        if proposal_selectors.is_asked_to_organise(self.player, proposal):
            require_scopes(request, ["organise"])
        accepted_proposal = proposals.accept_proposal(
            player=self.player,
            proposal_id=proposal,
            now=self.now,
            **self.validate_body(request_serializers.AcceptProposalSerializer),
        )
        return read_model_response(proposal_selectors.build_proposal(accepted_proposal, self.player))


def with_proposal_id(service: Callable[..., Proposal]) -> Callable[..., Proposal]:
    """Adapt a service about a proposal to a URL that has its id."""

    def call_service(*, proposal: int, **arguments: Any) -> Proposal:
        return service(proposal_id=proposal, **arguments)

    return call_service


PROPOSAL_COMMANDS = {
    "decline/": Command(
        "proposals.decline",
        "Decline a proposal.\n\nDeclines a proposal made to you and notifies the player who asked.",
        with_proposal_id(proposals.decline_proposal),
        response=ProposalData,
        scope="play",
    ),
    "withdraw/": Command(
        "proposals.withdraw",
        "Withdraw a proposal.\n\nWithdraws your own unanswered proposal.",
        with_proposal_id(proposals.withdraw_proposal),
        response=ProposalData,
        scope="play",
    ),
}
