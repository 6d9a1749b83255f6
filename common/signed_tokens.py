"""Signed tokens in links and mail addresses: one salt per purpose, nothing stored."""

from __future__ import annotations

import base64

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

SIGNATURE_LENGTH = 16  # base32 characters: 80 bits; the local part of an address has room for 64 characters


def sign_text(purpose: str, text: str) -> str:
    """The text with its signature for a purpose."""
    return signing.Signer(salt=purpose).sign(text)


def read_signed_text(purpose: str, token: str) -> str | None:
    """The text of a token, None if it was not signed by this site for this purpose."""
    try:
        return signing.Signer(salt=purpose).unsign(token)
    except (signing.BadSignature, ValueError):  # ValueError: a lone surrogate cannot be encoded
        return None


def compute_signatures(salt: str, text: str, length: int = SIGNATURE_LENGTH) -> list[str]:
    """The short signatures of a text under the current and all fallback secret keys."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (salted_hmac(salt, text, secret=key, algorithm="sha256").digest() for key in keys)
    return [base64.b32encode(digest).decode().lower()[:length] for digest in digests]


def is_valid_signature(salt: str, text: str, signature: str, length: int = SIGNATURE_LENGTH) -> bool:
    """True if a short signature is one of the text under the current or a fallback secret key."""
    valid_signatures = compute_signatures(salt, text, length)
    return any(constant_time_compare(signature, valid_signature) for valid_signature in valid_signatures)
