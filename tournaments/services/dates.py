"""The dates of an event against the present: nothing begins in the past, nothing closes before it opens."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from games.services.errors import Conflict, Invalid
from tournaments.models import Event


def check_dates_to_come(event: Event, now: datetime, chosen: Collection[str]) -> None:
    """Raise Invalid on a start that has passed, or on entries that close before anybody can enter.

    `chosen` are the fields that are laid down now: what passed since an earlier choice is none of theirs.
    An event that people can enter may be closed at once: there the end of entries may have passed.
    """
    if "starts_at" in chosen and has_passed(event.starts_at, now):
        raise Invalid(_("The start is in the past."), code="date-in-the-past", field="starts_at")
    draft = event.status == Event.Status.DRAFT
    if draft and "closes_at" in chosen and has_passed(event.closes_at, now):
        raise Invalid(
            _("Entries would close in the past, before anybody could enter."),
            code="date-in-the-past",
            field="closes_at",
        )


def check_dates_of_draft(event: Event, now: datetime) -> None:
    """Raise Conflict if a draft has waited too long to be published as it is."""
    if has_passed(event.starts_at, now):
        raise Conflict(_("Its start has passed. Choose another one first."), code="date-in-the-past")
    if has_passed(event.closes_at, now):
        raise Conflict(
            _("Its entries are closed already. Choose another time first."), code="date-in-the-past"
        )


def has_passed(at: datetime | None, now: datetime) -> bool:
    """Whether a time is over; of the present minute none is, as forms take no seconds."""
    return at is not None and at < now.replace(second=0, microsecond=0)
