"""A real SMTP server on loopback that keeps what it is given."""

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
    """One mail as it was handed over."""

    sender: str
    recipients: list[str]
    raw: bytes
    message: EmailMessage


@dataclass
class Sink:
    """Takes mail until it is told otherwise. A context manager: `with Sink() as sink: ... sink.port`."""

    host: str = "127.0.0.1"
    port: int = 0
    mails: list[Mail] = field(default_factory=list)
    connections: int = 0
    # The answer to RCPT for an address, such as "550 5.1.1 nobody"; empty: it is taken.
    refuse: Callable[[str], str] = lambda address: ""
    # The same for a whole mail, at the end of DATA.
    reject: Callable[[EmailMessage], str] = lambda message: ""
    slow: float = 0.0  # seconds that the server thinks before it takes a mail

    @property
    def messages(self) -> list[EmailMessage]:
        """The mails that were taken, in order."""
        return [mail.message for mail in self.mails]

    def wait(self, number: int, seconds: float = 20) -> list[EmailMessage]:
        """The mails, once there are so many. Raises AssertionError if there never are."""
        stop_by = time.monotonic() + seconds
        while len(self.mails) < number:
            assert time.monotonic() < stop_by, f"{len(self.mails)} mails of {number} after {seconds} s"
            time.sleep(0.02)
        return self.messages

    def settings(self) -> dict[str, Any]:
        """What Django's settings say to send here."""
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
        """Listen: on a free port at first, later on the same one again."""
        if not self.port:
            with socket.create_server((self.host, 0)) as probe:
                self.port = probe.getsockname()[1]
        self.controller = Controller(self, hostname=self.host, port=self.port)
        self.controller.start()

    def stop(self) -> None:
        """Listen no more; what was taken stays."""
        self.controller.stop(no_assert=True)

    # ------------------------------------------------------------------- what aiosmtpd calls, by these names

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
