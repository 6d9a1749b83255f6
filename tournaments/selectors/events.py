"""Which events there are, and who may do what with them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Player
from tournaments.models import Event, League


class NoSuchEvent(LookupError):
    """There is no such event for this viewer."""


class NoSuchLeague(NoSuchEvent):
    """There is no such league for this viewer."""


def may_organise(player: Player | None, event: Event) -> bool:
    """The organiser, their helpers, those of its league, and the operators."""
    if player is None:
        return False
    if event.organiser_id == player.pk or player.is_staff:
        return True
    helps = Q(helpers=player) | Q(division__season__league__helpers=player)
    return Event.objects.filter(helps, pk=event.pk).exists()


def may_run(player: Player | None, league: League) -> bool:
    """The organiser of a league, their helpers, and the operators."""
    if player is None:
        return False
    return league.organiser_id == player.pk or player.is_staff or league.helpers.filter(pk=player.pk).exists()


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


def league_for(viewer: Player | None, code: str) -> League:
    """A league; all of them are in the open. Raises NoSuchLeague."""
    league = League.objects.filter(code=code).select_related("organiser").first()
    if league is None:
        raise NoSuchLeague(code)
    return league


def leagues(*statuses: str) -> QuerySet[League]:
    """All leagues, newest first."""
    found = League.objects.filter(status__in=statuses) if statuses else League.objects.all()
    return found.order_by("-created_at", "-pk")
