"""A mail server that can misbehave: the one of tests.smtp with moods."""

from __future__ import annotations

import asyncio
import smtplib
from collections import Counter
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from typing import Any

from tests.smtp import Mail, Sink

SILENT_SECONDS = 60.0


@dataclass
class MailServer(Sink):
    """Accepts mail unless it has a mood: `hangs up` stores a mail and disconnects without an answer,
    `is silent` stores a mail and delays the answer for long, `loses` confirms a mail without storing it."""

    mood: str = ""
    relay_port: int = 0  # port of another server on this machine that also gets every mail
    request_count: int = 0  # received mails, accepted or not
    lost: int = 0
    known_ids: list[tuple[str, str]] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.request_count += 1
        if self.mood in ("hangs up", "is silent"):
            message = message_from_bytes(envelope.content, policy=policy.default)
            self.mails.append(Mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.content, message))
            if self.mood == "is silent":
                await asyncio.sleep(SILENT_SECONDS)
            server.transport.abort()
            return "250 never heard"
        if self.mood == "loses":
            self.lost += 1
            return "250 OK"
        if self.relay_port:
            await asyncio.to_thread(self.relay, envelope)
        return await super().handle_DATA(server, session, envelope)

    def relay(self, envelope: Any) -> None:
        with smtplib.SMTP(self.host, self.relay_port) as server:
            server.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)

    def reset(self) -> None:
        """Accept every mail again, without delay."""
        self.mood, self.slow, self.relay_port = "", 0.0, 0
        self.refuse, self.reject = (lambda address: ""), (lambda message: "")

    def read(self) -> list[tuple[str, str]]:
        """Return Message-ID and References of every received mail; each is parsed once, which is slow."""
        for mail in list(self.mails)[len(self.known_ids) :]:
            self.known_ids.append((str(mail.message["Message-ID"]), str(mail.message["References"])))
        return self.known_ids

    def names(self) -> Counter[str]:
        """Count the received copies of each mail by Message-ID."""
        return Counter(name for name, _references in self.read())

    def list_ids_about(self, codes: list[str]) -> list[str]:
        """List the Message-IDs of the mails about these games."""
        return [name for name, thread in self.read() if any(f"<game.{code}." in thread for code in codes)]
