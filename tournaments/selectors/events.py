"""Which events there are, and who may do what with them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Player
from tournaments.models import Event, League


class NoSuchEvent(LookupError):
    """There is no such event for this viewer."""


def may_organise(player: Player | None, event: Event) -> bool:
    """The organiser, their helpers, and the operators."""
    if player is None:
        return False
    return event.organiser_id == player.pk or player.is_staff or event.helpers.filter(pk=player.pk).exists()


def may_run(player: Player | None, league: League) -> bool:
    """The organiser of a league, and the operators."""
    return player is not None and (league.organiser_id == player.pk or player.is_staff)


def event_for(viewer: Player | None, code: str) -> Event:
    """An event that a viewer may see: drafts are their organisers'. Raises NoSuchEvent."""
    event = Event.objects.filter(code=code).select_related("organiser").first()
    if event is None or (event.status == Event.Status.DRAFT and not may_organise(viewer, event)):
        raise NoSuchEvent(code)
    return event


def events(*statuses: str) -> QuerySet[Event]:
    """Events in the open, newest first, without those of leagues."""
    found = Event.objects.filter(division=None).exclude(status=Event.Status.DRAFT)
    return (found.filter(status__in=statuses) if statuses else found).order_by("-created_at", "-pk")


def my_events(player: Player) -> QuerySet[Event]:
    """Events that a player takes part in or organises, newest first."""
    mine = Q(members__player=player) | Q(organiser=player) | Q(helpers=player)
    return Event.objects.filter(mine).distinct().order_by("-created_at", "-pk")
