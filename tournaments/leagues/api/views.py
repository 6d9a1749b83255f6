"""Leagues: list, create, change, and read their members, seasons, divisions and removals."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from common.api.locations import Location
from common.api.serializers import validate_query
from common.service_errors import NotFound
from tournaments import text
from tournaments.api import request_serializers
from tournaments.api.base import (
    NewestFirstPagination,
    OldestFirstPagination,
    OrganiseView,
    ReadView,
    etag_json_response,
    read_model_response,
)
from tournaments.api.commands import build_handler
from tournaments.leagues.read_models import (
    LeagueData,
    LeagueMemberData,
    LeagueSummaryData,
    SeasonData,
    SeasonDetailData,
)
from tournaments.leagues.selectors import division_standings
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueMember
from tournaments.options import GAME_SETTINGS_OPTIONS
from tournaments.refusals import Refusal
from tournaments.selectors import get_league_for, seeds
from tournaments.selectors.removals import RemovalData, build_removal, list_removals
from tournaments.selectors.tournaments import can_organise_league

from .commands import REMOVE_MEMBER


class LeagueFilterSerializer(serializers.Serializer):
    """Query parameters of the league list."""

    status = serializers.ChoiceField(
        League.Status.values, required=False, help_text="Only leagues with this status."
    )
    mode = serializers.ChoiceField(
        League.Mode.values, required=False, help_text="Only leagues that are played in this mode."
    )
    table_size = serializers.IntegerField(
        required=False,
        **GAME_SETTINGS_OPTIONS["table_size"].limits.number_bounds,
        help_text="Only leagues with this many members at a table.",
    )
    own = serializers.BooleanField(
        required=False, default=False, help_text="Only the leagues that you have joined at any time."
    )


class LeagueView(ReadView):
    """Base of views that return a league."""

    def build_league_details(self, code: str) -> LeagueData:
        """Return everything about a league but its seasons. Raises NoSuchLeague."""
        league = league_read_models.load_league_for(self.viewer, code)
        return league_read_models.build_league_details(league, self.viewer, self.now)


class LeagueListView(LeagueView):
    """The list of leagues."""

    @operation(
        "leagues.list",
        scope="read",
        public=True,
        response=LeagueSummaryData,
        many=True,
        query=LeagueFilterSerializer,
        pagination=NewestFirstPagination,
    )
    def get(self, request: Request) -> Response:
        """List leagues.

        Returns leagues, newest first. You can join all except closed ones.
        """
        filters = validate_query(LeagueFilterSerializer, request)
        queryset = League.objects.all()
        for field_name in ("status", "mode", "table_size"):
            if filters.get(field_name) is not None:
                queryset = queryset.filter(**{field_name: filters[field_name]})
        if filters["own"]:
            queryset = queryset.filter(league_members__player=self.viewer) if self.viewer else queryset.none()
        return self.paginated_response(
            NewestFirstPagination(),
            league_read_models.with_counts(queryset, self.viewer),
            league_read_models.build_summary,
        )

    @operation(
        "leagues.create",
        scope="organise",
        request_body=request_serializers.NewLeagueSerializer,
        response=LeagueData,
        status=201,
        location=Location("leagues/{id}/", "The new league."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a league.

        Creates a league. Players can join at once. Start the first season when enough have joined.
        """
        league = leagues.create_league(
            organiser=self.player, now=self.now, **self.validate_body(request_serializers.NewLeagueSerializer)
        )
        return read_model_response(self.build_league_details(league.code), 201)


class LeagueDetailView(LeagueView):
    """A league."""

    @operation("leagues.view", scope="read", public=True, response=LeagueData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get a league.

        Returns the settings of a league, the dates of its season, and in `you` your permissions.
        """
        return etag_json_response(request, self.build_league_details(code))

    @operation(
        "leagues.change",
        scope="organise",
        request_body=request_serializers.NewLeagueSerializer,
        response=LeagueData,
    )
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Update a league.

        Updates settings from the next season on. Omitted fields keep their value.
        """
        get_league_for(self.player, code)
        leagues.edit_league(
            by=self.player,
            code=code,
            now=self.now,
            **self.validate_body(request_serializers.NewLeagueSerializer, partial=True),
        )
        return read_model_response(self.build_league_details(code))


class LeagueMemberListView(ReadView):
    """The members of a league."""

    @operation(
        "leagues.members",
        scope="read",
        public=True,
        response=LeagueMemberData,
        many=True,
        pagination=OldestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List members.

        Returns members and substitutes in joining order.
        """
        league = get_league_for(self.viewer, code)
        members = league.league_members.exclude(status=LeagueMember.Status.OUT).select_related(
            "player", "partner"
        )
        return self.paginated_response(OldestFirstPagination(), members, league_read_models.build_member)


# -------------------------------------------------------------------------------------------------- seasons


class SeasonListView(ReadView):
    """The seasons of a league."""

    @operation(
        "leagues.seasons",
        scope="read",
        public=True,
        response=SeasonData,
        many=True,
        pagination=NewestFirstPagination,
    )
    def get(self, request: Request, code: str) -> Response:
        """List seasons.

        Returns the seasons of a league, newest first.
        """
        seasons = league_read_models.list_seasons(get_league_for(self.viewer, code))
        return self.paginated_response(NewestFirstPagination(), seasons, league_read_models.build_season)


class SeasonFilterSerializer(serializers.Serializer):
    """Query parameters of a season."""

    division = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=32767,
        help_text="Only the division with this number; 1 is the highest.",
    )


class SeasonDetailView(ReadView):
    """A season of a league."""

    @operation(
        "leagues.season",
        scope="read",
        public=True,
        response=SeasonDetailData,
        query=SeasonFilterSerializer,
        etag=True,
    )
    def get(self, request: Request, code: str, number: int) -> HttpResponse:
        """Get a season.

        Returns a season with all its divisions, or only one: standings, and the reason for each placement.
        """
        wanted_division = validate_query(SeasonFilterSerializer, request).get("division")
        league = get_league_for(self.viewer, code)
        season = league_read_models.list_seasons(league).filter(number=number).first()
        if season is None:
            raise NotFound(_("Season not found."))
        division_rows = list(division_standings.list_divisions(league, number))
        shown_numbers = [
            division_row.number
            for division_row in division_rows
            if wanted_division in (None, division_row.number)
        ]
        standings = division_standings.DivisionStandings(
            league, season, division_rows, shown_numbers, describe_placement=text.describe_placement
        )
        members = vars(league_read_models.build_season(season)) | vars(seeds.build_season_commitment(season))
        members["divisions"] = standings.build_divisions()
        return etag_json_response(request, SeasonDetailData(**members))


# ---------------------------------------------------------------------------------------------- removals


class LeagueRemovalListView(OrganiseView):
    """The removed members of a league."""

    @operation(
        "leagues.removals", scope="read", response=RemovalData, many=True, pagination=NewestFirstPagination
    )
    def get(self, request: Request, code: str) -> Response:
        """List removed members.

        Returns removed members who have not been readmitted, newest first. Organisers only.
        """
        league = get_league_for(self.player, code)
        if not can_organise_league(self.player, league):
            raise Refusal.NOT_LEAGUE_ORGANISER.build_error()
        return self.paginated_response(NewestFirstPagination(), list_removals(league), build_removal)

    post = build_handler(REMOVE_MEMBER)
