"""What is to come, by date: for a player's calendar, and for an event's."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Player
from tournaments.models import Entrant, Event, League, Membership, Round, Season, Sitting


def starts(player: Player) -> QuerySet[Event]:
    """Events that a player has entered and that wait for a start whose time is known."""
    return Event.objects.filter(
        members__player=player,
        members__entrant__status=Entrant.Status.ENTERED,
        status=Event.Status.PUBLISHED,
        starts_at__isnull=False,
        division=None,
    ).order_by("starts_at", "pk")


def ends(player: Player) -> QuerySet[Round]:
    """Rounds with an end in which a player still plays."""
    playing = Sitting.objects.filter(
        table__published=OuterRef("pk"), table__settled_at=None, entrant__members__player=player
    )
    found = Round.objects.filter(Exists(playing), ends_at__isnull=False, event__status=Event.Status.RUNNING)
    return found.select_related("event").order_by("ends_at", "pk")


def last_seasons(player: Player) -> QuerySet[Season]:
    """The last seasons of leagues that a player stays in, where the next one is to come."""
    later = Season.objects.filter(league=OuterRef("league"), number__gt=OuterRef("number"))
    staying = Membership.objects.filter(
        league=OuterRef("league"), player=player, status=Membership.Status.MEMBER
    )
    found = Season.objects.filter(
        ~Exists(later), Exists(staying), league__status=League.Status.RUNNING, finished_at__isnull=False
    )
    return found.select_related("league").order_by("finished_at", "pk")
