"""Tournaments: list, create, change, and read their entrants, rounds, pairings and standings."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from common.api.serializers import validate_query
from tournaments import text
from tournaments.models import Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS
from tournaments.read_models.pairings import (
    BracketData,
    CriterionColumnData,
    FairnessProofData,
    PairingData,
    PairingDetailData,
    StandingsData,
)
from tournaments.read_models.tournaments import (
    EntrantData,
    RoundListData,
    TournamentData,
    TournamentSummaryData,
)
from tournaments.selectors import (
    get_tournament_for,
    list_tournaments,
    list_tournaments_of,
    organiser_dashboard,
    tournament_details,
    tournament_page,
    tournament_read_models,
)
from tournaments.services import tournaments

from . import request_serializers
from .base import (
    NewestFirstPagination,
    OldestFirstPagination,
    ReadView,
    etag_json_response,
    read_model_response,
)
from .request_costs import charge_and_load_state


class TournamentFilterSerializer(serializers.Serializer):
    """Query parameters of the tournament list."""

    status = serializers.ChoiceField(Tournament.Status.values, required=False)
    format = serializers.ChoiceField(Tournament.Format.values, required=False)
    mode = serializers.ChoiceField(Tournament.Mode.values, required=False)
    table_size = serializers.IntegerField(
        required=False, **GAME_SETTINGS_OPTIONS["table_size"].limits.number_bounds
    )
    mine = serializers.BooleanField(
        required=False, default=False, help_text="what you take part in or organise, drafts and leagues too"
    )


class TournamentListView(ReadView):
    """The list of tournaments."""

    @operation(
        "tournaments.list",
        scope="read",
        public=True,
        response=TournamentSummaryData,
        many=True,
        query=TournamentFilterSerializer,
        paginated=True,
    )
    def get(self, request: Request) -> Response:
        """Tournaments, newest first; `status=published` are those that you can enter."""
        filters = validate_query(TournamentFilterSerializer, request)
        queryset = list_tournaments()
        if filters["mine"]:
            queryset = list_tournaments_of(self.viewer) if self.viewer else queryset.none()
        for field_name in ("status", "format", "mode", "table_size"):
            if filters.get(field_name) is not None:
                queryset = queryset.filter(**{field_name: filters[field_name]})
        paginator = NewestFirstPagination()
        page_ids = list(self.paginate_list(paginator, queryset.order_by().values("id")))
        page_tournaments = tournament_read_models.with_counts(
            Tournament.objects.filter(pk__in=[row["id"] for row in page_ids])
        ).order_by("-pk")
        return paginator.get_paginated_response(
            [tournament_read_models.build_summary(tournament) for tournament in page_tournaments]
        )

    @operation(
        "tournaments.create",
        scope="organise",
        request_body=request_serializers.NewTournamentSerializer,
        response=TournamentData,
        status=201,
        location="tournaments/{id}/",
        idempotent=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a draft; its commitment is public before anyone can enter. Publish it next."""
        tournament = tournaments.create_tournament(
            organiser=self.player,
            now=self.now,
            **self.validate_body(request_serializers.NewTournamentSerializer),
        )
        return read_model_response(
            tournament_details.build_tournament_details(tournament, self.player, self.now), 201
        )


