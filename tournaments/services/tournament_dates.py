"""Checks of a tournament's dates against the present."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from common.service_errors import Invalid
from tournaments.models import Tournament


def check_future_dates(tournament: Tournament, now: datetime, chosen_fields: Collection[str]) -> None:
    """Raise Invalid if the start, or a draft's end of entries, is in the past.

    Only the fields in `chosen_fields` are checked, not those set earlier. A published tournament may get an
    end of entries in the past, which closes entries at once.
    """
    if "starts_at" in chosen_fields and has_passed(tournament.starts_at, now):
        raise Invalid(
            _("The start is in the past. Choose a later time."), code="date-in-the-past", field="starts_at"
        )
    is_draft = tournament.is_draft
    if is_draft and "closes_at" in chosen_fields and has_passed(tournament.closes_at, now):
        raise Invalid(
            _("Entries would close in the past. Choose a later time."),
            code="date-in-the-past",
            field="closes_at",
        )


def check_draft_dates(tournament: Tournament, now: datetime) -> None:
    """Raise Invalid if the start or the end of entries of a draft has passed before it is published."""
    if has_passed(tournament.starts_at, now):
        raise Invalid(
            _("The start has passed. Choose another one first."), code="date-in-the-past", field="starts_at"
        )
    if has_passed(tournament.closes_at, now):
        raise Invalid(
            _("Entries have closed. Choose another time first."), code="date-in-the-past", field="closes_at"
        )


def has_passed(moment: datetime | None, now: datetime) -> bool:
    """Return whether a time is before the present minute; forms have no seconds."""
    return moment is not None and moment < now.replace(second=0, microsecond=0)
