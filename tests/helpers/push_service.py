"""A browser and its push service, from RFC 8188, 8291 and 8292, independent of the code under test."""

from __future__ import annotations

import base64
import hmac
import json
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from notifications.models import PushDevice
from notifications.services import push_devices
from tests.factories.cast import NOW, player
from tests.helpers.listener import Call

# The key pair of a site, used in tests only.
SITE_PRIVATE_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "===")


def expand(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Compute HKDF of RFC 5869 for lengths of up to one block."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\1", "sha256")[:length]


@dataclass
class Browser:
    """The private key and the secret of a subscription, which a browser keeps."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        """The keys that the browser gives to the site."""
        return {"p256dh": encode(self.point), "auth": encode(self.secret)}

    def subscribe(self, url: str, name: str = "ada", **more: Any) -> PushDevice:
        """Subscribe, and register with the site."""
        return push_devices.register_device(
            **{"player": player(name), "endpoint": url, "label": "Firefox, Linux", "now": NOW, **self.keys}
            | more
        )

    def decrypt(self, body: bytes) -> bytes:
        """Read the only record of a message."""
        salt, record_size, key_length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender_point, record = body[21 : 21 + key_length], body[21 + key_length :]
        assert 17 <= len(record) <= record_size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender_point)
        )
        secret = expand(shared, self.secret, b"WebPush: info\0" + self.point + sender_point, 32)
        key = expand(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = expand(secret, salt, b"Content-Encoding: nonce\0", 12)
        reader = Cipher(algorithms.AES(key), modes.GCM(nonce, record[-16:])).decryptor()
        padded = (reader.update(record[:-16]) + reader.finalize()).rstrip(b"\0")
        assert padded[-1:] == b"\2", "the only record is the last one"
        return padded[:-1]

    def read(self, call: Call) -> dict[str, Any]:
        """Return the contents of a push message."""
        assert call.headers["Content-Encoding"] == "aes128gcm"
        message: dict[str, Any] = json.loads(self.decrypt(call.body))
        return message


def read_vapid(call: Call) -> tuple[dict[str, Any], str]:
    """Check the signature of a call's token; return its claims and the public key of its sender."""
    match = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", call.headers["Authorization"])
    assert match
    header, claims, signature, key = match.groups()
    assert json.loads(decode(header)) == {"typ": "JWT", "alg": "ES256"}
    raw = decode(signature)
    assert len(raw) == 64
    numbers = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
    public.verify(numbers, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    read: dict[str, Any] = json.loads(decode(claims))
    return read, key
