"""Organiser actions in a tournament; every decision is logged, and most can be undone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from accounts.services.players import get_public_player
from tournaments.models import Decision
from tournaments.selectors import get_tournament_for, organiser_dashboard, tournament_details
from tournaments.selectors.proposals import build_proposal
from tournaments.selectors.tournaments import can_organise_tournament
from tournaments.services import (
    appeals,
    co_organisers,
    decision_undo,
    decisions,
    entries,
    removals,
    replacements,
    tournaments,
)

from . import request_serializers, tournament_serializers
from .base import (
    NewestFirstPagination,
    OldestFirstPagination,
    OrganiseView,
    ReadView,
    etag_json_response,
    get_player_by_name,
    json_safe_response,
)
from .organiser_serializers import (
    AppealSerializer,
    DecisionSerializer,
    RoundPreviewSerializer,
    TournamentInviteSerializer,
)
from .proposals import ProposalSerializer
from .request_costs import charge_preview


class OrganiserActionView(OrganiseView):
    """Base of organiser actions: one service call, then the tournament or the decision."""

    def require_tournament(self, code: str) -> None:
        """Raise NoSuchTournament if the player cannot see the tournament."""
        get_tournament_for(self.player, code)

    def tournament_response(self, code: str, status: int = 200) -> HttpResponse:
        """Return the tournament as it is now."""
        return json_safe_response(
            tournament_details.build_tournament_details(
                get_tournament_for(self.player, code), self.player, self.now
            ),
            status,
        )

    def organiser_arguments(self, code: str) -> dict[str, Any]:
        """Return organiser, tournament and time as keyword arguments of a service."""
        return {"by": self.player, "code": code, "now": self.now}

    def decision_response(self, decision: Decision) -> HttpResponse:
        """Return a decision."""
        return json_safe_response(tournament_details.build_decisions([decision], is_organiser=True)[0], 201)


class PublishTournamentView(OrganiserActionView):
    """Publishes a draft."""

    @operation(
        "tournaments.publish",
        scope="organise",
        response=tournament_serializers.TournamentSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Let people enter, and tell those whom you have invited."""
        self.require_tournament(code)
        tournaments.publish_tournament(**self.organiser_arguments(code))
        return self.tournament_response(code)


