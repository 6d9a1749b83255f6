"""API views of the running of a tournament: decisions, appeals, evidence, invites."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import scopes_of
from accounts.api.operations import operation
from tournaments.read_models.pairings import RoundPreviewData
from tournaments.read_models.tournaments import AppealData, DecisionData, TournamentInviteData
from tournaments.selectors import (
    get_tournament_for,
    organiser_dashboard,
    timeout_evidence,
    tournament_details,
    tournament_page,
)
from tournaments.selectors.timeout_evidence import TimeoutEvidenceData
from tournaments.selectors.tournaments import can_organise_tournament
from tournaments.services import decisions

from .base import (
    NewestFirstPagination,
    OldestFirstPagination,
    OrganiseView,
    PlayView,
    ReadView,
    etag_json_response,
)
from .commands import build_handler
from .organiser_commands import INVITE_PLAYER
from .request_costs import charge_preview


class InviteListView(OrganiseView):
    """The invites of a tournament."""

    @operation(
        "tournaments.invites",
        scope="read",
        response=TournamentInviteData,
        many=True,
        pagination=OldestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List invited players.

        Returns the invited players: all of them for organisers, otherwise only your own invitation.
        """
        tournament = get_tournament_for(self.player, code)
        return self.paginated_response(
            OldestFirstPagination(),
            tournament_details.list_invites_for(tournament, self.player),
            tournament_details.build_invite,
        )

    post = build_handler(INVITE_PLAYER)


class RoundPreviewView(OrganiseView):
    """The preview of the next round."""

    @operation("tournaments.preview", scope="read", response=RoundPreviewData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Preview the next round.

        Returns the next round as we would pair it now, with its warnings. Organisers only. We
        store nothing, but before the start we log publicly that you saw the draw.
        """
        get_tournament_for(self.player, code)
        charge_preview(request)
        next_step = decisions.preview_next_round(by=self.player, code=code, now=self.now)
        return etag_json_response(request, tournament_details.build_next_round(next_step))


class DecisionListView(ReadView):
    """The decisions of the organisers."""

    @operation(
        "tournaments.decisions",
        scope="read",
        public=True,
        response=DecisionData,
        many=True,
        pagination=NewestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List decisions.

        Returns the decisions of the organisers, newest first. Only organisers see each `reason`.
        """
        paginator = NewestFirstPagination()
        tournament = get_tournament_for(self.viewer, code)
        page_decisions = self.paginate_list(paginator, organiser_dashboard.list_decisions(tournament))
        is_organiser = can_organise_tournament(self.viewer, tournament)
        return paginator.get_paginated_response(
            tournament_details.build_decisions(page_decisions, is_organiser=is_organiser)
        )


class TimeoutEvidenceView(PlayView):
    """Timeout evidence of a pairing."""

    @operation("tournaments.evidence", scope="read", response=TimeoutEvidenceData, etag=True)
    def get(self, request: Request, code: str, pairing: int) -> HttpResponse:
        """Get timeout evidence.

        Returns each timeout at a table: when the turn began, and the notifications that we sent. Only the
        players of the table and the organisers can see it; replaced players see only their own timeouts. Your
        own address is shown in your browser and to a personal token with the scopes `account` and `email`.
        """
        shown_pairing = tournament_page.get_pairing(get_tournament_for(self.player, code), pairing)
        shows_own_addresses = {"account", "email"} <= scopes_of(request)
        timeouts = timeout_evidence.list_timeout_evidence(
            shown_pairing, self.player, own_addresses=shows_own_addresses
        )
        return etag_json_response(request, TimeoutEvidenceData(timeouts))


class AppealListView(PlayView):
    """The appeals of a tournament."""

    @operation(
        "tournaments.appeals", scope="read", response=AppealData, many=True, pagination=NewestFirstPagination
    )
    def get(self, request: Request, code: str) -> Response:
        """List appeals.

        Returns appeals, newest first: all of them if you are an organiser, otherwise your own.
        """
        tournament = get_tournament_for(self.player, code)
        return self.paginated_response(
            NewestFirstPagination(),
            tournament_details.list_appeals_for(tournament, self.player),
            tournament_details.build_appeal,
        )
