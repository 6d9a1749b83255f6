"""Players found by the secrets in their mail links and feed addresses."""

from __future__ import annotations

from accounts.models import Player


def find_player_by_mail_token(token: str) -> Player | None:
    """The player whose mail links have this token, or None."""
    return Player.objects.filter(mail_token=token, is_active=True).first() if token else None


def find_player_by_feed_token(token: str) -> Player | None:
    """The player whose private feeds have this token, or None."""
    if not (token.isascii() and token.isalnum()):
        return None
    return Player.objects.filter(feed_token=token, is_active=True).first()
