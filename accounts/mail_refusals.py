"""The signed link by which the owner of an address without an account refuses all mail."""

from __future__ import annotations

from accounts.selectors.contacts import digest_of_address
from common.signed_tokens import read_signed_text, sign_text
from common.site_urls import build_absolute_url

MAIL_REFUSAL_PURPOSE = "games.refusal"


def make_refusal_token(digest: str) -> str:
    """The token by which the owner of an address refuses mail; it holds a digest, not the address."""
    return sign_text(MAIL_REFUSAL_PURPOSE, digest)


def read_refusal(token: str) -> str | None:
    """The digest of the address that refuses mail, None if the token is invalid."""
    return read_signed_text(MAIL_REFUSAL_PURPOSE, token)


def build_refusal_link(email: str) -> str:
    """The URL of the page on which the owner of an address refuses all mail from us."""
    return build_absolute_url(f"/no-mail/{make_refusal_token(digest_of_address(email))}/")
