"""The signed link by which a player stops all mails."""

from __future__ import annotations

from accounts.models import Player
from common.signed_tokens import read_signed_text, sign_text
from common.site_urls import build_absolute_url

UNSUBSCRIBE_PURPOSE = "notifications.unsubscribe"


def make_unsubscribe_token(mail_token: str) -> str:
    """The token that stops all mails to the player with this mail token."""
    return sign_text(UNSUBSCRIBE_PURPOSE, mail_token)


def read_unsubscribe(token: str) -> str | None:
    """The mail token of the player who unsubscribes, None if the token is invalid."""
    return read_signed_text(UNSUBSCRIBE_PURPOSE, token)


def build_unsubscribe_link(player: Player) -> str:
    """The URL of the page that ends all mails to a player."""
    return build_absolute_url(f"/unsubscribe/{make_unsubscribe_token(player.mail_token)}/")
