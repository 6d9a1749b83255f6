"""Leagues: join and leave, seasons and divisions, and organiser actions."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from accounts.services.players import get_public_player
from common.api.serializers import validate_query
from common.service_errors import Invalid, NotFound
from tournaments import text
from tournaments.api import request_serializers
from tournaments.api.base import (
    NewestFirstPagination,
    OldestFirstPagination,
    OrganiseView,
    PlayView,
    ReadView,
    etag_json_response,
    get_player_by_name,
    json_safe_response,
)
from tournaments.api.organiser_serializers import DecisionSerializer
from tournaments.api.proposals import ProposalSerializer
from tournaments.leagues.permissions import league_permissions_of
from tournaments.leagues.selectors import division_standings
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueMember
from tournaments.options import GAME_SETTINGS_OPTIONS
from tournaments.refusals import Refusal
from tournaments.selectors import get_league_for, seeds, tournament_details
from tournaments.selectors.proposals import build_proposal
from tournaments.selectors.removals import list_removals
from tournaments.selectors.tournaments import can_organise_league
from tournaments.services import client_seeds, co_organisers, removals

from .serializers import (
    LeagueMemberSerializer,
    LeagueSerializer,
    LeagueSummarySerializer,
    SeasonDetailSerializer,
    SeasonSerializer,
)


class LeagueFilterSerializer(serializers.Serializer):
    """Query parameters of the league list."""

    status = serializers.ChoiceField(League.Status.values, required=False)
    mode = serializers.ChoiceField(League.Mode.values, required=False)
    table_size = serializers.IntegerField(
        required=False, **GAME_SETTINGS_OPTIONS["table_size"].limits.number_bounds
    )
    mine = serializers.BooleanField(required=False, default=False, help_text="where you have ever joined")


def build_league_summary(league: League) -> dict[str, Any]:
    """Return a league as in a list."""
    league_summary = league_read_models.build_summary(league)
    league_summary["membership"] = league_summary.pop("you")
    return league_summary


class LeagueAPIView(PlayView):
    """Base of views that return a league after an action."""

    def build_league_details(self, code: str) -> dict[str, Any]:
        """Return everything about a league but its seasons. Raises NoSuchLeague."""
        visible_league = get_league_for(self.viewer, code)
        league = league_read_models.with_counts(
            League.objects.filter(pk=visible_league.pk), self.viewer
        ).get()
        last_season = league.seasons.order_by("-number").first()
        league_summary = build_league_summary(league)
        return {
            **league_read_models.settings_dict(league),
            **league_summary,
            "commitment": league.commitment,
            "seed": league.seed or None,
            "next_season": seeds.build_next_season(
                league, member_count=league_summary["members"], last_season_no=league_summary["season"] or 0
            ),
            "co_organisers": list(league.co_organisers.order_by("name").values_list("name", flat=True)),
            "calendar": league_read_models.build_calendar(league, last_season, self.now),
            "you": league_permissions_of(league, self.viewer),
        }

    def organiser_arguments(self, code: str) -> dict[str, Any]:
        """Return organiser, league and time as keyword arguments of a service."""
        return {"by": self.player, "code": code, "now": self.now}


class LeagueListView(ReadView, LeagueAPIView):
    """The list of leagues."""

    @operation(
        "leagues.list",
        scope="read",
        public=True,
        response=LeagueSummarySerializer,
        many=True,
        query=LeagueFilterSerializer,
        paginated=True,
    )
    def get(self, request: Request) -> Response:
        """Leagues, newest first; all but the closed ones can be joined."""
        filters = validate_query(LeagueFilterSerializer, request)
        queryset = League.objects.all()
        for field_name in ("status", "mode", "table_size"):
            if filters.get(field_name) is not None:
                queryset = queryset.filter(**{field_name: filters[field_name]})
        if filters["mine"]:
            queryset = queryset.filter(league_members__player=self.viewer) if self.viewer else queryset.none()
        paginator = NewestFirstPagination()
        page_leagues = self.paginate_list(paginator, league_read_models.with_counts(queryset, self.viewer))
        return paginator.get_paginated_response([build_league_summary(league) for league in page_leagues])

    @operation(
        "leagues.create",
        scope="organise",
        request_body=request_serializers.NewLeagueSerializer,
        response=LeagueSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a league; players can join at once."""
        league = leagues.create_league(
            organiser=self.player, now=self.now, **self.validate_body(request_serializers.NewLeagueSerializer)
        )
        return json_safe_response(self.build_league_details(league.code), 201)


