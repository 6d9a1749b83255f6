"""A real SMTP server on loopback that stores mails."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


@dataclass
class Mail:
    """A received mail with its envelope."""

    sender: str
    recipients: list[str]
    raw: bytes
    message: EmailMessage


@dataclass
class Sink:
    """Accepts mail unless `refuse` or `reject` is set. A context manager: `with Sink() as sink:`."""

    host: str = "127.0.0.1"
    port: int = 0
    mails: list[Mail] = field(default_factory=list)
    connections: int = 0
    # Returns the answer to RCPT for an address, such as "550 5.1.1 nobody"; an empty string accepts it.
    refuse: Callable[[str], str] = lambda address: ""
    # Returns the answer to a whole mail at the end of DATA; an empty string accepts it.
    reject: Callable[[EmailMessage], str] = lambda message: ""
    slow: float = 0.0  # seconds before the server accepts a mail

    @property
    def messages(self) -> list[EmailMessage]:
        """The accepted mails, in order."""
        return [mail.message for mail in self.mails]

    def wait(self, number: int, seconds: float = 20) -> list[EmailMessage]:
        """Wait for so many mails and return them. Raises AssertionError on a timeout."""
        stop_by = time.monotonic() + seconds
        while len(self.mails) < number:
            assert time.monotonic() < stop_by, f"{len(self.mails)} mails of {number} after {seconds} s"
            time.sleep(0.02)
        return self.messages

    def settings(self) -> dict[str, Any]:
        """Return the Django settings for sending to this server."""
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": self.host,
            "EMAIL_PORT": self.port,
            "EMAIL_HOST_USER": "",
            "EMAIL_HOST_PASSWORD": "",
            "EMAIL_USE_TLS": False,
        }

    def __enter__(self) -> Sink:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start listening, on a free port the first time and on that port later."""
        if not self.port:
            with socket.create_server((self.host, 0)) as probe:
                self.port = probe.getsockname()[1]
        self.controller = Controller(self, hostname=self.host, port=self.port)
        self.controller.start()

    def stop(self) -> None:
        """Stop listening; keep the accepted mails."""
        self.controller.stop(no_assert=True)

    # ------------------------------------------------------------------------------------- hooks of aiosmtpd

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: Any
    ) -> Any:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, rcpt_options: list[str]
    ) -> str:
        if answer := self.refuse(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = message_from_bytes(envelope.content, policy=policy.default)
        if self.slow:
            await asyncio.sleep(self.slow)
        if answer := self.reject(message):
            return answer
        self.mails.append(Mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.content, message))
        return "250 OK"
