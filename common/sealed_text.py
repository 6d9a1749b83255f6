"""Text that is stored encrypted: the database alone does not reveal it."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac


def seal_text(purpose: str, text: str) -> str:
    """Encrypt a text under the site's secret key, for one purpose."""
    return build_cipher(purpose).encrypt(text.encode()).decode()


def open_sealed_text(purpose: str, sealed_text: str) -> str | None:
    """Decrypt a text; None if it was sealed for another purpose, or under a key that is gone."""
    try:
        return build_cipher(purpose).decrypt(sealed_text.encode()).decode()
    except InvalidToken:
        return None


def build_cipher(purpose: str) -> MultiFernet:
    """Build the cipher of a purpose: it decrypts under the fallback keys, too."""
    secret_keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (salted_hmac(purpose, "", secret=key, algorithm="sha256").digest() for key in secret_keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
