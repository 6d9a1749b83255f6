"""Who is here: whoever wants one mail until they come back has come back; and whose session has run out."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session

from games.models import Player

OFTEN = timedelta(hours=1)  # not every page is worth a write


def seen(*, player: Player, now: datetime) -> None:
    """Note that a player is here: at once if a mail went out since, else by the hour."""
    last, mailed = player.seen_at, player.mailed_at
    if last and now - last < OFTEN and not (mailed and last < mailed):
        return
    Player.objects.filter(pk=player.pk).update(seen_at=now)
    player.seen_at = now


def forget_sessions(*, now: datetime, limit: int = 1000) -> int:
    """Remove sessions that have run out: every guest leaves one. Returns how many."""
    out = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(out.values_list("pk", flat=True)[:limit])
    return Session.objects.filter(pk__in=keys, expire_date__lt=now).delete()[0]
