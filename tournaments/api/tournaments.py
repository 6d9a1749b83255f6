"""Tournaments: list, create, change, and read their entrants, rounds, pairings and standings."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from common.api.locations import Location
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
    PUBLIC_STATUSES,
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

STORED_STATUSES = {public: stored for stored, public in PUBLIC_STATUSES.items()}


class TournamentFilterSerializer(serializers.Serializer):
    """Query parameters of the tournament list."""

    status = serializers.ChoiceField(
        list(PUBLIC_STATUSES.values()),
        required=False,
        help_text="Only tournaments with this status. You can enter `published` ones.",
    )
    format = serializers.ChoiceField(
        Tournament.Format.values, required=False, help_text="Only tournaments of this format."
    )
    mode = serializers.ChoiceField(
        Tournament.Mode.values, required=False, help_text="Only tournaments that are played in this mode."
    )
    table_size = serializers.IntegerField(
        required=False,
        **GAME_SETTINGS_OPTIONS["table_size"].limits.number_bounds,
        help_text="Only tournaments with this many entrants at a table.",
    )
    own = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only the tournaments that you play in or organise, including drafts and those of leagues.",
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
        pagination=NewestFirstPagination,
    )
    def get(self, request: Request) -> Response:
        """List tournaments.

        Returns tournaments, newest first. `status=published` gives those that you can enter, `own=true` only
        yours.
        """
        filters = validate_query(TournamentFilterSerializer, request)
        queryset = list_tournaments()
        if filters["own"]:
            queryset = list_tournaments_of(self.viewer) if self.viewer else queryset.none()
        if "status" in filters:
            filters["status"] = STORED_STATUSES[filters["status"]]
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
        location=Location("tournaments/{id}/", "The new tournament."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a tournament.

        Creates a draft that only its organisers can see. Its commitment is fixed before anybody can enter.
        Publish it next.
        """
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

    @operation("tournaments.view", scope="read", public=True, response=TournamentData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get a tournament.

        Returns the settings and the status of a tournament, and in `you` your entry and your permissions.
        """
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
        """Update a tournament.

        Updates settings. Omitted fields keep their value. The first entry fixes the game settings; once the
        tournament runs, you can only change settings for later rounds.
        """
        get_tournament_for(self.player, code)
        changes = self.validate_body(request_serializers.NewTournamentSerializer, partial=True)
        tournament = tournaments.edit_tournament(by=self.player, code=code, now=self.now, **changes)
        return read_model_response(
            tournament_details.build_tournament_details(tournament, self.player, self.now)
        )

    @operation("tournaments.delete", scope="organise", status=204)
    def delete(self, request: Request, code: str) -> HttpResponse:
        """Delete a draft.

        Deletes a tournament that was never published. Cancel a published one instead.
        """
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
        pagination=OldestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List entrants.

        Returns players or pairs in the order of entry, then the waiting list.
        """
        entrants = tournament_page.list_entrants(get_tournament_for(self.viewer, code))
        return self.paginated_response(
            OldestFirstPagination(), entrants, tournament_read_models.build_entrant
        )


class RoundListView(ReadView):
    """The rounds of a tournament."""

    @operation("tournaments.rounds", scope="read", public=True, response=RoundListData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """List rounds.

        Returns the published rounds in order. In a knock-out, a published round can have tables of several
        bracket rounds.
        """
        return etag_json_response(
            request, RoundListData(tournament_details.list_rounds(get_tournament_for(self.viewer, code)))
        )


class PairingFilterSerializer(serializers.Serializer):
    """Query parameters of the pairing list."""

    bracket_round = serializers.IntegerField(
        required=False, min_value=1, max_value=32767, help_text="Only pairings of this round of the bracket."
    )
    entrant = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**63 - 1,
        help_text="Only pairings of the entrant with this `id`.",
    )


class PairingListView(ReadView):
    """The pairings of a tournament."""

    @operation(
        "tournaments.pairings",
        scope="read",
        public=True,
        response=PairingData,
        many=True,
        query=PairingFilterSerializer,
        pagination=OldestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List pairings.

        Returns the pairings with their reasons. Filter by round or by entrant.
        """
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
        etag=True,
    )
    def get(self, request: Request, code: str, pairing: int) -> HttpResponse:
        """Get a pairing.

        Returns one pairing: its players, its reasons as codes and as sentences, and the result.
        """
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
        etag=True,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the standings.

        Returns the standings with the values and the meaning of each tie-break. Empty before the start.
        """
        tournament = get_tournament_for(self.viewer, code)
        standings = tournament_read_models.build_standings(charge_and_load_state(request, tournament))
        columns = [
            CriterionColumnData(criterion.key, criterion_text.label, criterion_text.meaning)
            for criterion in (standings[0].criteria if standings else ())
            for criterion_text in [text.describe_criterion(criterion.key, tournament.table_size)]
        ]
        return etag_json_response(request, StandingsData(columns, standings))


class BracketView(ReadView):
    """The bracket of a tournament."""

    @operation("tournaments.bracket", scope="read", public=True, response=BracketData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the bracket.

        Returns every match, including future ones. A seat without an entrant names the match that fills it.
        """
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
        etag=True,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the fairness proof.

        Returns everything that you need to compute the pairings yourself.

        Once it is over, the SHA-256 of `seed` is `commitment`, and `HMAC-SHA256(seed, "otto-v1|" + id)` is
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
