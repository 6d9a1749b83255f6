"""The log of organisers' decisions in a tournament."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Max

from accounts.models import Player
from tournaments.models import Decision, Tournament
from tournaments.models.limits import MAX_REASON_LENGTH


def log_decision(
    tournament: Tournament,
    by: Player | None,
    action: Decision.Action,
    now: datetime,
    *,
    reason: str = "",
    public_note: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    undoes: Decision | None = None,
) -> Decision:
    """Store a decision, and make a running tournament due.

    `reason` is for organisers, `public_note` for everybody.
    """
    if tournament.is_running:
        Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=now)
    return Decision.objects.create(
        tournament=tournament,
        created_by=by,
        created_at=now,
        action=action,
        reason=reason[:MAX_REASON_LENGTH],
        public_note=public_note[:MAX_REASON_LENGTH],
        before=before or {},
        after=after or {},
        last_pairing_id=find_newest_pairing_id(tournament),
        undoes=undoes,
    )


def log_preview(tournament: Tournament, by: Player, now: datetime) -> None:
    """Log that an organiser saw the draw before the start, once per organiser.

    Two concurrent previews may write two rows; both are true.
    """
    if not tournament.decisions.filter(action=Decision.Action.PREVIEW, created_by=by).exists():
        Decision.objects.create(
            tournament=tournament, created_by=by, created_at=now, action=Decision.Action.PREVIEW
        )


def find_newest_pairing_id(tournament: Tournament) -> int:
    """Return the id of the newest pairing of a tournament, or 0."""
    return tournament.pairings.aggregate(last=Max("pk"))["last"] or 0