class LeagueDetailView(ReadView, LeagueAPIView):
    """A league."""

    @operation("leagues.view", scope="read", public=True, response=LeagueSerializer)
    def get(self, request: Request, code: str) -> HttpResponse:
        """A league: settings, calendar, and what you may do (`you`), with an ETag."""
        return etag_json_response(request, self.build_league_details(code))

    @operation(
        "leagues.change",
        scope="organise",
        request_body=request_serializers.NewLeagueSerializer,
        response=LeagueSerializer,
    )
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Change settings from the next season on; those that you do not name stay."""
        get_league_for(self.player, code)
        leagues.edit_league(
            **self.organiser_arguments(code),
            **self.validate_body(request_serializers.NewLeagueSerializer, partial=True),
        )
        return json_safe_response(self.build_league_details(code))


class LeagueMemberListView(ReadView):
    """The members of a league."""

    @operation(
        "leagues.members",
        scope="read",
        public=True,
        response=LeagueMemberSerializer,
        many=True,
        paginated=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """Members and substitutes in the order in which they joined, in pages."""
        league = get_league_for(self.viewer, code)
        members = league.league_members.exclude(status=LeagueMember.Status.OUT).select_related(
            "player", "partner"
        )
        paginator = OldestFirstPagination()
        return paginator.get_paginated_response(
            [
                {
                    "name": member.player.name,
                    "status": member.status,
                    "partner": member.partner.name if member.partner else None,
                    "at": member.status_changed_at,
                }
                for member in self.paginate_list(paginator, members)
            ]
        )


# ---------------------------------------------------------------------------------------------- membership


class MembershipView(LeagueAPIView):
    """Base of views that change the viewer's membership."""

    def set_membership(self, code: str, status: str, client_seed: str | None = None) -> HttpResponse:
        """Set the membership from the next season on and return the league."""
        get_league_for(self.player, code)
        leagues.set_member_status(
            player=self.player, code=code, now=self.now, status=status, client_seed=client_seed
        )
        return json_safe_response(self.build_league_details(code))


