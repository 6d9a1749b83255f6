"""Encrypts a push message so that only the browser reads it, not its push service (RFC 8291, RFC 8188)."""

from __future__ import annotations

import secrets

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from notifications.push_keys import (
    CURVE,
    PUBLIC_KEY_BYTES,
    encode_public_key,
    load_auth_secret,
    load_public_key,
)

SALT_BYTES = 16
RECORD_BYTES = 4096  # which every push service takes
LAST_RECORD_DELIMITER = b"\x02"
# Room in the only record: without the header, the delimiter and the tag of AES-GCM.
MAX_PLAINTEXT_BYTES = RECORD_BYTES - SALT_BYTES - 4 - 1 - PUBLIC_KEY_BYTES - 1 - 16


def derive_key(input_key: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    """Derive a key by HKDF with SHA-256."""
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(input_key)


def encrypt_message(
    plaintext: bytes,
    *,
    p256dh: str,
    auth: str,
    sender_key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a message as one record of `aes128gcm`. Raises ValueError for bad keys or a long message.

    The key pair and the salt are made anew for each message; a test may give its own.
    """
    if len(plaintext) > MAX_PLAINTEXT_BYTES:
        raise ValueError("the message is too long")
    browser_key = load_public_key(p256dh)
    sender_key = sender_key or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    sender_point = encode_public_key(sender_key.public_key())
    input_key = derive_key(
        sender_key.exchange(ec.ECDH(), browser_key),
        salt=load_auth_secret(auth),
        info=b"WebPush: info\0" + encode_public_key(browser_key) + sender_point,
        length=32,
    )
    content_key = derive_key(input_key, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = derive_key(input_key, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    header = salt + RECORD_BYTES.to_bytes(4) + bytes([len(sender_point)]) + sender_point
    return header + AESGCM(content_key).encrypt(nonce, plaintext + LAST_RECORD_DELIMITER, None)
