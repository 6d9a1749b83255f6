"""Confirmation of entries: where it is required, every entrant is asked once before the start."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat

from notifications.models import FeedEntry
from tournaments.models import Entrant, Tournament
from tournaments.notice_kinds import TournamentNoticeKind

from .notices import build_feed_entries, is_live, write_feed_entries
from .sweep_steps import StepName

CONFIRMATION_LEAD_TIME = timedelta(
    days=1
)  # before the start; without a start date players are asked on entry


def compute_next_sweep_at(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when the sweep must next handle a tournament before its start: to ask, then to start."""
    if (
        tournament.confirmation
        and tournament.starts_at
        and tournament.starts_at - CONFIRMATION_LEAD_TIME > now
    ):
        return tournament.starts_at - CONFIRMATION_LEAD_TIME
    return tournament.starts_at


def ask_for_confirmations(tournament: Tournament, now: datetime) -> StepName | None:
    """Ask unconfirmed entrants who were not yet asked for this start date. The caller locks the tournament.

    Returns the step name, or None if there was nobody to ask.
    """
    if not tournament.confirmation or (
        tournament.starts_at and tournament.starts_at - CONFIRMATION_LEAD_TIME > now
    ):
        return None
    dedup_suffix = f"confirm:{tournament.starts_at:%Y-%m-%d}" if tournament.starts_at else "confirm"
    # Includes the entrant id, so that a player who leaves and enters again is asked again.
    dedup_key = Concat(Value(f"{tournament.code}:{dedup_suffix}:"), Cast(OuterRef("entrant"), CharField()))
    earlier_entries = FeedEntry.objects.filter(player=OuterRef("player"), dedup_key=dedup_key)
    unconfirmed_players = tournament.entrant_players.filter(
        ~Exists(earlier_entries),
        entrant__status=Entrant.Status.ENTERED,
        entrant__confirmed_at=None,
        player__isnull=False,
    )
    entries = [
        entry
        for entrant_id, player_id in unconfirmed_players.values_list("entrant_id", "player_id")
        for entry in build_feed_entries(
            tournament, TournamentNoticeKind.CONFIRM, f"{dedup_suffix}:{entrant_id}", [player_id], now
        )
    ]
    write_feed_entries(entries, ignore_quiet_hours=is_live(tournament))
    return StepName.CONFIRMATIONS_ASKED if entries else None
