"""What ties an event to the league whose season it is a part of; an event is held before its league."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from games.services.errors import Conflict
from tournaments.models import Event, League, Season


def hold_league(event: Event) -> None:
    """Nobody else ends the season or gives out its places meanwhile."""
    if event.division_id:
        League.objects.select_for_update(of=("self",)).get(played__divisions=event.division_id)


def in_season(event: Event) -> None:
    """Raise Conflict if the season of an event is over; else it is not ended meanwhile."""
    if event.division_id is None:
        return
    hold_league(event)
    if Season.objects.filter(divisions=event.division_id, finished_at__isnull=False).exists():
        raise Conflict(_("The season is over, and the next one was made of it."))


def wake_league(event: Event, now: datetime) -> None:
    """The sweep looks whether the season can end; one that has ended is left alone, and so is its pause."""
    if event.division_id:
        running = Season.objects.filter(divisions=event.division_id, finished_at=None)
        League.objects.filter(played__in=running).update(due_at=now)
