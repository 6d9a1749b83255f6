"""Says to push services who sends a message: a signed token of this site (RFC 8292)."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from django.conf import settings

from notifications.push_keys import CURVE, decode_base64url, encode_base64url, encode_public_key

TOKEN_LIFETIME = timedelta(hours=12)  # a push service takes at most 24 hours
PRIVATE_KEY_BYTES = 32


def is_push_enabled() -> bool:
    """Return whether this site has a key to sign push messages with."""
    return bool(settings.VAPID_PRIVATE_KEY)


@lru_cache(maxsize=4)
def load_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Load a private key: 32 bytes in base64url. Raises ValueError."""
    secret = decode_base64url(text)
    if len(secret) != PRIVATE_KEY_BYTES:
        raise ValueError("not 32 bytes")
    return ec.derive_private_key(int.from_bytes(secret), CURVE)


def generate_private_key() -> str:
    """Generate a private key, as VAPID_PRIVATE_KEY takes it."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encode_base64url(number.to_bytes(PRIVATE_KEY_BYTES))


def derive_public_key(private_key: str) -> str:
    """Return the public key of a private key, as browsers and push services take it."""
    return encode_base64url(encode_public_key(load_private_key(private_key).public_key()))


def get_public_key() -> str:
    """Return the public key of this site; empty without a key."""
    return derive_public_key(settings.VAPID_PRIVATE_KEY) if is_push_enabled() else ""


def build_authorization(endpoint: str, now: datetime) -> str:
    """Build the Authorization header of a message: a token for the push service, and our public key."""
    parts = urlsplit(endpoint)
    header = {"typ": "JWT", "alg": "ES256"}
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + TOKEN_LIFETIME).timestamp()),
        "sub": settings.VAPID_SUBJECT,
    }
    signed_text = ".".join(encode_base64url(json.dumps(part).encode()) for part in (header, claims))
    key = load_private_key(settings.VAPID_PRIVATE_KEY)
    r, s = decode_dss_signature(key.sign(signed_text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode_base64url(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={signed_text}.{signature}, k={get_public_key()}"
