"""The log of an event's decisions: whose they were, and what had been published by then."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Max

from games.models import Player
from tournaments.models import Decision, Event
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors.seeding import PREVIEW


def logged(
    event: Event,
    by: Player | None,
    what: str,
    now: datetime,
    *,
    why: str = "",
    public_note: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    undoes: Decision | None = None,
) -> Decision:
    """Write a decision down; the event is looked at again.

    `why` is for those who organise it, `public_note` for everybody.
    """
    if event.status == Event.Status.RUNNING:
        Event.objects.filter(pk=event.pk).update(due_at=now)
    return Decision.objects.create(
        event=event,
        by=by,
        at=now,
        what=what,
        why=why[:MAX_REASON_LENGTH],
        public_note=public_note[:MAX_REASON_LENGTH],
        before=before or {},
        after=after or {},
        last_table=newest(event),
        undoes=undoes,
    )


def log_preview(event: Event, by: Player, now: datetime) -> None:
    """Write down that an organiser of an event saw its draw before the start: once for each of them.

    Whoever looks twice at the same moment may have two lines, each of which is true.
    """
    if not event.decisions.filter(what=PREVIEW, by=by).exists():
        Decision.objects.create(event=event, by=by, at=now, what=PREVIEW)


def newest(event: Event) -> int:
    """The newest table of an event."""
    return event.tables.aggregate(last=Max("pk"))["last"] or 0
