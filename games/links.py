"""Sign and read links that act for somebody: a salt for each purpose, nothing stored."""

from __future__ import annotations

from django.core import signing

INVITATION = "games.invitation"


def invitation_token(invitation_id: int) -> str:
    """The token in an invitation's link."""
    return signing.Signer(salt=INVITATION).sign(str(invitation_id))


def read_invitation(token: str) -> int | None:
    """The invitation that a token belongs to, None if it was not made here."""
    try:
        return int(signing.Signer(salt=INVITATION).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
