"""What goes out about leagues, for the document."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import Event, League, Membership

from .shapes import Flag, Moment, Note, Number, TermsView, Words, listed


class LeagueSummary(serializers.Serializer):
    id = Words()
    name = Words()
    status = serializers.ChoiceField(League.Status.values)
    mode = serializers.ChoiceField(League.Mode.values)
    table = Number()
    clock = Words()
    rated = Flag()
    size = Number(help_text="of a division")
    organiser = Words(allow_null=True)
    members = Number()
    substitutes = Number()
    season = Number(allow_null=True, help_text="the newest one")
    membership = serializers.ChoiceField(Membership.Status.values, allow_null=True, help_text="yours")
    partner = Words(allow_null=True, help_text="yours, in pairs")
    created_at = Moment()


class YouInLeague(serializers.Serializer):
    organiser = Flag()
    status = serializers.ChoiceField(Membership.Status.values, allow_null=True)
    client_seed = Words(
        allow_null=True, allow_blank=True, help_text="yours for seasons to come; empty: the entry's number"
    )
    may = listed(Words(), help_text="what you may do here now")


class CalendarLine(serializers.Serializer):
    kind = Words(help_text="season-began, round-ends, season-ends, season-ended, next-season")
    season = Number(required=False)
    round = Number(required=False)
    at = Moment(allow_null=True, help_text="null: when all is played")
    past = Flag(required=False)


class EventCommitment(serializers.Serializer):
    division = Number()
    group = Number()
    event_commitment = Words()


class NextSeason(serializers.Serializer):
    number = Number()
    commitment = Words(
        help_text="the SHA-256 of the season's seed, HMAC-SHA256(league's seed, `otto-season-v1|number`)"
    )
    events = EventCommitment(
        many=True,
        help_text="of the divisions that there may be; HMAC-SHA256(season's seed, "
        "`otto-event-v1|division|group`) is the seed of an event",
    )


class LeagueView(TermsView, LeagueSummary):
    text = Words(allow_blank=True)
    format = serializers.ChoiceField(League.Format.values)
    rounds = Number(allow_null=True)
    moves = Number()
    groups = Number()
    laps = Number()
    at_once = Flag()
    newcomers = serializers.ChoiceField(League.Newcomers.values)
    pause = Number()
    seasons = Number(allow_null=True)
    helpers = listed(Words())
    commitment = Words()
    seed = Words(allow_null=True, help_text="null until the league is closed")
    next_season = NextSeason(allow_null=True, help_text="null: none follows")
    calendar = CalendarLine(many=True)
    you = YouInLeague()


class MemberView(serializers.Serializer):
    name = Words()
    status = serializers.ChoiceField(Membership.Status.values)
    partner = Words(allow_null=True)
    at = Moment()


class SeasonView(serializers.Serializer):
    number = Number()
    started_at = Moment()
    finished_at = Moment(allow_null=True)
    divisions = Number()
    players = Number()


class GroupView(serializers.Serializer):
    group = Number()
    tournament = Words(help_text="where it is played: its id among the tournaments")
    status = serializers.ChoiceField(Event.Status.values)
    round = Number()


class PlaceView(serializers.Serializer):
    rank = Number(help_text="now, or at the end")
    began = Number(help_text="from the top, at the start")
    entrant = Number(allow_null=True)
    name = Words()
    players = listed(Words())
    group = Number()
    why = Note(help_text="why they are in this division")
    words = Words(help_text="the same in words, in your language")
    played = Number()
    points = serializers.FloatField()
    game_points = serializers.FloatField()
    eights = serializers.FloatField()
    withdrawn = Flag()
    heading = Words(allow_blank=True, help_text="up, down, or nowhere")


class DivisionView(serializers.Serializer):
    number = Number(help_text="1 is the highest")
    size = Number()
    up = Number(help_text="how many go up")
    down = Number(help_text="how many go down")
    final = Flag()
    groups = GroupView(many=True)
    places = PlaceView(many=True)


class WholeSeason(SeasonView):
    commitment = Words(
        allow_null=True, help_text="of the season's seed; null: its events have seeds of their own"
    )
    seed = Words(allow_null=True, help_text="in hexadecimal; null until all of it is over")

    def get_fields(self) -> dict[str, serializers.Field]:
        """`divisions` is a number in a list of seasons, and everything here."""
        return super().get_fields() | {"divisions": DivisionView(many=True)}
