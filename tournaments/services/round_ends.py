"""The games of a round know when it ends: written when they open, and anew whenever that changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.urls import reverse

from games.selectors.deadlines import RoundEnd
from games.services import house
from tournaments.models import Event, Round, Sitting, Table
from tournaments.selectors.dates import COUNTED

from .notices import members, tell_of_round_end


def round_end_for(event: Event, round: Round) -> RoundEnd | None:
    """The end of a round as its games know it; None if it is open."""
    if round.ends_at is None:
        return None
    counted = event.format in COUNTED and not event.at_once
    return RoundEnd(
        at=round.ends_at,
        tournament=event.name,
        number=round.number if counted else 0,
        page=reverse("tournament", args=[event.code]),
    )


def update_round_ends(event: Event, now: datetime) -> None:
    """Tell the games that still count when their rounds end; the caller holds the event.

    Whoever plays in one that ends sooner than it was known to is told.
    """
    for round in event.published.filter(tables__settled_at=None).distinct():
        open_tables = round.tables.filter(settled_at=None, void=False, game__isnull=False)
        codes = list(open_tables.values_list("game__code", flat=True))
        if round.ends_at:
            sooner = list(open_tables.filter(game__round_ends_at__gt=round.ends_at))
            tell_of_round_end(event, round, players_at(event, sooner), now)
        house.set_round_end(codes=codes, round_end=round_end_for(event, round), now=now)


def players_at(event: Event, tables: Iterable[Table]) -> list[int | None]:
    """Everybody who plays at some tables."""
    seated = Sitting.objects.filter(table__in=list(tables)).values_list("entrant_id", flat=True)
    return members(event, set(seated))
