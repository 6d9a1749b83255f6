"""Player actions in a tournament: enter, leave, confirm, withdraw, sit out, appeal."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import scopes_of
from accounts.api.operations import operation
from tournaments.selectors import get_tournament_for, timeout_evidence, tournament_details, tournament_page
from tournaments.services import appeals, client_seeds, entries

from . import request_serializers, tournament_serializers
from .base import (
    NewestFirstPagination,
    PlayView,
    etag_json_response,
    get_player_by_name,
    json_safe_response,
)
from .organiser_serializers import AppealSerializer, TimeoutEvidenceSerializer


class PlayerActionView(PlayView):
    """Base of player actions: one service call, then the tournament as it is now."""

    def require_tournament(self, code: str) -> None:
        """Raise NoSuchTournament if the player cannot see the tournament."""
        get_tournament_for(self.player, code)

    def tournament_response(self, code: str) -> HttpResponse:
        """Return the tournament as it is now."""
        return json_safe_response(
            tournament_details.build_tournament_details(
                get_tournament_for(self.player, code), self.player, self.now
            )
        )

    def player_arguments(self) -> dict[str, Any]:
        """Return player and time as keyword arguments of a service."""
        return {"player": self.player, "now": self.now}


class EnterTournamentView(PlayerActionView):
    """Enters a tournament."""

    @operation(
        "tournaments.enter",
        request_body=request_serializers.TournamentEntrySerializer,
        response=tournament_serializers.TournamentSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Enter the tournament. If it is full, you join the waitlist; `you.status` says which of the two.

        In pairs with a partner, who is asked: you have entered when they agree. Until then `you.proposals`
        has your proposal, nothing counts and no place is taken.
        """
        self.require_tournament(code)
        validated_data = self.validate_body(request_serializers.TournamentEntrySerializer)
        if validated_data["partner"]:
            partner, client_seed = (
                get_player_by_name(validated_data["partner"]),
                validated_data["client_seed"],
            )
            entries.ask_partner(
                code=code, partner=partner, client_seed=client_seed, **self.player_arguments()
            )
        else:
            entries.enter_tournament(
                code=code, client_seed=validated_data["client_seed"], **self.player_arguments()
            )
        return self.tournament_response(code)


class TournamentClientSeedView(PlayerActionView):
    """The client seed of a player in a tournament."""

    @operation(
        "tournaments.clientseed",
        request_body=request_serializers.ClientSeedSerializer,
        response=tournament_serializers.TournamentSerializer,
    )
    def put(self, request: Request, code: str) -> HttpResponse:
        """Replace your client seed: before the start or, if you enter later, before you are first paired."""
        self.require_tournament(code)
        client_seed = self.validate_body(request_serializers.ClientSeedSerializer)["client_seed"]
        client_seeds.set_client_seed(code=code, client_seed=client_seed, **self.player_arguments())
        return self.tournament_response(code)


class LeaveTournamentView(PlayerActionView):
    """Leaves a tournament before its start."""

    @operation("tournaments.leave", response=tournament_serializers.TournamentSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave before the start; the first of the waitlist moves up. An open proposal is withdrawn."""
        self.require_tournament(code)
        entries.leave_tournament(code=code, **self.player_arguments())
        return self.tournament_response(code)


class ConfirmEntryView(PlayerActionView):
    """Confirms an entry."""

    @operation("tournaments.confirm", response=tournament_serializers.TournamentSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Confirm that you will play, where only confirmed entrants play."""
        self.require_tournament(code)
        entries.confirm_entry(code=code, **self.player_arguments())
        return self.tournament_response(code)


class WithdrawFromTournamentView(PlayerActionView):
    """Withdraws from a running tournament."""

    @operation("tournaments.withdraw", response=tournament_serializers.TournamentSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave a running tournament for good: your games there are resigned."""
        self.require_tournament(code)
        entries.withdraw_from_tournament(code=code, **self.player_arguments())
        return self.tournament_response(code)


class SitOutRoundView(PlayerActionView):
    """Sits out a round."""

    @operation(
        "tournaments.sitout",
        request_body=request_serializers.SitOutRoundSerializer,
        response=tournament_serializers.TournamentSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Announce that you sit out a round of a Swiss tournament."""
        self.require_tournament(code)
        entries.sit_out_round(
            code=code,
            round=self.validate_body(request_serializers.SitOutRoundSerializer)["round"],
            **self.player_arguments(),
        )
        return self.tournament_response(code)


class TimeoutEvidenceView(PlayView):
    """Timeout evidence of a pairing."""

    @operation("tournaments.evidence", scope="read", response=TimeoutEvidenceSerializer)
    def get(self, request: Request, code: str, pairing: int) -> HttpResponse:
        """Each timeout at a table: when the turn began, and what was sent about it.

        For its players and the organisers; a player who was replaced since sees only their own timeouts. Your
        own address is shown to your browser, and to a personal token with the scopes `account` and `email`.
        """
        shown_pairing = tournament_page.get_pairing(get_tournament_for(self.player, code), pairing)
        shows_own_addresses = {"account", "email"} <= scopes_of(request)
        return etag_json_response(
            request,
            {
                "results": timeout_evidence.list_timeout_evidence(
                    shown_pairing, self.player, own_addresses=shows_own_addresses
                )
            },
        )


class AppealPairingView(PlayerActionView):
    """Appeals against a pairing."""

    @operation(
        "tournaments.appeal",
        request_body=request_serializers.AppealTextSerializer,
        response=AppealSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str, pairing: int) -> HttpResponse:
        """Ask the organisers to review a table of yours, once; also if you were replaced since."""
        self.require_tournament(code)
        appeal = appeals.file_appeal(
            code=code,
            pairing_id=pairing,
            text=self.validate_body(request_serializers.AppealTextSerializer)["text"],
            **self.player_arguments(),
        )
        return json_safe_response(tournament_details.build_appeal(appeal), 201)


class AppealListView(PlayView):
    """The appeals of a tournament."""

    @operation("tournaments.appeals", scope="read", response=AppealSerializer, many=True, paginated=True)
    def get(self, request: Request, code: str) -> Response:
        """Appeals, newest first: all of them if you organise the tournament, else your own."""
        paginator = NewestFirstPagination()
        page_appeals = self.paginate_list(
            paginator, tournament_details.list_appeals_for(get_tournament_for(self.player, code), self.player)
        )
        return paginator.get_paginated_response(
            [tournament_details.build_appeal(appeal) for appeal in page_appeals]
        )
