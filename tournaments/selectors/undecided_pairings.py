"""Restored pairings whose game cannot decide them: it ended for somebody while they were void."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Pairing, Tournament


def list_undecided_pairings(tournament: Tournament) -> QuerySet[Pairing]:
    """List the pairings whose result only an organiser can write: settled, and without a result."""
    return tournament.pairings.filter(is_void=False, result__isnull=True, settled_at__isnull=False)
