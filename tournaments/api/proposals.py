"""What somebody is asked to agree to, over REST: to play as a pair, on for somebody else, or to organise."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import require
from games.api.examples import described
from tournaments.models import Proposal
from tournaments.selectors import proposals as reading
from tournaments.services import proposals

from . import asked
from .base import NewestFirst, Play, done, plain
from .shapes import Moment, Number, Words, listed


class ProposalView(serializers.Serializer):
    id = Number()
    kind = serializers.ChoiceField(Proposal.Kind.values)
    status = serializers.ChoiceField(Proposal.Status.values)
    tournament = Words(allow_null=True)
    league = Words(allow_null=True)
    by = Words(allow_null=True, help_text="who asks")
    player = Words(help_text="who is asked")
    replaces = Words(allow_null=True, help_text="for whom they would play on")
    why = Words(
        allow_null=True, allow_blank=True, help_text="the reason; null for whoever does not organise it"
    )
    public_note = Words(
        allow_blank=True, help_text="for you and, once you have agreed to play on, for everybody"
    )
    commitment = Words(
        allow_null=True,
        help_text="what the site has sealed of its part of the shuffles, before you bring your `client_seed`",
    )
    at = Moment()
    answered_at = Moment(allow_null=True)
    may = listed(Words(), help_text="what you can do with it: accept, decline, withdraw")


class Proposals(Play):
    @described("proposals.list", scope="read", answer=ProposalView, many=True, paged=True)
    def get(self, request: Request) -> Response:
        """What you were asked to agree to, and what you have asked others, newest first."""
        pages = NewestFirst()
        found = self.some(pages, reading.proposals_of(self.player))
        return pages.get_paginated_response([plain(reading.told(one, self.player)) for one in found])


class Answer(Play):
    """One proposal, and what is done with it."""

    def told(self, proposal: Proposal) -> HttpResponse:
        return done(reading.told(proposal, self.player))


class Accept(Answer):
    @described("proposals.accept", body=asked.AcceptedWith, answer=ProposalView, keyed=True)
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Agree to what you were asked; from here on it counts. To organise takes the scope `organise`."""
        if reading.is_asked_to_organise(self.player, proposal):
            require(request, ["organise"])
        return self.told(
            proposals.accept(
                player=self.player,
                proposal=proposal,
                client_seed=self.words(asked.AcceptedWith)["client_seed"],
                now=self.now,
            )
        )


class Decline(Answer):
    @described("proposals.decline", answer=ProposalView, keyed=True)
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Say no to what you were asked."""
        return self.told(proposals.decline(player=self.player, proposal=proposal, now=self.now))


class Withdraw(Answer):
    @described("proposals.withdraw", answer=ProposalView, keyed=True)
    def post(self, request: Request, proposal: int) -> HttpResponse:
        """Take back what you have asked, before it is answered."""
        return self.told(proposals.withdraw(player=self.player, proposal=proposal, now=self.now))
