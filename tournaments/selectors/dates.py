"""What is to come, by date: for a player's calendar, in one question however much it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Value, When

from games.models import Player
from tournaments.models import Entrant, Event, League, Membership, Round, Season, Sitting

START, ROUND, SEASON = "start", "round", "season"
COUNTED = (Event.Format.SWISS, Event.Format.ROUND_ROBIN)  # where rounds have numbers that people know


@dataclass(frozen=True)
class ToCome:
    """The start of an event, the end of a round that one plays in, or the last season before the next."""

    what: str
    code: str  # of the event or the league
    name: str
    format: str
    number: int  # of the round or of the last season
    counted: int  # the number of the round as people know it, or 0
    made: datetime
    at: datetime
    later: int  # seconds after `at`


def has_dates(event: Event) -> bool:
    """Whether a calendar of an event has anything to tell."""
    if event.status == Event.Status.CANCELLED:
        return False
    known = (event.opens_at, event.closes_at, event.started_at, event.starts_at)
    return any(known) or event.published.filter(ends_at__isnull=False).exists()


def to_come(player: Player) -> list[ToCome]:
    """All dates of a player's, the next one first."""
    playing = Sitting.objects.filter(
        table__published=OuterRef("pk"), table__settled_at=None, entrant__members__player=player
    )
    after = Season.objects.filter(league=OuterRef("league"), number__gt=OuterRef("number"))
    staying = Membership.objects.filter(
        league=OuterRef("league"), player=player, status=Membership.Status.MEMBER
    )
    none = Value(0, IntegerField())
    starts = Event.objects.filter(
        members__player=player,
        members__entrant__status=Entrant.Status.ENTERED,
        status=Event.Status.PUBLISHED,
        starts_at__isnull=False,
        division=None,
    ).values_list(Value(START), "code", "name", "format", none, none, "created_at", "starts_at", none)
    number = Case(
        When(event__format__in=COUNTED, event__at_once=False, then=F("number")),
        default=none,
        output_field=IntegerField(),
    )
    ends = Round.objects.filter(
        Exists(playing), ends_at__isnull=False, event__status=Event.Status.RUNNING
    ).values_list(
        *(Value(ROUND), "event__code", "event__name", "event__format", "number", number),
        *("made_at", "ends_at", none),
    )
    seasons = Season.objects.filter(
        ~Exists(after), Exists(staying), league__status=League.Status.RUNNING, finished_at__isnull=False
    ).values_list(
        *(Value(SEASON), "league__code", "league__name", "league__format", "number", none),
        *("finished_at", "finished_at", "league__pause"),
    )
    rows = starts.union(ends, seasons, all=True)
    return sorted((ToCome(*row) for row in rows), key=lambda one: (one.at, one.code))
