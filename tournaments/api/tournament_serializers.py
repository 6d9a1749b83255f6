"""Response serializers of tournaments."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from common.read_model_serializers import build_serializer
from games.api.option_fields import add_response_fields
from tournaments.models import Entrant, PairingState, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, SHAPE_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.permissions import TournamentViewer
from tournaments.selectors.tournament_details import LeagueReference
from tournaments.selectors.tournament_read_models import FormerPlayer

IntegerField = serializers.IntegerField
CharField = serializers.CharField
BooleanField = serializers.BooleanField
DateTimeField = serializers.DateTimeField


def list_field(child: serializers.Field, **kwargs: Any) -> serializers.ListField:
    """Return a list field."""
    return serializers.ListField(child=child, **kwargs)


class NoteSerializer(serializers.Serializer):
    """A reason or a warning: its code, and details that depend on the code."""

    code = CharField(help_text="what it says; further members are its facts, entrants by their ids")


@add_response_fields(GAME_SETTINGS_OPTIONS)
class GameSettingsSerializer(serializers.Serializer):
    """The game settings of a tournament or league."""


class TournamentSummarySerializer(serializers.Serializer):
    """A tournament in a list."""

    id = CharField()
    name = CharField()
    format = serializers.ChoiceField(Tournament.Format.values)
    status = serializers.ChoiceField(Tournament.Status.values)
    mode = serializers.ChoiceField(Tournament.Mode.values)
    table_size = IntegerField()
    clock = CharField()
    rated = BooleanField()
    organiser = CharField(allow_null=True)
    entered = IntegerField(help_text="entrants who have a place")
    capacity = IntegerField(allow_null=True)
    created_at = DateTimeField()
    opens_at = DateTimeField(allow_null=True)
    closes_at = DateTimeField(allow_null=True)
    starts_at = DateTimeField(allow_null=True)
    started_at = DateTimeField(allow_null=True)
    finished_at = DateTimeField(allow_null=True)


class RoundSerializer(serializers.Serializer):
    """A published round."""

    number = IntegerField()
    published_at = DateTimeField()
    ends_at = DateTimeField(allow_null=True, help_text="when what is still played is decided by its points")
    pairing_count = IntegerField()
    open_pairing_count = IntegerField(help_text="pairings that are not settled")
    warnings = NoteSerializer(many=True)


class RoundListSerializer(serializers.Serializer):
    """All published rounds."""

    results = RoundSerializer(many=True)


@add_response_fields(TOURNAMENT_OPTIONS, after="finished_at")
class TournamentSerializer(GameSettingsSerializer, TournamentSummarySerializer):
    """A tournament."""

    waiting = IntegerField(help_text="entrants on the waiting list")
    co_organisers = list_field(CharField())
    hold_reason = CharField(
        allow_blank=True,
        help_text="why it waits, for those who organise it; else empty. `review`, `too-few`, "
        "`too-many-games`, `stale-at-end`, the code of its first warning, or `undecided-table`: a table came "
        "back whose game ended while it did not count, and it goes on when its result is written",
    )
    waits_for_organiser = BooleanField(help_text="whether it waits for them")
    warnings = NoteSerializer(many=True, help_text="for those who organise it: what the next round has")
    round = RoundSerializer(allow_null=True, help_text="the newest one")
    champions = list_field(CharField())
    commitment = CharField()
    event_commitment = CharField(help_text="the SHA-256 of `event_seed`, public before anyone can enter")
    event_seed = CharField(allow_null=True, help_text="in hexadecimal; null until it is over")
    league = build_serializer(LeagueReference)(allow_null=True)
    you = build_serializer(TournamentViewer)()


class EntrantSerializer(serializers.Serializer):
    """An entrant: a player or a pair."""

    id = IntegerField()
    name = CharField()
    players = list_field(CharField())
    status = serializers.ChoiceField(Entrant.Status.values)
    seed = IntegerField(
        allow_null=True, help_text="1 is the strongest; null: by lot, behind those who have one"
    )
    first_round = IntegerField(help_text="the first round to play in")
    left_after_round = IntegerField(allow_null=True, help_text="the last round that had begun when they left")
    absent_rounds = list_field(IntegerField(), help_text="rounds to sit out")
    confirmed = BooleanField()
    client_seeds = list_field(CharField(), help_text="of those who play for it, in the order of their seats")
    rank = IntegerField(allow_null=True, help_text="at the end")
    former_players = build_serializer(FormerPlayer)(
        many=True, help_text="who played for it before; results of then stay theirs"
    )


class PairingSeatSerializer(serializers.Serializer):
    """A seat of a pairing."""

    entrant = IntegerField()
    name = CharField(help_text="who played here, whoever plays for the entrant now")
    former_players = list_field(CharField(), help_text="who began this game for them, and was replaced")
    rank = IntegerField(allow_null=True)
    points = IntegerField(allow_null=True)
    eights = IntegerField(allow_null=True)
    forfeit = BooleanField(help_text="did not play to the end")
    timeout = BooleanField(help_text="because their time was up")


class PairingSerializer(serializers.Serializer):
    """A pairing in a list."""

    id = IntegerField()
    match = CharField(help_text="the match's id in the tournament: what seeds of its games are derived with")
    round = IntegerField(help_text="the number of the round it was published with")
    bracket_round = IntegerField(help_text="the round of the bracket, or of the schedule")
    rematch = BooleanField()
    game_number = IntegerField(help_text="of the match: 2 and more are rematches")
    attempt = IntegerField(help_text="2 and more: a corrected result made the earlier ones void")
    state = serializers.ChoiceField(list(PairingState))
    game = CharField(allow_null=True)
    ends_at = DateTimeField(allow_null=True)
    settled_at = DateTimeField(allow_null=True)
    by = CharField(allow_null=True, help_text="game, adjudication, organiser; null: a bye, or no result yet")
    seats = PairingSeatSerializer(many=True)
    reasons = NoteSerializer(many=True, help_text="why these meet, and sit so")


class PairingDetailSerializer(PairingSerializer):
    """A pairing with its reasons as text."""

    words = list_field(CharField(), help_text="the reasons in words, in your language")
    is_void = BooleanField(help_text="a corrected result made it meaningless")


class CriterionColumnSerializer(serializers.Serializer):
    """A column of the standings."""

    key = CharField()
    name = CharField()
    explanation = CharField(help_text="in words, in your language")


class CriterionValueSerializer(serializers.Serializer):
    """The value of a criterion."""

    key = CharField()
    value = serializers.FloatField(allow_null=True)


class StandingSerializer(serializers.Serializer):
    """A row of the standings."""

    rank = IntegerField()
    entrant = IntegerField()
    name = CharField()
    played = IntegerField()
    byes = IntegerField()
    withdrawn = BooleanField()
    criteria = CriterionValueSerializer(many=True)
    separated_by = CharField(allow_null=True, help_text="what puts it behind the line above")
    former_players = build_serializer(FormerPlayer)(many=True)


class StandingsSerializer(serializers.Serializer):
    """The standings and their columns."""

    criteria = CriterionColumnSerializer(many=True)
    lines = StandingSerializer(many=True)


class SeatSourceSerializer(serializers.Serializer):
    """Where a seat of a bracket is filled from: a seed, or the rank in an earlier match."""

    seed = IntegerField(allow_null=True)
    match = CharField(allow_null=True)
    place = IntegerField()


class BracketSeatSerializer(serializers.Serializer):
    """A seat of a bracket match."""

    entrant = IntegerField(allow_null=True)
    name = CharField(allow_null=True)
    place = IntegerField(allow_null=True)
    source = SeatSourceSerializer()


class BracketMatchSerializer(serializers.Serializer):
    """A match of the bracket."""

    match = CharField()
    bracket = serializers.ChoiceField(["main", "winners", "losers", "final", "third"])
    round = IntegerField()
    stage = IntegerField()
    state = CharField()
    pending = BooleanField(
        help_text="by a correction others play it; the table they had waits to be given up"
    )
    advancing_count = IntegerField()
    seats = BracketSeatSerializer(many=True)
    notes = NoteSerializer(many=True)
    games = list_field(CharField())


class BracketSerializer(serializers.Serializer):
    """The bracket."""

    matches = BracketMatchSerializer(many=True)
    champion = CharField(allow_null=True)


class ProofEntrantSerializer(serializers.Serializer):
    """An entrant as the pairing uses it."""

    id = IntegerField()
    seed = IntegerField(allow_null=True)
    first_round = IntegerField()
    left_after_round = IntegerField(allow_null=True)
    absent_rounds = list_field(IntegerField())
    client_seeds = list_field(CharField(), help_text="in the order of their seats")


class ProofResultSerializer(serializers.Serializer):
    """A result as the pairing uses it."""

    round = IntegerField(help_text="the number of the round it was published with")
    match = CharField()
    bracket_round = IntegerField()
    game_number = IntegerField(help_text="2: a rematch")
    attempt = IntegerField()
    seats = list_field(IntegerField(), help_text="one alone: a bye")
    ranks = list_field(IntegerField(), allow_null=True)
    points = list_field(IntegerField())
    eights = list_field(IntegerField())
    forfeits = list_field(IntegerField())


class SeedChangeSerializer(serializers.Serializer):
    """A change of the seeds by an organiser."""

    decision = IntegerField(help_text="its id in the list of decisions, which tells the order")
    at = DateTimeField()
    by = CharField(allow_null=True)
    count = IntegerField(help_text="how many were seeded by hand from then on")
    after_preview = BooleanField(help_text="whether an organiser had seen the draw by then")


class DrawPreviewSerializer(serializers.Serializer):
    """A preview of the draw by an organiser."""

    at = DateTimeField()
    by = CharField(allow_null=True)


class CorrectedResultSerializer(serializers.Serializer):
    """A result before and after a correction."""

    decision = IntegerField()
    at = DateTimeField()
    pairing = IntegerField(allow_null=True)
    before = serializers.DictField(allow_null=True, help_text="as rounds were paired by until then")
    after = serializers.DictField(allow_null=True)


@add_response_fields(SHAPE_OPTIONS, after="table_size")
class FairnessProofSerializer(serializers.Serializer):
    """Everything that the pairings follow from."""

    code = CharField()
    commitment = CharField(help_text="the SHA-256 of the seed, public before anyone could enter")
    seed = CharField(allow_null=True, help_text="in hexadecimal; null until it is over")
    event_commitment = CharField()
    event_seed = CharField(allow_null=True)
    format = CharField()
    table_size = IntegerField()
    entrants = ProofEntrantSerializer(many=True)
    results = ProofResultSerializer(many=True)
    seeding = serializers.ChoiceField(
        [*Tournament.Seeding.values, "division"],
        help_text="what numbers those who are not seeded by hand; division: the order in a league",
    )
    seeds_logged = BooleanField(help_text="false: made before seeds set by hand and previews were logged")
    seeded_by_hand = list_field(IntegerField(), help_text="ids of entrants, the first seed first")
    seed_changes = SeedChangeSerializer(
        many=True, help_text="seeds that organisers set, the newest 100, oldest first"
    )
    previews = DrawPreviewSerializer(many=True, help_text="organisers who saw the draw before the start")
    corrections = CorrectedResultSerializer(many=True)