class TournamentDetailView(ReadView):
    """A tournament."""

    @operation("tournaments.view", scope="read", public=True, response=TournamentData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """A tournament: settings, state, and what you may do (`you`), with an ETag."""
        return etag_json_response(
            request,
            tournament_details.build_tournament_details(
                get_tournament_for(self.viewer, code), self.viewer, self.now
            ),
        )

    @operation(
        "tournaments.change",
        scope="organise",
        request_body=request_serializers.NewTournamentSerializer,
        response=TournamentData,
    )
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Change settings; those that you do not name stay.

        Once somebody has entered, the game settings are fixed; once it runs, only settings for later rounds
        can be changed.
        """
        get_tournament_for(self.player, code)
        changes = self.validate_body(request_serializers.NewTournamentSerializer, partial=True)
        tournament = tournaments.edit_tournament(by=self.player, code=code, now=self.now, **changes)
        return read_model_response(
            tournament_details.build_tournament_details(tournament, self.player, self.now)
        )

    @operation("tournaments.delete", scope="organise", status=204)
    def delete(self, request: Request, code: str) -> HttpResponse:
        """Delete a draft; a published tournament is cancelled instead."""
        get_tournament_for(self.player, code)
        tournaments.delete_draft(by=self.player, code=code, now=self.now)
        return HttpResponse(status=204)


class EntrantListView(ReadView):
    """The entrants of a tournament."""

    @operation(
        "tournaments.entrants",
        scope="read",
        public=True,
        response=EntrantData,
        many=True,
        paginated=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """Players or pairs in the order in which they entered, then the waitlist, in pages."""
        entrants = tournament_page.list_entrants(get_tournament_for(self.viewer, code))
        return self.paginated_response(
            OldestFirstPagination(), entrants, tournament_read_models.build_entrant
        )


class RoundListView(ReadView):
    """The rounds of a tournament."""

    @operation("tournaments.rounds", scope="read", public=True, response=RoundListData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The published rounds in order; in a knock-out one may hold tables of several bracket rounds."""
        return etag_json_response(
            request, RoundListData(tournament_details.list_rounds(get_tournament_for(self.viewer, code)))
        )


class PairingFilterSerializer(serializers.Serializer):
    """Query parameters of the pairing list."""

    bracket_round = serializers.IntegerField(required=False, min_value=1, max_value=32767)
    entrant = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class PairingListView(ReadView):
    """The pairings of a tournament."""

    @operation(
        "tournaments.pairings",
        scope="read",
        public=True,
        response=PairingData,
        many=True,
        query=PairingFilterSerializer,
        paginated=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """Who plays whom, with the reasons, in pages; of one round, or of one entrant."""
        filters = validate_query(PairingFilterSerializer, request)
        pairings = tournament_page.list_pairings(get_tournament_for(self.viewer, code))
        if "bracket_round" in filters:
            pairings = pairings.filter(bracket_round=filters["bracket_round"])
        if "entrant" in filters:
            pairings = pairings.filter(pairing_seats__entrant=filters["entrant"])
        return self.paginated_response(
            OldestFirstPagination(), pairings, tournament_page.build_prefetched_pairing
        )


class PairingDetailView(ReadView):
    """A pairing."""

    @operation(
        "tournaments.pairing",
        scope="read",
        public=True,
        response=PairingDetailData,
    )
    def get(self, request: Request, code: str, pairing: int) -> HttpResponse:
        """One table: who plays, the reasons as codes and as text, and the result."""
        shown_pairing = tournament_page.get_pairing(get_tournament_for(self.viewer, code), pairing)
        entrant_names = organiser_dashboard.load_names_in_notes(shown_pairing.reasons)
        reason_texts = [text.describe_reason(note, entrant_names) for note in shown_pairing.reasons]
        return etag_json_response(
            request,
            PairingDetailData(
                **vars(tournament_page.build_prefetched_pairing(shown_pairing)),
                words=reason_texts,
                is_void=shown_pairing.is_void,
            ),
        )


class StandingsView(ReadView):
    """The standings of a tournament."""

    @operation(
        "tournaments.standings",
        scope="read",
        public=True,
        response=StandingsData,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The standings: each tie-break with its value, and explained. Empty before the start."""
        standings = tournament_read_models.build_standings(
            charge_and_load_state(request, get_tournament_for(self.viewer, code))
        )
        columns = [
            CriterionColumnData(criterion.key, criterion_text.label, criterion_text.meaning)
            for criterion in (standings[0].criteria if standings else ())
            for criterion_text in [text.describe_criterion(criterion.key)]
        ]
        return etag_json_response(request, StandingsData(columns, standings))


class BracketView(ReadView):
    """The bracket of a tournament."""

    @operation("tournaments.bracket", scope="read", public=True, response=BracketData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Every match, future ones too: a seat without an entrant says where it is filled from."""
        return etag_json_response(
            request,
            tournament_read_models.build_bracket(
                charge_and_load_state(request, get_tournament_for(self.viewer, code))
            ),
        )


class FairnessProofView(ReadView):
    """Data to verify the pairings of a tournament."""

    @operation(
        "tournaments.fairness",
        scope="read",
        public=True,
        response=FairnessProofData,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Everything that the pairings follow from, so that you can compute them yourself.

        Once it is over, the SHA-256 of `seed` is `commitment`, and `HMAC-SHA256(seed, "otto-v1|" + code)` is
        the key of every lot. `tournaments.pairing` of the source needs nothing else:
        for `spec = TournamentSpec(format, entrants, key, table_size, …)`, `plan_next_round(spec, results)`
        with the results of what was published before a round gives that round, every table with its seats and
        reasons. An entrant that left when that round had begun (`left_after_round`) was still present when it
        was paired. For a knock-out, `build_bracket(spec, results)` gives all matches at once.
        """
        return etag_json_response(
            request,
            tournament_details.build_fairness_proof(
                charge_and_load_state(request, get_tournament_for(self.viewer, code))
            ),
        )
