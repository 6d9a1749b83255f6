"""Response serializers of leagues."""

from __future__ import annotations

from rest_framework import serializers

from common.read_model_serializers import build_serializer
from games.api.option_fields import add_response_fields
from tournaments.api.tournament_serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    GameSettingsSerializer,
    IntegerField,
    NoteSerializer,
    list_field,
)
from tournaments.leagues.permissions import LeagueViewer
from tournaments.models import League, LeagueMember, Tournament
from tournaments.options import LEAGUE_OPTIONS
from tournaments.selectors.seeds import NextSeason


class LeagueSummarySerializer(serializers.Serializer):
    """A league in a list."""

    id = CharField()
    name = CharField()
    status = serializers.ChoiceField(League.Status.values)
    mode = serializers.ChoiceField(League.Mode.values)
    table_size = IntegerField()
    clock = CharField()
    rated = BooleanField()
    division_size = IntegerField()
    organiser = CharField(allow_null=True)
    members = IntegerField()
    substitutes = IntegerField()
    season = IntegerField(allow_null=True, help_text="the newest one")
    membership = serializers.ChoiceField(LeagueMember.Status.values, allow_null=True, help_text="yours")
    partner = CharField(allow_null=True, help_text="yours, in pairs")
    created_at = DateTimeField()


class CalendarEntrySerializer(serializers.Serializer):
    """An entry of the calendar of a league."""

    kind = CharField(help_text="season-began, round-ends, season-ends, season-ended, next-season")
    season = IntegerField(required=False)
    round = IntegerField(required=False)
    at = DateTimeField(allow_null=True, help_text="null: when all is played")
    past = BooleanField(required=False)


@add_response_fields(LEAGUE_OPTIONS, after="created_at")
class LeagueSerializer(GameSettingsSerializer, LeagueSummarySerializer):
    """A league."""

    co_organisers = list_field(CharField())
    commitment = CharField()
    seed = CharField(allow_null=True, help_text="null until the league is closed")
    next_season = build_serializer(NextSeason)(allow_null=True, help_text="null: none follows")
    calendar = CalendarEntrySerializer(many=True)
    you = build_serializer(LeagueViewer)()


class LeagueMemberSerializer(serializers.Serializer):
    """A member of a league."""

    name = CharField()
    status = serializers.ChoiceField(LeagueMember.Status.values)
    partner = CharField(allow_null=True)
    at = DateTimeField()


class SeasonSerializer(serializers.Serializer):
    """A season in a list."""

    number = IntegerField()
    started_at = DateTimeField()
    finished_at = DateTimeField(allow_null=True)
    divisions = IntegerField()
    players = IntegerField()


class DivisionGroupSerializer(serializers.Serializer):
    """A group of a division."""

    group = IntegerField()
    tournament = CharField(help_text="where it is played: its id among the tournaments")
    status = serializers.ChoiceField(Tournament.Status.values)
    round = IntegerField()


class DivisionPlacementSerializer(serializers.Serializer):
    """A placement in a division."""

    rank = IntegerField(help_text="now, or at the end")
    start_position = IntegerField(help_text="from the top, at the start")
    entrant = IntegerField(allow_null=True)
    name = CharField()
    players = list_field(CharField())
    group = IntegerField()
    reason = NoteSerializer(help_text="why they are in this division")
    words = CharField(help_text="the same in words, in your language")
    played = IntegerField()
    points = serializers.FloatField()
    game_points = serializers.FloatField()
    eights = serializers.FloatField()
    withdrawn = BooleanField()
    heading = CharField(allow_blank=True, help_text="up, down, or nowhere")


class DivisionSerializer(serializers.Serializer):
    """A division of a season."""

    number = IntegerField(help_text="1 is the highest")
    size = IntegerField()
    up = IntegerField(help_text="how many go up")
    down = IntegerField(help_text="how many go down")
    final = BooleanField()
    groups = DivisionGroupSerializer(many=True)
    placements = DivisionPlacementSerializer(many=True)


class SeasonDetailSerializer(SeasonSerializer):
    """A season with its divisions."""

    commitment = CharField(
        allow_null=True, help_text="of the season's seed; null: its events have seeds of their own"
    )
    seed = CharField(allow_null=True, help_text="in hexadecimal; null until all of it is over")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Replace the number of divisions by the divisions themselves."""
        return super().get_fields() | {"divisions": DivisionSerializer(many=True)}