class StartTournamentView(OrganiserActionView):
    """Starts a tournament."""

    @operation(
        "tournaments.start",
        scope="organise",
        response=tournament_serializers.TournamentSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Start with the current entrants; it happens within a minute."""
        self.require_tournament(code)
        tournaments.start_tournament(**self.organiser_arguments(code))
        return self.tournament_response(code)


class CancelTournamentView(OrganiserActionView):
    """Cancels a tournament."""

    @operation(
        "tournaments.cancel",
        scope="organise",
        request_body=request_serializers.DecisionReasonSerializer,
        response=tournament_serializers.TournamentSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Cancel the tournament for good; running games no longer count."""
        self.require_tournament(code)
        tournaments.cancel_tournament(
            **self.organiser_arguments(code),
            **self.validate_body(request_serializers.DecisionReasonSerializer),
        )
        return self.tournament_response(code)


class SeedOrderView(OrganiserActionView):
    """The seed order of a tournament."""

    @operation(
        "tournaments.seeds",
        scope="organise",
        request_body=request_serializers.SeedOrderSerializer,
        response=tournament_serializers.TournamentSerializer,
    )
    def put(self, request: Request, code: str) -> HttpResponse:
        """Set the seed order before the start; who set it, and when, is public."""
        self.require_tournament(code)
        entries.set_seeds(
            **self.organiser_arguments(code), **self.validate_body(request_serializers.SeedOrderSerializer)
        )
        return self.tournament_response(code)


# --------------------------------------------------------------------------------- co-organisers and invites


class InviteListView(OrganiserActionView):
    """The invites of a tournament."""

    @operation(
        "tournaments.invites", scope="read", response=TournamentInviteSerializer, many=True, paginated=True
    )
    def get(self, request: Request, code: str) -> Response:
        """Invited players: all of them if you organise the tournament, else only you, if invited."""
        paginator = OldestFirstPagination()
        page_invites = self.paginate_list(
            paginator, tournament_details.list_invites_for(get_tournament_for(self.player, code), self.player)
        )
        return paginator.get_paginated_response(
            [{"name": invite.player.name, "at": invite.created_at} for invite in page_invites]
        )

    @operation(
        "tournaments.invite",
        scope="organise",
        request_body=request_serializers.PlayerNameSerializer,
        response=TournamentInviteSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Somebody may enter, and is told so: at once or, if it is a draft, when it is published."""
        self.require_tournament(code)
        player = get_player_by_name(self.validate_body(request_serializers.PlayerNameSerializer)["name"])
        invite = tournaments.invite_player(**self.organiser_arguments(code), player=player)
        return json_safe_response({"name": player.name, "at": invite.created_at}, 201)


class InviteDetailView(OrganiserActionView):
    """An invite of a tournament."""

    @operation("tournaments.uninvite", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Withdraw the invite of a player who has not entered."""
        self.require_tournament(code)
        tournaments.withdraw_invite(**self.organiser_arguments(code), player=get_public_player(name=name))
        return HttpResponse(status=204)


class TournamentCoOrganiserListView(OrganiserActionView):
    """The co-organisers of a tournament."""

    @operation(
        "tournaments.help",
        scope="organise",
        request_body=request_serializers.PlayerNameSerializer,
        response=ProposalSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask a player to become a co-organiser: they can do nothing until they accept the proposal."""
        self.require_tournament(code)
        player = get_player_by_name(self.validate_body(request_serializers.PlayerNameSerializer)["name"])
        proposal = co_organisers.ask_tournament_co_organiser(**self.organiser_arguments(code), player=player)
        return json_safe_response(build_proposal(proposal, self.player), 201)


class TournamentCoOrganiserDetailView(OrganiserActionView):
    """A co-organiser of a tournament."""

    @operation("tournaments.unhelp", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Remove a co-organiser, or withdraw the proposal to become one; also yourself."""
        self.require_tournament(code)
        co_organisers.remove_tournament_co_organiser(
            **self.organiser_arguments(code), player=get_public_player(name=name)
        )
        return HttpResponse(status=204)


# -------------------------------------------------------------------------------------------------- decisions


class RoundPreviewView(OrganiserActionView):
    """The preview of the next round."""

    @operation("tournaments.preview", scope="read", response=RoundPreviewSerializer)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The next round as it would be paired now, with its warnings. For organisers.

        No pairing is stored, but before the start it is public that you looked at the draw.
        """
        self.require_tournament(code)
        charge_preview(request)
        return etag_json_response(
            request,
            tournament_details.build_next_round(
                decisions.preview_next_round(**self.organiser_arguments(code))
            ),
        )


class ApproveRoundView(OrganiserActionView):
    """Approves a round."""

    @operation(
        "tournaments.proceed", scope="organise", response=DecisionSerializer, status=201, idempotent=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Approve the round that waits for you, with its warnings."""
        self.require_tournament(code)
        return self.decision_response(decisions.approve_round(**self.organiser_arguments(code)))


class ExtendRoundView(OrganiserActionView):
    """Moves the end of a round."""

    @operation(
        "tournaments.extend",
        scope="organise",
        request_body=request_serializers.ExtendRoundSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """A round ends later, or at all: then those who play in it are told. No end is moved forward."""
        self.require_tournament(code)
        validated_data = self.validate_body(request_serializers.ExtendRoundSerializer)
        return self.decision_response(
            decisions.extend_round(
                **self.organiser_arguments(code), round_number=validated_data.pop("round"), **validated_data
            )
        )


class CorrectResultView(OrganiserActionView):
    """Corrects a result."""

    @operation(
        "tournaments.correct",
        scope="organise",
        request_body=request_serializers.CorrectResultSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Correct the result of a table; everything that follows from it is computed again.

        If the tournament was over and final ranks change, send `confirmed` to do it all the same. Players
        whose rank changes are notified.
        """
        self.require_tournament(code)
        return self.decision_response(
            decisions.correct_result(
                **self.organiser_arguments(code),
                **self.validate_body(request_serializers.CorrectResultSerializer),
            )
        )


class DisqualifyEntrantView(OrganiserActionView):
    """Disqualifies an entrant."""

    @operation(
        "tournaments.disqualify",
        scope="organise",
        request_body=request_serializers.DisqualifyEntrantSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Disqualify an entrant; their games there are resigned."""
        self.require_tournament(code)
        return self.decision_response(
            decisions.disqualify_entrant(
                **self.organiser_arguments(code),
                **self.validate_body(request_serializers.DisqualifyEntrantSerializer),
            )
        )


class RemoveEntrantView(OrganiserActionView):
    """Removes an entrant."""

    @operation(
        "tournaments.remove",
        scope="organise",
        request_body=request_serializers.RemoveEntrantSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Remove an entrant before the start, or from the waitlist; they are notified.

        They can enter again only if you invite them. The first of the waitlist moves up. After the start an
        entrant is disqualified instead.
        """
        self.require_tournament(code)
        return self.decision_response(
            removals.remove_entrant(
                **self.organiser_arguments(code),
                **self.validate_body(request_serializers.RemoveEntrantSerializer),
            )
        )


class ReplacePlayerView(OrganiserActionView):
    """Replaces a player of an entrant."""

    @operation(
        "tournaments.replace",
        scope="organise",
        request_body=request_serializers.ReplacePlayerSerializer,
        response=ProposalSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask a player to take over for an entrant, in running games too, with the hands that are there.

        Nothing changes until they agree; then the other players are notified. They see the hand once they
        take the seat for good, and until then it can be undone. Without a `player` the first of the waitlist
        is asked, who leaves the waitlist by agreeing.
        """
        self.require_tournament(code)
        validated_data = self.validate_body(request_serializers.ReplacePlayerSerializer)
        player_name = validated_data.pop("player")
        player = get_player_by_name(player_name) if player_name else None
        proposal = replacements.propose_replacement(
            **self.organiser_arguments(code), player=player, **validated_data
        )
        return json_safe_response(build_proposal(proposal, self.player), 201)


class DecisionListView(ReadView):
    """The decisions of the organisers."""

    @operation(
        "tournaments.decisions",
        scope="read",
        public=True,
        response=DecisionSerializer,
        many=True,
        paginated=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """The organisers' decisions, newest first, in pages; with `reason` if you are one of them."""
        paginator = NewestFirstPagination()
        tournament = get_tournament_for(self.viewer, code)
        page_decisions = self.paginate_list(paginator, organiser_dashboard.list_decisions(tournament))
        is_organiser = can_organise_tournament(self.viewer, tournament)
        return paginator.get_paginated_response(
            tournament_details.build_decisions(page_decisions, is_organiser=is_organiser)
        )


class UndoDecisionView(OrganiserActionView):
    """Undoes a decision."""

    @operation(
        "tournaments.undo",
        scope="organise",
        request_body=request_serializers.UndoDecisionSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str, decision: int) -> HttpResponse:
        """Undo a decision, if nothing has followed from it."""
        self.require_tournament(code)
        return self.decision_response(
            decision_undo.undo_decision(
                **self.organiser_arguments(code),
                decision=decision,
                **self.validate_body(request_serializers.UndoDecisionSerializer),
            )
        )


class AnswerAppealView(OrganiserActionView):
    """Answers an appeal."""

    @operation(
        "tournaments.answer",
        scope="organise",
        request_body=request_serializers.AppealTextSerializer,
        response=AppealSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str, appeal: int) -> HttpResponse:
        """Answer an appeal; a correction is a separate decision."""
        self.require_tournament(code)
        answered_appeal = appeals.answer_appeal(
            **self.organiser_arguments(code),
            appeal_id=appeal,
            text=self.validate_body(request_serializers.AppealTextSerializer)["text"],
        )
        return json_safe_response(tournament_details.build_appeal(answered_appeal))