class JoinLeagueView(MembershipView):
    """Joins a league."""

    @operation(
        "leagues.join",
        request_body=request_serializers.LeagueEntrySerializer,
        response=LeagueSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play from the next season on, season after season.

        In pairs with a partner, who is asked: you have joined when they agree.
        """
        validated_data = self.validate_body(request_serializers.LeagueEntrySerializer)
        if not validated_data["partner"]:
            return self.set_membership(code, LeagueMember.Status.MEMBER, validated_data["client_seed"])
        get_league_for(self.player, code)
        partner = get_player_by_name(validated_data["partner"])
        leagues.ask_partner(
            player=self.player,
            partner=partner,
            code=code,
            client_seed=validated_data["client_seed"],
            now=self.now,
        )
        return json_safe_response(self.build_league_details(code))


class LeagueClientSeedView(LeagueAPIView):
    """The client seed of a player in a league."""

    @operation(
        "leagues.clientseed", request_body=request_serializers.ClientSeedSerializer, response=LeagueSerializer
    )
    def put(self, request: Request, code: str) -> HttpResponse:
        """Replace your client seed for coming seasons."""
        get_league_for(self.player, code)
        client_seed = self.validate_body(request_serializers.ClientSeedSerializer)["client_seed"]
        client_seeds.set_league_client_seed(
            player=self.player, code=code, client_seed=client_seed, now=self.now
        )
        return json_safe_response(self.build_league_details(code))


class LeaveLeagueView(MembershipView):
    """Leaves a league."""

    @operation("leagues.leave", response=LeagueSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Stop playing after the current season; it is played to its end."""
        return self.set_membership(code, LeagueMember.Status.OUT)


class BecomeSubstituteView(MembershipView):
    """Becomes a substitute of a league."""

    @operation(
        "leagues.substitute",
        request_body=request_serializers.LeagueEntrySerializer,
        response=LeagueSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Become a substitute: you agree to take over for a player who drops out during a season."""
        validated_data = self.validate_body(request_serializers.LeagueEntrySerializer)
        if validated_data["partner"]:
            raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
        return self.set_membership(code, LeagueMember.Status.SUBSTITUTE, validated_data["client_seed"])


# -------------------------------------------------------------------------------------------------- seasons


class SeasonListView(ReadView):
    """The seasons of a league."""

    @operation(
        "leagues.seasons", scope="read", public=True, response=SeasonSerializer, many=True, paginated=True
    )
    def get(self, request: Request, code: str) -> Response:
        """The seasons of a league, newest first, in pages."""
        paginator = NewestFirstPagination()
        page_seasons = self.paginate_list(
            paginator, league_read_models.list_seasons(get_league_for(self.viewer, code))
        )
        return paginator.get_paginated_response(
            [league_read_models.build_season(season) for season in page_seasons]
        )


class SeasonFilterSerializer(serializers.Serializer):
    """Query parameters of a season."""

    division = serializers.IntegerField(required=False, min_value=1, max_value=32767)


class SeasonDetailView(ReadView):
    """A season of a league."""

    @operation(
        "leagues.season",
        scope="read",
        public=True,
        response=SeasonDetailSerializer,
        query=SeasonFilterSerializer,
    )
    def get(self, request: Request, code: str, number: int) -> HttpResponse:
        """A season: its divisions, or one of them, with the standings and the reason of each placement."""
        wanted_division = validate_query(SeasonFilterSerializer, request).get("division")
        league = get_league_for(self.viewer, code)
        season = league_read_models.list_seasons(league).filter(number=number).first()
        if season is None:
            raise NotFound(_("There is no such season."))
        division_rows = list(division_standings.list_divisions(league, number))
        shown_numbers = [
            division_row.number
            for division_row in division_rows
            if wanted_division in (None, division_row.number)
        ]
        division_data = division_standings.DivisionStandings(
            league, season, division_rows, shown_numbers
        ).build_divisions()
        for division in division_data:
            for placement in division["placements"]:
                placement["words"] = text.describe_placement(placement["reason"])
        return etag_json_response(
            request,
            league_read_models.build_season(season)
            | seeds.build_season_commitment(season)
            | {"divisions": division_data},
        )


# --------------------------------------------------------------------------------------- organiser actions


class StartLeagueView(OrganiseView, LeagueAPIView):
    """Starts a league."""

    @operation("leagues.start", scope="organise", response=LeagueSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Start the first season; it begins within a minute."""
        get_league_for(self.player, code)
        leagues.start_league(**self.organiser_arguments(code))
        return json_safe_response(self.build_league_details(code))


class CloseLeagueView(OrganiseView, LeagueAPIView):
    """Closes a league."""

    @operation("leagues.close", scope="organise", response=LeagueSerializer, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Close the league after the current season."""
        get_league_for(self.player, code)
        leagues.close_league(**self.organiser_arguments(code))
        return json_safe_response(self.build_league_details(code))


class SubstitutePlayerView(OrganiseView, LeagueAPIView):
    """Substitutes a player of a league."""

    @operation(
        "leagues.replace",
        scope="organise",
        request_body=request_serializers.SubstitutePlayerSerializer,
        response=DecisionSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Let a substitute take over a place during a season, with its running games and hands."""
        get_league_for(self.player, code)
        validated_data = self.validate_body(request_serializers.SubstitutePlayerSerializer)
        replaced_name, player_name = validated_data.pop("out"), validated_data.pop("player")
        decision = leagues.replace_with_substitute(
            **self.organiser_arguments(code),
            leaver=get_player_by_name(replaced_name),
            player=get_player_by_name(player_name) if player_name else None,
            **validated_data,
        )
        return json_safe_response(tournament_details.build_decisions([decision], is_organiser=True)[0], 201)


class RemovalSerializer(serializers.Serializer):
    """A removed member of a league."""

    name = serializers.CharField()
    created_by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class LeagueRemovalListView(OrganiseView, LeagueAPIView):
    """The removed members of a league."""

    @operation("leagues.removals", scope="read", response=RemovalSerializer, many=True, paginated=True)
    def get(self, request: Request, code: str) -> Response:
        """Removed members who were not readmitted, newest first, in pages. For organisers."""
        league = get_league_for(self.player, code)
        if not can_organise_league(self.player, league):
            raise Refusal.NOT_LEAGUE_ORGANISER.build_error()
        paginator = NewestFirstPagination()
        page_removals = self.paginate_list(paginator, list_removals(league))
        return paginator.get_paginated_response(
            [
                {
                    "name": removal.player.name,
                    "created_by": removal.created_by.name if removal.created_by else None,
                    "reason": removal.reason,
                    "created_at": removal.created_at,
                }
                for removal in page_removals
            ]
        )

    @operation(
        "leagues.remove",
        scope="organise",
        request_body=request_serializers.RemoveLeagueMemberSerializer,
        response=LeagueSerializer,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Remove a member from the next season on; they are notified.

        They cannot join again until you readmit them. In pairs the partner is removed, too.
        """
        get_league_for(self.player, code)
        validated_data = self.validate_body(request_serializers.RemoveLeagueMemberSerializer)
        removals.remove_league_member(
            **self.organiser_arguments(code),
            player=get_player_by_name(validated_data.pop("name")),
            **validated_data,
        )
        return json_safe_response(self.build_league_details(code))


class LeagueRemovalDetailView(OrganiseView, LeagueAPIView):
    """A removed member of a league."""

    @operation("leagues.readmit", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Let a removed player join again."""
        get_league_for(self.player, code)
        removals.readmit_league_member(**self.organiser_arguments(code), player=get_public_player(name=name))
        return HttpResponse(status=204)


class LeagueCoOrganiserListView(OrganiseView, LeagueAPIView):
    """The co-organisers of a league."""

    @operation(
        "leagues.help",
        scope="organise",
        request_body=request_serializers.PlayerNameSerializer,
        response=ProposalSerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask a player to become a co-organiser: they can do nothing until they accept the proposal."""
        get_league_for(self.player, code)
        player = get_player_by_name(self.validate_body(request_serializers.PlayerNameSerializer)["name"])
        proposal = co_organisers.ask_league_co_organiser(**self.organiser_arguments(code), player=player)
        return json_safe_response(build_proposal(proposal, self.player), 201)


class LeagueCoOrganiserDetailView(OrganiseView, LeagueAPIView):
    """A co-organiser of a league."""

    @operation("leagues.unhelp", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Remove a co-organiser, or withdraw the proposal to become one; also yourself."""
        get_league_for(self.player, code)
        co_organisers.remove_league_co_organiser(
            **self.organiser_arguments(code), player=get_public_player(name=name)
        )
        return HttpResponse(status=204)
