"""Records of many games: which games a list of records has, and the records themselves, a chunk at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual, LessThan

from accounts.models import Player
from games.engine.read_models import RecordData
from games.models import Action, DerivedSeed, Game, Seat
from games.models.games import PLAYING_STATUSES

from .game_views import ActionRow, build_game_record, build_tournament_seed
from .loaded_games import LoadedGame

RECORD_CHUNK_SIZE = 20  # games whose rows are in memory at once
RECORDED_STATUSES = (*PLAYING_STATUSES, Game.Status.OVER)  # games that have begun have a record
DEFERRED_RECORD_FIELDS = ["initial_events", "seat_clocks", "head_hash", "round_info", "secrets__state"]


@dataclass(frozen=True)
class RecordFilter:
    """A filter of games: all, or those of a mode, or that changed last in a period."""

    since: datetime | None = None
    until: datetime | None = None
    mode: str | None = None
    is_finished: bool = False

    def select_games(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games that match; a game that is over changed last when it ended."""
        changed_at = Coalesce("finished_at", "moved_at", "started_at")
        if self.since:
            games = games.filter(GreaterThanOrEqual(changed_at, self.since))
        if self.until:
            games = games.filter(LessThan(changed_at, self.until))
        if self.mode:
            games = games.filter(mode=self.mode)
        return games.filter(status=Game.Status.OVER) if self.is_finished else games


def list_started_games() -> QuerySet[Game]:
    """The games that have begun, in order of creation."""
    return Game.objects.filter(status__in=RECORDED_STATUSES).order_by("pk")


def list_recorded_games(viewer: Player | None) -> QuerySet[Game]:
    """The games that have begun and that a viewer may list: public ones and their own."""
    games = list_started_games()
    if viewer is None:
        return games.filter(private=False)
    return games.filter(Q(private=False) | Q(creator=viewer) | Exists(find_seats_of(viewer)))


def list_own_recorded_games(player: Player) -> QuerySet[Game]:
    """The games that a player sits in and that have begun, private ones too."""
    return list_started_games().filter(Exists(find_seats_of(player)))


def list_public_recorded_games(player: Player) -> QuerySet[Game]:
    """The public games that a player sits in and that have begun."""
    return list_started_games().filter(Exists(find_seats_of(player)), private=False)


def find_seats_of(player: Player) -> QuerySet[Seat]:
    """The seat of a player in the game of the outer query."""
    return Seat.objects.filter(game=OuterRef("pk"), player=player)


def list_finished_public_games(since: datetime, until: datetime) -> QuerySet[Game]:
    """The public games that ended in a period, in order of creation."""
    games = Game.objects.completed().filter(private=False, finished_at__gte=since, finished_at__lt=until)
    return games.order_by("pk")


def iter_record_chunks(games: QuerySet[Game], ids: Sequence[int]) -> Iterator[list[RecordData]]:
    """Yield the records of these games, chunk after chunk; a game that left the queryset is left out.

    As many queries for a chunk as for one game; nothing of a chunk is kept when the next one is read.
    """
    for start in range(0, len(ids), RECORD_CHUNK_SIZE):
        yield load_records(games.filter(pk__in=ids[start : start + RECORD_CHUNK_SIZE]))


def iter_all_record_chunks(games: QuerySet[Game]) -> Iterator[list[RecordData]]:
    """Yield the records of all games of a queryset, chunk after chunk, without knowing how many there are."""
    last_id = 0
    while ids := list(games.filter(pk__gt=last_id).values_list("pk", flat=True)[:RECORD_CHUNK_SIZE]):
        yield load_records(games.filter(pk__in=ids))
        last_id = ids[-1]


def load_records(games: QuerySet[Game]) -> list[RecordData]:
    """Load the records of games that have begun, in four queries."""
    game_rows = list(games.select_related("secrets").defer(*DEFERRED_RECORD_FIELDS).order_by("pk"))
    seats_by_game: dict[int, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(game__in=game_rows).select_related("player")
    seats = seats.only("game_id", "seat_no", "join_order", "bot_policy", "client_seed", "player__name")
    for seat in seats.order_by("game_id", F("seat_no").asc(nulls_last=True), "join_order"):
        seats_by_game[seat.game_id].append(seat)
    actions_by_game: dict[int, list[ActionRow]] = defaultdict(list)
    action_rows = Action.objects.filter(game__in=game_rows).order_by("game_id", "seq")
    columns = action_rows.values_list("game_id", "seq", "seat", "action", "by", "at")
    for game_id, seq, seat_no, action, source, at in columns:
        actions_by_game[game_id].append((seq, seat_no, action, source, at))
    derived_seeds = DerivedSeed.objects.filter(game__in=game_rows).select_related("tournament_seed")
    tournament_seeds = {seed.game_id: build_tournament_seed(seed) for seed in derived_seeds}
    return [
        build_game_record(
            LoadedGame(game, seats_by_game[game.pk], None),
            actions_by_game[game.pk],
            tournament_seeds.get(game.pk),
        )
        for game in game_rows
    ]
