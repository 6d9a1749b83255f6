"""Tables that came back although their game had ended for somebody while they did not count."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Pairing, Tournament

UNDECIDED = "undecided-table"  # why an event waits until an organiser writes the result of a table


def undecided_tables(tournament: Tournament) -> QuerySet[Pairing]:
    """The tables of an event whose result only an organiser can write: settled, and without one."""
    return tournament.tables.filter(void=False, result__isnull=True, settled_at__isnull=False)
