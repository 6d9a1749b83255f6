"""Level results of tournament games."""

from __future__ import annotations

from tests.factories.events import (
    NOW,
    get_host,
)
from tournaments.models import Pairing
from tournaments.services import decisions


def level(table: Pairing) -> None:
    """Record a level result as the organiser."""
    places = table.pairing_seats.count()
    decisions.correct_result(
        by=get_host(), code=table.tournament.code, pairing_id=table.pk, ranks=[1] * places, now=NOW
    )
