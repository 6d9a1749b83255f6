"""The keys of push messages: those of browsers, and how keys are written (RFC 8291)."""

from __future__ import annotations

import base64
import binascii

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
PUBLIC_KEY_BYTES = 65  # an uncompressed point
AUTH_SECRET_BYTES = 16


def encode_base64url(data: bytes) -> str:
    """Encode bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Decode base64url with or without padding. Raises ValueError."""
    if not text.isascii():
        raise ValueError("not base64url")
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("not base64url") from error


def load_public_key(text: str) -> ec.EllipticCurvePublicKey:
    """Load a browser's public key. Raises ValueError unless it is an uncompressed point of the curve."""
    point = decode_base64url(text)
    if len(point) != PUBLIC_KEY_BYTES:
        raise ValueError("not an uncompressed point")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def load_auth_secret(text: str) -> bytes:
    """Load the secret that a browser shares with this site. Raises ValueError."""
    secret = decode_base64url(text)
    if len(secret) != AUTH_SECRET_BYTES:
        raise ValueError("not 16 bytes")
    return secret


def encode_public_key(key: ec.EllipticCurvePublicKey) -> bytes:
    """Encode a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
