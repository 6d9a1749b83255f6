"""What goes out about tournaments, for the document."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Game
from tournaments.models import Entrant, Event

Number = serializers.IntegerField
Words = serializers.CharField
Flag = serializers.BooleanField
Moment = serializers.DateTimeField


def listed(child: serializers.Field, **kwargs: Any) -> serializers.ListField:
    return serializers.ListField(child=child, **kwargs)


class Note(serializers.Serializer):
    """A reason or a warning: its code, and facts that depend on the code."""

    code = Words(help_text="what it says; further members are its facts, entrants by their ids")


class TermsView(serializers.Serializer):
    mode = serializers.ChoiceField(Event.Mode.values)
    table = Number(help_text="entrants at a table, at most")
    edition = Words()
    cards = Flag()
    obligation = Words()
    target = Number()
    clock = Words()
    allowance = Number()
    bank = Number()
    blind_allowance = Number(allow_null=True)
    short_allowance = Number(help_text="of a rematch")
    short_bank = Number()
    timeouts = serializers.ChoiceField(Game.Timeouts.values)
    weekends = Flag()
    nights = Flag()
    vacation = Flag()
    chat = Flag()
    rated = Flag()
    private = Flag()
    round_length = Number(allow_null=True, help_text="seconds")


class EventSummary(serializers.Serializer):
    id = Words()
    name = Words()
    format = serializers.ChoiceField(Event.Format.values)
    status = serializers.ChoiceField(Event.Status.values)
    mode = serializers.ChoiceField(Event.Mode.values)
    table = Number()
    clock = Words()
    rated = Flag()
    organiser = Words(allow_null=True)
    entered = Number(help_text="entrants who have a place")
    capacity = Number(allow_null=True)
    created_at = Moment()
    opens_at = Moment(allow_null=True)
    closes_at = Moment(allow_null=True)
    starts_at = Moment(allow_null=True)
    started_at = Moment(allow_null=True)
    finished_at = Moment(allow_null=True)


class RoundView(serializers.Serializer):
    number = Number()
    made_at = Moment()
    ends_at = Moment(allow_null=True, help_text="when what is still played is decided by its points")
    tables = Number()
    playing = Number(help_text="tables that are not settled")
    warnings = Note(many=True)


class RoundList(serializers.Serializer):
    results = RoundView(many=True)


class LeaguePart(serializers.Serializer):
    id = Words()
    name = Words()
    season = Number()
    division = Number()
    group = Number()


class YouThere(serializers.Serializer):
    organiser = Flag()
    entrant = Number(allow_null=True, help_text="the id of the entrant that you play for")
    status = serializers.ChoiceField(Entrant.Status.values, allow_null=True)
    confirmed = Flag(allow_null=True)
    proposals = listed(Number(), help_text="to play as a pair: what you asked or were asked, unanswered")
    client_seed = Words(allow_null=True, help_text="what your games here are shuffled with, beside our seed")
    may = listed(Words(), help_text="what you may do here now")


class EventView(TermsView, EventSummary):
    text = Words(allow_blank=True)
    rounds = Number(allow_null=True)
    laps = Number()
    at_once = Flag()
    advance = Number()
    third_place = Flag()
    when_full = Flag()
    confirmation = Flag()
    by_invitation = Flag()
    late = Flag()
    least_rating = Number(allow_null=True)
    most_rating = Number(allow_null=True)
    seeding = serializers.ChoiceField(Event.Seeding.values)
    ask = Flag()
    review = Flag()
    waiting = Number(help_text="entrants on the waiting list")
    helpers = listed(Words())
    held = Words(
        allow_blank=True,
        help_text="why it waits, for those who organise it; else empty. `review`, `too-few`, "
        "`too-many-games`, `stale-at-end`, the code of its first warning, or `undecided-table`: a table came "
        "back whose game ended while it did not count, and it goes on when its result is written",
    )
    waits_for_organiser = Flag(help_text="whether it waits for them")
    warnings = Note(many=True, help_text="for those who organise it: what the next round has")
    round = RoundView(allow_null=True, help_text="the newest one")
    champions = listed(Words())
    commitment = Words()
    event_commitment = Words(help_text="the SHA-256 of `event_seed`, public before anyone can enter")
    event_seed = Words(allow_null=True, help_text="in hexadecimal; null until it is over")
    league = LeaguePart(allow_null=True)
    you = YouThere()


class FormerPlayer(serializers.Serializer):
    number = Number(help_text="2: the second of a pair")
    player = Words(allow_null=True)
    since_round = Number(help_text="from which round on somebody else has played")


class EntrantView(serializers.Serializer):
    id = Number()
    name = Words()
    players = listed(Words())
    status = serializers.ChoiceField(Entrant.Status.values)
    seed = Number(allow_null=True, help_text="1 is the strongest; null: by lot, behind those who have one")
    joined = Number(help_text="the first round to play in")
    left = Number(allow_null=True, help_text="the last round that had begun when they left")
    absent = listed(Number(), help_text="rounds to sit out")
    confirmed = Flag()
    client_seeds = listed(Words(), help_text="of those who play for it, in the order of their seats")
    rank = Number(allow_null=True, help_text="at the end")
    before = FormerPlayer(many=True, help_text="who played for it before; results of then stay theirs")


class SeatAt(serializers.Serializer):
    entrant = Number()
    name = Words(help_text="who played here, whoever plays for the entrant now")
    before = listed(Words(), help_text="who began this game for them, and was replaced")
    rank = Number(allow_null=True)
    points = Number(allow_null=True)
    eights = Number(allow_null=True)
    forfeit = Flag(help_text="did not play to the end")
    timeout = Flag(help_text="because their time was up")


class TableView(serializers.Serializer):
    id = Number()
    match = Words(help_text="the match's id in the tournament: what seeds of its games are derived with")
    round = Number()
    rematch = Flag()
    game_number = Number(help_text="of the match: 2 and more are rematches")
    attempt = Number(help_text="2 and more: a corrected result made the earlier ones void")
    state = serializers.ChoiceField(["bye", "over", "playing"])
    game = Words(allow_null=True)
    ends_at = Moment(allow_null=True)
    settled_at = Moment(allow_null=True)
    by = Words(allow_null=True, help_text="game, adjudication, organiser; null: a bye, or no result yet")
    seats = SeatAt(many=True)
    reasons = Note(many=True, help_text="why these meet, and sit so")


class OneTable(TableView):
    words = listed(Words(), help_text="the reasons in words, in your language")
    void = Flag(help_text="a corrected result made it meaningless")


class Column(serializers.Serializer):
    key = Words()
    name = Words()
    explanation = Words(help_text="in words, in your language")


class Criterion(serializers.Serializer):
    key = Words()
    value = serializers.FloatField(allow_null=True)


class StandingLine(serializers.Serializer):
    rank = Number()
    entrant = Number()
    name = Words()
    played = Number()
    byes = Number()
    withdrawn = Flag()
    criteria = Criterion(many=True)
    parted_by = Words(allow_null=True, help_text="what puts it behind the line above")
    before = FormerPlayer(many=True)


class StandingsView(serializers.Serializer):
    criteria = Column(many=True)
    lines = StandingLine(many=True)


class SourceView(serializers.Serializer):
    seed = Number(allow_null=True)
    match = Words(allow_null=True)
    place = Number()


class BracketSeat(serializers.Serializer):
    entrant = Number(allow_null=True)
    name = Words(allow_null=True)
    place = Number(allow_null=True)
    source = SourceView()


class MatchView(serializers.Serializer):
    match = Words()
    bracket = serializers.ChoiceField(["main", "winners", "losers", "final", "third"])
    round = Number()
    stage = Number()
    state = Words()
    pending = Flag(help_text="by a correction others play it; the table they had waits to be given up")
    advance = Number()
    seats = BracketSeat(many=True)
    notes = Note(many=True)
    games = listed(Words())


class BracketView(serializers.Serializer):
    matches = MatchView(many=True)
    champion = Words(allow_null=True)


class ProofEntrant(serializers.Serializer):
    id = Number()
    seed = Number(allow_null=True)
    joined = Number()
    left = Number(allow_null=True)
    absent = listed(Number())
    client_seeds = listed(Words(), help_text="in the order of their seats")


class ProofResult(serializers.Serializer):
    published = Number(help_text="the number of the round it was published with")
    match = Words()
    round = Number()
    game = Number(help_text="2: a rematch")
    attempt = Number()
    seats = listed(Number(), help_text="one alone: a bye")
    ranks = listed(Number(), allow_null=True)
    points = listed(Number())
    eights = listed(Number())
    forfeits = listed(Number())


class SeedChange(serializers.Serializer):
    decision = Number(help_text="its id in the list of decisions, which tells the order")
    at = Moment()
    by = Words(allow_null=True)
    count = Number(help_text="how many were seeded by hand from then on")
    after_preview = Flag(help_text="whether an organiser had seen the draw by then")


class PreviewOfDraw(serializers.Serializer):
    at = Moment()
    by = Words(allow_null=True)


class CorrectedResult(serializers.Serializer):
    decision = Number()
    at = Moment()
    table = Number(allow_null=True)
    before = serializers.DictField(allow_null=True, help_text="as rounds were paired by until then")
    after = serializers.DictField(allow_null=True)


class ProofView(serializers.Serializer):
    code = Words()
    commitment = Words(help_text="the SHA-256 of the seed, public before anyone could enter")
    seed = Words(allow_null=True, help_text="in hexadecimal; null until it is over")
    event_commitment = Words()
    event_seed = Words(allow_null=True)
    format = Words()
    table = Number()
    rounds = Number(allow_null=True)
    laps = Number()
    at_once = Flag()
    advance = Number()
    third_place = Flag()
    entrants = ProofEntrant(many=True)
    results = ProofResult(many=True)
    seeding = serializers.ChoiceField(
        [*Event.Seeding.values, "division"],
        help_text="what numbers those who are not seeded by hand; division: the order in a league",
    )
    seeds_logged = Flag(help_text="false: made before seeds set by hand and previews were logged")
    seeded_by_hand = listed(Number(), help_text="ids of entrants, the first seed first")
    seed_changes = SeedChange(many=True, help_text="seeds that organisers set, the newest 100, oldest first")
    previews = PreviewOfDraw(many=True, help_text="organisers who saw the draw before the start")
    corrections = CorrectedResult(many=True)
