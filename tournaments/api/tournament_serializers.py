"""Response serializers of tournaments."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Game
from tournaments.models import Entrant, Tournament

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


class GameSettingsSerializer(serializers.Serializer):
    """The game settings of a tournament or league."""

    mode = serializers.ChoiceField(Tournament.Mode.values)
    table = IntegerField(help_text="entrants at a table, at most")
    edition = CharField()
    cards = BooleanField()
    obligation = CharField()
    target = IntegerField()
    clock = CharField()
    allowance = IntegerField()
    bank = IntegerField()
    blind_allowance = IntegerField(allow_null=True)
    short_allowance = IntegerField(help_text="of a rematch")
    short_bank = IntegerField()
    timeouts = serializers.ChoiceField(Game.TimeoutPolicy.values)
    weekends = BooleanField()
    nights = BooleanField()
    vacation = BooleanField()
    chat = BooleanField()
    rated = BooleanField()
    private = BooleanField()
    round_length = IntegerField(allow_null=True, help_text="seconds")


class TournamentSummarySerializer(serializers.Serializer):
    """A tournament in a list."""

    id = CharField()
    name = CharField()
    format = serializers.ChoiceField(Tournament.Format.values)
    status = serializers.ChoiceField(Tournament.Status.values)
    mode = serializers.ChoiceField(Tournament.Mode.values)
    table = IntegerField()
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
    made_at = DateTimeField()
    ends_at = DateTimeField(allow_null=True, help_text="when what is still played is decided by its points")
    tables = IntegerField()
    playing = IntegerField(help_text="tables that are not settled")
    warnings = NoteSerializer(many=True)


class RoundListSerializer(serializers.Serializer):
    """All published rounds."""

    results = RoundSerializer(many=True)


class LeagueReferenceSerializer(serializers.Serializer):
    """The league, season, division and group that a tournament belongs to."""

    id = CharField()
    name = CharField()
    season = IntegerField()
    division = IntegerField()
    group = IntegerField()


class TournamentViewerSerializer(serializers.Serializer):
    """The viewer's entry and permissions in a tournament."""

    organiser = BooleanField()
    entrant = IntegerField(allow_null=True, help_text="the id of the entrant that you play for")
    status = serializers.ChoiceField(Entrant.Status.values, allow_null=True)
    confirmed = BooleanField(allow_null=True)
    proposals = list_field(
        IntegerField(), help_text="to play as a pair: what you asked or were asked, unanswered"
    )
    client_seed = CharField(
        allow_null=True, help_text="what your games here are shuffled with, beside our seed"
    )
    may = list_field(CharField(), help_text="what you may do here now")


class TournamentSerializer(GameSettingsSerializer, TournamentSummarySerializer):
    """A tournament."""

    text = CharField(allow_blank=True)
    rounds = IntegerField(allow_null=True)
    laps = IntegerField()
    at_once = BooleanField()
    advance = IntegerField()
    third_place = BooleanField()
    when_full = BooleanField()
    confirmation = BooleanField()
    by_invitation = BooleanField()
    late = BooleanField()
    least_rating = IntegerField(allow_null=True)
    most_rating = IntegerField(allow_null=True)
    seeding = serializers.ChoiceField(Tournament.Seeding.values)
    ask = BooleanField()
    review = BooleanField()
    waiting = IntegerField(help_text="entrants on the waiting list")
    helpers = list_field(CharField())
    held = CharField(
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
    league = LeagueReferenceSerializer(allow_null=True)
    you = TournamentViewerSerializer()


class FormerPlayerSerializer(serializers.Serializer):
    """A player who was replaced."""

    number = IntegerField(help_text="2: the second of a pair")
    player = CharField(allow_null=True)
    since_round = IntegerField(help_text="from which round on somebody else has played")


class EntrantSerializer(serializers.Serializer):
    """An entrant: a player or a pair."""

    id = IntegerField()
    name = CharField()
    players = list_field(CharField())
    status = serializers.ChoiceField(Entrant.Status.values)
    seed = IntegerField(
        allow_null=True, help_text="1 is the strongest; null: by lot, behind those who have one"
    )
    joined = IntegerField(help_text="the first round to play in")
    left = IntegerField(allow_null=True, help_text="the last round that had begun when they left")
    absent = list_field(IntegerField(), help_text="rounds to sit out")
    confirmed = BooleanField()
    client_seeds = list_field(CharField(), help_text="of those who play for it, in the order of their seats")
    rank = IntegerField(allow_null=True, help_text="at the end")
    before = FormerPlayerSerializer(
        many=True, help_text="who played for it before; results of then stay theirs"
    )


class PairingSeatSerializer(serializers.Serializer):
    """A seat of a pairing."""

    entrant = IntegerField()
    name = CharField(help_text="who played here, whoever plays for the entrant now")
    before = list_field(CharField(), help_text="who began this game for them, and was replaced")
    rank = IntegerField(allow_null=True)
    points = IntegerField(allow_null=True)
    eights = IntegerField(allow_null=True)
    forfeit = BooleanField(help_text="did not play to the end")
    timeout = BooleanField(help_text="because their time was up")


class PairingSerializer(serializers.Serializer):
    """A pairing in a list."""

    id = IntegerField()
    match = CharField(help_text="the match's id in the tournament: what seeds of its games are derived with")
    round = IntegerField()
    rematch = BooleanField()
    game_number = IntegerField(help_text="of the match: 2 and more are rematches")
    attempt = IntegerField(help_text="2 and more: a corrected result made the earlier ones void")
    state = serializers.ChoiceField(["bye", "over", "playing"])
    game = CharField(allow_null=True)
    ends_at = DateTimeField(allow_null=True)
    settled_at = DateTimeField(allow_null=True)
    by = CharField(allow_null=True, help_text="game, adjudication, organiser; null: a bye, or no result yet")
    seats = PairingSeatSerializer(many=True)
    reasons = NoteSerializer(many=True, help_text="why these meet, and sit so")


class PairingDetailSerializer(PairingSerializer):
    """A pairing with its reasons as text."""

    words = list_field(CharField(), help_text="the reasons in words, in your language")
    void = BooleanField(help_text="a corrected result made it meaningless")


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
    parted_by = CharField(allow_null=True, help_text="what puts it behind the line above")
    before = FormerPlayerSerializer(many=True)


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
    advance = IntegerField()
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
    joined = IntegerField()
    left = IntegerField(allow_null=True)
    absent = list_field(IntegerField())
    client_seeds = list_field(CharField(), help_text="in the order of their seats")


class ProofResultSerializer(serializers.Serializer):
    """A result as the pairing uses it."""

    published = IntegerField(help_text="the number of the round it was published with")
    match = CharField()
    round = IntegerField()
    game = IntegerField(help_text="2: a rematch")
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
    table = IntegerField(allow_null=True)
    before = serializers.DictField(allow_null=True, help_text="as rounds were paired by until then")
    after = serializers.DictField(allow_null=True)


class FairnessProofSerializer(serializers.Serializer):
    """Everything that the pairings follow from."""

    code = CharField()
    commitment = CharField(help_text="the SHA-256 of the seed, public before anyone could enter")
    seed = CharField(allow_null=True, help_text="in hexadecimal; null until it is over")
    event_commitment = CharField()
    event_seed = CharField(allow_null=True)
    format = CharField()
    table = IntegerField()
    rounds = IntegerField(allow_null=True)
    laps = IntegerField()
    at_once = BooleanField()
    advance = IntegerField()
    third_place = BooleanField()
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
