"""A real HTTP server for webhook calls on this machine, with responses that a test sets."""

from __future__ import annotations

import base64
import hmac
import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from notifications.models import Delivery, Webhook
from notifications.services import webhooks
from tests.factories.cast import NOW, player


@dataclass
class Call:
    """A received request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data


def compute_signature(secret: str, call: Call) -> str:
    """Compute the expected signature of a call from its description at standardwebhooks.com."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode() + call.body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode()}"


@dataclass
class Listener:
    """A context manager; `status`, `headers`, `answer` and `act` determine its responses."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    answer: bytes = b"ok"
    act: Callable[[BaseHTTPRequestHandler], bool] | None = None  # returns True if it has answered by itself
    certificate: Path | None = None  # with its key; enables TLS
    calls: list[Call] = field(default_factory=list)

    def __enter__(self) -> Listener:
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener.calls.append(Call(self.path, dict(self.headers.items()), body))
                if listener.act and listener.act(self):
                    return
                self.send_response(listener.status)
                for name, value in {"Content-Length": str(len(listener.answer)), **listener.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(listener.answer)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # some tests have clients that disconnect

        self.server = Server(("127.0.0.1", 0), Handler)
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/otto?room=7"


def make_certificate(path: Path, name: str) -> Path:
    """Create a self-signed certificate for one name."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + secret)
    return path


# --------------------------------------------------------------------------------- webhooks and deliveries


def create_webhook(url: str, name: str = "ada", preset: str = "json") -> Webhook:
    return webhooks.create_webhook(player=player(name), url=url, preset=preset, now=NOW)


def create_delivery(webhook: Webhook, number: int = 1, *, due: datetime = NOW, **more: Any) -> Delivery:
    """Create a delivery that waits for a webhook."""
    return Delivery.objects.create(
        **{
            "player": webhook.player,
            "webhook": webhook,
            "kind": "test",
            "dedup_key": f"w{webhook.pk}:{number}",
            "created_at": due,
            "next_attempt_at": due,
            **more,
        }
    )


def read_state(delivery: Delivery) -> tuple[str, str]:
    delivery.refresh_from_db()
    return delivery.status, delivery.status_reason
