"""Upcoming dates of a player for their calendar, in a single query."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Value, When

from accounts.models import Player
from tournaments.models import Entrant, League, LeagueMember, PairingSeat, Round, Season, Tournament

TOURNAMENT_START, ROUND_END, LAST_SEASON = "start", "round", "season"
NUMBERED_ROUND_FORMATS = (
    Tournament.Format.SWISS,
    Tournament.Format.ROUND_ROBIN,
)  # formats whose round numbers are shown


@dataclass(frozen=True)
class UpcomingDate:
    """The start of a tournament, the end of a round, or the last season of a league before the next one."""

    kind: str
    code: str  # of the tournament or league
    name: str
    format: str
    number: int  # of the round or the last season
    shown_number: int  # the round number as shown, or 0
    recorded_at: datetime
    at: datetime
    delay_seconds: int  # seconds from `at` to the next season


def has_dates(tournament: Tournament) -> bool:
    """Tell whether a tournament's calendar has any entry."""
    if tournament.is_cancelled:
        return False
    own_dates = (tournament.opens_at, tournament.closes_at, tournament.started_at, tournament.starts_at)
    return any(own_dates) or tournament.rounds.filter(ends_at__isnull=False).exists()


def list_upcoming_dates(player: Player) -> list[UpcomingDate]:
    """List all upcoming dates of a player, the next first."""
    open_seats = PairingSeat.objects.filter(
        pairing__round=OuterRef("pk"), pairing__settled_at=None, entrant__entrant_players__player=player
    )
    later_seasons = Season.objects.filter(league=OuterRef("league"), number__gt=OuterRef("number"))
    own_memberships = LeagueMember.objects.filter(
        league=OuterRef("league"), player=player, status=LeagueMember.Status.MEMBER
    )
    zero = Value(0, IntegerField())
    tournament_starts = (
        Tournament.objects.published()
        .filter(
            entrant_players__player=player,
            entrant_players__entrant__status=Entrant.Status.ENTERED,
            starts_at__isnull=False,
            division=None,
        )
        .values_list(
            Value(TOURNAMENT_START), "code", "name", "format", zero, zero, "created_at", "starts_at", zero
        )
    )
    shown_number = Case(
        When(
            tournament__format__in=NUMBERED_ROUND_FORMATS,
            tournament__all_rounds_at_once=False,
            then=F("number"),
        ),
        default=zero,
        output_field=IntegerField(),
    )
    round_ends = Round.objects.filter(
        Exists(open_seats), ends_at__isnull=False, tournament__status=Tournament.Status.RUNNING
    ).values_list(
        *(
            Value(ROUND_END),
            "tournament__code",
            "tournament__name",
            "tournament__format",
            "number",
            shown_number,
        ),
        *("published_at", "ends_at", zero),
    )
    seasons = Season.objects.filter(
        ~Exists(later_seasons),
        Exists(own_memberships),
        league__status=League.Status.RUNNING,
        finished_at__isnull=False,
    ).values_list(
        *(Value(LAST_SEASON), "league__code", "league__name", "league__format", "number", zero),
        *("finished_at", "finished_at", "league__season_pause"),
    )
    rows = tournament_starts.union(round_ends, seasons, all=True)
    return sorted((UpcomingDate(*row) for row in rows), key=lambda date: (date.at, date.code))
