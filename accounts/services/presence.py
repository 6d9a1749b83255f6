"""Presence: when players were last seen, and removal of expired sessions."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session

from accounts.models import Player

LAST_SEEN_INTERVAL = timedelta(hours=1)  # avoids a write for every page


def touch_last_seen(*, player: Player, now: datetime) -> None:
    """Update when a player was last seen: at once if a mail was sent since, otherwise hourly."""
    last_seen_at, last_turn_mail_at = player.last_seen_at, player.last_turn_mail_at
    if (
        last_seen_at
        and now - last_seen_at < LAST_SEEN_INTERVAL
        and not (last_turn_mail_at and last_seen_at < last_turn_mail_at)
    ):
        return
    Player.objects.filter(pk=player.pk).update(last_seen_at=now)
    player.last_seen_at = now


def delete_expired_sessions(*, now: datetime, limit: int = 1000) -> int:
    """Delete expired sessions; every guest leaves one. Returns how many."""
    expired_sessions = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    session_keys = list(expired_sessions.values_list("pk", flat=True)[:limit])
    return Session.objects.filter(pk__in=session_keys, expire_date__lt=now).delete()[0]
