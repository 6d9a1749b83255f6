"""Holds: a tournament waits for its organiser, who is notified. The caller locks the tournament."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tournaments.models import Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.pairing import (
    PairingNote,
    TableWarning,
    make_note,
)
from tournaments.selectors.tournament_state import (
    TournamentState,
    list_seated_entrant_ids,
)
from tournaments.selectors.undecided_pairings import list_undecided_pairings

from .notices import (
    notify_held_start,
    notify_organisers,
)
from .sweep_steps import StepName


def hold_for_organiser(
    tournament: Tournament, hold_reason: Tournament.HoldReason, warnings: Sequence[PairingNote], now: datetime
) -> StepName:
    """Put the tournament on hold and notify the organisers. Returns the step name."""
    tournament.hold_reason, tournament.warnings = hold_reason, [warning.as_dict() for warning in warnings]
    tournament.save(update_fields=["hold_reason", "warnings"])
    dedup_suffix = f"held:{tournament.rounds.count() + 1}:{hold_reason}"
    if tournament.is_published:  # another start date is another notice
        dedup_suffix += f":{tournament.starts_at:%Y-%m-%dT%H:%M}" if tournament.starts_at else ""
        notify_held_start(tournament, dedup_suffix, now, reason=hold_reason, warnings=tournament.warnings)
    else:
        notify_organisers(
            tournament,
            TournamentNoticeKind.ON_HOLD,
            dedup_suffix,
            now,
            reason=hold_reason,
            warnings=tournament.warnings,
        )
    return StepName.PUT_ON_HOLD


def ask_for_results(tournament: Tournament, now: datetime) -> StepName | None:
    """Hold for the organiser while a restored pairing has a game that cannot decide it."""
    if tournament.hold_reason:
        return None
    pairings = list(list_undecided_pairings(tournament).prefetch_related("pairing_seats").order_by("pk"))
    stale_ids = (
        {pairing.pk for pairing in TournamentState(tournament).list_stale_pairings()} if pairings else set()
    )
    warnings = [
        make_note(
            TableWarning.UNDECIDED, match=pairing.match, entrants=tuple(list_seated_entrant_ids(pairing))
        )
        for pairing in pairings
        if pairing.pk not in stale_ids
    ]
    return (
        hold_for_organiser(tournament, Tournament.HoldReason.UNDECIDED_TABLE, warnings, now)
        if warnings
        else None
    )
